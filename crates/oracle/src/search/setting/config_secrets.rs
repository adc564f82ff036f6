//! cargo's configuration without tokens: what a candidate may know of it.
//!
//! What is taken out becomes a variable, in which cargo takes each of its keys, for the run before
//! candidates are asked. Paths become absolute, since the file will stand elsewhere.

use super::environment::is_secret;
use crate::system::files::normal;
use camino::{Utf8Path, Utf8PathBuf};
use std::collections::BTreeMap;
use toml_edit::{DocumentMut, Item, TableLike, Value, value};

/// What is taken out of `[registry]`, and of each table in `[registries]`.
const OF_REGISTRY: [&str; 4] = [
    "credential-provider",
    "global-credential-providers",
    "secret-key",
    "token",
];
/// Paths of directories; sources of dependencies are read there.
const OF_SOURCE: [&str; 2] = ["directory", "local-registry"];
/// Keys of `[build]` and of each table in `[target]` that may be paths.
const PROGRAMS: [&str; 8] = [
    "build-dir",
    "linker",
    "runner",
    "rustc",
    "rustc-workspace-wrapper",
    "rustc-wrapper",
    "rustdoc",
    "target-dir",
];

/// A configuration that a candidate may read.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Clean {
    /// The file.
    pub(crate) text: String,
    /// What was taken out, as variables.
    pub(crate) secrets: BTreeMap<String, String>,
    /// Where sources are that stand in for a registry: absolute.
    pub(crate) sources: Vec<Utf8PathBuf>,
}

/// Cleans a configuration whose relative paths begin at `base`. Of the variables that it sets those
/// in `handed_on` stay, whatever their names.
pub(crate) fn without_secrets(
    document: &DocumentMut,
    base: &Utf8Path,
    handed_on: &[String],
) -> Clean {
    let mut document = document.clone();
    let mut clean = Clean::default();
    let table: &mut dyn TableLike = document.as_table_mut();
    for (name, keys) in [("registry", &OF_REGISTRY[..]), ("http", &["proxy"])] {
        if let Some(inner) = table_in(table, name) {
            take(inner, keys, name, &mut clean.secrets);
        }
    }
    for (name, registry) in tables_in(table, "registries") {
        let prefix = format!("registries.{name}");
        take(registry, &OF_REGISTRY, &prefix, &mut clean.secrets);
    }
    take_aliases(table, &mut clean.secrets);
    take_variables(table, handed_on, &mut clean.secrets);
    set_paths(table, base);
    clean.sources = sources(table);
    clean.text = document.to_string();
    clean
}

/// The tokens in cargo's file of credentials, as variables.
pub(crate) fn of_credentials(document: &DocumentMut) -> BTreeMap<String, String> {
    without_secrets(document, Utf8Path::new("/"), &[]).secrets
}

/// Takes keys out of the table `prefix`.
fn take(
    table: &mut dyn TableLike,
    keys: &[&str],
    prefix: &str,
    secrets: &mut BTreeMap<String, String>,
) {
    for key in keys {
        if let Some(item) = table.remove(key) {
            let name = format!("CARGO_{prefix}_{key}").replace(['.', '-'], "_");
            secrets.extend(text_of(&item).map(|text| (name.to_uppercase(), text)));
        }
    }
}

/// What stands for a program that says tokens.
fn take_aliases(table: &mut dyn TableLike, secrets: &mut BTreeMap<String, String>) {
    const TABLE: &str = "credential-alias";
    if let Some(mut item) = table.remove(TABLE)
        && let Some(aliases) = item.as_table_like_mut()
    {
        let names: Vec<String> = aliases.iter().map(|(name, _)| name.to_owned()).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        take(aliases, &names, TABLE, secrets);
    }
}

/// `[env]`: what it sets is there for programs, but for what is secret by its name.
fn take_variables(
    table: &mut dyn TableLike,
    handed_on: &[String],
    secrets: &mut BTreeMap<String, String>,
) {
    let Some(env) = table_in(table, "env") else {
        return;
    };
    let is_secret = |name: &String| !handed_on.contains(name) && is_secret(name);
    let names: Vec<String> = env.iter().map(|(name, _)| name.to_owned()).collect();
    for name in names.into_iter().filter(is_secret) {
        let item = env.remove(&name).unwrap_or_default();
        let inner = item.as_table_like().and_then(|table| table.get("value"));
        secrets.extend(text_of(inner.unwrap_or(&item)).map(|text| (name, text)));
    }
}

/// As cargo reads a variable: a list has spaces between its words.
fn text_of(item: &Item) -> Option<String> {
    let value = item.as_value()?;
    let list = value.as_array().map(|words| {
        let words = words.iter().filter_map(Value::as_str);
        words.collect::<Vec<_>>().join(" ")
    });
    list.or_else(|| value.as_str().map(str::to_owned))
}

fn set_paths(table: &mut dyn TableLike, base: &Utf8Path) {
    if let Some(paths) = table.get_mut("paths").and_then(Item::as_array_mut) {
        paths.iter_mut().for_each(|path| set_path(path, base));
    }
    for (_, source) in tables_in(table, "source") {
        set_keys(source, &OF_SOURCE, &|value| set_path(value, base));
    }
    // A program without a slash is looked for elsewhere.
    let set_program = |value: &mut Value| {
        let first = match value {
            Value::Array(words) => words.get_mut(0),
            value => Some(value),
        };
        let named = first.filter(|value| value.as_str().is_some_and(|text| text.contains('/')));
        named.into_iter().for_each(|value| set_path(value, base));
    };
    if let Some(build) = table_in(table, "build") {
        set_keys(build, &PROGRAMS, &set_program);
    }
    for (_, target) in tables_in(table, "target") {
        set_keys(target, &PROGRAMS, &set_program);
    }
    if let Some(http) = table_in(table, "http") {
        set_keys(http, &["cainfo"], &|value| set_path(value, base));
    }
    set_paths_of_variables(table, base);
    set_paths_of_patches(table, base);
}

/// `NAME = { value = "..", relative = true }`
fn set_paths_of_variables(table: &mut dyn TableLike, base: &Utf8Path) {
    for (_, variable) in tables_in(table, "env") {
        let relative = variable.get("relative").and_then(Item::as_bool);
        if relative == Some(true) {
            set_keys(variable, &["value"], &|value| set_path(value, base));
            variable.insert("relative", value(false));
        }
    }
}

fn set_paths_of_patches(table: &mut dyn TableLike, base: &Utf8Path) {
    for (_, registry) in tables_in(table, "patch") {
        for (_, item) in registry.iter_mut() {
            if let Some(patch) = item.as_table_like_mut() {
                set_keys(patch, &["path"], &|value| set_path(value, base));
            }
        }
    }
}

fn set_keys(table: &mut dyn TableLike, keys: &[&str], set: &dyn Fn(&mut Value)) {
    for key in keys {
        if let Some(value) = table.get_mut(key).and_then(Item::as_value_mut) {
            set(value);
        }
    }
}

fn set_path(value: &mut Value, base: &Utf8Path) {
    if let Some(path) = value.as_str() {
        *value = normal(&base.join(path)).into_string().into();
    }
}

fn sources(table: &mut dyn TableLike) -> Vec<Utf8PathBuf> {
    let mut found = vec![];
    for (_, source) in tables_in(table, "source") {
        let paths = OF_SOURCE.iter().filter_map(|key| source.get(key)?.as_str());
        found.extend(paths.map(Utf8PathBuf::from));
    }
    found
}

fn table_in<'t>(table: &'t mut dyn TableLike, name: &str) -> Option<&'t mut dyn TableLike> {
    table.get_mut(name)?.as_table_like_mut()
}

/// The tables in a table of tables.
fn tables_in<'t>(table: &'t mut dyn TableLike, name: &str) -> Vec<(String, &'t mut dyn TableLike)> {
    let tables = table_in(table, name).into_iter();
    let items = tables.flat_map(|table| table.iter_mut());
    items
        .filter_map(|(name, item)| Some((name.get().to_owned(), item.as_table_like_mut()?)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clean(text: &str, handed_on: &[&str]) -> Clean {
        let handed_on: Vec<String> = handed_on.iter().map(|name| (*name).to_owned()).collect();
        without_secrets(
            &text.parse().unwrap(),
            Utf8Path::new("/home/me"),
            &handed_on,
        )
    }

    #[track_caller]
    fn check(text: &str, expected: &str, secrets: &[(&str, &str)]) {
        let clean = clean(text, &[]);
        assert_eq!(clean.text.trim(), expected, "{text}");
        let secrets = secrets
            .iter()
            .map(|&(name, value)| (name.to_owned(), value.to_owned()));
        assert_eq!(clean.secrets, secrets.collect(), "{text}");
    }

    #[test]
    fn tokens_are_taken_out_and_cargo_finds_them_in_variables() {
        check(
            "[registry]\ntoken = \"t\"",
            "[registry]",
            &[("CARGO_REGISTRY_TOKEN", "t")],
        );
        check(
            "[registries.my-own]\nindex = \"sparse+https://x/\"\ntoken = \"t\"\nsecret-key = \"k\"",
            "[registries.my-own]\nindex = \"sparse+https://x/\"",
            &[
                ("CARGO_REGISTRIES_MY_OWN_SECRET_KEY", "k"),
                ("CARGO_REGISTRIES_MY_OWN_TOKEN", "t"),
            ],
        );
        check(
            "registry.global-credential-providers = [\"cargo:token-from-stdout pass\", \"b\"]",
            "",
            &[(
                "CARGO_REGISTRY_GLOBAL_CREDENTIAL_PROVIDERS",
                "cargo:token-from-stdout pass b",
            )],
        );
        check(
            "[credential-alias]\nmine = [\"pass\", \"x\"]",
            "",
            &[("CARGO_CREDENTIAL_ALIAS_MINE", "pass x")],
        );
    }

    #[test]
    fn a_proxy_may_have_a_password_and_is_of_no_use_without_a_network() {
        let proxy = "http://me:word@proxy:80";
        check(
            &format!("[http]\nproxy = \"{proxy}\"\ntimeout = 3"),
            "[http]\ntimeout = 3",
            &[("CARGO_HTTP_PROXY", proxy)],
        );
    }

    #[test]
    fn variables_stay_unless_their_names_say_that_they_are_secret() {
        let text = "[env]\nMODE = \"a\"\nAPI_TOKEN = \"t\"\nDB_PASSWORD = { value = \"p\" }";
        check(
            text,
            "[env]\nMODE = \"a\"",
            &[("API_TOKEN", "t"), ("DB_PASSWORD", "p")],
        );
        let handed_on = clean(text, &["API_TOKEN"]);
        assert!(handed_on.text.contains("API_TOKEN = \"t\""));
        assert!(!handed_on.secrets.contains_key("API_TOKEN"));
    }

    #[test]
    fn replaced_sources_stay_and_their_places_are_readable() {
        let text = "[source.crates-io]\nreplace-with = \"v\"\n[source.v]\ndirectory = \"vendor\"";
        let clean = clean(text, &[]);
        assert_eq!(clean.sources, ["/home/me/vendor"]);
        assert_eq!(
            clean.text.trim(),
            text.replace("\"vendor\"", "\"/home/me/vendor\"")
        );
    }

    #[test]
    fn relative_paths_mean_what_they_meant_where_the_file_was() {
        check("paths = [\"../a\"]", "paths = [\"/home/a\"]", &[]);
        check(
            "build.rustc-wrapper = \"bin/wrap\"",
            "build.rustc-wrapper = \"/home/me/bin/wrap\"",
            &[],
        );
        check(
            "build.rustc-wrapper = \"sccache\"",
            "build.rustc-wrapper = \"sccache\"",
            &[],
        );
        check(
            "[target.x]\nrunner = [\"./run\", \"-q\"]",
            "[target.x]\nrunner = [\"/home/me/run\", \"-q\"]",
            &[],
        );
        check(
            "[env]\nA = { value = \"a\", relative = true }",
            "[env]\nA = { value = \"/home/me/a\", relative = false }",
            &[],
        );
        check(
            "[patch.crates-io]\na = { path = \"a\" }",
            "[patch.crates-io]\na = { path = \"/home/me/a\" }",
            &[],
        );
    }
}
