//! `taut list`.

use super::output::{Failure, Json, say};
use crate::materials::MATERIALS;
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
    say!("scenes")?;
    for scene in scenes::all() {
        let name = format!("{}:{}", scene.name, scene.size);
        say!("  {name:<20} {}", scene.about)?;
    }
    say!("\nmethods                rows  groups, joints, contacts")?;
    for method in Method::ALL {
        let all = if method.runs_subsystems() { "yes" } else { "no" };
        say!("  {:<20} yes   {all:<3}  {}", method.name(), method.about())?;
    }
    say!("\nkinds")?;
    for kind in constraints::kinds() {
        let params = kind.params.iter();
        let params = params.map(|p| format!("{} [{}]", p.name, p.unit));
        let params = params.collect::<Vec<_>>().join(", ");
        let (name, count, equation) = (kind.name, kind.particles, kind.equation);
        say!("  {name:<20} {count} particles; {equation}; {params}")?;
    }
    say!("\ngroups")?;
    for (name, equation) in groups::KINDS {
        say!("  {name:<20} any number of particles; {equation}")?;
    }
    say!("\nmaterials of meshes (kg/m^3, Pa, Poisson's ratio, thickness of a sheet)")?;
    for m in MATERIALS {
        let (name, density, young, poisson) = (m.name, m.density, m.young, m.poisson);
        let thickness = m.thickness * 1e3;
        say!("  {name:<20} {density}, {young:e}, {poisson}, {thickness} mm")?;
    }
    Ok(())
}

/// The same as JSON.
fn catalogue() -> Value {
    let array = |values: &mut dyn Iterator<Item = Value>| values.collect::<Vec<_>>();
    json!({
        "scenes": array(&mut scenes::all().map(|s| {
            json!({"name": s.name, "about": s.about, "size": s.size})
        })),
        "methods": Method::ALL.map(|m| {
            let runs = if m.runs_subsystems() { "everything" } else { "rows" };
            json!({"name": m.name(), "about": m.about(), "runs": runs})
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
