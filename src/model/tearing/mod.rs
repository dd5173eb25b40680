//! What a model is as its surfaces tear: a function of what was authored and of the corners that triangles have now.
//!
//! ```text
//! mass of a copy   m_v Σ A / Σ A_v      A: rest areas of its triangles, A_v: of all that the vertex v was authored with
//! row              of its triangle (or two side by side), with the corners that they have now
//! color            as authored where the row is; else the first that is free
//! ```

mod holders;

use super::Model;
use crate::coloring::{Span, recolor};
use crate::error::ModelError;
use crate::mesh::{Tear, Tension, Torn, sorted, tear, triangle_areas};
use crate::rigid::BodyContacts;
use crate::rows::AnyRows;
use holders::{Holders, owners};
use std::collections::BTreeMap;

/// What was authored of a model that tears.
pub(crate) struct Tearing {
    tears: Vec<Tear>,
    triangles: Vec<[u32; 3]>,
    sets: Vec<Box<dyn AnyRows>>,
    order: Vec<Span>,
    /// The layout's colors of each set, where there is a layout.
    colors: Vec<Vec<u16>>,
    inverse_masses: Vec<f32>,
    /// Particles that touch, and the triangles of cloths that touch themselves.
    members: Vec<u32>,
    cloths: Vec<Vec<[u32; 3]>>,
    /// Of each set, what holds its rows.
    holders: Vec<Holders>,
    /// Of each triangle its area at rest (m²), and the squares of the lengths at which its sides break (m²).
    areas: Vec<f64>,
    limits: Vec<[f64; 3]>,
    /// Of the present rows of each set, the authored row that each is made of.
    origins: Vec<Vec<u32>>,
}

impl Tearing {
    /// Of a model as authored; nothing where no surface tears.
    ///
    /// # Errors
    /// As [`Model::add_tear`], of rows and groups too that were added after it.
    pub(crate) fn new(model: &Model) -> Result<Option<Self>, ModelError> {
        if model.tears.is_empty() {
            return Ok(None);
        }
        let areas = triangle_areas(&model.positions, &model.triangles);
        let owners = owners(model, &areas)?;
        let sets = || model.sets.iter();
        let all = |set: &dyn AnyRows| -> Vec<u32> { (0..set.len() as u32).collect() };
        let contacts = model.contacts.as_ref();
        let holders = sets().map(|set| Holders::new(set.as_ref(), model, &owners));
        Ok(Some(Self {
            holders: holders.collect::<Result<_, _>>()?,
            tears: model.tears.clone(),
            triangles: model.triangles.clone(),
            order: model.order.clone(),
            colors: model.layout.as_ref().map_or(Vec::new(), |layout| layout.colors.clone()),
            inverse_masses: model.inverse_masses.clone(),
            members: contacts.and_then(|c| c.particles.clone()).unwrap_or_default(),
            cloths: contacts.map_or(Vec::new(), |c| {
                c.cloths.iter().map(|cloth| cloth.triangles.clone()).collect()
            }),
            limits: limits(model),
            areas,
            origins: sets().map(|set| all(set.as_ref())).collect(),
            sets: sets()
                .map(|set| set.remade(&all(set.as_ref()), set.row_list().particles))
                .collect(),
        }))
    }

    /// Splits what is stretched too far at `positions` (m), of vertices that `may_split`, if anything is. `triangles` are the
    /// present ones.
    pub(crate) fn tear(
        &self,
        triangles: &[[u32; 3]],
        positions: &[[f32; 3]],
        may_split: &dyn Fn(u32) -> bool,
    ) -> Option<Torn> {
        let mut waiting: Option<Vec<_>> = None;
        let mut copy = |t: u32| {
            let waiting = waiting.get_or_insert_with(|| {
                let born = self.copies_in(triangles);
                let waits = |tear: &Tear| {
                    let waits = tear.copies.clone().filter(|i| !born.contains_key(i));
                    waits.collect::<Vec<_>>().into_iter()
                };
                self.tears.iter().map(waits).collect()
            });
            let of = self.tears.iter().position(|tear| tear.triangles.contains(&(t as usize)));
            of.and_then(|k| waiting[k].next())
        };
        let tension = Tension { positions, limits: &self.limits, may_split };
        tear(triangles, &tension, &mut copy)
    }

    /// The authored triangles.
    pub(crate) fn untorn(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// Of the present rows of each set, the authored row that each is made of.
    pub(crate) fn origins(&self) -> &[Vec<u32>] {
        &self.origins
    }

    /// How many authored rows have broken.
    pub(crate) fn broken_rows(&self) -> usize {
        let broken = |k: usize| {
            let mut left = self.origins[k].clone();
            left.dedup();
            self.sets[k].len() - left.len()
        };
        (0..self.sets.len()).map(broken).sum()
    }

    /// The copies among the corners of `triangles`, and the vertex that each is of.
    pub(crate) fn copies_in(&self, triangles: &[[u32; 3]]) -> BTreeMap<u32, u32> {
        let corners = triangles.as_flattened().iter().zip(self.triangles.as_flattened());
        corners.filter(|(now, of)| now != of).map(|(now, of)| (*now, *of)).collect()
    }

    /// Whether `triangles` can be what became of the authored ones.
    pub(crate) fn fits(&self, triangles: &[[u32; 3]]) -> bool {
        let copies = self.copies_in(triangles);
        let corner_fits = |tear: Option<&Tear>, now: u32, of: u32| {
            let is_copy = || tear.is_some_and(|tear| tear.copies.contains(&now));
            now == of || is_copy() && copies[&now] == of
        };
        let fits = |(t, (now, of)): (usize, (&[u32; 3], &[u32; 3]))| {
            let tear = self.tears.iter().find(|tear| tear.triangles.contains(&t));
            (0..3).all(|k| corner_fits(tear, now[k], of[k]))
        };
        let mut both = triangles.iter().zip(&self.triangles).enumerate();
        triangles.len() == self.triangles.len() && both.all(fits)
    }

    /// Makes `model` what it is where its triangles have these corners.
    pub(crate) fn take(&mut self, model: &mut Model, triangles: &[[u32; 3]]) {
        let copies = self.copies_in(triangles);
        model.triangles = triangles.to_vec();
        for (k, set) in self.sets.iter().enumerate() {
            let (origins, particles) =
                self.holders[k].rows(set.row_list(), triangles, self.untorn());
            model.sets[k] = set.remade(&origins, &particles);
            self.origins[k] = origins;
        }
        model.order = self.order.iter().map(|span| self.span(span)).collect();
        model.order.retain(|span| !span.rows.is_empty());
        self.take_colors(model);
        for tear in &self.tears {
            let [first, ..] = self.triangles[tear.triangles.start];
            for i in tear.copies.clone() {
                let of = copies.get(&i).unwrap_or(&first);
                model.positions[i as usize] = model.positions[*of as usize];
            }
        }
        self.take_masses(model);
        self.take_contacts(model, &copies);
    }

    /// A run of authored rows as it is now.
    fn span(&self, Span { set, rows }: &Span) -> Span {
        let origins = &self.origins[*set];
        let [start, end] =
            [rows.start, rows.end].map(|row| origins.partition_point(|&of| (of as usize) < row));
        Span { set: *set, rows: start..end }
    }

    fn take_colors(&self, model: &mut Model) {
        let Some(layout) = &mut model.layout else {
            return;
        };
        let sets = self.sets.iter().zip(&model.sets).zip(&self.origins);
        let colors = self.colors.iter().zip(sets).map(|(colors, ((before, now), origins))| {
            let (before, now) = (before.row_list(), now.row_list());
            let kept = (0..)
                .zip(origins)
                .map(|(row, &of)| (now.row(row) == before.row(of)).then(|| colors[of as usize]));
            recolor(now, &kept.collect::<Vec<_>>())
        });
        layout.colors = colors.collect();
    }

    /// Vertices and copies share their mass by the areas around them.
    fn take_masses(&self, model: &mut Model) {
        model.inverse_masses.clone_from(&self.inverse_masses);
        let mut sums = vec![[0.0; 2]; self.inverse_masses.len()];
        let both = model.triangles.iter().zip(&self.triangles);
        for ((now, of), area) in both.clone().zip(&self.areas) {
            now.iter().for_each(|&i| sums[i as usize][0] += area);
            of.iter().for_each(|&i| sums[i as usize][1] += area);
        }
        for (&now, &of) in both.flat_map(|(now, of)| now.iter().zip(of)) {
            let ([own, _], [_, all]) = (sums[now as usize], sums[of as usize]);
            // A vertex that is whole keeps its very bits.
            if own != all {
                let whole = f64::from(self.inverse_masses[of as usize]);
                model.inverse_masses[now as usize] = (whole * (all / own)) as f32;
            }
        }
    }

    /// Copies touch what their vertices touch.
    fn take_contacts(&self, model: &mut Model, copies: &BTreeMap<u32, u32>) {
        let Some(contacts) = &mut model.contacts else {
            return;
        };
        let mut touches = vec![false; model.positions.len()];
        self.members.iter().for_each(|&i| touches[i as usize] = true);
        let copies = copies.iter().filter(|(_, of)| touches[**of as usize]).map(|(copy, _)| *copy);
        contacts.particles = Some(self.members.iter().copied().chain(copies).collect());
        let present: BTreeMap<_, _> = self.triangles.iter().zip(&model.triangles).collect();
        for (cloth, authored) in contacts.cloths.iter_mut().zip(&self.cloths) {
            let now = |t| **present.get(&t).unwrap_or(&&t);
            cloth.triangles = authored.iter().map(|t| now(*t)).collect();
        }
        model.body_contacts = Some(BodyContacts::new(contacts));
    }
}

/// The squares of the lengths at which sides break; none does in what does not tear.
fn limits(model: &Model) -> Vec<[f64; 3]> {
    let mut rest_lengths = BTreeMap::new();
    for set in model.sets.iter().filter(|set| set.name() == "distance") {
        let rows = set.row_list().particles.as_chunks::<2>().0.iter();
        rest_lengths.extend(rows.zip(set.param_list()).map(|(&[a, b], &d)| (sorted([a, b]), d)));
    }
    let square = |[a, b]: [u32; 2], strain: f64| {
        let measured = || {
            let [x, y] = [a, b].map(|i| model.positions[i as usize].map(f64::from));
            (0..3).map(|k| (x[k] - y[k]) * (x[k] - y[k])).sum::<f64>()
        };
        let rest = rest_lengths.get(&sorted([a, b])).map(|&d| f64::from(d) * f64::from(d));
        rest.unwrap_or_else(measured) * (1.0 + strain) * (1.0 + strain)
    };
    let mut limits = vec![[f64::INFINITY; 3]; model.triangles.len()];
    for tear in &model.tears {
        for t in tear.triangles.clone() {
            let [a, b, c] = model.triangles[t];
            limits[t] = [[a, b], [b, c], [c, a]].map(|side| square(side, tear.strain));
        }
    }
    limits
}
