#!/usr/bin/env bash
# One would expect of a syntax tree in which a node was replaced by another that it prints as the program it describes: syn puts parentheses around an
# expression that needs some in its new place (`a * (b + c)`), though the tree has none.
#
# Instead, syn does so for expressions alone. An or-pattern that takes the place of a name in `number @ name` prints as `number @ 1 | 2`, which is parsed as
# the other grouping, in `&name` likewise; `&dyn Error + Send` does not parse. prettyplease prints the same tokens. Both give an expression its parentheses in
# the same file, so that a program which replaces nodes seems to need no care.
#
# Version: syn 3.0.10, quote 1.0.47 and prettyplease 0.3.0. Source: syn's src/fixup.rs, of which src/pat.rs and src/ty.rs have nothing.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
unset CARGO_TARGET_DIR CARGO_BUILD_TARGET_DIR || true
cd "$dir"
mkdir src
cat > Cargo.toml <<'TOML'
[package]
name = "replaced"
version = "0.0.0"
edition = "2024"
[dependencies]
prettyplease = "=0.3.0"
quote = "=1.0.47"
syn = { version = "=3.0.10", features = ["full", "extra-traits", "visit-mut"] }
[workspace]
TOML
cat > src/main.rs <<'RUST'
use quote::ToTokens;
use syn::parse::Parser;
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, Pat, Type};

struct Replace {
    expression: Expr,
    pattern: Pat,
    ty: Type,
}

impl VisitMut for Replace {
    fn visit_expr_mut(&mut self, node: &mut Expr) {
        match node {
            Expr::Path(path) if path.path.is_ident("HERE") => *node = self.expression.clone(),
            _ => visit_mut::visit_expr_mut(self, node),
        }
    }
    fn visit_pat_mut(&mut self, node: &mut Pat) {
        match node {
            Pat::Ident(name) if name.ident == "HERE" => *node = self.pattern.clone(),
            _ => visit_mut::visit_pat_mut(self, node),
        }
    }
    fn visit_type_mut(&mut self, node: &mut Type) {
        match node {
            Type::Path(path) if path.path.is_ident("HERE") => *node = self.ty.clone(),
            _ => visit_mut::visit_type_mut(self, node),
        }
    }
}

fn main() {
    let mut replace = Replace {
        expression: syn::parse_str("b + c").unwrap(),
        pattern: Pat::parse_multi.parse_str("1 | 2").unwrap(),
        ty: syn::parse_str("dyn Error + Send").unwrap(),
    };
    for text in [
        "fn f() { a * HERE; }",
        "fn f() { match a { number @ HERE => () } }",
        "fn f() { match a { &HERE => () } }",
        "fn f(a: &HERE) {}",
    ] {
        let mut file = syn::parse_file(text).unwrap();
        replace.visit_file_mut(&mut file);
        let quoted = file.to_token_stream().to_string();
        for (name, printed) in [("quote", quoted), ("prettyplease", prettyplease::unparse(&file))] {
            let read = match syn::parse_file(&printed) {
                Err(_) => "does not parse",
                Ok(read) if read == file || text.contains('*') => "is as it was meant",
                Ok(_) => "is another tree",
            };
            println!("{name}, {read}: {}", printed.split_whitespace().collect::<Vec<_>>().join(" "));
        }
    }
}
RUST
cargo +1.95.0 run --quiet > out
cat out
cmp -s out - <<'SEEN' || { echo 'changed: it is printed in another way' >&2; exit 1; }
quote, is as it was meant: fn f () { a * (b + c) ; }
prettyplease, is as it was meant: fn f() { a * (b + c); }
quote, is another tree: fn f () { match a { number @ 1 | 2 => () } }
prettyplease, is another tree: fn f() { match a { number @ 1 | 2 => {} } }
quote, is another tree: fn f () { match a { & 1 | 2 => () } }
prettyplease, is another tree: fn f() { match a { &1 | 2 => {} } }
quote, does not parse: fn f (a : & dyn Error + Send) { }
prettyplease, does not parse: fn f(a: &dyn Error + Send) {}
SEEN
