//! `taut list`.

use super::{Failure, write_json};
use clap::Args;
use std::path::PathBuf;
use taut::scenes::SCENES;
use taut::{Method, constraints, groups};

#[derive(Args)]
pub struct ListArgs {
    /// Write JSON to FILE; - is standard output
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

pub fn list(args: &ListArgs) -> Result<(), Failure> {
    let scenes = SCENES.iter().map(|s| (s.name, s.about, s.size));
    let methods = Method::ALL.map(|m| (m.name(), m.about()));
    let kinds = constraints::kinds();
    let materials = taut::materials::MATERIALS;
    let json = serde_json::json!({
        "scenes": scenes.clone().map(|(name, about, size)| {
            serde_json::json!({"name": name, "about": about, "size": size})
        }).collect::<Vec<_>>(),
        "methods": methods.map(|(name, about)| {
            serde_json::json!({"name": name, "about": about, "runs": "everything"})
        }),
        "kinds": kinds.iter().map(|kind| serde_json::json!({
            "name": kind.name, "equation": kind.equation, "particles": kind.particles,
            "parameters": kind.params.iter().map(|p| p.name).collect::<Vec<_>>(),
        })).collect::<Vec<_>>(),
        "groups": groups::KINDS.map(|(name, equation)| {
            serde_json::json!({"name": name, "equation": equation})
        }),
        "materials": materials.iter().map(|m| serde_json::json!({
            "name": m.name, "density": m.density, "young": m.young, "poisson": m.poisson,
            "thickness": m.thickness,
        })).collect::<Vec<_>>(),
    });
    if write_json(args.json.as_deref(), &json)? {
        return Ok(());
    }
    say!("scenes");
    for (name, about, size) in scenes {
        say!("  {:<20} {about}", format!("{name}:{size}"));
    }
    say!("\nmethods (each runs every part of a scene)");
    for (name, about) in methods {
        say!("  {name:<20} {about}");
    }
    say!("\nkinds");
    for kind in kinds {
        let params = kind
            .params
            .iter()
            .map(|p| format!("{} [{}]", p.name, p.unit));
        let params = params.collect::<Vec<_>>().join(", ");
        say!(
            "  {:<20} {} particles; {}; {params}",
            kind.name,
            kind.particles,
            kind.equation
        );
    }
    say!("\ngroups");
    for (name, equation) in groups::KINDS {
        say!("  {name:<20} any number of particles; {equation}");
    }
    say!("\nmaterials of meshes (kg/m^3, Pa, Poisson's ratio, thickness of a sheet)");
    for m in materials {
        say!(
            "  {:<20} {}, {:e}, {}, {} mm",
            m.name,
            m.density,
            m.young,
            m.poisson,
            m.thickness * 1e3
        );
    }
    Ok(())
}
