#!/bin/sh
# One would expect three libraries that write values of serde as CBOR to write a plain value alike, since CBOR has its own standard and its own `null`, so
# that one reads what another has written.
#
# Instead, they disagree about `()`. ciborium writes null, minicbor-serde and cbor4ii an empty list, and each refuses the other's. So `Some(())` is null with
# ciborium, which reads it as `None`. A `char` is a text of one character for two of them, and its number for minicbor-serde: it refuses the text, as they
# refuse the number. ciborium writes 1.0 in the shortest form, a float of 16 bits. The two others refuse it: they read such floats with a feature that is not
# on by default. `None` and the variants of enums are the same in all three.
#
# Version: ciborium 0.2.2, minicbor-serde 0.7.2, cbor4ii 1.2.4 and rustc 1.95.0. Source: `serialize_unit` and `serialize_char` in each; minicbor-serde has
# `serialize_unit_as_null`, which is off.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
unset CARGO_TARGET_DIR CARGO_BUILD_TARGET_DIR || true
cd "$dir"
mkdir src
cat > Cargo.toml <<'TOML'
[package]
name = "values"
version = "0.0.0"
edition = "2024"
[dependencies]
cbor4ii = { version = "=1.2.4", features = ["serde1", "use_std"] }
ciborium = "=0.2.2"
minicbor-serde = { version = "=0.7.2", features = ["std"] }
serde = { version = "=1.0.229", features = ["derive"] }
[profile.dev]
debug = 0
[workspace]
TOML
cat > src/main.rs <<'RUST'
use std::fmt::Debug;

use serde::{Deserialize, Serialize, de::DeserializeOwned};

#[derive(Serialize, Deserialize, Debug, PartialEq)]
enum Choice {
    Empty,
    Full { number: u8 },
}

/// What each library writes, and which of the three read it as the same value.
fn show<T: Serialize + DeserializeOwned + PartialEq + Debug>(name: &str, value: T) {
    let mut ciborium = Vec::new();
    ciborium::into_writer(&value, &mut ciborium).unwrap();
    let minicbor = minicbor_serde::to_vec(&value).unwrap();
    let cbor4ii = cbor4ii::serde::to_vec(Vec::new(), &value).unwrap();
    for (library, bytes) in [("ciborium", ciborium), ("minicbor", minicbor), ("cbor4ii", cbor4ii)] {
        let read = [
            ("ciborium", ciborium::from_reader::<T, _>(&bytes[..]).ok()),
            ("minicbor", minicbor_serde::from_slice::<T>(&bytes).ok()),
            ("cbor4ii", cbor4ii::serde::from_slice::<T>(&bytes).ok()),
        ];
        let read = read.map(|(reader, read)| match read {
            Some(read) if read == value => format!("{reader} yes"),
            Some(read) => format!("{reader} {read:?}"),
            None => format!("{reader} no"),
        });
        println!("{name}: {library} writes {bytes:02x?}, read by {}", read.join(", "));
    }
}

fn main() {
    show("()", ());
    show("Some(())", Some(()));
    show("'a'", 'a');
    show("1.0", 1.0f64);
    show("Choice::Empty", Choice::Empty);
    show("Choice::Full", Choice::Full { number: 1 });
    show("None::<u8>", None::<u8>);
}
RUST
cargo +1.95.0 run --quiet > out
cat out
cmp -s out - <<'SEEN' || { echo 'changed: other bytes' >&2; exit 1; }
(): ciborium writes [f6], read by ciborium yes, minicbor no, cbor4ii no
(): minicbor writes [80], read by ciborium no, minicbor yes, cbor4ii yes
(): cbor4ii writes [80], read by ciborium no, minicbor yes, cbor4ii yes
Some(()): ciborium writes [f6], read by ciborium None, minicbor None, cbor4ii None
Some(()): minicbor writes [80], read by ciborium no, minicbor yes, cbor4ii yes
Some(()): cbor4ii writes [80], read by ciborium no, minicbor yes, cbor4ii yes
'a': ciborium writes [61, 61], read by ciborium yes, minicbor no, cbor4ii yes
'a': minicbor writes [18, 61], read by ciborium no, minicbor yes, cbor4ii no
'a': cbor4ii writes [61, 61], read by ciborium yes, minicbor no, cbor4ii yes
1.0: ciborium writes [f9, 3c, 00], read by ciborium yes, minicbor no, cbor4ii no
1.0: minicbor writes [fb, 3f, f0, 00, 00, 00, 00, 00, 00], read by ciborium yes, minicbor yes, cbor4ii yes
1.0: cbor4ii writes [fb, 3f, f0, 00, 00, 00, 00, 00, 00], read by ciborium yes, minicbor yes, cbor4ii yes
Choice::Empty: ciborium writes [65, 45, 6d, 70, 74, 79], read by ciborium yes, minicbor yes, cbor4ii yes
Choice::Empty: minicbor writes [65, 45, 6d, 70, 74, 79], read by ciborium yes, minicbor yes, cbor4ii yes
Choice::Empty: cbor4ii writes [65, 45, 6d, 70, 74, 79], read by ciborium yes, minicbor yes, cbor4ii yes
Choice::Full: ciborium writes [a1, 64, 46, 75, 6c, 6c, a1, 66, 6e, 75, 6d, 62, 65, 72, 01], read by ciborium yes, minicbor yes, cbor4ii yes
Choice::Full: minicbor writes [a1, 64, 46, 75, 6c, 6c, a1, 66, 6e, 75, 6d, 62, 65, 72, 01], read by ciborium yes, minicbor yes, cbor4ii yes
Choice::Full: cbor4ii writes [a1, 64, 46, 75, 6c, 6c, a1, 66, 6e, 75, 6d, 62, 65, 72, 01], read by ciborium yes, minicbor yes, cbor4ii yes
None::<u8>: ciborium writes [f6], read by ciborium yes, minicbor yes, cbor4ii yes
None::<u8>: minicbor writes [f6], read by ciborium yes, minicbor yes, cbor4ii yes
None::<u8>: cbor4ii writes [f6], read by ciborium yes, minicbor yes, cbor4ii yes
SEEN
