//! `simplify_macros`: removes the brackets around the last group that a macro takes, in all rules and calls; or
//! replaces a part of what the macro makes by the content of the part's last group.

mod cfgs;

use super::inline_macros::{Definition, Macros};
use crate::keeps::Keeps;
use crate::pass::{Pass, Rewriter, Work};
use crate::program::{Change, Place, Program, SyntaxFile, simplest_first};
use proc_macro2::{Group, TokenStream, TokenTree};
use reduce_syntax::{EditSet, ends_a_chunk, is_punct};

pub(super) const PASS: Pass = Pass {
    name: "simplify_macros",
    about: "Removes brackets from what a macro takes, what surrounds a part of what it makes, and conditions of `cfg`",
    example: (
        "macro_rules! m { ([$($x:tt)*]) => { $($x)* } } m!([struct S;]);",
        "macro_rules! m { ($($x:tt)*) => { $($x)* } } m!(struct S;);",
    ),
    keeps: Keeps::Nothing,
    work: &[cfgs::WORK, WORK],
};

/// The part of the pass that this file does, without those of its submodules.
const WORK: Work = Work::Rewrite(Rewriter(changes));

/// The most macros that the pass changes in one program; with more, other passes have work to do first.
const MAX_MACROS: usize = 8;

fn changes(program: &Program) -> Vec<EditSet> {
    let macros = Macros::of(program);
    let definitions = macros.definitions.iter().take(MAX_MACROS);
    let changed = definitions.flat_map(|one| {
        let mut changes = hoisted(program, one);
        changes.extend(unwrapped(program, &macros, one));
        changes
    });
    simplest_first(program, changed)
}

/// Returns the rules of a macro's definition: what each takes, and what it makes.
fn rules(definition: &Definition<'_>) -> Vec<(Group, Group)> {
    let trees: Vec<TokenTree> = definition.call.tokens.clone().into_iter().collect();
    let rule = |trees: &[TokenTree]| match trees {
        [TokenTree::Group(takes), arrow, end, TokenTree::Group(makes)]
            if is_punct(arrow, '=') && is_punct(end, '>') =>
        {
            Some((takes.clone(), makes.clone()))
        }
        _ => None,
    };
    trees.windows(4).filter_map(rule).collect()
}

/// Removes the brackets of the last group of what a macro takes.
fn unwrapped(
    program: &Program,
    macros: &Macros<'_>,
    definition: &Definition<'_>,
) -> Option<EditSet> {
    let mut change = program.change();
    let rules = rules(definition);
    for (takes, makes) in &rules {
        without_brackets(&mut change, definition.file, &last_group(&takes.stream())?);
        let mut calls = Vec::new();
        calls_within(&makes.stream(), &definition.name, &mut calls);
        for call in &calls {
            without_brackets(&mut change, definition.file, &last_group(&call.stream())?);
        }
    }
    let calls = macros.calls.values();
    for call in calls.filter(|call| call.is_of(definition)) {
        without_brackets(&mut change, call.file, &last_group(&call.call.tokens)?);
    }
    change.finish().filter(|_| !rules.is_empty())
}

fn last_group(trees: &TokenStream) -> Option<Group> {
    match trees.clone().into_iter().last()? {
        TokenTree::Group(group) => Some(group),
        _ => None,
    }
}

/// Collects the arguments of the calls of a macro in some tokens.
fn calls_within(tokens: &TokenStream, name: &str, calls: &mut Vec<Group>) {
    let trees: Vec<TokenTree> = tokens.clone().into_iter().collect();
    for three in trees.windows(3) {
        if let [TokenTree::Ident(word), mark, TokenTree::Group(arguments)] = three
            && word == name
            && is_punct(mark, '!')
        {
            calls.push(arguments.clone());
        }
    }
    for tree in trees {
        if let TokenTree::Group(group) = tree {
            calls_within(&group.stream(), name, calls);
        }
    }
}

fn without_brackets(change: &mut Change<'_>, file: SyntaxFile<'_>, group: &Group) {
    change.delete(&file.place_of(group.span_open()));
    change.delete(&file.place_of(group.span_close()));
}

/// Puts the content of the last group in place of a part of what a macro makes.
fn hoisted(program: &Program, definition: &Definition<'_>) -> Vec<EditSet> {
    let mut places = Vec::new();
    for (_, makes) in rules(definition) {
        hoistable(definition.file, &makes.stream(), &mut places);
    }
    let hoisted = places.into_iter().filter_map(|(before, after)| {
        let mut change = program.change();
        change.delete(&before).delete(&after).finish()
    });
    hoisted.collect()
}

/// Collects the places before and after the contents of the last group of each part, down to the innermost.
fn hoistable(file: SyntaxFile<'_>, tokens: &TokenStream, places: &mut Vec<(Place, Place)>) {
    let all: Vec<TokenTree> = tokens.clone().into_iter().collect();
    for part in all.split_inclusive(ends_a_chunk) {
        if let [first, .., TokenTree::Group(group)] = part {
            let open = file.place_of(group.span_open());
            let before = file.place_of(first.span()).range.start..open.range.end;
            let close = file.place_of(group.span_close());
            places.push((Place::new(open.file, before), close));
        }
    }
    for tree in all {
        if let TokenTree::Group(group) = tree {
            hoistable(file, &group.stream(), places);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check, check_has, check_not_applicable};
    use super::WORK;

    #[test]
    fn the_last_group_has_no_brackets_in_rules_and_calls() {
        check_has(
            &WORK,
            "macro_rules! m { ([# $($t:tt)*] [$($o:tt)*]) => { m! { [$($t)*] [$($o)* A] } }; ([] [$($o:tt)*]) => { f!($($o)*); }; }
             m! { [##] [B] } fn f() { m!([#] [C]); }",
            "macro_rules! m { ([# $($t:tt)*] $($o:tt)*) => { m! { [$($t)*] $($o)* A } }; ([] $($o:tt)*) => { f!($($o)*); }; }
             m! { [##] B } fn f() { m!([#] C); }",
        );
    }

    #[test]
    fn what_a_macro_makes_is_what_is_in_it() {
        check(
            &WORK,
            "macro_rules! m { ($x:ty) => { const A: u8 = 1; impl $x { fn f() {} } } } m!(u8);",
            &[
                "macro_rules! m { ($x:ty) => { const A: u8 = 1; impl $x {} } } m!(u8);",
                "macro_rules! m { ($x:ty) => { const A: u8 = 1; fn f() {} } } m!(u8);",
            ],
        );
    }

    #[test]
    fn a_call_without_a_group_keeps_all() {
        check_not_applicable(
            &WORK,
            "macro_rules! m { ([a]) => { 1 }; (b) => { 2 } } m!([a]);",
        );
        check_not_applicable(&WORK, "macro_rules! m { ([$($x:tt)*]) => { 1 } } m!(a);");
        check(
            &WORK,
            "macro_rules! m { ([a]) => { m!(b) } } m!([a]);",
            &["macro_rules! m { ([a]) => { b } } m!([a]);"],
        );
    }
}
