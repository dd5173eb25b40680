//! Two boxes: the axis that parts them most, then the points of one face over the other.
//!
//! ```text
//! s(n) = |t·n| - Σ a_i |e_i·n| - Σ b_j |m_j·n|        n among 3 + 3 faces and 9 pairs of edges
//! ```
//!
//! (Gottschalk et al., *OBBTree*, 1996; the clipping as in Ericson, *Real-Time Collision Detection*, 2005, chapter 8.) The
//! boxes touch along the axis with the largest s. Faces go before edges, and a's faces before b's, by a hair each, so that
//! two boxes at rest do not change their mind. All in a's frame, in f32.

use super::grazing::{pass_along, slop};
use super::manifold::{Manifold, Point, ReferenceBody, Relative};
use super::polygon::largest;
use super::reduction::reduce;
use super::workspace::Workspace;
use crate::math::{Real, Vec3};

/// What another axis must be better by, in parts of the smallest half size.
const HAIR: f32 = 0.01;

/// The axis of three that parts most, and by how much; none where that is not below `reach`: what is not a number touches
/// nothing.
fn widest(reach: f32, s: [f32; 3]) -> Option<(f32, usize)> {
    Some(largest(s)).filter(|best| best.0 < reach)
}

/// The manifold of two boxes of half sizes `a` and `b` that are closer than `reach`.
pub(super) fn collide_boxes(
    a: Point,
    b: Point,
    at: &Relative,
    reach: f32,
    room: &mut Workspace,
) -> Option<Manifold> {
    let (t, m) = (at.center, at.axes());
    let (ha, hb, tt) = (a.to_array(), b.to_array(), t.to_array());
    let columns = m.map(Vec3::to_array);
    let of_a = [0, 1, 2].map(|i| {
        let extent = ha[i]
            + hb[0] * columns[0][i].abs()
            + hb[1] * columns[1][i].abs()
            + hb[2] * columns[2][i].abs();
        tt[i].abs() - extent
    });
    let best_a = widest(reach, of_a)?;
    let of_b = [0, 1, 2].map(|j| {
        let extent = hb[j]
            + ha[0] * columns[j][0].abs()
            + ha[1] * columns[j][1].abs()
            + ha[2] * columns[j][2].abs();
        t.dot(m[j]).abs() - extent
    });
    let best_b = widest(reach, of_b)?;
    let thin = ha.into_iter().chain(hb).fold(f32::INFINITY, f32::min);
    let (hair, slop) = (HAIR * thin, slop(thin, room.resting));
    let faces = || of_a.into_iter().zip([0, 1, 2].map(Vec3::axis)).chain(of_b.into_iter().zip(m));
    let pass = |s, n| faces().any(|face| pass_along(face, (s, n), slop));
    let hold = best_a.0.max(best_b.0) + hair;
    let widest_edges = widest_edges([ha, hb], tt, &columns, [hold, reach + hair])?;
    if let Some((s, (i, j))) = widest_edges {
        let l = Vec3::axis(i).cross(m[j]);
        // From b to a.
        let side = if t.dot(l) < 0.0 { 1.0 } else { -1.0 };
        let l = l * (side / l.length());
        return if pass(s, l) { None } else { edges(a, b, at, (i, j), l) };
    }
    let by_b = best_b.0 > best_a.0 + hair;
    let (s, n) = match by_b {
        true => (best_b.0, m[best_b.1]),
        false => (best_a.0, Vec3::axis(best_a.1)),
    };
    if pass(s, n) {
        return None;
    }
    if by_b {
        face(b, a, &at.reversed(), best_b.1, reach, room)
            .map(|found| Manifold { base: Some(*at), ..found.reversed() })
    } else {
        face(a, b, at, best_a.1, reach, room)
    }
}

/// The axes of a and b whose product parts boxes of half sizes `ha` and `hb` most, and by how much, if that is more than `least`;
/// none at all where one parts them by `most`. `columns` are b's axes, `t` is its center.
fn widest_edges(
    [ha, hb]: [[f32; 3]; 2],
    t: [f32; 3],
    columns: &[[f32; 3]; 3],
    [least, most]: [f32; 2],
) -> Option<Option<(f32, (usize, usize))>> {
    let mut best = (least, None);
    for i in 0..3 {
        let (u, v) = ((i + 1) % 3, (i + 2) % 3);
        for j in 0..3 {
            let (f, g) = ((j + 1) % 3, (j + 2) % 3);
            // e_i × m_j has no part along e_i, and e_i · (m_j × m_f) is a number of the third axis.
            let square = columns[j][u] * columns[j][u] + columns[j][v] * columns[j][v];
            if square < 1e-6 {
                continue;
            }
            let along = t[v] * columns[j][u] - t[u] * columns[j][v];
            let extent = ha[u] * columns[j][v].abs()
                + ha[v] * columns[j][u].abs()
                + hb[f] * columns[g][i].abs()
                + hb[g] * columns[f][i].abs();
            let s = (along.abs() - extent) / square.sqrt();
            if s >= most {
                return None;
            }
            if s > best.0 {
                best = (s, Some((i, j)));
            }
        }
    }
    Some(best.1.map(|axes| (best.0, axes)))
}

/// The points of b over the face of a along axis `i`.
fn face(
    a: Point,
    b: Point,
    at: &Relative,
    i: usize,
    reach: f32,
    room: &mut Workspace,
) -> Option<Manifold> {
    let Workspace { polygon, found, .. } = room;
    let (ha, hb) = (a.to_array(), b.to_array());
    let m = at.axes();
    let n = Vec3::axis(i) * if at.center.to_array()[i] < 0.0 { -1.0 } else { 1.0 };
    // b's face that looks at it most.
    let (_, j) = largest(m.map(|m| m.to_array()[i].abs()));
    let side = if m[j].dot(n) > 0.0 { -1.0 } else { 1.0 };
    let (u, v) = ((j + 1) % 3, (j + 2) % 3);
    let center = at.center + m[j] * (side * hb[j]);
    let (mu, mv) = (m[u] * hb[u], m[v] * hb[v]);
    let corners = [center + mu + mv, center - mu + mv, center - mu - mv, center + mu - mv];
    let planes =
        [(i + 1) % 3, (i + 2) % 3].map(|k| [(Vec3::axis(k), ha[k]), (-Vec3::axis(k), ha[k])]);
    let planes = planes.into_iter().flatten();
    let none = std::iter::empty();
    let over = polygon.over_face(corners.into_iter(), planes, none, (n, ha[i]), reach);
    found.clear();
    found.extend(over.map(|(p, gap)| ([p - n * gap, at.to_b(p)], gap)));
    reduce(found, -n);
    let manifold = Manifold::new(-n, ReferenceBody::A, [0.0; 2], found)?;
    Some(Manifold { base: Some(*at), ..manifold })
}

/// The closest points of an edge of a along axis `i` and one of b along `j`.
fn edges(
    a: Point,
    b: Point,
    at: &Relative,
    (i, j): (usize, usize),
    normal: Point,
) -> Option<Manifold> {
    let m = at.axes();
    let (mut p, mut q) = (Vec3::zero(), at.center);
    for k in 0..3 {
        let (n, h) = (normal.to_array()[k], a.to_array()[k]);
        if k != i {
            p += Vec3::axis(k) * if n > 0.0 { -h } else { h };
        }
        let (n, h) = (m[k].dot(normal), b.to_array()[k]);
        if k != j {
            q += m[k] * if n > 0.0 { h } else { -h };
        }
    }
    // Of the lines p + s e_i and q + u m_j, where they are closest.
    let (e, f, d) = (Vec3::axis(i), m[j], q - p);
    let cosine = e.dot(f);
    let s = (d.dot(e) - d.dot(f) * cosine) / (1.0 - cosine * cosine);
    let s = s.clamp(-a.to_array()[i], a.to_array()[i]);
    let u = (p + e * s - q).dot(f);
    let u = Real::clamp(u, -b.to_array()[j], b.to_array()[j]);
    let points = [p + e * s, at.to_b(q + f * u)];
    Manifold::new(normal, ReferenceBody::A, [0.0; 2], &[(points, 0.0)])
}
