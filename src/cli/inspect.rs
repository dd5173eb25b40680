//! `taut inspect`.

use super::{Failure, input, write_json};
use clap::Args;
use std::path::PathBuf;
use taut::bench::{self, table};
use taut::io::Run;

#[derive(Args)]
pub struct InspectArgs {
    /// The run
    run: String,
    /// Write JSON to FILE; - is standard output
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

pub fn inspect(args: &InspectArgs) -> Result<(), Failure> {
    let run: Run = args.run.parse().map_err(input)?;
    let file = run.load(&[]).map_err(input)?;
    for warning in &file.warnings {
        eprintln!("taut: {run}: {warning}");
    }
    let found = bench::inspect(&file.model).map_err(input)?;
    if write_json(args.json.as_deref(), &found)? {
        return Ok(());
    }
    say!(
        "{run}: {} particles in {} places, {} constraints, M/3N = {:.2} ({}), {} bands\n",
        found.particles,
        found.places,
        found.constraints,
        found.rows_per_unknown,
        found.class,
        found.bands
    );
    let header = [
        "kind",
        "response",
        "rows",
        "colors",
        "bound",
        "balance",
        "lane fill",
        "runs",
        "units/phase",
        "bytes/row",
        "+ particles",
        "flops/row",
        "div",
        "sqrt",
    ];
    let rows = found.kinds.iter().map(|k| {
        vec![
            k.kind.into(),
            k.response.clone(),
            k.rows.to_string(),
            k.colors.to_string(),
            k.clique_bound.to_string(),
            format!("{:.2}", k.balance),
            format!("{:.1} %", 100.0 * k.lane_fill),
            format!("{:.1} %", 100.0 * k.run_share),
            format!("{}..{}", k.units_per_phase.0, k.units_per_phase.1),
            format!("{:.1}", k.bytes_per_row),
            k.particle_bytes_per_row.to_string(),
            k.flops_per_row.to_string(),
            k.divisions_per_row.to_string(),
            k.roots_per_row.to_string(),
        ]
    });
    say!("{}", table(&header, &rows.collect::<Vec<_>>()));
    let header = [
        "kind", "coloring", "colors", "bound", "balance", "near", "taken",
    ];
    let colorings = found.kinds.iter().flat_map(|k| {
        k.colorings.iter().map(|c| {
            vec![
                k.kind.into(),
                c.policy.into(),
                c.colors.to_string(),
                k.clique_bound.to_string(),
                format!("{:.2}", c.balance),
                format!("{:.1} %", 100.0 * c.near),
                c.taken.unwrap_or("-").into(),
            ]
        })
    });
    say!("{}", table(&header, &colorings.collect::<Vec<_>>()));
    Ok(())
}
