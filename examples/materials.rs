//! Materials: bars of gelatin, rubber and wood, half a metre long and held at one end, sag by their own weight.
use taut::constraints::NeoHookean;
use taut::materials::MATERIALS;
use taut::{Method, Model, ModelError, Simulation, Stiffness};

/// Cells along the bar and across it, and their side (m).
const CELLS: [usize; 3] = [10, 2, 2];
const SIDE: f64 = 0.05;

/// The six tetrahedra of a cell around its diagonal, by corners x + 2y + 4z.
const SIX: [[usize; 4]; 6] =
    [[0, 1, 3, 7], [0, 3, 2, 7], [0, 2, 6, 7], [0, 6, 4, 7], [0, 4, 5, 7], [0, 5, 1, 7]];

fn bar(density: f64, young: f64, poisson: f64) -> Result<Model, ModelError> {
    let mut model = Model::new();
    let [nx, ny, nz] = CELLS.map(|cells| cells + 1);
    let volume = CELLS.iter().product::<usize>() as f64 * SIDE.powi(3);
    let mass = density * volume / (nx * ny * nz) as f64;
    for i in 0..nx * ny * nz {
        let [x, y, z] = [i % nx, i / nx % ny, i / nx / ny];
        let w = if x == 0 { 0.0 } else { 1.0 / mass };
        model.add_particle([x, y, z].map(|k| k as f64 * SIDE), [0.0; 3], w)?;
    }
    for i in 0..CELLS.iter().product() {
        let [x, y, z] = [i % CELLS[0], i / CELLS[0] % CELLS[1], i / CELLS[0] / CELLS[1]];
        let corner = |k: usize| ((z + k / 4) * ny + y + k / 2 % 2) * nx + x + k % 2;
        for tetrahedron in SIX {
            let row = tetrahedron.map(|k| corner(k) as u32);
            // Its stiffness follows from Young's modulus [Pa] and Poisson's ratio.
            let material = NeoHookean::material(young, poisson);
            model.add(NeoHookean, row, material, Stiffness::Material)?;
        }
    }
    (model.settings.substeps, model.settings.iterations) = (30, 2);
    model.settings.damping = 4.0;
    Ok(model)
}

fn main() -> Result<(), ModelError> {
    println!(
        "{:<8} {:>15} {:>20} {:>9}",
        "material", "density [kg/m³]", "Young's modulus [Pa]", "sag [mm]"
    );
    for material in MATERIALS.iter().filter(|m| ["gelatin", "rubber", "wood"].contains(&m.name)) {
        let model = bar(material.density, material.young, material.poisson)?;
        let mut simulation = Simulation::new(model, Method::Lanes, 1)?;
        (0..180).for_each(|_| simulation.step());
        let sag = -1e3 * simulation.positions()[CELLS[0]][1];
        let (name, density, young) = (material.name, material.density, material.young);
        println!("{name:<8} {density:>15} {young:>20.1e} {sag:>9.1}");
    }
    Ok(())
}
