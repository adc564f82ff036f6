//! Cargo scripts: a single file with its manifest in it becomes a package of ours, as cargo makes one of it for
//! `cargo -Zscript FILE.rs`. The package lies below our own directory, at the path of the script, and has no shebang line and
//! no frontmatter, so that toolchains can compile it that do not know these.

use crate::error::CommandError;
use crate::exit::ExitStatus;
use camino::{Utf8Component, Utf8Path, Utf8PathBuf};
use reduce_engine::CargoScript;
use reduce_platform::files::replace;
use std::{fs, io};
use toml_edit::{DocumentMut, Item, Table, value};

/// The edition that cargo takes where a script names none.
const USUAL_EDITION: &str = "2024";
/// The tables of a manifest that name dependencies.
const DEPENDENCIES: [&str; 3] = ["dependencies", "build-dependencies", "dev-dependencies"];

/// Makes the package of a script below `home`, and gives its manifest. `None` of a file that is no script.
///
/// # Errors
/// Where the manifest in the script is none, or the package cannot be written.
pub(crate) fn package(
    script: &Utf8Path,
    home: &Utf8Path,
) -> Result<Option<Utf8PathBuf>, CommandError> {
    // Whoever reduces the file says why it cannot be read.
    let Ok(text) = fs::read_to_string(script) else {
        return Ok(None);
    };
    let Some(parts) = CargoScript::in_text(&text) else {
        return Ok(None);
    };
    if !matches!(parts.kind, "" | "cargo") {
        let message = format!(
            "failed to read the frontmatter of `{script}`: it is `{}`, which cargo does not know",
            parts.kind
        );
        return Err(
            CommandError::bad_input(message).hint("a manifest begins with `---` or `---cargo`")
        );
    }
    let manifest = manifest(parts.manifest, script).map_err(|error| {
        let message = format!("failed to read the manifest in `{script}`: {error}");
        CommandError::bad_input(message).hint("`cargo +nightly -Zscript FILE.rs` says more")
    })?;
    let directory = below(home, script);
    let written = write(&directory, &manifest, parts.code);
    written.map_err(|error| {
        let message = format!("failed to write the package of a script to `{directory}`: {error}");
        CommandError::new(ExitStatus::Environment, message)
    })?;
    Ok(Some(directory.join("Cargo.toml")))
}

/// Returns the directory of the package that is made of a cargo script: the script's whole path, below the directory for scripts.
fn below(home: &Utf8Path, script: &Utf8Path) -> Utf8PathBuf {
    let names = script.components().filter_map(|component| match component {
        Utf8Component::Normal(name) => Some(name),
        _ => None,
    });
    let mut directory = home.join("scripts");
    directory.extend(names);
    directory
}

/// Returns the manifest of the package that is made of a cargo script: what the script says, and what cargo adds.
fn manifest(text: &str, script: &Utf8Path) -> Result<String, String> {
    let mut document: DocumentMut = text
        .parse()
        .map_err(|error: toml_edit::TomlError| error.message().to_owned())?;
    let package = table(document.as_table_mut(), "package")?;
    let mut add = |key: &str, item: Item| {
        package.entry(key).or_insert(item);
    };
    add("name", value(name_of(script)));
    add("version", value("0.0.0"));
    add("edition", value(USUAL_EDITION));
    // A manifest above our directory is none of the script's.
    table(document.as_table_mut(), "workspace")?;
    let directory = script.parent().unwrap_or(script);
    for name in DEPENDENCIES {
        let Some(dependencies) = document.get_mut(name).and_then(Item::as_table_like_mut) else {
            continue;
        };
        for (_, dependency) in dependencies.iter_mut() {
            let path = dependency
                .as_table_like_mut()
                .and_then(|table| table.get_mut("path"));
            if let Some(path) = path
                && let Some(relative) = path.as_str()
            {
                *path = value(directory.join(relative).as_str());
            }
        }
    }
    Ok(document.to_string())
}

fn table<'t>(document: &'t mut Table, name: &str) -> Result<&'t mut Table, String> {
    let mut empty = Table::new();
    empty.set_implicit(false);
    let item = document.entry(name).or_insert(Item::Table(empty));
    item.as_table_mut()
        .ok_or_else(|| format!("`{name}` is no table"))
}

/// Returns the name of a package that cargo makes from the name of a script's file: characters that none may have become dashes.
fn name_of(script: &Utf8Path) -> String {
    let stem = script.file_stem().unwrap_or("script");
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_');
    let name: String = stem
        .chars()
        .map(|c| if is_plain(c) { c } else { '-' })
        .collect();
    match name.chars().next() {
        Some(first) if first.is_alphabetic() || first == '_' => name,
        _ => format!("_{name}"),
    }
}

/// Writes the files of a script's package that do not have the right text already.
fn write(directory: &Utf8Path, manifest: &str, code: &str) -> io::Result<()> {
    fs::create_dir_all(directory.join("src"))?;
    let files = [("Cargo.toml", manifest), ("src/main.rs", code)];
    for (name, text) in files {
        let path = directory.join(name);
        if fs::read_to_string(&path).is_ok_and(|old| old == text) {
            continue;
        }
        replace(path.as_std_path(), text)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn completed(text: &str) -> Result<String, String> {
        manifest(text, "/home/me/day 1.rs".into())
    }

    #[test]
    fn cargo_adds_what_a_script_does_not_say() {
        insta::assert_snapshot!(completed("").unwrap(), @r#"
        [package]
        name = "day-1"
        version = "0.0.0"
        edition = "2024"

        [workspace]
        "#);
    }

    #[test]
    fn what_the_script_says_stays_and_paths_are_those_of_its_directory() {
        let text = "[package]\nedition = \"2021\"\n\n[dependencies]\na = { path = \"../a\" }\nb = \"1\"\n\n[dependencies.c]\npath = \"c\"\n";
        insta::assert_snapshot!(completed(text).unwrap(), @r#"
        [package]
        edition = "2021"
        name = "day-1"
        version = "0.0.0"

        [dependencies]
        a = { path = "/home/me/../a" }
        b = "1"

        [dependencies.c]
        path = "/home/me/c"

        [workspace]
        "#);
    }

    #[test]
    fn a_manifest_that_is_none_is_refused() {
        assert!(completed("[package").is_err());
        assert_eq!(
            completed("package = 1").unwrap_err(),
            "`package` is no table"
        );
    }

    #[test]
    fn a_name_begins_with_a_letter() {
        assert_eq!(name_of("1.rs".into()), "_1");
        assert_eq!(name_of("a.b.rs".into()), "a-b");
    }
}
