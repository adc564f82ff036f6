//! The description of `reduction.json` in the book: a page, and a JSON schema. The integration tests check the schema with
//! the files that they get; here it meets the fields that few reductions have.

use super::{BOOK, document};
use crate::display::summary;
use camino::Utf8Path;
use reduce_engine::{SUMMARY_VERSION, Summary};
use serde_json::{Value, json};

fn page() -> String {
    document(Utf8Path::new(BOOK).join("reduction-json.md")).text
}

fn schema() -> Value {
    let text = document(Utf8Path::new(BOOK).join("reduction.schema.json")).text;
    serde_json::from_str(&text).unwrap()
}

/// Returns the complaints of the schema about a summary.
fn complaints(summary: &Value) -> Vec<String> {
    let schema = jsonschema::validator_for(&schema()).unwrap();
    let errors = schema.iter_errors(summary);
    errors.map(|error| error.to_string()).collect()
}

/// Returns the JSON of a summary in which each optional field is present, as the program writes it.
fn with_everything() -> Value {
    let mut value = serde_json::to_value(summary()).unwrap();
    let rate = json!({"failed": 3, "runs": 9, "rate": 0.3, "low": 0.1, "high": 0.6});
    let fields = json!({
        "skipped": [{"pass": "delete_items", "times": 2, "in_last_round": true}],
        "verified": {"edits": 4, "accepted": 0},
        "signature": {
            "kind": {"signal": 6}, "file": "compiler/a.rs", "position": [1, 2], "message": "m", "query": "q",
            "signal": 6,
        },
        "neighbour": {"command": "rustc +nightly", "version": "rustc 1.97.0-nightly", "error": null},
        "nearest": [{
            "changes": [{"file": "reduced.rs", "line": 1, "column": 7, "before": ": Copy", "after": ""}],
            "error": {"code": "E0277", "message": "m"},
        }],
        "goes_to": {"module": {"module": "a::tests", "file": "src/a.rs"}},
        "code_under_test": {
            "warning": null, "mutants": 9, "passed": 8, "run": 7, "asked": 6, "refused": 5, "runs": 4, "seconds": 3.5,
            "seconds_before": 2.5, "narrowed": true, "other_tests": 1, "located_in": "f",
            "functions": [{"package": "p", "name": "f", "file": "src/a.rs", "first_line": 1, "last_line": 2}],
            "lines": [{
                "file": "src/a.rs", "line": 2, "function": "f", "run": 3,
                "changes": [{"original": "<", "mutated": "<=", "failure": null, "breaks": 0}],
            }],
            "guess": {"file": "src/a.rs", "line": 2, "diff": "-<\n+<=", "result_passes": true},
        },
        "variables": [{"file": "reduced.rs", "line": 3, "variable": "x", "values": ["1"], "is_cut": false}],
        "also": [{"command": "rustc", "compiler": "rustc 1.95.0", "version": "v1", "broken_by": "v2"}],
        "difference": "-a\n+b",
        "for_rustc": ["123.rs"],
        "flaky": {
            "input": rate, "repeat": 7, "at_least": 1, "missed": 0.04, "accepted": 0.2, "result": rate,
        },
        "stability": {"failed": 66, "runs": 66, "mistaken": 0.001},
        "other_crashes": [{"signature": "bug", "kept_at": "/out/other-crashes/1"}],
        "crates": {
            "before": 3, "merged": ["a"], "auxiliary": ["b"],
            "compiled": [{"package": "c", "version": "1.0.0", "is_procedural": true, "links_native": false}],
        },
    });
    for (name, field) in fields.as_object().unwrap() {
        value[name] = field.clone();
    }
    value
}

#[test]
fn the_schema_has_each_field_that_is_written() {
    let everything = with_everything();
    let read: Summary = serde_json::from_value(everything.clone()).unwrap();
    assert_eq!(serde_json::to_value(read).unwrap(), everything);
    assert_eq!(complaints(&everything), [""; 0]);
    let little = serde_json::to_value(summary()).unwrap();
    assert_eq!(complaints(&little), [""; 0]);
}

#[test]
fn the_schema_refuses_another_field_and_another_type() {
    let mut another = with_everything();
    another["tokens_behind"] = json!(1);
    another["flaky"]["input"]["runs"] = json!("nine");
    assert_eq!(complaints(&another).len(), 2);
}

#[test]
fn the_page_names_each_field_and_the_version() {
    let (page, schema) = (page(), schema());
    let objects = ["flaky", "code_under_test", "search", "crates"];
    let of_objects = objects.map(|name| &schema["$defs"][name]);
    let fields = of_objects.into_iter().chain([&schema]);
    let fields = fields.flat_map(|object| object["properties"].as_object().unwrap().keys());
    let missing: Vec<&String> = fields
        .filter(|field| !page.contains(&format!("`{field}`")))
        .collect();
    assert_eq!(missing, [""; 0]);
    assert_eq!(schema["properties"]["version"]["const"], SUMMARY_VERSION);
    let version = format!("version of this format: {SUMMARY_VERSION}.");
    assert!(page.contains(&version), "no `{version}`");
}
