//! What an item macro defines, as far as its call tells: `lazy_static! { static ref S: T = v; }`,
//! `define_id!(NodeId);`.

use crate::std_names::is_external;
use reduce_syntax::{is_one_name, tokens};
use std::collections::BTreeSet;
use syn::ItemMacro;

/// What stands before the name of what is defined.
const DEFINING: [&str; 9] = [
    "struct", "enum", "union", "trait", "fn", "type", "const", "static", "mod",
];
/// What may stand between that and the name.
const BETWEEN: [&str; 3] = ["ref", "mut", "fn"];

/// The names that stand like those of definitions.
pub(super) fn defined_by(call: &ItemMacro) -> Vec<String> {
    let text = call.mac.tokens.to_string();
    let all = words_of(&text);
    let mut found = BTreeSet::new();
    for (idx, word) in all.iter().enumerate() {
        if DEFINING.contains(word) {
            let rest = all[idx + 1..].iter();
            let name = rest.copied().find(|word| !BETWEEN.contains(word));
            found.extend(name.filter(|name| is_own_name(name)).map(str::to_owned));
        }
    }
    found.into_iter().collect()
}

/// The names that look like those of types, but for the toolchain's and those of parameters. The macro
/// itself may have the name of a type or trait that it was made for.
pub(super) fn types_in(call: &ItemMacro) -> Vec<String> {
    let macro_name = call.mac.path.segments.last();
    let macro_name = macro_name.map(|last| last.ident.to_string());
    let text = format!("{} {}", macro_name.unwrap_or_default(), call.mac.tokens);
    let is_type =
        |word: &&str| word.starts_with(char::is_uppercase) && word.len() > 1 && is_own_name(word);
    let found: BTreeSet<&str> = words_of(&text).into_iter().filter(is_type).collect();
    found.into_iter().map(str::to_owned).collect()
}

/// The types that a macro's definition itself makes impls of: `impl<T> Index<$t> for Slice { .. }`.
pub(super) fn implemented_by(definition: &ItemMacro) -> Vec<String> {
    let text = definition.mac.tokens.to_string();
    let all = words_of(&text);
    let mut found = BTreeSet::new();
    for (idx, _) in all.iter().enumerate().filter(|(_, word)| **word == "impl") {
        let head = all[idx + 1..].iter().take_while(|word| **word != "{");
        let head: Vec<&str> = head.copied().collect();
        let of_trait = head.iter().position(|word| *word == "for");
        let of_type = head.get(of_trait.map_or(0, |at| at + 1));
        let is_type = |word: &&&str| word.starts_with(char::is_uppercase) && is_own_name(word);
        found.extend(of_type.filter(is_type).map(|name| (*name).to_owned()));
    }
    found.into_iter().collect()
}

fn words_of(text: &str) -> Vec<&str> {
    let all = tokens(text);
    all.iter().map(|token| &text[token.range()]).collect()
}

fn is_own_name(word: &str) -> bool {
    is_one_name(word) && !is_external(word) && syn::parse_str::<syn::Ident>(word).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, defined: &[&str], types: &[&str]) {
        let item: ItemMacro = syn::parse_str(text).expect("it is a macro");
        assert_eq!(defined_by(&item), defined, "{text}");
        assert_eq!(types_in(&item), types, "{text}");
    }

    #[test]
    fn a_macro_may_make_impls_of_a_type_that_its_calls_do_not_name() {
        let text = "macro_rules! m { ($($t:ty),*) => { $( impl Index<$t> for Slice { } impl Bell {} impl A for $t {} )* } }";
        let item: ItemMacro = syn::parse_str(text).expect("it is a macro");
        assert_eq!(implemented_by(&item), ["Bell", "Slice"]);
    }

    #[test]
    fn definitions_in_a_call_have_names() {
        let text = "lazy_static! { pub static ref S: Table = v(); }";
        check(text, &["S"], &["Table"]);
        let text = "template! { pub trait A: B { fn f(&self); } struct C; }";
        check(text, &["A", "C", "f"], &[]);
        check("m! { const fn f() {} }", &["f"], &[]);
    }

    #[test]
    fn a_call_without_definitions_may_define_types() {
        check("define_id!(NodeId, u32);", &[], &["NodeId"]);
        check("impl_all! { (T, Bell); self.x => Option }", &[], &["Bell"]);
        check("m!();", &[], &[]);
        check(
            "GraphBase! { delegate_impl [[G], G, &G] }",
            &[],
            &["GraphBase"],
        );
    }
}
