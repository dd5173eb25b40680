//! The shared meshes and malformed files, against the tables beside them.

use super::check_message;
use crate::io::read_mesh;
use crate::mesh::{
    Mesh, count_unused, enclosed_volume, surface_triangles, survey_surface, tetrahedron_volumes,
    unique_edges,
};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The folder of that name beside the project.
fn shared(name: &str) -> PathBuf {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared")).join(name)
}

/// The rows of the table in a folder's README.
fn table(folder: &Path) -> Vec<Vec<String>> {
    let text = fs::read_to_string(folder.join("README.md")).unwrap();
    let rows = text.lines().filter(|line| line.starts_with("| "));
    let cells = |row: &str| row.split('|').skip(1).map(|cell| cell.trim().into()).collect();
    rows.skip(1).map(cells).collect()
}

fn files(folder: &Path) -> BTreeSet<PathBuf> {
    let entries = fs::read_dir(folder).unwrap();
    entries.map(|entry| entry.unwrap().path()).collect()
}

#[test]
#[ignore = "needs ../shared: malformed files"]
fn malformed_files_get_their_verdict() {
    let folder = shared("bad");
    let mut judged = BTreeSet::new();
    for row in table(&folder) {
        let path = folder.join(&row[0]);
        let start = Instant::now();
        let result = read_mesh(&path);
        let elapsed = start.elapsed();
        println!("{} in {elapsed:?}: {}", row[0], describe(&result));
        assert!(elapsed < Duration::from_secs(1), "{} took {elapsed:?}", row[0]);
        match row[1].as_str() {
            "accept" => assert!(result.is_ok(), "{}", describe(&result)),
            "reject" => assert!(result.is_err(), "{} is accepted", row[0]),
            _ => assert_eq!(row[1], "accept-or-reject"),
        }
        if let Err(error) = result {
            let message = error.to_string();
            check_message(&message, &path);
            let named = path.with_extension("");
            assert!(message.starts_with(named.to_str().unwrap()), "{message}");
            assert!(message.contains(&format!(":{}", row[2])), "{message}");
        }
        judged.insert(path);
    }
    let mut there = files(&folder.join("obj"));
    there.extend(files(&folder.join("tet")));
    assert_eq!(judged, there, "the table and the files differ");
}

fn describe(result: &Result<Mesh, crate::io::ReadError>) -> String {
    match result {
        Ok(mesh) => format!(
            "{} vertices, {} triangles, {} tetrahedra, {:?}",
            mesh.positions.len(),
            mesh.triangles.len(),
            mesh.tetrahedra.len(),
            mesh.warnings
        ),
        Err(error) => error.to_string(),
    }
}

#[test]
#[ignore = "needs ../shared: malformed files"]
fn borderline_files_are_read_as_expected() {
    let folder = shared("bad");
    let read = |name: &str| read_mesh(&folder.join(name)).unwrap();
    assert_eq!(read("obj/06_negative_ok.obj").triangles, [[0, 1, 2], [0, 2, 3]]);
    assert_eq!(read("obj/14_four_coordinates_w.obj").positions.len(), 3);
    let duplicate = read("obj/18_duplicate_faces.obj");
    assert_eq!(unique_edges(&duplicate.triangles).len(), 3);
    assert!(duplicate.warnings.contains(&"2 duplicate faces ignored".into()));
    assert_eq!(read("obj/20_ngon.obj").triangles.len(), 10);
    assert_eq!(read("obj/22_crlf.obj").triangles.len(), 1);
    assert_eq!(read("obj/24_bom.obj").positions.len(), 4);
    assert_eq!(read("obj/28_exponents.obj").positions[0], [0.001, -2.5, 0.5]);
    assert_eq!(read("obj/30_unknown_keywords.obj").triangles, [[0, 1, 2]]);
    assert_eq!(read("obj/38_huge_line.obj").triangles.len(), 1);
    let loose = read("obj/44_duplicate_positions.obj");
    assert_eq!(survey_surface(&loose.triangles).interior.len(), 0);
    assert!(loose.warnings[0].starts_with("2 vertices have the position of an earlier one"));
    assert_eq!(survey_surface(&read("obj/46_inconsistent_winding.obj").triangles).flipped, 1);
    assert!(read("obj/48_zero_area.obj").warnings.contains(&"1 zero-area triangle".into()));
    for (name, volume) in [("01_ok_base0", 1.0), ("03_inverted", -1.0), ("11_comments_blank", 1.0)]
    {
        let mesh = read(&format!("tet/{name}.ele"));
        let volumes = tetrahedron_volumes(&mesh.positions, &mesh.tetrahedra);
        assert_eq!(volumes, [volume / 6.0], "{name}");
    }
}

#[test]
#[ignore = "needs ../shared: real meshes"]
fn meshes_are_as_their_table_says() {
    let folder = shared("meshes");
    let rows = table(&folder);
    for row in &rows {
        let name = &row[0];
        let number = |i: usize| row[i].parse::<usize>().unwrap();
        let solid = !row[3].is_empty();
        let path = folder.join(format!("{name}.{}", if solid { "node" } else { "obj" }));
        let mesh = read_mesh(&path).unwrap();
        println!("{name}: {}", describe(&Ok(mesh.clone())));
        assert_eq!(mesh.positions.len(), number(1), "{name}: vertices");
        let triangles = if solid {
            assert_eq!(mesh.tetrahedra.len(), number(3), "{name}: tetrahedra");
            surface_triangles(&mesh.positions, &mesh.tetrahedra)
        } else {
            assert_eq!(count_unused(mesh.positions.len(), &mesh.triangles), number(9), "{name}");
            mesh.triangles
        };
        assert_eq!(triangles.len(), number(2), "{name}: triangles");
        let surface = survey_surface(&triangles);
        let flaws = [surface.boundary, surface.non_manifold, surface.flipped];
        assert_eq!(flaws.map(|n| n.to_string()).join(" / "), row[6], "{name}");
        let edges = unique_edges(&triangles).len();
        let shared = surface.interior.len();
        assert_eq!(edges, shared + surface.boundary + surface.non_manifold, "{name}: edges");

        let volume = enclosed_volume(&mesh.positions, &triangles);
        let word = row[11].split(' ').next().unwrap();
        if let Some(expected) = word.strip_prefix("V=") {
            let expected: f64 = expected.parse().unwrap();
            assert!((volume / expected - 1.0).abs() < 1e-5, "{name}: {volume}");
        }
        if solid {
            assert_eq!(surface.unbalanced, 0, "{name}");
            let volumes = tetrahedron_volumes(&mesh.positions, &mesh.tetrahedra);
            let sum: f64 = volumes.iter().map(|volume| volume.abs()).sum();
            assert!((volume / sum - 1.0).abs() < 1e-9, "{name}: {volume} against {sum}");
        }
    }
    let named: BTreeSet<_> = rows.iter().map(|row| folder.join(&row[0])).collect();
    let mut there: BTreeSet<_> =
        files(&folder).iter().map(|path| path.with_extension("")).collect();
    there.remove(&folder.join("README"));
    assert_eq!(named, there, "the table and the files differ");
}
