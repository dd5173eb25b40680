//! OBJ, rule by rule.

use super::{error_in, obj};

/// Four vertices, the corners of a square.
const SQUARE: &str = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";

fn triangles(faces: &str) -> Vec<[u32; 3]> {
    obj(format!("{SQUARE}{faces}")).unwrap().triangles
}

fn refused(faces: &str) -> String {
    error_in(obj(format!("{SQUARE}{faces}")))
}

#[test]
fn faces_name_vertices_in_every_form() {
    for face in [
        "f 1 2 3",
        "f 1/7 2/8 3/9",
        "f 1//7 2//8 3//9",
        "f 1/1/1 2/-2/2 3/3/3",
        "f 1/ 2// 3",
        "f -4 -3 -2",
        "f -4/-1/-1 2 -2//-1",
    ] {
        assert_eq!(triangles(face), [[0, 1, 2]], "{face}");
    }
}

#[test]
fn polygons_become_fans() {
    assert_eq!(triangles("f 1 2 3 4"), [[0, 1, 2], [0, 2, 3]]);
    let pentagon = format!("{SQUARE}v -1 .5 0\nf 5 1 2 3 4");
    let fan = [[4, 0, 1], [4, 1, 2], [4, 2, 3]];
    assert_eq!(obj(pentagon).unwrap().triangles, fan);
}

#[test]
fn vertices_keep_their_numbers() {
    let mesh = obj("v 9 9 9\nv 0 0 0\nv 8 8 8\nv 1 0 0\nv 0 1 0\nf 2 4 5").unwrap();
    assert_eq!(mesh.positions.len(), 5);
    assert_eq!(mesh.positions[2], [8.0; 3]);
    assert_eq!(mesh.triangles, [[1, 3, 4]]);
    assert_eq!(mesh.warnings, ["2 vertices belong to no face"]);
}

#[test]
fn negative_indices_count_back_from_the_face() {
    let mesh = obj("v 0 0 0\nv 1 0 0\nv 0 1 0\nf -3 -2 -1\nv 0 0 1\nf -3 -2 -1").unwrap();
    assert_eq!(mesh.triangles, [[0, 1, 2], [1, 2, 3]]);
    assert_eq!(refused("f 1 2 -5"), "a.obj:5: \"-5\" is out of range: 4 vertices so far");
}

#[test]
fn faces_may_name_later_vertices() {
    let mesh = obj("f 1 2 3\nv 0 0 0\nv 1 0 0\nv 0 1 0\n").unwrap();
    assert_eq!(mesh.triangles, [[0, 1, 2]]);
    let message = error_in(obj("f 1 2 3\nf 1 2 \\\n 4/1\nv 0 0 0\nv 1 0 0\nv 0 1 0\n"));
    assert_eq!(message, "a.obj:3: \"4/1\" is out of range: the file has 3 vertices");
}

#[test]
fn whatever_is_no_index_is_refused() {
    for token in ["1.0", "x", "1/x", "1/2/3/4", "1///2", "/1", "1e0", "0x1", "99999999999999999999"]
    {
        let what = format!("a.obj:5: \"{token}\" is not a vertex index");
        assert_eq!(refused(&format!("f {token} 2 3")), what);
    }
    for token in ["4294967297", "5", "-5", "-4294967299", "-9223372036854775808"] {
        let message = refused(&format!("f 1 2 {token}"));
        assert!(message.starts_with(&format!("a.obj:5: \"{token}\" is out of range")), "{message}");
    }
    let zero = "a.obj:5: \"0\" is no vertex: OBJ counts from 1";
    assert_eq!(refused("f 0 1 2"), zero);
    let two = "a.obj:5: a face needs at least 3 vertices, not 2";
    assert_eq!(refused("f 1 2"), two);
}

#[test]
fn blanks_comments_and_line_ends_do_not_matter() {
    let plain = obj("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n").unwrap();
    for text in [
        "\u{feff}v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3",
        "v 0 0 0\r\nv 1 0 0\r\nv 0 1 0\r\nf 1 2 3\r\n",
        "v 0 0 0\rv 1 0 0\rv 0 1 0\rf 1 2 3\r",
        "\tv\t0  0 0 \n  v 1 0 0\n\n v 0 1 0\n\tf 1\t2  3 ",
        "# c\nv 0 0 0#v 7 7 7\nv 1 0 0 # c \\\nv 0 1 0\nf 1 2 3 # 4",
        "v 0 \\\n0 0\nv 1 0 0\nv 0 1 0\\\r\n\nf \\\n 1 2 \\ \n\\\n3\\",
        "o x\nvn 0 0 1\nvt 0 0\nvp 0\nV 9 9 9\nl 1 2\ng f 1\nv 0 0 0\nv 1 0 0\nv 0 1 0\nfo 1 2 3\nf 1 2 3",
        "v 0 0 0 1\nv 1 0 0 .5 .5 .5\nv 0 1 0 1 0 0 1\nf 1 2 3",
        "v 0e0 -0 .0\nv +1. 0 0\nv 0 1E+0 1e-60\nf 1 2 3",
    ] {
        assert_eq!(obj(text).as_ref().ok(), Some(&plain), "{text:?}");
    }
    assert!(obj(b"# caf\xE9\nv 0 0 0\n").is_ok(), "comments in Latin-1");
}

#[test]
fn coordinates_must_be_finite_numbers() {
    for token in ["nan", "NaN", "inf", "-infinity", "1e39", "-3.5e38"] {
        let what = format!("a.obj:2: \"{token}\" is not a finite number in single precision");
        assert_eq!(error_in(obj(format!("v 0 0 0\nv 1 {token} 0"))), what);
    }
    for token in ["zero", "1,5", "0x10", "1_000", "--1", "1f"] {
        let what = format!("a.obj:1: \"{token}\" is not a number");
        assert_eq!(error_in(obj(format!("v 0 0 {token}"))), what);
        assert_eq!(error_in(obj(format!("v 0 0 0 {token}"))), what);
    }
    let what = "a vertex has 3 coordinates and at most 4 more numbers, not";
    assert_eq!(error_in(obj("v 1 2")), format!("a.obj:1: {what} 2"));
    assert_eq!(error_in(obj("v 0 0 0\nv 1 2 3 4 5 6 7 8")), format!("a.obj:2: {what} 8"));
}

#[test]
fn what_is_no_text_is_refused() {
    let binary = "a NUL byte: this is binary data or UTF-16, not plain text";
    assert_eq!(refused("f 1 2 3\0"), format!("a.obj:5: {binary}"));
    assert_eq!(error_in(obj(b"v\0 \x000")), format!("a.obj:1: {binary}"));
    let utf16 = "a.obj: this is UTF-16 text; save it as UTF-8";
    assert_eq!(error_in(obj(b"\xFF\xFEv\0 \0")), utf16);
    assert_eq!(error_in(obj(b"\xFE\xFF\0v\0 ")), utf16);
    for text in ["", "# nothing\n", "\n\n", "vn 0 0 1\n"] {
        assert!(error_in(obj(text)).starts_with("a.obj: no vertices"), "{text:?}");
    }
}

#[test]
fn messages_are_short_and_printable() {
    let long = "9".repeat(1 << 20);
    let message = refused(&format!("f 1 2 {long}"));
    assert_eq!(message.matches('9').count(), 60);
    assert!(message.contains("…\" is not"), "{message}");
    for token in ["\x1b[31m", "\u{7}", "\u{202e}abc", "\u{9b}x"] {
        let message = refused(&format!("f 1 2 {}", token.repeat(100)));
        assert!(message.contains("\\u{"), "{message}");
        assert!(!message.contains('\u{202e}'), "{message:?}");
    }
    error_in(obj([b"v 0 0 ".as_slice(), &[0xFF; 999]].concat()));
}

#[test]
fn lines_are_counted_right() {
    for newline in ["\n", "\r\n", "\r"] {
        let text = ["\u{feff}# 1", "", "v 0 0 0", "v 1 \\", "0 0", "v 0 1 0", "", "f 1 2 x"];
        let message = error_in(obj(text.join(newline)));
        assert_eq!(message, "a.obj:8: \"x\" is not a vertex index");
    }
    // The line of the value, not of the statement it continues.
    assert!(refused("f 1 \\\n2 \\\nx").starts_with("a.obj:7:"));
}

#[test]
fn oddities_are_told() {
    let warnings = |faces: &str| obj(format!("{SQUARE}{faces}")).unwrap().warnings;
    assert_eq!(warnings("f 1 2 3 4"), [""; 0]);
    assert_eq!(warnings(""), ["4 vertices belong to no face"]);
    assert_eq!(warnings("f 1 2 3 4\nf 3 2 1\nf 2 3 1"), ["2 duplicate faces ignored"]);
    assert_eq!(
        warnings("f 1 2 3\nf 1 1 2 3 4"),
        ["1 face that names a vertex twice ignored", "1 duplicate face ignored"]
    );
    assert_eq!(warnings("f 1 2 3\nf 1 4 3"), ["1 edge between faces wound in opposite directions"]);
    assert_eq!(
        warnings("v 0 0 1\nv 0 0 -1\nf 1 2 3\nf 1 2 4\nf 2 1 5\nf 2 1 6"),
        ["1 edge of more than two faces: no bending there"]
    );
    assert_eq!(
        warnings("v -0 1 0\nv 2 0 0\nf 1 2 3\nf 1 3 4\nf 5 3 1\nf 1 2 6"),
        [
            "1 vertex has the position of an earlier one (they are not welded)",
            "1 zero-area triangle",
            "1 edge of more than two faces: no bending there",
            "1 edge between faces wound in opposite directions",
        ]
    );
}
