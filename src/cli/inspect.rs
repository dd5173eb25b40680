//! `taut inspect`.

use super::output::{Failure, Json, counted, input, note, say};
use super::settings::Settings;
use crate::bench::{Inspection, KindInspection, inspect as take_apart, table};
use crate::runs::Run;
use clap::Args;

#[derive(Args)]
pub struct InspectArgs {
    /// The run
    #[arg(required_unless_present = "set")]
    run: Option<String>,
    #[command(flatten)]
    settings: Settings,
    #[command(flatten)]
    json: Json,
}

pub fn inspect(args: &InspectArgs) -> Result<(), Failure> {
    let (name, overrides) = args.settings.split(args.run.as_deref())?;
    let name = name.ok_or_else(|| input("inspect: which? as `taut inspect cloth:64`"))?;
    let run: Run = name.parse().map_err(input)?;
    let file = run.load(&overrides).map_err(input)?;
    for warning in &file.warnings {
        note!("{run}: {warning}");
    }
    let found = take_apart(&file.model).map_err(input)?;
    if !args.json.write(&found)? {
        say!(
            "{run}: {} in {}, {}, M/3N = {}/{} = {:.2} ({}), {} of {} slots, precision {} (a grain of {:.1e} of a substep's fall), sweeps {}\n",
            counted(found.particles, "particle"),
            counted(found.slot_count, "slot"),
            counted(found.constraints, "constraint"),
            found.equations,
            found.unknowns,
            found.rows_per_unknown,
            found.class,
            counted(found.tiles, "tile"),
            found.tile_slots,
            found.precision,
            found.grain,
            found.sweeps
        )?;
        if found.bodies > 0 {
            say!("{}, {}\n", counted(found.bodies, "body"), counted(found.joints, "joint"))?;
        }
        let [triangles, copies] = found.tears;
        if triangles > 0 {
            say!("{triangles} triangles tear, by {copies} copies of vertices at most\n")?;
        }
        if let Some(depth) = found.penetration {
            say!("the deepest overlap at the start is {depth:.2e} m\n")?;
        }
        if let Some(count @ 1..) = found.tangled {
            say!("{count} edges pass through triangles at the start\n")?;
        }
        if !found.kinds.is_empty() {
            say!("{}", kind_table(&found.kinds))?;
            say!("{}", coloring_table(&found))?;
        }
    }
    Ok(())
}

fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

fn kind_table(kinds: &[KindInspection]) -> String {
    table(
        kinds,
        &[
            ("kind", &|k| k.kind.into()),
            ("response", &|k| k.response.clone()),
            ("rows", &|k| k.rows.to_string()),
            ("colors/tile", &|k| k.colors.to_string()),
            ("bound", &|k| k.clique_bound.to_string()),
            ("balance", &|k| format!("{:.2}", k.balance)),
            ("width", &|k| k.width.to_string()),
            ("lane fill", &|k| percent(k.lane_fill)),
            ("runs", &|k| percent(k.run_share)),
            ("units/phase", &|k| format!("{}..{}", k.units_per_phase.0, k.units_per_phase.1)),
            ("bytes/row", &|k| format!("{:.1}", k.bytes_per_row)),
            ("+ particles", &|k| k.particle_bytes_per_row.to_string()),
            ("flops/row", &|k| k.flops_per_row.to_string()),
            ("div", &|k| k.divisions_per_row.to_string()),
            ("sqrt", &|k| k.roots_per_row.to_string()),
        ],
    )
}

/// The colorings of every kind, one below the other.
fn coloring_table(found: &Inspection) -> String {
    let mut all = Vec::new();
    for kind in &found.kinds {
        all.extend(kind.colorings.iter().map(|coloring| (kind, coloring)));
    }
    table(
        &all,
        &[
            ("kind", &|(k, _)| k.kind.into()),
            ("coloring", &|(_, c)| c.policy.into()),
            ("colors", &|(_, c)| c.colors.to_string()),
            ("bound", &|(k, _)| k.clique_bound.to_string()),
            ("balance", &|(_, c)| format!("{:.2}", c.balance)),
            ("near", &|(_, c)| percent(c.near)),
            ("taken", &|(_, c)| c.taken.unwrap_or("-").into()),
        ],
    )
}
