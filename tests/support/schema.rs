//! The JSON schema of `reduction.json`, which is a part of the book.

use jsonschema::Validator;
use serde_json::Value;
use std::sync::LazyLock;

static SCHEMA: LazyLock<Validator> = LazyLock::new(|| {
    let text = include_str!("../../docs/src/reduction.schema.json");
    let schema = serde_json::from_str(text).expect("the schema is JSON");
    jsonschema::validator_for(&schema).expect("it is a schema")
});

/// Checks that the content of `reduction.json` fits the schema.
#[track_caller]
pub(crate) fn fits_the_schema(summary: &Value) {
    let errors = SCHEMA.iter_errors(summary);
    let errors: Vec<String> = errors
        .map(|error| format!("`{}`: {error}", error.instance_path()))
        .collect();
    assert!(errors.is_empty(), "{}\nin {summary:#}", errors.join("\n"));
}
