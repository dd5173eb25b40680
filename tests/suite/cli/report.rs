//! `taut bench --html` and `taut report`: one page that holds all it shows, and what it says of earlier reports.

use crate::common::{folder, taut, write};
use serde_json::Value;

/// What stands between two marks, at every place.
fn between<'a>(text: &'a str, open: &str, close: &str) -> Vec<&'a str> {
    text.split(open).skip(1).map(|rest| rest.split(close).next().unwrap()).collect()
}

#[test]
fn a_page_of_now_and_one_with_history() {
    let folder = folder("report");
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let (now, json) = (path("now.html"), path("now.json"));
    let runs = ["bench", "cloth:4", "cloth:6", "stack:2", "--seconds", "0.05"];
    taut(&[&runs[..], &["--html", &now, "--json", &json]].concat()).done();
    let page = std::fs::read_to_string(&now).unwrap();
    let mut report: Value = serde_json::from_slice(&std::fs::read(&json).unwrap()).unwrap();
    for entry in report["runs"].as_array().unwrap() {
        assert!(page.contains(entry["run"].as_str().unwrap()), "{entry}");
        assert!(page.contains(entry["hash"].as_str().unwrap()), "{entry}");
        let phases = entry["phases"].as_array().unwrap().iter();
        let sum: f64 = phases.map(|phase| phase["ms"].as_f64().unwrap()).sum();
        assert!(sum > 0.0, "{entry}");
    }
    for title in ["The ladder", "Ceilings", "Roofline", "Colors", "Phases", "With size"] {
        assert!(page.contains(title), "{title}");
    }
    assert!(!page.contains("History") && page.contains(report["machine"]["cpu"].as_str().unwrap()));
    // Nothing is fetched from elsewhere; three pictures, each a whole PNG file.
    let sources = between(&page, "src=\"", "\"");
    assert_eq!(sources.len(), 3);
    for source in sources {
        assert!(source.starts_with("data:image/png;base64,iVBORw0KGgo"), "{}", &source[..60]);
        assert!(source.ends_with("rkJggg==") || source.len() > 1000);
    }
    assert!(!page.contains("<script") && !page.contains("<link") && !page.contains("NaN"));
    for width in between(&page, "style=\"width:", "%") {
        assert!((0.0..=100.0).contains(&width.parse::<f64>().unwrap()), "{width}");
    }
    // An earlier report, of another machine, with half the speed, other bits and none of what was added since.
    report["machine"]["cpu"] = "abacus & sons".into();
    for entry in report["runs"].as_array_mut().unwrap() {
        let ms = 2.0 * entry["ms_per_step"].as_f64().unwrap();
        let entry = entry.as_object_mut().unwrap();
        entry.insert("ms_per_step".into(), ms.into());
        entry.insert("hash".into(), "0".into());
        entry.remove("phases");
    }
    report.as_object_mut().unwrap().remove("date");
    let earlier = write(&folder, "earlier.json", report.to_string());
    let both = path("both.html");
    taut(&["report", &earlier, &json, "--html", &both]).done();
    let page = std::fs::read_to_string(&both).unwrap();
    assert!(page.contains("History") && page.contains("abacus &amp; sons"));
    let changes = between(&page, "<td>2.00x</td>", "</tr>");
    assert_eq!(changes, vec!["<td>new</td>"; report["runs"].as_array().unwrap().len()]);
}

#[test]
fn what_is_no_report_is_refused() {
    let folder = folder("no report");
    let bad = write(&folder, "bad.json", "{\"runs\": 3}");
    let page = folder.join("page.html").to_str().unwrap().to_owned();
    let missing = folder.join("missing.json").to_str().unwrap().to_owned();
    let nowhere = folder.join("no").join("page.html").to_str().unwrap().to_owned();
    for (file, html, says) in [
        (&bad, &page, "bad.json: no report of `taut bench --json`"),
        (&missing, &page, "missing.json: cannot read"),
        (&bad, &bad, "it is one of the reports"),
        (&bad, &nowhere, "cannot write"),
    ] {
        let refused = taut(&["report", file, "--html", html]);
        assert!(refused.refused(2).contains(says), "{}", refused.stderr);
    }
    assert!(!std::path::Path::new(&page).exists());
    let refused = taut(&["bench", "rope:9", "--seconds", "600", "--html", &nowhere]);
    assert!(refused.refused(2).contains("cannot write"));
}
