//! The form of a program: its tokens, written so that programs which differ in names alone have the same.

use reduce_model::{Model, is_external, is_keyword};
use reduce_syntax::{ListKind, SourceTree, SyntaxTree, TokenCursor, is_primitive_type};
use std::collections::{BTreeSet, HashMap};
use std::ops::Range;
use std::sync::Arc;

/// The keywords that a name of a definition follows.
const DEFINING: [&str; 10] = [
    "struct", "enum", "union", "trait", "type", "fn", "const", "static", "mod", "let",
];
/// Words that may stand between such a keyword and the name, or in place of a name.
const BEHIND: [&str; 8] = ["fn", "mut", "unsafe", "async", "extern", "impl", "for", "_"];
/// The keywords that begin paths.
const PATH_STARTS: [&str; 4] = ["crate", "self", "Self", "super"];
/// The number of rounds in which the order of items takes into account where else their names stand.
const ROUNDS: usize = 2;
/// Lifetimes that mean the same in each program.
const FIXED_LIFETIMES: [&str; 2] = ["'static", "'_"];

/// Returns the form of a program. Names that the program defines are numbered in the order in which they are met; items at the
/// top level are sorted; comments, the visibility of items and a module around all that is there are left out. All else,
/// such as the names of other crates and literals, is as it was.
///
/// Two programs with the same form are the same program under other names.
#[must_use]
pub fn form(text: &str) -> String {
    let sources = SourceTree::single("form.rs".into(), Arc::from(text));
    let model = Model::new(&sources);
    let cursor = TokenCursor::without_docs(text);
    let mut names: BTreeSet<&str> = model
        .definitions()
        .filter_map(|(def, _)| model.name(def))
        .collect();
    names.extend(names_in_macros(&cursor));
    let words = Words {
        is_defined: |word: &str| names.contains(word),
        cursor: &cursor,
    };
    let items = in_order(items(model.tree(), &cursor), &words);
    let mut numbers = Numbers::default();
    let written = items
        .into_iter()
        .map(|range| words.written(range, &mut numbers));
    written.collect::<Vec<_>>().join("\n")
}

/// Sorts items by what they look like without names. Items that look alike are sorted by where else their names stand, and
/// that of those, as far as this tells them apart.
fn in_order<F: Fn(&str) -> bool>(
    items: Vec<Range<usize>>,
    words: &Words<'_, '_, F>,
) -> Vec<Range<usize>> {
    let written = items.into_iter().map(|range| {
        let mut numbers = Numbers::default();
        let shape = words.written(range.clone(), &mut numbers);
        (shape, numbers.in_order(), range)
    });
    let mut items: Vec<(String, Vec<&str>, Range<usize>)> = written.collect();
    for _ in 0..ROUNDS {
        items.sort_by(|one, other| one.0.cmp(&other.0));
        let mut places: HashMap<&str, Vec<(usize, usize)>> = HashMap::new();
        let mut rank = 0;
        for idx in 0..items.len() {
            if idx > 0 && items[idx].0 != items[idx - 1].0 {
                rank += 1;
            }
            for (number, name) in items[idx].1.iter().enumerate() {
                places.entry(*name).or_default().push((rank, number));
            }
        }
        for (key, names, _) in &mut items {
            let elsewhere: Vec<_> = names.iter().map(|name| &places[name]).collect();
            *key = format!("{key} {elsewhere:?}");
        }
    }
    items.sort_by(|one, other| one.0.cmp(&other.0));
    items.into_iter().map(|(_, _, range)| range).collect()
}

/// Returns the names that the macros of a program define, as far as tokens tell: those of the macros' own parameters, those that
/// follow the keyword of a definition, and those that the program gives to its own macros, but for names of the standard
/// library.
fn names_in_macros<'t>(cursor: &TokenCursor<'t>) -> BTreeSet<&'t str> {
    let mut names = BTreeSet::new();
    let mut macros = BTreeSet::new();
    let mut of_others = BTreeSet::new();
    for at in cursor.indices() {
        let next = at + 1;
        if !cursor.is_name(next) {
            continue;
        }
        let word = cursor.word(next);
        let is_defining =
            DEFINING.contains(&cursor.word(at)) || at > 0 && cursor.are(at - 1, &["let", "mut"]);
        if cursor.is(at, "$") || is_defining && !BEHIND.contains(&word) && !is_external(word) {
            names.insert(word);
        }
        if cursor.is(at, "!") && at > 0 && cursor.is(at - 1, "macro_rules") {
            macros.insert(word);
        }
        if cursor.is(at, "use") && is_external(word) {
            let rest = (next..cursor.len()).take_while(|&at| !cursor.is(at, ";"));
            of_others.extend(rest.map(|at| cursor.word(at)));
        }
    }
    for at in cursor.indices() {
        let is_call = macros.contains(cursor.word(at)) && cursor.is(at + 1, "!");
        let Some(close) = cursor.closing(at + 2).filter(|_| is_call) else {
            continue;
        };
        let given = (at + 3..close).filter(|&at| cursor.is_name(at));
        let given = given.map(|at| cursor.word(at));
        let is_own = |word: &&str| {
            !is_external(word) && !is_primitive_type(word) && !of_others.contains(word)
        };
        let is_word = |word: &str| is_keyword(word) || PATH_STARTS.contains(&word);
        names.extend(given.filter(|word| is_own(word) && !is_word(word)));
    }
    names
}

/// Returns the tokens of each item at the top level. What a module alone has at the top level counts as there.
fn items(tree: &SyntaxTree, cursor: &TokenCursor<'_>) -> Vec<Range<usize>> {
    let lists = tree
        .lists
        .iter()
        .filter(|list| list.kind == ListKind::Items);
    let lists: Vec<Vec<Range<usize>>> = lists
        .map(|list| {
            let elements = list.elements.iter().map(|element| element.range.clone());
            elements.map(|bytes| tokens_in(cursor, &bytes)).collect()
        })
        .collect();
    let whole = std::iter::once(cursor.indices()).collect();
    let mut here = parts(cursor.indices(), &lists).unwrap_or(whole);
    while let [only] = &here[..] {
        let Some(inner) = module(cursor, only).and_then(|inner| parts(inner, &lists)) else {
            break;
        };
        here = inner;
    }
    here
}

/// Cuts tokens into the outermost elements of lists within them, with what stands between these. `None` where there are
/// no elements.
fn parts(within: Range<usize>, lists: &[Vec<Range<usize>>]) -> Option<Vec<Range<usize>>> {
    let is_in =
        |element: &&Range<usize>| within.start <= element.start && element.end <= within.end;
    let first = |list: &&Vec<Range<usize>>| list.first().is_some_and(|one| is_in(&one));
    let outermost = lists
        .iter()
        .filter(first)
        .min_by_key(|list| (list[0].start, usize::MAX - list[list.len() - 1].end))?;
    let mut parts = Vec::new();
    let mut at = within.start;
    for element in outermost {
        parts.extend([at..element.start, element.clone()]);
        at = element.end;
    }
    parts.push(at..within.end);
    parts.retain(|part| !part.is_empty());
    Some(parts)
}

fn tokens_in(cursor: &TokenCursor<'_>, bytes: &Range<usize>) -> Range<usize> {
    let start = cursor.at_byte(bytes.start);
    let ends_within = |idx: &usize| cursor.range(*idx).end <= bytes.end;
    let end = (start..cursor.len()).take_while(ends_within).last();
    start..end.map_or(start, |last| last + 1)
}

/// Returns the tokens in the braces of a module that consists of nothing but these.
fn module(cursor: &TokenCursor<'_>, item: &Range<usize>) -> Option<Range<usize>> {
    let start = after_visibility(cursor, item.start);
    let is_module = cursor.is(start, "mod") && cursor.is_name(start + 1);
    let open = start + 2;
    let close = cursor
        .closing(open)
        .filter(|_| is_module && cursor.is(open, "{"))?;
    (close + 1 == item.end).then_some(open + 1..close)
}

/// Returns the token behind a visibility, or the same one where there is none.
fn after_visibility(cursor: &TokenCursor<'_>, at: usize) -> usize {
    let is_place = |word: &str| matches!(word, "crate" | "self" | "super" | "in");
    match cursor.is(at, "pub") {
        false => at,
        true if cursor.is(at + 1, "(") && is_place(word(cursor, at + 2)) => {
            cursor.closing(at + 1).map_or(at + 1, |close| close + 1)
        }
        true => at + 1,
    }
}

fn word<'t>(cursor: &TokenCursor<'t>, at: usize) -> &'t str {
    match at < cursor.len() {
        true => cursor.word(at),
        false => "",
    }
}

/// The numbers of names, in the order in which these were met.
#[derive(Default)]
struct Numbers<'t> {
    of: HashMap<&'t str, usize>,
}

impl<'t> Numbers<'t> {
    fn of(&mut self, name: &'t str) -> usize {
        let next = self.of.len();
        *self.of.entry(name).or_insert(next)
    }

    /// Returns the names in the order of their numbers.
    fn in_order(self) -> Vec<&'t str> {
        let mut names: Vec<(usize, &str)> =
            self.of.into_iter().map(|(name, idx)| (idx, name)).collect();
        names.sort_unstable();
        names.into_iter().map(|(_, name)| name).collect()
    }
}

/// The tokens of a program, with the names that it defines.
struct Words<'c, 't, F> {
    is_defined: F,
    cursor: &'c TokenCursor<'t>,
}

impl<'t, F: Fn(&str) -> bool> Words<'_, 't, F> {
    /// Writes tokens with numbers in place of names that the program defines.
    fn written(&self, range: Range<usize>, numbers: &mut Numbers<'t>) -> String {
        let cursor = self.cursor;
        let mut written = String::new();
        let mut at = range.start;
        while at < range.end {
            at = after_visibility(cursor, at);
            if at >= range.end {
                break;
            }
            let word = cursor.word(at);
            if !written.is_empty() {
                written.push(' ');
            }
            match self.is_renamed(at, word) {
                // A name cannot have such a mark.
                true => written += &format!("${}", numbers.of(word)),
                false => written += word,
            }
            at += 1;
        }
        written
    }

    fn is_renamed(&self, at: usize, word: &str) -> bool {
        match self.cursor.is_lifetime(at) {
            true => !FIXED_LIFETIMES.contains(&word),
            false => self.cursor.is_name(at) && (self.is_defined)(word),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::form;

    #[track_caller]
    fn check_same(one: &str, other: &str) {
        assert_eq!(form(one), form(other));
    }

    #[track_caller]
    fn check_other(one: &str, other: &str) {
        assert_ne!(form(one), form(other));
    }

    #[test]
    fn names_comments_and_layout_are_left_out() {
        check_same(
            "fn f<'a, T>(x: &'a T) -> u8 { let y = x; 1 }",
            "/// Says.\nfn go<'l, Item>(it: &'l Item)\n-> u8 { let of = it; /* no */ 1 }",
        );
        check_same(
            "struct A { b: B } enum B { C }",
            "struct X { y: Z } enum Z { W }",
        );
    }

    #[test]
    fn names_are_exchanged_one_for_one() {
        check_other(
            "fn f(a: u8, b: u8) { a; b; }",
            "fn f(a: u8, b: u8) { b; a; }",
        );
        check_other("fn f(a: u8) { a; f; }", "fn f(f: u8) { f; f; }");
    }

    #[test]
    fn names_of_others_and_values_count() {
        check_other("fn f(s: String) {}", "fn f(s: u8) {}");
        check_other("const A: u8 = 1;", "const A: u8 = 2;");
        check_other("fn f(s: &'static u8) {}", "fn f<'a>(s: &'a u8) {}");
        check_other(
            "fn f() { g::<u8>(); } fn g<T>() {}",
            "fn f() { g(); } fn g<T>() {}",
        );
        check_other(
            "fn f(s: String) { s.len(); }",
            "fn f(s: String) { s.clear(); }",
        );
    }

    #[test]
    fn the_order_of_items_their_visibility_and_a_module_around_all_are_left_out() {
        check_same(
            "struct A(u8); fn f(a: A) {}",
            "pub(crate) fn g(b: B) {} pub struct B(pub u8);",
        );
        check_same("mod m { pub struct A; fn f() {} }", "fn g() {} struct B;");
        check_other("mod m { struct A; } fn f() {}", "struct A; fn f() {}");
        check_other(
            "fn f() { a(); b(); } fn a() {} fn b() -> u8 { 1 }",
            "fn f() { b(); a(); } fn a() {} fn b() -> u8 { 1 }",
        );
    }

    #[test]
    fn names_in_macros_are_left_out_and_those_of_others_count() {
        let of = |made: &str, unit: &str, value: &str| {
            format!(
                "use std::cell::Cell; macro_rules! {made} {{ (${unit}:ident, $t:ty) => {{ struct ${unit}($t); }} }} {made}!{{{value}}}"
            )
        };
        check_same(
            &of("unit", "name", "Metres, u8"),
            &of("length", "it", "Feet, u8"),
        );
        check_other(
            &of("unit", "name", "Metres, u8"),
            &of("unit", "name", "Metres, u16"),
        );
        check_other(
            &of("unit", "name", "Metres, Cell<u8>"),
            &of("unit", "name", "Metres, Vec<u8>"),
        );
    }

    #[test]
    fn keywords_in_macros_are_no_names() {
        let of = |given: &str| format!("macro_rules! m {{ ($t:tt) => {{ $t }} }} m!{{{given}}}");
        check_same(&of("one"), &of("other"));
        for (one, other) in [("true", "false"), ("Self", "super"), ("while", "unsafe")] {
            check_other(&of(one), &of(other));
            check_other(&of(one), &of("name"));
        }
    }

    #[test]
    fn items_that_look_alike_are_told_apart_by_who_uses_them() {
        check_same(
            "struct A; struct B; impl A { fn f() {} } fn g(b: B) {}",
            "struct B; struct A; impl A { fn f() {} } fn g(b: B) {}",
        );
        check_other(
            "struct A; struct B; impl A { fn f() {} } fn g(b: B) {}",
            "struct B; struct A; impl A { fn f() {} } fn g(b: A) {}",
        );
    }

    #[test]
    fn what_does_not_parse_has_a_form_too() {
        check_same("fn f( { \"x\" ", "fn f( {\n\"x\"");
        check_other("fn f( { 1", "fn f( { 2");
        assert_eq!(form(""), "");
    }

    #[test]
    fn attributes_of_the_crate_stay() {
        check_other("#![feature(a)] fn f() {}", "fn f() {}");
        check_other("#![feature(a)] fn f() {}", "#![feature(b)] fn f() {}");
    }
}
