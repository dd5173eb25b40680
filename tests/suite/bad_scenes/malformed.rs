//! The table of malformed scenes: what each is, its text, and what its message must hold.

/// Two particles and what stands beside them.
pub fn two(rest: &str) -> String {
    format!(r#"{{"taut": 1, "particles": {{"position": [[0,0,0],[1,0,0]]}}, {rest}}}"#)
}

/// One row between two particles: `particles` and what stands beside them.
pub fn row(particles: &str, rest: &str) -> String {
    two(&format!(r#""constraints": [{{"kind": "distance", "particles": {particles}{rest}}}]"#))
}

/// Particle columns.
pub fn columns(columns: &str) -> String {
    format!(r#"{{"taut": 1, "particles": {{{columns}}}}}"#)
}

/// One setting.
pub fn setting(setting: &str) -> String {
    format!(r#"{{"taut": 1, {setting}}}"#)
}

/// One mesh.
pub fn mesh(rest: &str) -> String {
    format!(r#"{{"taut": 1, "meshes": [{{"file": "square.obj", "as": "cloth"{rest}}}]}}"#)
}

/// Every malformed scene: its name, its text, and what its message must hold.
#[rustfmt::skip]
pub fn malformed() -> Vec<(&'static str, String, &'static [&'static str])> {
    let positions = r#""position": [[0,0,0],[1,0,0]]"#;
    let beside = |rest: &str| columns(&format!("{positions}, {rest}"));
    vec![
        ("index out of range", row("[0,2]", ""), &["constraints[0].particles[1]", "2"]),
        ("index negative", row("[-1,1]", ""), &["constraints[0].particles[0]: -1 is not allowed (must be a whole number from 0 to 1)"]),
        ("index 2^31", row("[0,2147483648]", ""), &["constraints[0].particles[1]", "2147483648"]),
        ("index 2^32", row("[0,4294967296]", ""), &["constraints[0].particles[1]: 4294967296 is not allowed (must be a whole number from 0 to 1)"]),
        ("index 1.5", row("[0,1.5]", ""), &["constraints[0].particles[1]", "1.5"]),
        ("index text", row("[0,\"1\"]", ""), &["constraints[0].particles[1]", "\"1\""]),
        ("particle twice", row("[1,1]", ""), &["constraints[0]", "particle 1", "twice"]),
        ("three particles", row("[0,1,0]", ""), &["constraints[0].particles", "3"]),
        ("one particle", row("[0]", ""), &["constraints[0].particles", "1"]),
        ("no particles named", two(r#""constraints": [{"kind": "distance"}]"#), &["constraints[0]", "particles"]),
        ("a row without particles to name", setting(r#""constraints": [{"kind": "distance", "particles": [0,1]}]"#), &["constraints[0].particles[0]", "0"]),
        ("position NaN", columns(r#""position": [[0,NaN,0]]"#), &[":1"]),
        ("position Infinity", columns(r#""position": [[0,Infinity,0]]"#), &[":1"]),
        ("position 1e999", columns(r#""position": [[0,1e999,0]]"#), &[":1", "number out of range"]),
        ("position 1e39", columns(r#""position": [[0,1e39,0]]"#), &["particles.position[0][1]", "finite"]),
        ("position null", columns(r#""position": [[0,null,0]]"#), &["particles.position[0][1]", "null"]),
        ("position text", columns(r#""position": [[0,"nan",0]]"#), &["particles.position[0][1]", "nan"]),
        ("position of two", columns(r#""position": [[0,0]]"#), &["particles.position[0]", "3"]),
        ("position of four", columns(r#""position": [[0,0,0,0]]"#), &["particles.position[0]", "3"]),
        ("position no list", columns(r#""position": 3"#), &["particles.position", "3"]),
        ("velocity NaN", beside(r#""velocity": [[0,0,0],[NaN,0,0]]"#), &[":1"]),
        ("velocity 1e999", beside(r#""velocity": [[0,0,0],[1e999,0,0]]"#), &[":1", "number out of range"]),
        ("velocity -1e39", beside(r#""velocity": [[0,0,0],[-1e39,0,0]]"#), &["particles.velocity[1][0]", "finite"]),
        ("mass negative", beside(r#""mass": [1,-2]"#), &["particles.mass[1]", "-2"]),
        ("mass zero", beside(r#""mass": [0,1]"#), &["particles.mass[0]", "0"]),
        ("mass NaN", beside(r#""mass": [1,NaN]"#), &[":1"]),
        ("mass 1e39", beside(r#""mass": [1,1e39]"#), &["particles.mass[1]", "finite"]),
        ("mass 1e-50", beside(r#""mass": [1,1e-50]"#), &["particles.mass[1]: 1e-50 is not allowed", "finite"]),
        ("inverse mass negative", beside(r#""inverse_mass": [1,-0.5]"#), &["particles.inverse_mass[1]", "-0.5"]),
        ("inverse mass 1e39", beside(r#""inverse_mass": [1e39,1]"#), &["particles.inverse_mass[0]", "finite"]),
        ("mass and inverse mass", beside(r#""mass": [1,1], "inverse_mass": [1,1]"#), &["particles", "mass", "inverse_mass"]),
        ("masses too few", beside(r#""mass": [1]"#), &["particles.mass", "1 entries for 2"]),
        ("inverse masses too many", beside(r#""inverse_mass": [1,1,1]"#), &["particles.inverse_mass", "3 entries for 2"]),
        ("velocities too few", beside(r#""velocity": [[0,0,0]]"#), &["particles.velocity", "1 entries for 2"]),
        ("compliance negative", row("[0,1]", r#", "compliance": -1e-9"#), &["constraints[0].compliance", "-1e-9"]),
        ("compliance 1e39", row("[0,1]", r#", "compliance": 1e39"#), &["constraints[0].compliance", "finite"]),
        ("compliance 1e999", row("[0,1]", r#", "compliance": 1e999"#), &[":1", "number out of range"]),
        ("rest length negative", row("[0,1]", r#", "rest_length": -1"#), &["constraints[0].rest_length", "-1"]),
        ("rest length 1e39", row("[0,1]", r#", "rest_length": 1e39"#), &["constraints[0].rest_length", "finite"]),
        ("rest length NaN", row("[0,1]", r#", "rest_length": NaN"#), &[":1"]),
        ("stiffness -0.1", row("[0,1]", r#", "stiffness": -0.1"#), &["constraints[0].stiffness", "-0.1"]),
        ("stiffness 1.1", row("[0,1]", r#", "stiffness": 1.1"#), &["constraints[0].stiffness", "1.1"]),
        ("stiffness 1e999", row("[0,1]", r#", "stiffness": 1e999"#), &[":1", "number out of range"]),
        ("damping negative", row("[0,1]", r#", "compliance": 1, "damping": -1"#), &["constraints[0].damping", "-1"]),
        ("damping alone", row("[0,1]", r#", "damping": 1"#), &["constraints[0]", "damping"]),
        ("stiffness and damping", row("[0,1]", r#", "stiffness": 1, "damping": 1"#), &["constraints[0]", "damping"]),
        ("stiffness and compliance", row("[0,1]", r#", "stiffness": 1, "compliance": 0"#), &["constraints[0]", "stiffness", "compliance"]),
        ("the third row", two(r#""constraints": [{"kind":"distance","particles":[0,1]}, {"kind":"distance","particles":[0,1]}, {"kind":"distance","particles":[0,1],"stiffness":7}]"#), &["constraints[2].stiffness", "7"]),
        ("dt 0", setting(r#""dt": 0"#), &["dt", "0"]),
        ("dt -1", setting(r#""dt": -1"#), &["dt", "-1"]),
        ("dt 1e999", setting(r#""dt": 1e999"#), &[":1", "number out of range"]),
        ("dt 1e39", setting(r#""dt": 1e39"#), &["dt", "finite"]),
        ("dt 1e-50", setting(r#""dt": 1e-50"#), &["dt", "positive"]),
        ("dt text", setting(r#""dt": "fast""#), &["dt", "fast"]),
        ("substeps 0", setting(r#""substeps": 0"#), &["substeps", "0"]),
        ("substeps 2^32", setting(r#""substeps": 4294967296"#), &["substeps", "4294967296"]),
        ("iterations 2^32", setting(r#""iterations": 4294967296"#), &["iterations", "4294967296"]),
        ("iterations 1.5", setting(r#""iterations": 1.5"#), &["iterations", "1.5"]),
        ("iterations -1", setting(r#""iterations": -1"#), &["iterations", "-1"]),
        ("gravity of two", setting(r#""gravity": [0,-9.81]"#), &["gravity", "3"]),
        ("gravity 1e39", setting(r#""gravity": [0,-1e39,0]"#), &["gravity[1]", "finite"]),
        ("damping of motion -1", setting(r#""damping": -1"#), &["damping", "-1"]),
        ("width 9", setting(r#""width": 9"#), &["width: 9 is not allowed (must be 8 or 16)"]),
        ("width 32", setting(r#""width": 32"#), &["width: 32 is not allowed (must be 8 or 16)"]),
        ("pairs without a radius", two(r#""contacts": {"pairs": true}"#), &["json: contacts.radius: 0 is not allowed"]),
        ("a plane without direction", two(r#""colliders": [{"shape": "plane", "point": [0,0,0], "normal": [0,0,0]}]"#), &["json: colliders[0].normal: 0 is not allowed (the vector has no length)"]),
        ("an emitter without direction", setting(r#""emitters": [{"shape": "disc", "radius": 0.1, "center": [0,0,0], "direction": [0,0,0], "speed": 1, "spacing": 0.1, "count": 4, "mass": 1}]"#), &["json: emitters[0].direction: 0 is not allowed (the vector has no length)"]),
        ("a joint without bodies", two(r#""joints": [{"kind": "ball", "bodies": [-1, 0], "anchor": [0,0,0]}]"#), &["joints[0].bodies[1]: 0 is not allowed (there are no bodies, only -1, the world)"]),
        ("threads 0", setting(r#""threads": 0"#), &["threads", "0"]),
        ("threads 1e6", setting(r#""threads": 1000000"#), &["threads", "1000000"]),
        ("name no text", setting(r#""name": 3"#), &["name", "3"]),
        ("unknown key", setting(r#""particle": {}"#), &["unknown key \"particle\"", "particles"]),
        ("unknown key in a row", row("[0,1]", r#", "rest": 1"#), &["constraints[0]", "unknown key \"rest\"", "rest_length"]),
        ("unknown key in particles", beside(r#""masses": [1,1]"#), &["particles", "unknown key \"masses\"", "inverse_mass"]),
        ("unknown key in a mesh", mesh(r#", "size": 3"#), &["meshes[0]", "unknown key \"size\"", "scale"]),
        ("unknown kind", two(r#""constraints": [{"kind": "distanse", "particles": [0,1]}]"#), &["constraints[0].kind", "distanse", "distance"]),
        ("no kind", two(r#""constraints": [{"particles": [0,1]}]"#), &["constraints[0]", "kind"]),
        ("a row that is none", two(r#""constraints": [7]"#), &["constraints[0]", "7"]),
        ("unknown method", setting(r#""method": "fast""#), &["method", "fast", "scalar colored lanes"]),
        ("long word", setting(&format!("\"{}\": 1", "k".repeat(100_000))), &["unknown key"]),
        ("word of escapes", setting("\"\\u001b[31m\\n\": 1"), &["unknown key", "\\u{1b}"]),
        ("no version", "{}".into(), &["\"taut\" is missing"]),
        ("version 2", r#"{"taut": 2}"#.into(), &["taut", "2"]),
        ("version text", r#"{"taut": "1"}"#.into(), &["taut", "\"1\""]),
        ("empty", String::new(), &["json: the file is empty"]),
        ("blank", " \n\n".into(), &["json: the file is empty"]),
        ("truncated", r#"{"taut": 1, "particles": {"position": [[0,0"#.into(), &[":1", "EOF"]),
        ("not JSON", "v 0 0 0\nv 1 0 0\n".into(), &[":1"]),
        ("a list", "[1]".into(), &["must be an object"]),
        ("a number", "1".into(), &["must be an object"]),
        ("trailing garbage", "{\"taut\": 1}\n{\"taut\": 1}".into(), &[":2", "trailing"]),
        ("a comma too many", "{\"taut\": 1,\n}".into(), &[":2"]),
        ("an error on line 4", "{\n\"taut\": 1,\n\n\"dt\": oops}".into(), &[":4"]),
        ("key twice", "{\"taut\": 1,\n\"dt\": 1,\n\"dt\": 2}".into(), &[":3", "\"dt\"", "twice"]),
        ("key twice in a row", row("[0,1]", r#", "particles": [1,0]"#), &["\"particles\"", "twice"]),
        ("10^5 brackets", "[".repeat(100_000), &["recursion limit"]),
        ("10^5 objects", "{\"a\":".repeat(100_000), &["recursion limit"]),
        ("mesh that does not exist", mesh("").replace("square", "nothing"), &["meshes[0].file", "nothing.obj"]),
        ("mesh of another kind", mesh("").replace("square.obj", "bad.json"), &["meshes[0].file", "bad.json", ".obj"]),
        ("mesh that is a directory", mesh("").replace("square.obj", "folder.obj"), &["meshes[0].file", "folder.obj"]),
        ("mesh without a file", r#"{"taut": 1, "meshes": [{"as": "cloth"}]}"#.into(), &["meshes[0]", "file"]),
        ("mesh as nothing", mesh("").replace("cloth", "paper"), &["meshes[0].as", "paper", "cloth"]),
        ("pin out of range", mesh(r#", "pin": [0, 4]"#), &["meshes[0].pin[1]", "4"]),
        ("pin negative", mesh(r#", "pin": [-1]"#), &["meshes[0].pin[0]", "-1"]),
        ("mesh mass 0", mesh(r#", "mass": 0"#), &["meshes[0].mass", "0"]),
        ("mesh mass 1e-38", mesh(r#", "mass": 1e-38"#), &["json: meshes[0]: vertex 1 weighs 1.6", "e-39 kg: its inverse must be finite in f32"]),
        ("a cylinder without length", two(r#""colliders": [{"shape": "cylinder", "a": [0,0,0], "b": [0,0,0], "radius": 1}]"#), &["json: colliders[0].b: 0 is not allowed (how far it is from a must be positive"]),
        ("mesh mass -1", mesh(r#", "mass": -1"#), &["meshes[0].mass", "-1"]),
        ("mesh scale 0", mesh(r#", "scale": 0"#), &["meshes[0].scale", "0"]),
        ("mesh scaled beyond f32", mesh(r#", "scale": 1e38, "translate": [3.4e38,0,0]"#), &["meshes[0]", "finite"]),
        ("mesh turned by no rotation", mesh(r#", "rotate": [0,0,0,0]"#), &["meshes[0].rotate"]),
        ("mesh stretch 2", mesh(r#", "stretch": {"stiffness": 2}"#), &["meshes[0].stretch.stiffness", "2"]),
        (
            "cloth with a volume",
            mesh(r#", "volume": {"stiffness": 1}"#),
            &["meshes[0].volume", "cloth"],
        ),
        (
            "soft with bending",
            mesh(r#", "bend": {"stiffness": 1}"#).replace("cloth", "soft"),
            &["meshes[0].bend", "soft"],
        ),
        (
            "soft without tetrahedra",
            mesh("").replace("cloth", "soft"),
            &["meshes[0].file", "tetrahedra"],
        ),
        (
            "mesh bend 2",
            mesh(r#", "bend": {"stiffness": 2}"#),
            &["meshes[0].bend.stiffness", "2"],
        ),
        (
            "rigid damping 2",
            setting(r#""rigid_damping": 2"#),
            &["rigid_damping", "2"],
        ),
        (
            "response unknown",
            setting(r#""response": "ibds""#),
            &["response", "ibds", "as given", "xpbd"],
        ),
        ("mesh stretch unknown", mesh(r#", "stretch": {"stiff": 1}"#), &["meshes[0].stretch", "stiff"]),
    ]
}
