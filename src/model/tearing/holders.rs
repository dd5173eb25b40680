//! Which triangles hold the rows of a surface that tears.

use crate::coloring::{Lists, RowList};
use crate::error::ModelError;
use crate::model::Model;
use crate::rows::AnyRows;

/// What a particle is to the surfaces that tear.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Owner {
    None,
    /// A vertex, of these triangles.
    Vertex(usize, Vec<u32>),
    Copy,
}

/// What every particle is to the surfaces that tear; `areas` of all triangles (m²).
///
/// # Errors
/// As `Model::add_tear`.
pub(super) fn owners(model: &Model, areas: &[f64]) -> Result<Vec<Owner>, ModelError> {
    let mut owners = vec![Owner::None; model.positions.len()];
    for tear in &model.tears {
        tear.copies.clone().for_each(|i| owners[i as usize] = Owner::Copy);
    }
    for (k, tear) in model.tears.iter().enumerate() {
        for t in tear.triangles.clone() {
            let refuse = |value: u32, rule| {
                let place = format!("tears[{k}].triangles[{}]", t - tear.triangles.start);
                Err(ModelError::value(place, f64::from(value), rule))
            };
            let corners = model.triangles[t];
            if areas[t].partial_cmp(&0.0) != Some(std::cmp::Ordering::Greater) {
                return refuse(corners[0], "a triangle that tears has an area");
            }
            if model.hidden.iter().any(|hidden| hidden.contains(&t)) {
                return refuse(corners[0], "a skin rides on it, which cannot tear");
            }
            for i in corners {
                match &mut owners[i as usize] {
                    none @ Owner::None => *none = Owner::Vertex(k, vec![t as u32]),
                    Owner::Vertex(of, around) if *of == k => around.push(t as u32),
                    _ => return refuse(i, "its corner is of another surface that tears"),
                }
            }
        }
    }
    check_subsystems(model, &owners)?;
    Ok(owners)
}

/// Groups hold the vertices that they were made of; one that holds several could not tell which are still together.
fn check_subsystems(model: &Model, owners: &[Owner]) -> Result<(), ModelError> {
    let is_vertex = |i: &&u32| matches!(owners[**i as usize], Owner::Vertex(..));
    for subsystem in &model.subsystems {
        let mut joined = None;
        subsystem.each_joined(&mut |particles| {
            let vertices: Vec<&u32> = particles.iter().filter(is_vertex).collect();
            if let [_, second, ..] = vertices[..] {
                joined = Some(*second);
            }
        });
        if let Some(i) = joined {
            let rule = "it is joined to others of a surface that tears";
            let place = format!("{}.particles", subsystem.name());
            return Err(ModelError::value(place, f64::from(i), rule));
        }
    }
    Ok(())
}

/// The triangles, or two side by side, that hold each row of a set. A row that none holds has no two particles of a surface
/// that tears: it stays with the vertex that it was given.
pub(super) struct Holders(Lists<[u32; 2]>);

impl Holders {
    /// # Errors
    /// A row of several vertices that no triangle holds, nor two side by side; a row of a particle that is to become a copy.
    pub(super) fn new(
        set: &dyn AnyRows,
        model: &Model,
        owners: &[Owner],
    ) -> Result<Self, ModelError> {
        let list = set.row_list();
        let mut holders = Lists::new();
        for row in 0..list.len() as u32 {
            let refuse = |i: u32, rule| {
                let flaw = ("particle", f64::from(i), rule);
                Err(ModelError::row(set.name(), row as usize, flaw))
            };
            let mut vertices = Vec::new();
            for &i in list.row(row) {
                match &owners[i as usize] {
                    Owner::None => {}
                    Owner::Vertex(_, around) => vertices.push((i, &around[..])),
                    Owner::Copy => return refuse(i, "it waits to be a copy where a surface tears"),
                }
            }
            let is_of_others = vertices.len() == 1 && list.arity > 1;
            let mut found = Vec::new();
            if !vertices.is_empty() && !is_of_others {
                found = held(&vertices, &model.triangles, owners);
                if found.is_empty() {
                    let rule = "no triangle of the surface that tears holds the row's particles, nor two side by side";
                    return refuse(vertices[1].0, rule);
                }
            }
            holders.push(found);
        }
        Ok(Self(holders))
    }

    /// The rows as they are where triangles have the corners `now`: of each the authored row, and all particles.
    pub(super) fn rows(
        &self,
        list: RowList,
        now: &[[u32; 3]],
        authored: &[[u32; 3]],
    ) -> (Vec<u32>, Vec<u32>) {
        let (mut origins, mut particles) = (Vec::new(), Vec::new());
        let mut add = |row: u32, particles: &mut Vec<u32>, own: Vec<u32>| {
            particles.extend(own);
            origins.push(row);
        };
        for row in 0..list.len() as u32 {
            let pairs = self.0.get(row as usize);
            if pairs.is_empty() {
                add(row, &mut particles, list.row(row).to_vec());
                continue;
            }
            let first = particles.len();
            for pair in pairs.iter().map(|pair| pair.map(|t| t as usize)) {
                let corners = pair.map(|t| (authored[t], now[t]));
                let own = list.row(row).iter().map(|i| present(*i, &corners));
                let own: Option<Vec<u32>> =
                    if are_joined(&corners) { Some(own.collect()) } else { None };
                let is_new = |own: &Vec<u32>| {
                    !particles[first..].chunks_exact(list.arity).any(|other| other == own)
                };
                if let Some(own) = own.filter(is_new) {
                    add(row, &mut particles, own);
                }
            }
        }
        (origins, particles)
    }
}

/// A triangle's authored corners, and those it has now.
type Corners = ([u32; 3], [u32; 3]);

/// What a particle of a row is now, at the triangles that hold the row.
fn present(i: u32, corners: &[Corners; 2]) -> u32 {
    let at = |(of, now): &Corners| of.iter().position(|j| *j == i).map(|k| now[k]);
    corners.iter().find_map(at).unwrap_or(i)
}

/// Whether two triangles still have the corners that they had in common.
fn are_joined([(of, now), other]: &[Corners; 2]) -> bool {
    let (of_other, _) = other;
    (0..3).all(|k| !of_other.contains(&of[k]) || present(of[k], &[*other, *other]) == now[k])
}

/// The triangles that have all `vertices`, each as a pair with itself; else those two side by side that have them together.
fn held(vertices: &[(u32, &[u32])], triangles: &[[u32; 3]], owners: &[Owner]) -> Vec<[u32; 2]> {
    let have = |pair: [u32; 2]| {
        let has = |i: u32| pair.iter().any(|&t| triangles[t as usize].contains(&i));
        vertices.iter().all(|(i, _)| has(*i))
    };
    let around = vertices[0].1;
    let mut found: Vec<[u32; 2]> = around.iter().map(|&t| [t, t]).filter(|t| have(*t)).collect();
    if found.is_empty() {
        for &s in around {
            let of = triangles[s as usize];
            let common = |t: u32| of.iter().filter(|i| triangles[t as usize].contains(i)).count();
            for i in of {
                let Owner::Vertex(_, near) = &owners[i as usize] else { continue };
                let besides = near.iter().filter(|&&t| common(t) == 2 && have([s, t]));
                found.extend(besides.map(|&t| [s, t]));
            }
        }
        found.sort_unstable();
        found.dedup();
    }
    found
}
