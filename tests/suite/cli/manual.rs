//! What is made from the command line: completions and manual pages.

use crate::common::taut;

#[test]
fn completions_and_manual_pages() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let call = taut(&["completions", shell]);
        for word in ["inspect", "gallery", "seconds"] {
            assert!(call.done().contains(word), "{shell} has no {word}");
        }
    }
    let page = taut(&["man"]);
    assert!(
        page.done().starts_with(".ie") && page.done().contains(".TH taut 1"),
        "{}",
        page.stdout
    );
    assert!(taut(&["man", "run"]).done().contains("record"));
    assert!(taut(&["man", "fly"]).refused(2).contains("no command \"fly\""));
    taut(&["completions", "cmd"]).refused(2);
}
