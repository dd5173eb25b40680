//! Particles against a mesh: one after another, in f64.

use super::asked_mesh::{AskedMesh, MOST_FACES};
use super::mesh::ColliderMesh;
use super::shape::WorldContact;
use crate::math::{Real, Scalar, Vec3, WIDTH, each};
use crate::state::{Pose, Width};

/// Overlaps with a mesh that are none (m).
const FLAT: f64 = 1e-6;

/// As [`contact`](super::shape::contact), of a mesh, and the faces beside it in a corner. Depths of less than [`FLAT`] are not looked
/// for; lanes whose `member` is zero are not asked.
pub(super) fn contacts<W: Width>(
    mesh: &ColliderMesh,
    poses @ [from, to]: &[Pose<f64>; 2],
    path: [Vec3<W>; 2],
    [radius, margin]: [f64; 2],
    member: W,
) -> [WorldContact<W>; MOST_FACES] {
    let (mut gaps, mut mesh) = ([[0.0; WIDTH]; MOST_FACES], AskedMesh::new(mesh));
    let [a, b, c, d, e, f, g, h, i] = each_path(poses, path, member, |lane, [y0, y1]| {
        let met = mesh.contacts(y0, y1, radius, margin);
        let mut out = [Vec3::zero(); 3 * MOST_FACES];
        for (k, (point, normal)) in met.into_iter().enumerate() {
            let gap = (y0 - point).dot(normal);
            if gap < -FLAT {
                let (point, normal) = match k {
                    0 => mesh.contact(y0, y0, radius, 0.0),
                    _ => (point, normal),
                };
                gaps[k][lane] = (y0 - point).dot(normal);
            }
            let p = to.world(point);
            out[3 * k..3 * k + 3].copy_from_slice(&[p, to.turn(normal), p - from.world(point)]);
        }
        out
    });
    let gap = |k: usize| W::collect(|lane| W::Element::of(gaps[k][lane]));
    [([a, b, c], gap(0)), ([d, e, f], gap(1)), ([g, h, i], gap(2))]
}

/// As [`way_out`](super::shape::way_out), of a mesh, for a radius and a slack.
pub(super) fn way_out<W: Width>(
    mesh: &ColliderMesh,
    poses: &[Pose<f64>; 2],
    path: [Vec3<W>; 2],
    [radius, slack]: [f64; 2],
    member: W,
) -> Vec3<W> {
    let mut mesh = AskedMesh::new(mesh);
    let [way] = each_path(poses, path, member, |_, [y0, y1]| {
        [poses[1].turn(mesh.way_out(y0, y1, radius, slack))]
    });
    way
}

/// What `of` says of the path of each lane, in the mesh's own frame; zero where `member` is.
fn each_path<W: Width, const N: usize>(
    [from, to]: &[Pose<f64>; 2],
    path: [Vec3<W>; 2],
    member: W,
    mut of: impl FnMut(usize, [Vec3<f64>; 2]) -> [Vec3<f64>; N],
) -> [Vec3<W>; N] {
    let mut out = [[Vec3::zero(); WIDTH]; N];
    for lane in (0..W::LANES).filter(|&lane| member.lane(lane).to_f64() > 0.0) {
        let one = |v: W| v.lane(lane).to_f64();
        let [y0, y1] = each(path, |p| Vec3::new(one(p.x), one(p.y), one(p.z)));
        for (out, v) in out.iter_mut().zip(of(lane, [from.local(y0), to.local(y1)])) {
            out[lane] = v;
        }
    }
    each(out, |lanes| {
        let axis = |of: fn(Vec3<f64>) -> f64| W::collect(|lane| W::Element::of(of(lanes[lane])));
        Vec3::new(axis(|v| v.x), axis(|v| v.y), axis(|v| v.z))
    })
}
