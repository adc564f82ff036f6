//! Replaces calls of a crate's own macros by the items that they expand to. The program mostly grows, but each item
//! can then go by itself.

use super::constants::constants_as_modules;
use super::rules::rules;
use super::transcriber::{Expander, MAX_TREES, ends_item, print};
use super::{Call, CallPosition, Definition, Macros};
use crate::passes::paths::{Import, imports};
use crate::program::{Place, Program};
use proc_macro2::TokenTree;
use reduce_model::Position;
use reduce_syntax::{EditSet, SourceTree};
use std::cell::Cell;
use std::collections::HashMap;
use syn::{Block, Stmt};

/// The most rounds in which macros that call each other are expanded.
const MAX_ROUNDS: usize = 32;

/// Returns forms of a program in which calls of its own `macro_rules!` that stand for items, or for members of impls
/// and traits, are expanded; among statements only those that make nothing but items. The first forms are without
/// macros that nothing calls then, and the very first has modules for constants without a name that hold items.
///
/// None if there are no such calls, or if the program had more than `most_tokens` then.
#[must_use]
pub fn with_items_of_macros(sources: &SourceTree, most_tokens: u64) -> Vec<SourceTree> {
    let Some(expanded) = expand_items_of_macros(sources, most_tokens) else {
        return Vec::new();
    };
    let without = without_uncalled(&Program::new(&expanded)).apply(&expanded);
    let modules = constants_as_modules(&Program::new(&without)).apply(&without);
    let mut forms = vec![modules, without, expanded];
    forms.dedup();
    forms
}

/// Expands the calls of a program's own `macro_rules!` that stand for items, and keeps all macros: the last of the
/// forms of [`with_items_of_macros`].
#[must_use]
pub fn expand_items_of_macros(sources: &SourceTree, most_tokens: u64) -> Option<SourceTree> {
    let mut expanded = sources.clone();
    for _ in 0..MAX_ROUNDS {
        let edits = expanded_calls(&Program::new(&expanded));
        if edits.is_empty() {
            break;
        }
        expanded = edits.apply(&expanded);
        if expanded.count_tokens() > most_tokens {
            return None;
        }
    }
    (expanded != *sources).then_some(expanded)
}

/// Returns the edits that delete uncalled macros with their imports; a macro that only uncalled macros call is uncalled too.
fn without_uncalled(program: &Program) -> EditSet {
    let mut uncalled = definitions_with_calls(program);
    let is_called_by_others = |one: &CalledDefinition, uncalled: &[CalledDefinition]| {
        let is_within = |at: &Position| uncalled.iter().any(|other| at.is_in(&other.place));
        !one.called_at.iter().all(is_within)
    };
    while let Some(called) = uncalled
        .iter()
        .position(|one| is_called_by_others(one, &uncalled))
    {
        uncalled.remove(called);
    }
    let mut change = program.change();
    for one in uncalled {
        change.remove(&one.place);
        for leaf in &one.imports {
            change.remove(leaf);
        }
    }
    change.finish().unwrap_or_default()
}

/// The definition of a macro, with its imports, and with the calls that are outside of it.
struct CalledDefinition {
    place: Place,
    /// The imports of the macro.
    imports: Vec<Place>,
    /// The positions outside of the definition where a macro of this name is called.
    called_at: Vec<Position>,
}

fn definitions_with_calls(program: &Program) -> Vec<CalledDefinition> {
    let imports = imports(program);
    let leaves: HashMap<Position, &Import> = imports.iter().map(|one| (one.name, one)).collect();
    let with_calls = |one: Definition<'_>| {
        let mentions = program.mentions().of(one.position);
        let words = program.mentions().spelled(&one.name).iter();
        let words = words.map(|word| word.position());
        let import = |at: &Position| {
            let leaf = leaves.get(at)?;
            // A macro that is exported lies in the root of its crate, and its name alone is hardly that of anything else.
            let is_of_macro = mentions.contains(at)
                || matches!(&leaf.path[..], [_])
                || matches!(&leaf.path[..], [root, _] if root == "crate");
            is_of_macro.then(|| leaf.whole().clone())
        };
        let is_called_at =
            |at: &Position| !at.is_in(&one.place) && is_called(program, *at, &one.name);
        CalledDefinition {
            imports: words.clone().filter_map(|at| import(&at)).collect(),
            called_at: words.filter(is_called_at).collect(),
            place: one.place,
        }
    };
    let definitions = Macros::of(program).definitions.into_iter();
    definitions.map(with_calls).collect()
}

/// Whether the name at a position is called as a macro.
fn is_called(program: &Program, at: Position, name: &str) -> bool {
    let text = program.sources().text(at.file);
    text[at.at + name.len()..].trim_start().starts_with('!')
}

/// Expands each call of the program's own macros once. What it makes may have calls again.
fn expanded_calls(program: &Program) -> EditSet {
    let macros = Macros::of(program);
    let mut change = program.change();
    for (definition, calls) in calls_by_definition(program, &macros) {
        let Some(rules) = rules(&definition.call.tokens) else {
            continue;
        };
        let expander = Expander {
            name: &definition.name,
            rules: &rules,
            n_left: Cell::new(MAX_TREES),
        };
        for call in calls {
            if let Some(text) = items(call, &expander) {
                change.replace(&call.place, &text);
            }
        }
    }
    change.finish().unwrap_or_default()
}

/// Returns the definition of each macro with the calls that mean it and no other.
fn calls_by_definition<'m, 'p>(
    program: &Program,
    macros: &'m Macros<'p>,
) -> Vec<(&'m Definition<'p>, Vec<&'m Call<'p>>)> {
    let mentions = |one: &Definition<'_>| program.mentions().of(one.position);
    let mut n_meant: HashMap<Position, usize> = HashMap::new();
    let all = macros.definitions.iter().flat_map(mentions);
    all.for_each(|mention| *n_meant.entry(*mention).or_default() += 1);
    let with_calls = |definition| {
        let only = mentions(definition)
            .iter()
            .filter(|mention| n_meant.get(mention) == Some(&1));
        let calls = only.filter_map(|mention| macros.calls.get(mention));
        (definition, calls.collect())
    };
    macros.definitions.iter().map(with_calls).collect()
}

/// Returns the text that a macro's call expands to, if that is items or members.
fn items(call: &Call<'_>, expander: &Expander<'_>) -> Option<String> {
    use CallPosition::{Expression, Item, Other, Statement};
    if matches!(call.position, Expression | Other) {
        return None;
    }
    let arguments: Vec<TokenTree> = call.call.tokens.clone().into_iter().collect();
    let trees = expander.transcribed(&arguments)?;
    let end = match trees.last().is_none_or(ends_item) {
        true => "",
        false => ";",
    };
    let text = print(&trees) + end;
    match call.position {
        Statement(_) => makes_items(&text).then_some(text),
        Item | Expression | Other => Some(text),
    }
}

/// Whether statements are items, or calls of macros that may become some.
fn makes_items(statements: &str) -> bool {
    let block = syn::parse_str::<Block>(&format!("{{ {statements} }}"));
    let is_item = |one: &Stmt| matches!(one, Stmt::Item(_) | Stmt::Macro(_));
    block.is_ok_and(|block| block.stmts.iter().all(is_item))
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{normalized, single};
    use super::*;

    #[track_caller]
    fn check(before: &str, after: &str) {
        let forms = with_items_of_macros(&single(before), 1000);
        let text = forms.first().map(|tree| normalized(tree.text(tree.root())));
        let expected = (before != after).then(|| normalized(after));
        assert_eq!(text, expected, "`{before}`");
    }

    #[track_caller]
    fn check_stays(text: &str) {
        check(text, text);
    }

    #[test]
    fn each_call_becomes_its_items() {
        check(
            "macro_rules! m { ($($x:ident)*) => { $(struct $x { a: u8, b: u8 })* } } m!(A B); m! { C }",
            "struct A { a: u8, b: u8 } struct B { a: u8, b: u8 } struct C { a: u8, b: u8 }",
        );
    }

    #[test]
    fn members_of_impls_and_traits_are_expanded() {
        check(
            "macro_rules! m { ($x:ident) => { fn $x() { loop {} } } } impl S { m!(f); } trait T { m! { g } }",
            "impl S { fn f() { loop {} } } trait T { fn g() { loop {} } }",
        );
    }

    #[test]
    fn calls_of_other_macros_are_expanded_in_turn() {
        check(
            "#[macro_export] macro_rules! m { ($x:ident, $($t:tt)*) => { $crate::n! { $x } $crate::m!($($t)*) }; () => {} }
             #[macro_export] macro_rules! n { ($x:ident) => { struct $x; } }
             m!(A, B,); fn f() { const _: () = { m! { C, } }; }",
            "struct A; struct B; fn f() { const _: () = { struct C; }; }",
        );
    }

    #[test]
    fn macros_that_are_still_called_stay() {
        let others = "macro_rules! n { () => { o!() + 1 } } macro_rules! o { () => { 1 } }";
        check(
            &format!(
                "macro_rules! m {{ () => {{ struct A; }} }} {others} use {{m, n}}; m!(); fn f() {{ n!(); }}"
            ),
            &format!("{others} use {{n}}; struct A; fn f() {{ n!(); }}"),
        );
    }

    #[test]
    fn what_makes_other_statements_or_values_stays() {
        check_stays("macro_rules! m { () => { let x = 1; } } fn f() { m!(); }");
        check_stays("macro_rules! m { () => { 1 } } fn f() -> u8 { m! {} }");
        check_stays("macro_rules! m { () => { 1 } } fn f() -> u8 { m!() + 1 }");
        check_stays("macro_rules! m { () => { u8 } } fn f(_: m!()) {}");
    }

    #[test]
    fn calls_that_cannot_be_expanded_stay() {
        check_stays("macro_rules! m { (a) => { struct A; } } m!(b);");
        check_stays("m!();");
    }

    #[test]
    fn modules_may_be_called_like_macros() {
        check(
            "mod m { pub struct B; macro_rules! m { () => { struct A(crate::m::B); } } m!(); pub(crate) use {m, B as C}; }",
            "mod m { pub struct B; struct A(crate::m::B); pub(crate) use {B as C}; }",
        );
    }

    #[test]
    fn macros_without_an_end_are_expanded_so_many_times() {
        let m = "macro_rules! m { () => { struct A; m! {} } }";
        let structs = "struct A;".repeat(MAX_ROUNDS);
        check(&format!("{m} m! {{}}"), &format!("{m} {structs} m! {{}}"));
    }

    #[test]
    fn an_expansion_that_is_too_large_is_none() {
        let text = "macro_rules! m { () => { struct A; struct B; struct C; } } m!(); fn m() {}";
        let forms = |most_tokens| with_items_of_macros(&single(text), most_tokens).len();
        assert_eq!((forms(20), forms(40)), (0, 2));
    }
}
