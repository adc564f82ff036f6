//! The needs of an input: arguments of cargo-reduce, and variables.

use std::collections::BTreeMap;
use toml_edit::{DocumentMut, Item, TableLike, Value};

/// The arguments and variables of the inputs, by name.
pub(crate) type Cases = BTreeMap<String, Case>;

/// The arguments and variables of one input.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Case {
    /// Arguments of cargo-reduce; what stands after a `--` goes to rustc.
    pub(crate) args: Vec<String>,
    /// Variables of its environment.
    pub(crate) env: BTreeMap<String, String>,
}

/// Reads `[name] args = [..], env = {..}`.
///
/// # Errors
/// Where it is no TOML, or has anything else in it.
pub(crate) fn parse(text: &str) -> Result<Cases, String> {
    let document: DocumentMut = text.parse().map_err(|error| format!("{error}"))?;
    let cases = document.iter().map(|(name, item)| {
        let table = item
            .as_table_like()
            .ok_or_else(|| format!("`{name}` is not a table"))?;
        let case = case(table).map_err(|error| format!("`{name}`: {error}"))?;
        Ok((name.to_owned(), case))
    });
    cases.collect()
}

fn case(table: &dyn TableLike) -> Result<Case, String> {
    let mut case = Case::default();
    for (key, item) in table.iter() {
        match key {
            "args" => case.args = strings(item).ok_or("`args` is not a list of strings")?,
            "env" => case.env = variables(item).ok_or("`env` is not a table of strings")?,
            _ => return Err(format!("`{key}` is neither `args` nor `env`")),
        }
    }
    Ok(case)
}

fn strings(item: &Item) -> Option<Vec<String>> {
    let values = item.as_array()?.iter();
    values
        .map(|value| Value::as_str(value).map(str::to_owned))
        .collect()
}

fn variables(item: &Item) -> Option<BTreeMap<String, String>> {
    let variables = item.as_table_like()?.iter();
    variables
        .map(|(name, value)| Some((name.to_owned(), value.as_str()?.to_owned())))
        .collect()
}

/// Puts the arguments of `NAME=ARGS` in place of those that the input has.
///
/// # Errors
/// Where there is no name, or a quote is open.
pub(crate) fn set_args(cases: &mut Cases, given: &str) -> Result<(), String> {
    let (name, args) = given
        .split_once('=')
        .filter(|(name, _)| !name.is_empty())
        .ok_or_else(|| format!("`{given}` is not of the form `NAME=ARGS`"))?;
    cases.entry(name.to_owned()).or_default().args = words(args)?;
    Ok(())
}

/// The words of a shell line.
///
/// # Errors
/// Where a quote is open.
pub(crate) fn words(line: &str) -> Result<Vec<String>, String> {
    shlex::split(line).ok_or_else(|| format!("a quote is open in `{line}`"))
}
