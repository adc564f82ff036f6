//! Removes the tokens from cargo's configuration, so that a candidate may read it.
//!
//! A value that is taken out becomes a variable, in which cargo takes each of its keys, for the run before
//! candidates are asked.

use super::environment::is_secret;
use crate::cargo_config::{OF_SOURCE, table_in, tables_in};
use camino::Utf8PathBuf;
use std::collections::BTreeMap;
use toml_edit::{DocumentMut, Item, TableLike, Value};

/// The keys with secrets that are removed from `[registry]` and from each table in `[registries]` of cargo's
/// configuration.
const OF_REGISTRY: [&str; 4] = [
    "credential-provider",
    "global-credential-providers",
    "secret-key",
    "token",
];

/// A configuration that a candidate may read.
#[derive(Debug, Default)]
pub(crate) struct Clean {
    pub(crate) document: DocumentMut,
    /// The values that were taken out of the configuration, as variables.
    pub(crate) secrets: BTreeMap<String, String>,
    /// The absolute paths of the directories of sources that stand in for a registry.
    pub(crate) sources: Vec<Utf8PathBuf>,
}

/// Removes the secrets from a cargo configuration that has no relative paths. Of the variables that it sets those in
/// `handed_on` stay, whatever their names.
pub(crate) fn without_secrets(mut document: DocumentMut, handed_on: &[String]) -> Clean {
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
    clean.sources = sources(table);
    clean.document = document;
    clean
}

/// Returns the tokens in cargo's file of credentials, as variables.
pub(crate) fn of_credentials(document: DocumentMut) -> BTreeMap<String, String> {
    without_secrets(document, &[]).secrets
}

/// Moves the values of some keys from the table `prefix` of cargo's configuration to `secrets`.
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

/// Moves the aliases of programs that tell cargo tokens to `secrets`.
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

/// Moves the secrets in the table `[env]` of cargo's configuration to `secrets`: the other variables that it sets
/// stay there for programs.
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

/// Returns a value of cargo's configuration as cargo would read it from a variable: a list has spaces between its
/// words.
fn text_of(item: &Item) -> Option<String> {
    let value = item.as_value()?;
    let list = value.as_array().map(|words| {
        let words = words.iter().filter_map(Value::as_str);
        words.collect::<Vec<_>>().join(" ")
    });
    list.or_else(|| value.as_str().map(str::to_owned))
}

fn sources(table: &mut dyn TableLike) -> Vec<Utf8PathBuf> {
    let mut found = vec![];
    for (_, source) in tables_in(table, "source") {
        let paths = OF_SOURCE.iter().filter_map(|key| source.get(key)?.as_str());
        found.extend(paths.map(Utf8PathBuf::from));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clean(text: &str, handed_on: &[&str]) -> Clean {
        let handed_on: Vec<String> = handed_on.iter().map(|name| (*name).to_owned()).collect();
        without_secrets(text.parse().unwrap(), &handed_on)
    }

    #[track_caller]
    fn check(text: &str, expected: &str, secrets: &[(&str, &str)]) {
        let clean = clean(text, &[]);
        assert_eq!(clean.document.to_string().trim(), expected, "{text}");
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
        assert!(handed_on.document.to_string().contains("API_TOKEN = \"t\""));
        assert!(!handed_on.secrets.contains_key("API_TOKEN"));
    }

    #[test]
    fn replaced_sources_stay_and_their_places_are_readable() {
        let text = "[source.crates-io]\nreplace-with = \"v\"\n[source.v]\ndirectory = \"/v\"";
        let clean = clean(text, &[]);
        assert_eq!(clean.sources, ["/v"]);
        assert_eq!(clean.document.to_string().trim(), text);
    }
}
