//! Presets of common materials, in physical units: what a mesh's `material` stands for.
//!
//! A solid takes density, Young's modulus and Poisson's ratio as they are (`neo_hookean`). A sheet of thickness t weighs
//! ρ t a square metre; its edges are springs of compliance
//!
//! ```text
//! α = |e|² / (E t A)        A: the area of the triangles at the edge    (Van Gelder, 1998)
//! α = (A1 + A2) / (B |e|²),  B = E t³ / 12 (1 - ν²)
//! ```
//!
//! for stretching (m/N) and bending (rad/(N m)). The second gives the hinges the energy of the plate, ½ B κ² a square metre, where
//! it is bent to a cylinder. In a lattice of equal triangles of side e and height k an edge whose normal has the angle φ to the
//! curvature turns by κ k (4 cos² φ - 1)/3. The squares of its three directions add up to κ² k², and three edges share e k of
//! the surface: 1/α = B e / k. In a grid bent along its sides only the edges across turn, each by κ e for e² of the surface:
//! 1/α = B. (A grid cut one way is three times too stiff where it is bent across the cuts.)
//!
//! Values are typical ones: textiles and flesh vary tenfold. Cotton and denim drape as such cloth does: drape coefficients of
//! about 50 and 85 % (Cusick, *The measurement of fabric drape*, 1968).

/// A material.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Material {
    /// The word in scene files.
    pub name: &'static str,
    /// Mass of a cubic metre (kg).
    pub density: f64,
    /// Young's modulus (Pa).
    pub young: f64,
    /// Poisson's ratio.
    pub poisson: f64,
    /// Of a sheet (m).
    pub thickness: f64,
}

const fn material(
    name: &'static str,
    density: f64,
    young: f64,
    poisson: f64,
    thickness: f64,
) -> Material {
    Material { name, density, young, poisson, thickness }
}

/// All presets, soft to stiff.
pub const MATERIALS: [Material; 12] = [
    material("gelatin", 1000.0, 3e3, 0.45, 5e-3),
    material("fat", 920.0, 1e4, 0.45, 3e-3),
    material("muscle", 1060.0, 5e4, 0.45, 3e-3),
    material("foam", 50.0, 1e5, 0.2, 5e-3),
    material("skin", 1100.0, 4e5, 0.45, 2e-3),
    material("wool", 400.0, 1e6, 0.3, 1e-3),
    material("rubber", 1100.0, 2e6, 0.45, 1e-3),
    material("cotton", 650.0, 4.5e6, 0.3, 3e-4),
    material("denim", 760.0, 8e6, 0.3, 6e-4),
    material("silk", 700.0, 2e7, 0.3, 1e-4),
    material("leather", 900.0, 5e7, 0.4, 1.2e-3),
    material("wood", 600.0, 1e10, 0.3, 2e-3),
];

impl Material {
    /// The preset of that name.
    pub fn find(name: &str) -> Option<&'static Material> {
        MATERIALS.iter().find(|material| material.name == name)
    }

    /// Mass of a square metre of sheet (kg).
    pub fn sheet_density(&self) -> f64 {
        self.density * self.thickness
    }

    /// Compliance of an edge of `length` (m) between triangles of `area` in all (m²), in m/N.
    pub fn stretch_compliance(&self, length: f64, area: f64) -> f64 {
        length * length / (self.young * self.thickness * area)
    }

    /// Compliance of a hinge on an edge of `length` (m) between triangles of `area` in all (m²), in rad/(N m).
    pub fn bend_compliance(&self, length: f64, area: f64) -> f64 {
        let plate = self.young * self.thickness.powi(3) / (12.0 * (1.0 - self.poisson.powi(2)));
        area / (plate * length * length)
    }
}
