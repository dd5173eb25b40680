//! The document that a scene file is, its settings, and the same settings on the command line (`--set`).

use super::bodies::BodyEntry;
use super::colliders::ColliderEntry;
use super::contacts::ContactsEntry;
use super::emitters::{EmitterEntry, SinkEntry};
use super::file::SceneFile;
use super::forces::ForceEntry;
use super::groups::GroupEntry;
use super::joints::JointEntry;
use super::meshes::MeshEntry;
use super::message::sentence;
use super::place::SceneError;
use super::rows::Row;
use super::strict::read;
use super::tears::TearEntry;
use super::values::{Below1, Fraction, Named, NotNegative, Plain, Positive};
use super::values::{LaneCount, Relaxation, Vector, Version, Whole};
use crate::error::ModelError;
use crate::settings::{Gyro, JacobiMode, NonFinite, Precision, ResponseMode, Rigid, Settings};
use crate::solvers::Method;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

/// The most worker threads that may be asked for.
pub const MOST_THREADS: u32 = 1024;

/// The particles' columns, one entry for each.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Particles {
    /// Where they are [m].
    #[serde(default)]
    pub(super) position: Vec<Vector>,
    /// How fast they are [m/s]; left out, 0.
    pub(super) velocity: Option<Vec<Vector>>,
    /// Inverse masses [1/kg]; left out, 1. A particle of inverse mass 0 keeps its velocity.
    pub(super) inverse_mass: Option<Vec<NotNegative>>,
    /// Masses [kg], in place of `inverse_mass`.
    pub(super) mass: Option<Vec<Positive>>,
}

/// A scene file: its sections, and the settings listed.
macro_rules! document {
    ($($(#[$about:meta])* $setting:ident: $value:ty,)*) => {
        /// A scene file of Taut. Units: metres, kilograms, seconds, radians.
        #[derive(Deserialize, JsonSchema)]
        #[serde(deny_unknown_fields)]
        #[schemars(title = "Taut scene", transform = list_defaults)]
        pub(super) struct Document {
            /// The version of the format.
            pub(super) taut: Option<Version>,
            /// The scene's name.
            pub(super) name: Option<String>,
            /// Where the schema lies, for editors; the engine does not read it.
            #[serde(rename = "$schema")]
            pub(super) _schema: Option<String>,
            /// By which method it is simulated; left out, "lanes".
            pub(super) method: Option<Named<Method>>,
            /// The number of threads used; left out, the engine chooses.
            pub(super) threads: Option<Whole<1, MOST_THREADS>>,
            /// Particles that are listed, not read from meshes.
            pub(super) particles: Option<Particles>,
            /// Rows, in the order in which they are projected.
            #[serde(default)]
            pub(super) constraints: Vec<Row>,
            /// Cloths, balloons and solids of mesh files; their particles follow those of `particles`.
            #[serde(default)]
            pub(super) meshes: Vec<MeshEntry>,
            /// Surfaces of particles that tear; meshes have a key of their own.
            #[serde(default)]
            pub(super) tears: Vec<TearEntry>,
            /// Mouths that send out particles of their own, which follow those of `meshes`.
            #[serde(default)]
            pub(super) emitters: Vec<EmitterEntry>,
            /// Regions that take particles of emitters back.
            #[serde(default)]
            pub(super) sinks: Vec<SinkEntry>,
            /// Rigid bodies.
            #[serde(default)]
            pub(super) bodies: Vec<BodyEntry>,
            /// What holds bodies together.
            #[serde(default)]
            pub(super) joints: Vec<JointEntry>,
            /// What holds for any number of particles together.
            #[serde(default)]
            pub(super) groups: Vec<GroupEntry>,
            /// Forces on particles and bodies, which last.
            #[serde(default)]
            pub(super) forces: Vec<ForceEntry>,
            /// What particles and bodies cannot enter.
            pub(super) colliders: Option<Vec<ColliderEntry>>,
            /// What touches, and how.
            pub(super) contacts: Option<ContactsEntry>,
            $($(#[$about])* $setting: Option<$value>,)*
        }

        /// The settings that a scene file may hold.
        const SETTINGS: &[&str] = &[$(stringify!($setting)),*];

        impl Document {
            /// Puts what is given in place of what `file` says.
            pub(super) fn apply(&self, file: &mut SceneFile) {
                $(if let Some(value) = self.$setting {
                    file.model.settings.$setting = value.plain().into();
                })*
                file.method = self.method.plain().or(file.method);
                let threads = self.threads.plain().map(|n| n as usize);
                file.threads = threads.or(file.threads);
            }
        }
    };
}

document! {
    /// Acceleration of every particle and body that can move [m/s²].
    gravity: Vector,
    /// The frame step [s].
    dt: Positive,
    /// Substeps of a frame; h = dt / substeps.
    substeps: Whole<1, { u32::MAX }>,
    /// Projections of every row in a substep.
    iterations: Whole<0, { u32::MAX }>,
    /// Viscous damping c [1/s]: v <- v e^(-c h).
    damping: NotNegative,
    /// Most coarse levels of distances that are projected before the rows of a substep are; 0: none.
    hierarchy: Whole<0, { u32::MAX }>,
    /// Damping 0..1 of all motion that is not rigid; keeps both momenta.
    rigid_damping: Fraction,
    /// PBD or XPBD for every row, for comparing them; left out, "as given".
    response: Named<ResponseMode>,
    /// Whether a stiffness k acts as it is in every projection, not as k' = 1-(1-k)^(1/iterations): for comparing them.
    plain_stiffness: bool,
    /// What a body's angular velocity is after corrections; left out, "mueller".
    rigid: Named<Rigid>,
    /// How the spin of a free body changes; left out, "momentum".
    gyro: Named<Gyro>,
    /// Iterations end early where no row's residual is larger [m]; 0: never.
    tolerance: NotNegative,
    /// Whether the tolerance is checked after every iteration, not ever more rarely.
    check_every: bool,
    /// Over-relaxation of method `jacobi`.
    omega: Relaxation,
    /// How method `jacobi` puts corrections together; left out, "average".
    jacobi: Named<JacobiMode>,
    /// The spectral radius that Chebyshev's acceleration counts with.
    spectral_radius: Below1,
    /// The most colors of method `hybrid`; where it splits particles, no more than 64 are used.
    colors: Whole<1, { u32::MAX }>,
    /// Whether each of c copies of a particle (method `hybrid`) weighs a c-th of it.
    split_mass: bool,
    /// Whether colors are made of similar size, where no generator gives them.
    balanced_colors: bool,
    /// The velocity of the air [m/s].
    wind: Vector,
    /// What air does to a plate across it [kg/m³]; left out, 0.6 where there is wind.
    drag: NotNegative,
    /// What happens where a state is no longer finite; left out, "report".
    nonfinite: Named<NonFinite>,
    /// Whether what positions are rounded off by is carried to the next substep; left out, "auto".
    precision: Named<Precision>,
    /// Lanes that the hottest loops compute in, 8 or 16; left out, the faster as measured. Never changes a bit.
    width: LaneCount,
}

/// The defaults of settings, and that the version must be given.
fn list_defaults(schema: &mut schemars::Schema) {
    let usual = Settings::default();
    let defaults = serde_json::json!({
        "gravity": usual.gravity, "dt": usual.dt, "substeps": usual.substeps, "iterations": usual.iterations,
        "damping": usual.damping, "hierarchy": usual.hierarchy, "rigid_damping": usual.rigid_damping, "tolerance": usual.tolerance,
        "check_every": usual.check_every, "plain_stiffness": usual.plain_stiffness,
        "omega": usual.omega, "spectral_radius": usual.spectral_radius, "colors": usual.colors,
        "split_mass": usual.split_mass, "balanced_colors": usual.balanced_colors, "wind": usual.wind,
        "response": usual.response.name(), "rigid": usual.rigid.name(), "gyro": usual.gyro.name(),
        "jacobi": usual.jacobi.name(), "nonfinite": usual.nonfinite.name(),
        "precision": usual.precision.name(),
    });
    for (key, value) in defaults.as_object().expect("an object") {
        schema.pointer_mut(&format!("/properties/{key}")).expect("a setting")["default"] =
            value.clone();
    }
    schema.insert("required".into(), serde_json::json!(["taut"]));
}

/// A setting given outside the file: its name and its value as text (`--set iterations=20`).
pub type Override<'a> = (&'a str, &'a str);

/// Applies `--set key=value` to what a file or a catalogue scene says.
pub fn override_settings(file: &mut SceneFile, overrides: &[Override]) -> Result<(), SceneError> {
    for (key, text) in overrides {
        let mut known = ["method", "threads"].into_iter().chain(SETTINGS.iter().copied());
        if !known.clone().any(|name| name == *key) {
            let what = ModelError::unknown("setting", key, &mut known).to_string();
            return Err(SceneError { place: "--set".into(), what });
        }
        // A bare word is a string: `--set method=scalar`.
        let is_value = serde_json::from_str::<Value>(text).is_ok();
        let value = if is_value { (*text).into() } else { Value::from(*text).to_string() };
        let text = format!("{{\"{key}\": {value}}}");
        let given: Document = read(&mut serde_json::Deserializer::from_slice(text.as_bytes()))
            .map_err(|(place, error)| {
                let place = format!("--set {}", if place.is_empty() { *key } else { &place });
                SceneError { place, what: sentence(&error) }
            })?;
        given.apply(file);
    }
    Ok(())
}
