//! The JSON schemas of `reduction.json` and `triage.json`, which are parts of the book.

use jsonschema::Validator;
use serde_json::Value;
use std::sync::LazyLock;

static REDUCTION: LazyLock<Validator> =
    LazyLock::new(|| validator(include_str!("../../docs/src/reduction.schema.json")));
static TRIAGE: LazyLock<Validator> =
    LazyLock::new(|| validator(include_str!("../../docs/src/triage.schema.json")));

fn validator(text: &str) -> Validator {
    let schema = serde_json::from_str(text).expect("the schema is JSON");
    jsonschema::validator_for(&schema).expect("it is a schema")
}

/// Checks that the content of `reduction.json` fits the schema.
#[track_caller]
pub(crate) fn fits_the_schema(summary: &Value) {
    fits(&REDUCTION, summary);
}

/// Checks that the content of `triage.json` fits the schema.
#[track_caller]
pub(crate) fn fits_the_schema_of_triage(triage: &Value) {
    fits(&TRIAGE, triage);
}

#[track_caller]
fn fits(schema: &Validator, value: &Value) {
    let errors = schema.iter_errors(value);
    let errors: Vec<String> = errors
        .map(|error| format!("`{}`: {error}", error.instance_path()))
        .collect();
    assert!(errors.is_empty(), "{}\nin {value:#}", errors.join("\n"));
}
