//! Tests of `--good` with all passes, and with the code under test; `tests/good.rs` has one of each kind, with few passes.

use crate::support::good::{check, check_alone};
use crate::support::{FEW_PASSES, World};

#[test]
fn a_test_that_only_this_version_has_is_linked_with_both() {
    let world = World::with("two-versions");
    let args = ["--good", "../before", "--test", "ways", "a_way_with_a_stop"];
    let reduction = check(&world, &args, 80);
    let code = reduction.code();
    assert!(
        code.contains("Some(&11)"),
        "the right answer is gone\n{code}"
    );
    let report = reduction.report();
    let good = "- Passes with the code of: `";
    assert!(
        report.contains(good) && report.contains("/before`\n"),
        "{report}"
    );
}

#[test]
fn with_whole_a_minimal_change_is_left_of_what_the_versions_differ_in() {
    let world = World::with("two-versions");
    let passes = format!(
        "{FEW_PASSES},embed_inputs,drop_crates,merge_crates,narrow_difference,delete_attributes,print"
    );
    let args = ["--good", "../before", "--whole", "--test", "ways"];
    let args = [&args[..], &["a_way_with_a_stop", "--passes", &passes]].concat();
    let reduction = check_alone(&world, &args, 600);
    let code = reduction.code();
    assert!(
        !code.contains("longest"),
        "a change that breaks nothing stayed\n{code}"
    );
    let summary = reduction.summary();
    let diff = summary["difference"]
        .as_str()
        .expect("there is a difference");
    let changed: Vec<&str> = diff.lines().filter(|line| !line.starts_with(' ')).collect();
    let [_, _, hunk, before, after] = changed.as_slice() else {
        panic!("more is changed\n{diff}");
    };
    assert!(hunk.starts_with("@@ -"), "{diff}");
    assert_eq!(
        before.trim_start_matches('-').trim(),
        "Some(known) => length < known,"
    );
    assert_eq!(
        after.trim_start_matches('+').trim(),
        "Some(known) => length + known < length,"
    );
    assert!(
        reduction.report().contains(diff.trim_end()),
        "the report has another change"
    );
    let command = |text: &serde_json::Value| text.as_str().unwrap_or_default().to_owned();
    assert!(command(&summary["reproduce"]).contains("--cfg after"));
    assert!(command(&summary["also"][0]["command"]).contains("--cfg before"));
}
