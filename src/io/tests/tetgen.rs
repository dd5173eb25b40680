//! TetGen, rule by rule.

use super::{error_in, tetgen};

const NODES: &str = "4 3 0 0\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 1\n";
const ELE: &str = "1 4 0\n0 0 1 2 3\n";

fn node_refused(node: &str) -> String {
    error_in(tetgen(node, ELE))
}

fn ele_refused(ele: &str) -> String {
    error_in(tetgen(NODES, ele))
}

#[test]
fn nodes_are_counted_from_zero_or_one() {
    let zero = tetgen(NODES, ELE).unwrap();
    assert_eq!(zero.positions[3], [0.0, 0.0, 1.0]);
    assert_eq!(zero.tetrahedra, [[0, 1, 2, 3]]);
    assert_eq!(zero.triangles, [[0; 3]; 0]);
    assert_eq!(zero.warnings, [""; 0]);
    let one = tetgen("4 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n", "1 4 0\n1 1 2 3 4\n");
    assert_eq!(one.unwrap(), zero);
    assert_eq!(
        node_refused("1 3\n2 0 0 0\n"),
        "a.node:2: \"2\" is out of order: nodes are counted from 0 or 1"
    );
}

#[test]
fn comments_blanks_attributes_and_markers_are_skipped() {
    let plain = tetgen(NODES, ELE).unwrap();
    let node = "\u{feff}# c\r\n\r\n 4 3 2 1 # c\r\n0 0 0 0 7 nan x\r\n# c\r\n\t1 1 0 0 8 8 1\r\n2 0 1 0\r\n3 0 0 1 9 9 1";
    for (node, ele) in [
        (node, "1 4 1\n\n0 0 1 2 3 -7\n# end"),
        ("4\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 1", "1\n0 0 1 2 3"),
    ] {
        assert_eq!(tetgen(node, ele).unwrap(), plain);
    }
}

#[test]
fn counts_must_match() {
    let message = node_refused(&NODES.replace("4 3 0 0", "# c\n5 3 0 0"));
    assert_eq!(message, "a.node:2: the header says 5 nodes, 4 are there");
    let message = node_refused(&NODES.replace("4 3 0 0", "3 3 0 0"));
    assert_eq!(message, "a.node:5: the header says 3 nodes, here is one more");
    let message = ele_refused("2 4 0\n0 0 1 2 3\n");
    assert_eq!(message, "a.ele:1: the header says 2 tetrahedra, 1 are there");
    for count in ["2147483648", "9223372036854775807"] {
        let message = node_refused(&NODES.replace("4 3 0 0", &format!("{count} 3 0 0")));
        let what = format!("a.node:1: the header says {count} nodes, 4 are there");
        assert_eq!(message, what);
        let message = ele_refused(&format!("{count} 4 0\n"));
        let what = format!("a.ele:1: the header says {count} tetrahedra, 0 are there");
        assert_eq!(message, what);
    }
    assert_eq!(node_refused("-1 3\n"), "a.node:1: \"-1\" is a negative count");
    assert_eq!(node_refused("x 3\n"), "a.node:1: \"x\" is not a whole number");
    assert_eq!(node_refused(""), "a.node: no nodes: the file is empty");
    assert_eq!(ele_refused("# c\n0 4 0"), "a.ele:2: no tetrahedra: the header says 0");
}

#[test]
fn only_corners_in_space_are_read() {
    assert_eq!(
        ele_refused("1 10 0\n0 0 1 2 3 0 1 2 3 0 1\n"),
        "a.ele:1: \"10\" nodes per tetrahedron are not supported, only 4"
    );
    assert_eq!(
        node_refused("1 2 0 0\n0 0 0\n"),
        "a.node:1: \"2\" coordinates per node are not supported, only 3"
    );
}

#[test]
fn rows_come_in_order_and_whole() {
    for (row, wrong) in [("1 1 0 0", "0"), ("1 1 0 0", "2"), ("3 0 0 1", "2")] {
        let node = NODES.replace(row, &format!("{wrong} 1 1 1"));
        let (line, expected) = if row.starts_with('1') { (3, 1) } else { (5, 3) };
        let what = format!("a.node:{line}: \"{wrong}\" is out of order: {expected} comes here");
        assert_eq!(node_refused(&node), what);
    }
    assert_eq!(ele_refused("1 4 0\n1 0 1 2 3\n"), "a.ele:2: \"1\" is out of order: 0 comes here");
    assert_eq!(
        ele_refused("1 4 0\n0 0 1 2\n"),
        "a.ele:2: 4 nodes per tetrahedron are needed, not 3"
    );
    assert_eq!(
        node_refused(&NODES.replace("2 0 1 0", "2 0 1")),
        "a.node:4: 3 coordinates per node are needed, not 2"
    );
    assert_eq!(
        node_refused(&NODES.replace("2 0 1 0", "2 0 1e39 0")),
        "a.node:4: \"1e39\" is not a finite number in single precision"
    );
}

#[test]
fn tetrahedra_name_four_nodes_that_are_there() {
    let out_of_range = "is no node: they are 0 to 3";
    for token in ["4", "-1", "4294967296"] {
        let message = ele_refused(&format!("1 4 0\n0 0 1 2 {token}\n"));
        assert_eq!(message, format!("a.ele:2: \"{token}\" {out_of_range}"));
    }
    let from_one = "4 3\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n";
    assert_eq!(
        error_in(tetgen(from_one, "1 4\n1 0 1 2 3\n")),
        "a.ele:2: \"0\" is no node: they are 1 to 4"
    );
    assert_eq!(
        ele_refused("1 4 0\n0 0 1 2 1\n"),
        "a.ele:2: \"1\" is named twice by this tetrahedron"
    );
}

#[test]
fn oddities_are_told() {
    let inverted = tetgen(NODES, ELE.replace("1 2 3", "2 1 3")).unwrap();
    assert_eq!(inverted.tetrahedra, [[0, 2, 1, 3]]);
    let warning = "1 inverted tetrahedron: its rest volume is negative";
    assert_eq!(inverted.warnings, [warning]);
    let odd = tetgen(
        "6 3\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 1\n4 1 1 0\n5 9 9 9\n",
        "3 4\n0 0 1 2 3\n1 3 2 1 0\n2 0 1 2 4",
    );
    let expected = [
        "1 vertex belongs to no tetrahedron",
        "1 duplicate tetrahedron ignored",
        "1 zero-volume tetrahedron",
    ];
    assert_eq!(odd.unwrap().warnings, expected);
}
