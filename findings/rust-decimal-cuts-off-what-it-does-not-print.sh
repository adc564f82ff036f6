#!/usr/bin/env bash
# One would expect `{:.1}` to round a decimal number, as it rounds a float, and in particular as the number's own `round_dp(1)` does.
#
# Instead, rust_decimal writes the digits that are asked for and drops the others: 0.99 is printed as 0.9, 1.999 as 1.99 with two digits, and 0.9 with none as
# 0. So a share of 99.96 % is shown as 99.9 %, a mean is too small by up to one unit of its last digit, and a column of rounded numbers differs from that of a
# program with floats or with bigdecimal, which rounds. Negative numbers are cut towards zero. `round_dp` and `round` of the same crate round (a half to the
# even digit), so what is printed must have been rounded by them before.
#
# Version: rust_decimal 1.43.0, bigdecimal 0.4.11 and rustc 1.95.0. Source: `to_str_internal` in src/str.rs of rust_decimal, which is called by `Display` in
# src/decimal.rs.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
unset CARGO_TARGET_DIR CARGO_BUILD_TARGET_DIR || true
cd "$dir"
mkdir src
cat > Cargo.toml <<'TOML'
[package]
name = "digits"
version = "0.0.0"
edition = "2024"
[dependencies]
rust_decimal = "=1.43.0"
bigdecimal = "=0.4.11"
[profile.dev]
debug = 0
[workspace]
TOML
cat > src/main.rs <<'RUST'
use bigdecimal::BigDecimal;
use rust_decimal::Decimal;

fn main() {
    for text in ["0.99", "99.96", "-0.04", "0.25", "0.75", "1.05"] {
        let decimal: Decimal = text.parse().unwrap();
        let big: BigDecimal = text.parse().unwrap();
        let float: f64 = text.parse().unwrap();
        println!("{text}: printed {decimal:.1}, rounded {}, bigdecimal {big:.1}, f64 {float:.1}", decimal.round_dp(1));
    }
    let decimal: Decimal = "0.9".parse().unwrap();
    println!("0.9 without digits: printed {decimal:.0}, rounded {}, f64 {:.0}", decimal.round(), 0.9f64);
    let decimal: Decimal = "1.999".parse().unwrap();
    println!("1.999 with two: printed {decimal:.2}, rounded {}, f64 {:.2}", decimal.round_dp(2), 1.999f64);
    let mean: Decimal = ["2.99", "3.00", "3.00"].iter().map(|text| text.parse::<Decimal>().unwrap()).sum::<Decimal>() / Decimal::from(3);
    println!("the mean {mean}: printed {mean:.2}, rounded {}", mean.round_dp(2));
}
RUST
cargo +1.95.0 run --quiet 2> err > out || { cat err; exit 1; }
cat out
cmp -s out - <<'SEEN' || { echo 'changed: other digits are printed' >&2; exit 1; }
0.99: printed 0.9, rounded 1.0, bigdecimal 1.0, f64 1.0
99.96: printed 99.9, rounded 100.0, bigdecimal 100.0, f64 100.0
-0.04: printed -0.0, rounded 0.0, bigdecimal -0.0, f64 -0.0
0.25: printed 0.2, rounded 0.2, bigdecimal 0.2, f64 0.2
0.75: printed 0.7, rounded 0.8, bigdecimal 0.8, f64 0.8
1.05: printed 1.0, rounded 1.0, bigdecimal 1.0, f64 1.1
0.9 without digits: printed 0, rounded 1, f64 1
1.999 with two: printed 1.99, rounded 2.00, f64 2.00
the mean 2.9966666666666666666666666667: printed 2.99, rounded 3.00
SEEN
