#!/usr/bin/env bash
# One would expect a variable of the environment to override the key of a configuration file that it names, as `APP_MAXSIZE` or `APP_maxSize` for `maxSize`;
# and the separator of nested keys to be between keys, so that `APP_LEVEL` is still there when nested keys are separated by two underscores.
#
# Instead, the crate config turns each variable into lower case, however it is written, and leaves the keys of files as they are. For a key with a capital the
# variable is a second key, `maxsize`, that nobody reads: the value of the file wins, though the variables were added last, and nothing says so. In a
# structure where unknown keys are refused it becomes an error that names a key of no file. And a separator replaces the underscore behind the prefix, too:
# with `__` it is `APP__LEVEL` that is read, and `APP_LEVEL` is dropped. With `_` as the separator, `APP_LOG_LEVEL` is `log.level`, and `log_level` can have
# no variable.
#
# Version: config 0.15.27, serde 1.0.229 and rustc 1.95.0. Source: `Environment::collect` in src/env.rs of config.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
unset CARGO_TARGET_DIR CARGO_BUILD_TARGET_DIR || true
cd "$dir"
mkdir src
cat > Cargo.toml <<'TOML'
[package]
name = "settings"
version = "0.0.0"
edition = "2024"
[dependencies]
config = { version = "=0.15.27", default-features = false, features = ["toml"] }
serde = { version = "=1.0.229", features = ["derive"] }
[profile.dev]
debug = 0
[workspace]
TOML
cat > src/main.rs <<'RUST'
use config::{Config, Environment, File, FileFormat};
use serde::Deserialize;
use std::collections::BTreeMap;

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Settings {
    level: u8,
    max_size: u8,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[allow(dead_code)]
struct Strict {
    level: u8,
    max_size: u8,
}

fn built(variables: &[(&str, &str)], separator: Option<&str>) -> Config {
    let variables = variables.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
    let mut environment = Environment::with_prefix("APP").source(Some(variables));
    if let Some(separator) = separator {
        environment = environment.separator(separator);
    }
    let file = File::from_str("level = 1\nmaxSize = 1\nlog_level = 1", FileFormat::Toml);
    Config::builder().add_source(file).add_source(environment).build().unwrap()
}

fn main() {
    for name in ["APP_LEVEL", "APP_MAXSIZE", "APP_maxSize", "APP_MAX_SIZE"] {
        let settings: Settings = built(&[(name, "2")], None).try_deserialize().unwrap();
        println!("{name}=2: level {}, maxSize {}", settings.level, settings.max_size);
    }
    println!("strict: {}", Config::builder()
        .add_source(File::from_str("level = 1\nmaxSize = 1", FileFormat::Toml))
        .add_source(Environment::with_prefix("APP").source(Some([("APP_maxSize".to_string(), "2".to_string())].into())))
        .build().unwrap().try_deserialize::<Strict>().unwrap_err());
    for separator in [None, Some("__"), Some("_")] {
        for name in ["APP_LEVEL", "APP__LEVEL", "APP_LOG_LEVEL", "APP__LOG_LEVEL"] {
            let read: BTreeMap<String, config::Value> = built(&[(name, "2")], separator).try_deserialize().unwrap();
            let read: Vec<String> = read.iter().map(|(key, value)| format!("{key} = {value}")).collect();
            println!("separator {separator:?}, {name}=2: {}", read.join(", "));
        }
    }
}
RUST
cargo +1.95.0 run --quiet 2> err > out || { cat err; exit 1; }
cat out
cmp -s out - <<'SEEN' || { echo 'changed: other keys are set' >&2; exit 1; }
APP_LEVEL=2: level 2, maxSize 1
APP_MAXSIZE=2: level 1, maxSize 1
APP_maxSize=2: level 1, maxSize 1
APP_MAX_SIZE=2: level 1, maxSize 1
strict: unknown field `maxsize`, expected `level` or `maxSize`
separator None, APP_LEVEL=2: level = 2, log_level = 1, maxSize = 1
separator None, APP__LEVEL=2: _level = 2, level = 1, log_level = 1, maxSize = 1
separator None, APP_LOG_LEVEL=2: level = 1, log_level = 2, maxSize = 1
separator None, APP__LOG_LEVEL=2: _log_level = 2, level = 1, log_level = 1, maxSize = 1
separator Some("__"), APP_LEVEL=2: level = 1, log_level = 1, maxSize = 1
separator Some("__"), APP__LEVEL=2: level = 2, log_level = 1, maxSize = 1
separator Some("__"), APP_LOG_LEVEL=2: level = 1, log_level = 1, maxSize = 1
separator Some("__"), APP__LOG_LEVEL=2: level = 1, log_level = 2, maxSize = 1
separator Some("_"), APP_LEVEL=2: level = 2, log_level = 1, maxSize = 1
separator Some("_"), APP__LEVEL=2: .level = 2, level = 1, log_level = 1, maxSize = 1
separator Some("_"), APP_LOG_LEVEL=2: level = 1, log = { level => 2,  }, log_level = 1, maxSize = 1
separator Some("_"), APP__LOG_LEVEL=2: .log.level = 2, level = 1, log_level = 1, maxSize = 1
SEEN
