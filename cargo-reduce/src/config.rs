//! Configuration files: the keys are the long names of the flags. Every key and value is checked
//! here, where the file can still be named.

use crate::args::{Layer, flag_names, value_is_accepted};
use crate::context::Context;
use crate::error::CommandError;
use camino::{Utf8Path, Utf8PathBuf};
use toml_edit::{DocumentMut, Value};

/// Flags whose values are paths; in a file they are relative to it.
const PATH_FLAGS: [&str; 7] = [
    "log",
    "manifest-path",
    "output",
    "read",
    "remote-certificates",
    "rustc",
    "scratch",
];

/// Reads the configuration that holds in a directory: its `reduce.toml`, then the file of the user.
///
/// # Errors
/// Where one is no TOML, or has a key or value that is not a flag's.
pub(crate) fn in_directory(directory: &Utf8Path, context: &Context) -> Result<Layer, CommandError> {
    read(&[
        directory.join("reduce.toml"),
        context.base()?.join("config.toml"),
    ])
}

/// Reads the files that exist, the first with precedence over the next.
///
/// # Errors
/// Where one is no TOML, or has a key or value that is not a flag's.
fn read(files: &[Utf8PathBuf]) -> Result<Layer, CommandError> {
    let mut merged = Layer::new();
    for file in files {
        for (name, values) in read_file(file)? {
            merged.entry(name).or_insert(values);
        }
    }
    Ok(merged)
}

fn read_file(file: &Utf8Path) -> Result<Layer, CommandError> {
    let text = match std::fs::read_to_string(file) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Layer::new()),
        Err(error) => {
            return Err(CommandError::bad_input(format!(
                "failed to read `{file}`: {error}"
            )));
        }
    };
    let document: DocumentMut = text.parse().map_err(|error| not_toml(file, &error))?;
    let known = flag_names();
    let directory = file.parent().unwrap_or(file);
    let entries = document.iter().map(|(name, item)| {
        if !known.iter().any(|flag| flag == name) {
            return Err(unknown_key(file, name));
        }
        let values = item.as_value().and_then(strings).ok_or_else(|| {
            CommandError::bad_input(format!("`{name}` in `{file}` is not a value of a flag"))
        })?;
        Ok((
            name.to_owned(),
            checked(file, name, absolute(directory, name, values))?,
        ))
    });
    entries.collect()
}

/// Makes the error for a configuration file that is not TOML, with the lines in which the parser says where it stopped.
fn not_toml(file: &Utf8Path, error: &toml_edit::TomlError) -> CommandError {
    let error = error.to_string();
    let message = format!("failed to parse `{file}` as TOML");
    CommandError {
        output: Some(error.trim_end().to_owned()),
        ..CommandError::bad_input(message)
    }
}

fn unknown_key(file: &Utf8Path, name: &str) -> CommandError {
    CommandError::bad_input(format!("`{name}` in `{file}` is not the name of a flag"))
        .hint("the keys are the long flags of `cargo reduce --help`, without `--`")
}

fn checked(file: &Utf8Path, name: &str, values: Vec<String>) -> Result<Vec<String>, CommandError> {
    for value in &values {
        value_is_accepted(name, value).map_err(|error| {
            let reason = first_paragraph(&error.to_string());
            let reason = reason.trim_start_matches("error: ");
            CommandError::bad_input(format!("`{name}` in `{file}` cannot be used: {reason}"))
        })?;
    }
    Ok(values)
}

/// Returns the part of clap's message before it points to the help: the reason, and the values that it would take.
fn first_paragraph(text: &str) -> String {
    let lines = text.lines().take_while(|line| !line.trim().is_empty());
    lines.map(str::trim).collect::<Vec<_>>().join(" ")
}

/// Returns a value of a configuration file as the words that clap would read from the command line, of which a list has several.
fn strings(value: &Value) -> Option<Vec<String>> {
    match value {
        Value::String(text) => Some(vec![text.value().clone()]),
        Value::Integer(number) => Some(vec![number.value().to_string()]),
        Value::Float(number) => Some(vec![number.value().to_string()]),
        Value::Boolean(switch) => Some(vec![switch.value().to_string()]),
        Value::Array(values) => values
            .iter()
            .map(|value| value.as_str().map(str::to_owned))
            .collect(),
        _ => None,
    }
}

fn absolute(directory: &Utf8Path, name: &str, values: Vec<String>) -> Vec<String> {
    if !PATH_FLAGS.contains(&name) {
        return values;
    }
    values
        .into_iter()
        .map(|path| directory.join(path).into_string())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(temp: &tempfile::TempDir, name: &str, text: &str) -> Utf8PathBuf {
        let path = Utf8PathBuf::from_path_buf(temp.path().join(name)).unwrap();
        std::fs::write(&path, text).unwrap();
        path
    }

    #[test]
    fn the_first_file_has_precedence() {
        let temp = tempfile::tempdir().unwrap();
        let project = file(&temp, "reduce.toml", "jobs = 2\nice = true\n");
        let user = file(
            &temp,
            "config.toml",
            "jobs = 9\nfeatures = [\"a\", \"b\"]\n",
        );
        let layer = read(&[project, user]).unwrap();
        assert_eq!(layer["jobs"], ["2"]);
        assert_eq!(layer["ice"], ["true"]);
        assert_eq!(layer["features"], ["a", "b"]);
    }

    #[test]
    fn a_file_that_is_not_there_sets_nothing() {
        assert!(read(&["/no/such/reduce.toml".into()]).unwrap().is_empty());
    }

    #[test]
    fn paths_are_relative_to_the_file() {
        let temp = tempfile::tempdir().unwrap();
        let path = file(&temp, "reduce.toml", "output = \"out\"");
        let layer = read(std::slice::from_ref(&path)).unwrap();
        assert_eq!(layer["output"], [path.with_file_name("out").as_str()]);
    }

    #[track_caller]
    fn check_refused(text: &str, expected: &str) {
        let temp = tempfile::tempdir().unwrap();
        let error = read(&[file(&temp, "reduce.toml", text)]).unwrap_err();
        let message = error.source.to_string();
        assert!(
            message.contains(expected) && message.contains("reduce.toml"),
            "{message}"
        );
    }

    #[test]
    fn what_is_wrong_is_said_with_the_files_name() {
        check_refused("jops = 2", "`jops`");
        check_refused("jobs = \"many\"", "invalid value 'many'");
        check_refused("jobs = { a = 1 }", "not a value of a flag");
        check_refused("jobs = ", "failed to parse");
        check_refused("algorithm = \"quick\"", "[possible values: ddmin, wddmin, ");
        check_refused(
            "initial-probability = 1.5",
            "greater than 0 and less than 1",
        );
    }

    #[test]
    fn a_fraction_is_a_value() {
        let temp = tempfile::tempdir().unwrap();
        let path = file(&temp, "reduce.toml", "initial-probability = 0.15");
        assert_eq!(read(&[path]).unwrap()["initial-probability"], ["0.15"]);
    }
}
