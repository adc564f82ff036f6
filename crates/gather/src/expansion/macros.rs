//! Finds the macros that are procedural: those that are neither the standard library's nor of a
//! `macro_rules` in the program. Whether a function-like macro of another crate is of `macro_rules`
//! there cannot be seen, so it counts, too. And so does a macro of the program that has such a call
//! or attribute in its rules.

use super::attributes::{derive_entries, metas};
use super::builtin::{is_builtin_attribute, is_std_derive, is_std_macro, names, plain};
use proc_macro2::TokenStream;
use reduce_syntax::TokenCursor;
use std::collections::{BTreeMap, BTreeSet};
use syn::visit::{self, Visit};
use syn::{Attribute, File, ItemMacro, Macro, Meta};

/// The macros that a program defines.
#[derive(Default)]
pub(super) struct Macros {
    defined: BTreeMap<String, Vec<Mentions>>,
    procedural: BTreeSet<String>,
}

impl Macros {
    /// Collects the macros that some files define.
    pub(super) fn of<'f>(files: impl IntoIterator<Item = &'f File>) -> Self {
        let mut macros = Self::default();
        for file in files {
            macros.visit_file(file);
        }
        loop {
            let defined = macros.defined.iter();
            let found = defined.filter(|(name, rules)| {
                !macros.procedural.contains(*name) && rules.iter().any(|rules| macros.is_in(rules))
            });
            let found: Vec<String> = found.map(|(name, _)| name.clone()).collect();
            if found.is_empty() {
                return macros;
            }
            macros.procedural.extend(found);
        }
    }

    /// Returns whether the `macro_rules` of this name expands to calls of procedural macros.
    pub(super) fn makes_calls(&self, name: &str) -> bool {
        self.procedural.contains(name)
    }

    fn is_in(&self, mentions: &Mentions) -> bool {
        !mentions.attributes.is_empty() || mentions.calls.iter().any(|path| self.is_call(path))
    }

    /// Returns whether a call of a function-like macro is to be expanded.
    fn is_call(&self, path: &[String]) -> bool {
        let Some(last) = path.last() else {
            return false;
        };
        match self.defined.contains_key(last) {
            true => self.procedural.contains(last),
            false => !is_std_macro(path),
        }
    }

    fn define(&mut self, name: &str, rules: &str) {
        let mut mentions = Mentions::of(rules);
        for (name, rules) in std::mem::take(&mut mentions.definitions) {
            self.define(&name, &rules);
        }
        self.defined.entry(plain(name)).or_default().push(mentions);
    }
}

impl<'ast> Visit<'ast> for Macros {
    fn visit_item_macro(&mut self, item: &'ast ItemMacro) {
        match &item.ident {
            Some(name) => self.define(&name.to_string(), &item.mac.tokens.to_string()),
            None => self.visit_macro(&item.mac),
        }
    }

    fn visit_macro(&mut self, call: &'ast Macro) {
        for (name, rules) in Mentions::of(&call.tokens.to_string()).definitions {
            self.define(&name, &rules);
        }
    }
}

/// The procedural macros that some syntax calls.
pub(super) struct Procedural<'m> {
    macros: &'m Macros,
    /// Whether the syntax has procedural derives and attributes.
    pub has_attributes: bool,
    /// Whether the syntax calls procedural macros of the form `name!(..)`.
    pub has_calls: bool,
    /// The last names of all procedural macros that the syntax calls.
    pub names: BTreeSet<String>,
}

impl<'m> Procedural<'m> {
    pub(super) fn new(macros: &'m Macros) -> Self {
        Self {
            macros,
            has_attributes: false,
            has_calls: false,
            names: BTreeSet::new(),
        }
    }

    pub(super) fn is_any(&self) -> bool {
        self.has_attributes || self.has_calls
    }

    fn name(&mut self, path: &[String]) {
        self.names.extend(path.last().cloned());
    }

    /// Collects the names of the macros in the arguments of a call or the rules of a macro, and returns whether one is
    /// procedural.
    fn tokens(&mut self, tokens: &TokenStream) -> bool {
        let mentions = Mentions::of(&tokens.to_string());
        for path in mentions.attributes.iter().chain(&mentions.calls) {
            self.name(path);
        }
        self.macros.is_in(&mentions)
    }
}

impl<'ast> Visit<'ast> for Procedural<'_> {
    fn visit_item_macro(&mut self, item: &'ast ItemMacro) {
        match item.ident {
            Some(_) => drop(self.tokens(&item.mac.tokens)),
            None => visit::visit_item_macro(self, item),
        }
    }

    fn visit_macro(&mut self, call: &'ast Macro) {
        let path = names(&call.path);
        let is_mentioned = self.tokens(&call.tokens);
        if self.macros.is_call(&path) {
            self.name(&path);
            self.has_calls = true;
        }
        self.has_calls |= is_mentioned;
    }

    fn visit_attribute(&mut self, attribute: &'ast Attribute) {
        for path in procedural_paths(&attribute.meta) {
            self.name(&path);
            self.has_attributes = true;
        }
    }
}

/// Returns the paths of the procedural macros that an attribute names: itself, or the derives in it.
fn procedural_paths(meta: &Meta) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    for meta in metas(meta) {
        if meta.path().is_ident("derive") {
            let derives = derive_entries(&meta).into_iter();
            found.extend(derives.filter(|path| !is_std_derive(path)));
        } else if !is_builtin_attribute(&names(meta.path())) {
            found.push(names(meta.path()));
        }
    }
    found
}

/// The macros that are called or defined in tokens that are not parsed as syntax.
#[derive(Default)]
struct Mentions {
    /// Derives and attributes that are not the compiler's.
    attributes: Vec<Vec<String>>,
    calls: Vec<Vec<String>>,
    /// The macros that are defined in the tokens: their names with their rules.
    definitions: Vec<(String, String)>,
}

impl Mentions {
    /// Reads the tokens of a call, or the rules of a macro.
    fn of(text: &str) -> Self {
        let cursor = TokenCursor::new(text);
        let mut mentions = Self::default();
        cursor.indices().for_each(|idx| mentions.add(&cursor, idx));
        mentions
    }

    /// Adds the attribute, macro call or macro definition that begins at a token.
    fn add(&mut self, cursor: &TokenCursor<'_>, idx: usize) {
        let inside = |opener: usize| {
            let closing = cursor.closing(opener)?;
            Some(&cursor.text()[cursor.range(opener).end..cursor.range(closing).start])
        };
        match cursor.word(idx) {
            "#" if cursor.is(idx + 1, "[") => {
                let meta = inside(idx + 1).and_then(|text| syn::parse_str(text).ok());
                let paths = meta.iter().flat_map(procedural_paths);
                self.attributes.extend(paths);
            }
            "!" if cursor.is_open(idx + 1) => self.calls.extend(path_before(cursor, idx)),
            "macro_rules" if cursor.is(idx + 1, "!") && cursor.is_name(idx + 2) => {
                let rules = inside(idx + 3).map(str::to_owned);
                let name = cursor.word(idx + 2).to_owned();
                self.definitions.extend(rules.map(|rules| (name, rules)));
            }
            _ => {}
        }
    }
}

/// Returns the path of the macro that the `!` at a token calls. `None` if it is a negation.
fn path_before(cursor: &TokenCursor<'_>, mark: usize) -> Option<Vec<String>> {
    let last = mark.checked_sub(1).filter(|&last| cursor.is_name(last))?;
    let before = |&idx: &usize| {
        let name = idx.checked_sub(2).filter(|&name| cursor.is_name(name));
        name.filter(|_| cursor.before(idx, 1) == "::")
    };
    let path = std::iter::successors(Some(last), before);
    let mut path: Vec<String> = path.map(|idx| plain(cursor.word(idx))).collect();
    path.reverse();
    (!is_keyword(cursor.word(last))).then_some(path)
}

/// Returns whether a name is a keyword after which a `!` is a negation, as in `return !x`.
fn is_keyword(name: &str) -> bool {
    matches!(
        name,
        "if" | "while"
            | "match"
            | "return"
            | "break"
            | "in"
            | "else"
            | "as"
            | "move"
            | "await"
            | "const"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: bool) {
        let file = syn::parse_file(text).unwrap();
        let macros = Macros::of([&file]);
        let mut found = Procedural::new(&macros);
        found.visit_file(&file);
        assert_eq!(found.is_any(), expected, "`{text}`");
    }

    #[test]
    fn derives_and_attributes_of_other_crates_are_procedural() {
        check(
            "#[derive(Clone, std::fmt::Debug)] #[repr(C)] struct S;",
            false,
        );
        check("#[derive(Clone, Serialize)] struct S;", true);
        check("#[cfg_attr(x, derive(Serialize))] struct S;", true);
        check("#[tokio::main] async fn f() {}", true);
        check("#[rustfmt::skip] #[unsafe(no_mangle)] fn f() {}", false);
        check("fn f() { #[derive(A)] struct S; }", true);
    }

    #[test]
    fn calls_of_what_nobody_here_defines_may_be_procedural() {
        check("fn f() { println!(\"{}\", vec![1].len()); }", false);
        check("fn f() { g!(); }", true);
        check("fn f() { println!(\"{}\", S { a: vec![1] }.a[0]); }", false);
        check("fn f() { println!(\"{}\", a::g!()); }", true);
        check(
            "fn f() { assert!(if !(a) { b } else { !(c) } != (d)); }",
            false,
        );
        check("macro_rules! g { () => {} } fn f() { g!(); }", false);
    }

    #[test]
    fn a_macro_whose_rules_are_procedural_is_so_where_it_is_called() {
        check("macro_rules! g { () => { #[derive(A)] struct S; } }", false);
        check(
            "macro_rules! g { () => { #[derive(A)] struct S; } } g!();",
            true,
        );
        check(
            "macro_rules! g { () => { h!() } } macro_rules! h { () => { x!() } } g!();",
            true,
        );
        check(
            "macro_rules! g { ($(#[$m:meta])*) => { $(#[$m])* struct S; } } g!();",
            false,
        );
        check(
            "macro_rules! g { ($t:tt) => {} } g! { #[derive(A)] struct S; }",
            true,
        );
        check(
            "macro_rules! g { () => { macro_rules! h { () => {} } } } g!(); h!();",
            false,
        );
    }
}
