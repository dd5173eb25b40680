//! `taut schema`: the JSON Schema of scene files.

use crate::common::taut;

/// The schema in the docs is that of the types.
#[test]
fn the_schema_in_the_docs_is_current() {
    let docs = std::fs::read_to_string("docs/scene.schema.json").expect("the schema in the docs");
    let answer = taut(&["schema"]);
    let current = answer.done();
    assert!(current == docs, "run: taut schema > docs/scene.schema.json");
}
