//! `taut list`.

use super::output::{Failure, Json, say};
use crate::materials::MATERIALS;
use crate::scenes::Role;
use crate::solvers::Method;
use crate::{constraints, groups, scenes};
use clap::Args;
use serde_json::{Value, json};

#[derive(Args)]
pub struct ListArgs {
    #[command(flatten)]
    json: Json,
}

pub fn list(args: &ListArgs) -> Result<(), Failure> {
    if args.json.write(&catalogue())? {
        return Ok(());
    }
    for (title, lines) in sections() {
        say!("{title}")?;
        let widest = lines.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
        for (name, about) in lines {
            say!("  {name:<widest$}  {about}")?;
        }
    }
    Ok(())
}

/// A title, and names with what is said of them.
type Section = (&'static str, Vec<(String, String)>);

fn sections() -> [Section; 7] {
    let scenes = |roles: &[Role]| {
        let all = scenes::all().filter(|scene| roles.contains(&scene.role));
        all.map(|scene| (format!("{}:{}", scene.name, scene.size), scene.about.into())).collect()
    };
    let methods = Method::ALL.map(|method| (method.name().into(), method.about().into()));
    let kinds = constraints::kinds().into_iter().map(|kind| {
        let params = kind.params.iter().map(|p| format!("; {} [{}]", p.name, p.unit));
        let (count, equation) = (kind.particles, kind.equation);
        (kind.name.into(), format!("{count} particles; {equation}{}", params.collect::<String>()))
    });
    let groups = groups::KINDS
        .map(|(name, equation)| (name.into(), format!("any number of particles; {equation}")));
    let materials = MATERIALS.iter().map(|m| {
        let (density, young, poisson, mm) = (m.density, m.young, m.poisson, m.thickness * 1e3);
        (m.name.into(), format!("{density:>5} kg/m³  {young:>7.1e} Pa  {poisson:<5}  {mm} mm"))
    });
    [
        ("scenes, with their sizes", scenes(&[Role::Watched, Role::Followed])),
        ("\nscenes that show a limit", scenes(&[Role::Limit])),
        ("\nscenes to be timed", scenes(&[Role::Timed])),
        ("\nmethods", methods.into()),
        ("\nkinds of constraints", kinds.collect()),
        ("\ngroups", groups.into()),
        (
            "\nmaterials of meshes: density, Young's modulus, Poisson's ratio, thickness of a sheet",
            materials.collect(),
        ),
    ]
}

/// The same as JSON.
fn catalogue() -> Value {
    let array = |values: &mut dyn Iterator<Item = Value>| values.collect::<Vec<_>>();
    json!({
        "scenes": array(&mut scenes::all().map(|s| {
            json!({"name": s.name, "about": s.about, "size": s.size, "role": s.role.name()})
        })),
        "methods": Method::ALL.map(|m| {
            json!({"name": m.name(), "about": m.about(), "threaded": m.threaded()})
        }),
        "kinds": array(&mut constraints::kinds().iter().map(|kind| json!({
            "name": kind.name, "equation": kind.equation, "particles": kind.particles,
            "parameters": kind.params.iter().map(|p| p.name).collect::<Vec<_>>(),
        }))),
        "groups": groups::KINDS.map(|(name, equation)| {
            json!({"name": name, "equation": equation})
        }),
        "materials": array(&mut MATERIALS.iter().map(|m| json!({
            "name": m.name, "density": m.density, "young": m.young, "poisson": m.poisson,
            "thickness": m.thickness,
        }))),
    })
}
