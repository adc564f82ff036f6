#!/usr/bin/env bash
# One would expect a configuration with `jobs = 1.9`, which is read into an integer, to be refused, as toml and figment refuse it; and a number where a switch
# is asked for as well; or, if the reader is lenient, a number that does not fit to be refused in each way it can be written.
#
# Instead, the crate config rounds it: 1.9 is 2, 0.4 is 0 and 2.5 is 3. A float that is too large or negative becomes the nearest number that fits into 64
# bits (-3.0 is 0 for a `u64`, 1e30 is the greatest one), whereas the integer -3 is an error, and the text "1.9", as a variable of the environment gives it,
# too. A switch is true for each number but 0, 0.1 included, and a number is 1 for `true`, "yes" and "on". So a file with a mistake is taken, and the same
# value from another source is refused.
#
# Version: config 0.15.27, toml 1.2.2, figment 0.10.19 and rustc 1.95.0. Source: `into_int`, `into_uint` and `into_bool` in src/value.rs of config.
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
figment = { version = "=0.10.19", features = ["toml"] }
serde = { version = "=1.0.229", features = ["derive"] }
toml = "=1.2.2"
[profile.dev]
debug = 0
[workspace]
TOML
cat > src/main.rs <<'RUST'
use config::{Config, File, FileFormat};
use figment::Figment;
use figment::providers::{Format, Toml};
use serde::Deserialize;

#[derive(Deserialize)]
struct Settings<T> {
    key: T,
}

fn shown<T: serde::de::DeserializeOwned + std::fmt::Display>(value: &str) {
    let text = format!("key = {value}");
    let config = Config::builder().add_source(File::from_str(&text, FileFormat::Toml)).build().unwrap();
    let word = |read: Option<Settings<T>>| read.map_or("an error".to_string(), |read| read.key.to_string());
    let config = word(config.try_deserialize().ok());
    let figment = word(Figment::from(Toml::string(&text)).extract().ok());
    println!("{value} as {}: config {config}, figment {figment}, toml {}", std::any::type_name::<T>(), word(toml::from_str(&text).ok()));
}

fn main() {
    for value in ["1.9", "0.4", "2.5", "-3.0", "-3", "1e30", "300.0", "'19'", "'1.9'", "true", "'yes'"] {
        shown::<u64>(value);
    }
    shown::<u8>("300.0");
    shown::<u8>("255.4");
    for value in ["0.1", "2", "0", "'on'", "'2'"] {
        shown::<bool>(value);
    }
}
RUST
cargo +1.95.0 run --quiet 2> err > out || { cat err; exit 1; }
cat out
cmp -s out - <<'SEEN' || { echo 'changed: other values are read' >&2; exit 1; }
1.9 as u64: config 2, figment an error, toml an error
0.4 as u64: config 0, figment an error, toml an error
2.5 as u64: config 3, figment an error, toml an error
-3.0 as u64: config 0, figment an error, toml an error
-3 as u64: config an error, figment an error, toml an error
1e30 as u64: config 18446744073709551615, figment an error, toml an error
300.0 as u64: config 300, figment an error, toml an error
'19' as u64: config 19, figment an error, toml an error
'1.9' as u64: config an error, figment an error, toml an error
true as u64: config 1, figment an error, toml an error
'yes' as u64: config 1, figment an error, toml an error
300.0 as u8: config an error, figment an error, toml an error
255.4 as u8: config 255, figment an error, toml an error
0.1 as bool: config true, figment an error, toml an error
2 as bool: config true, figment an error, toml an error
0 as bool: config false, figment an error, toml an error
'on' as bool: config true, figment an error, toml an error
'2' as bool: config an error, figment an error, toml an error
SEEN
