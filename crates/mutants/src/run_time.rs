//! Turns `const` functions into ordinary ones, so that any compiler permits switches in them.
//!
//! Where a part of the code under test has become a part of the program, that is compiled as the test is called, and
//! then a `const fn` has no switch. Nobody would see that a call of it has gone, or what it does. Most of them are
//! called by nothing that the compiler evaluates.

use reduce_syntax::{
    ConstFunction, Constants, FileId, ParsedFiles, SourceTree, TokenCursor, names, parse_files,
};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Returns the names in code that the compiler evaluates whatever runs: in the values of constants, and in macros that may define
/// some.
#[must_use]
pub fn names_in_constants(sources: &SourceTree) -> BTreeSet<String> {
    let parsed = parse_files(sources);
    let mut found = BTreeSet::new();
    for (file, constants) in constants_of(&parsed) {
        let text = sources.text(file);
        let macros = constants.macros.iter();
        let macros = macros.filter(|range| may_define_constants(&text[(*range).clone()]));
        for range in constants.values.iter().chain(macros) {
            found.extend(names(&text[range.clone()]).map(str::to_owned));
        }
    }
    found
}

/// Removes `const` from the functions that none of these names leads to. Each byte of the rest stays where it is.
///
/// That is a guess, as macros may name others: whoever uses it has to see whether it compiles.
#[must_use]
pub fn without_const(sources: &SourceTree, mut named: BTreeSet<String>) -> SourceTree {
    let parsed = parse_files(sources);
    let all = constants_of(&parsed).into_iter();
    let functions = all.flat_map(|(file, constants)| {
        let functions = constants.functions.into_iter();
        functions.map(move |one| (file, one))
    });
    let mut plain: Vec<_> = functions.collect();
    // A function that is named in one that stays `const` has to stay `const` too.
    loop {
        let is_named = |(_, one): &(FileId, ConstFunction)| named.contains(&one.name);
        let (stay, others): (Vec<_>, Vec<_>) = plain.into_iter().partition(is_named);
        plain = others;
        if stay.is_empty() {
            break;
        }
        for (file, one) in stay {
            let body = &sources.text(file)[one.body];
            named.extend(names(body).map(str::to_owned));
        }
    }
    let mut result = sources.clone();
    for (file, one) in plain {
        let mut text = result.text(file).to_owned();
        text.replace_range(one.keyword.clone(), &" ".repeat(one.keyword.len()));
        result.set_text(file, Arc::from(text));
    }
    result
}

fn constants_of(parsed: &ParsedFiles) -> Vec<(FileId, Constants)> {
    let files = parsed.iter();
    let files = files.filter_map(|(&file, one)| Some((file, Constants::of(one.file()?))));
    files.collect()
}

fn may_define_constants(text: &str) -> bool {
    let cursor = TokenCursor::new(text);
    cursor
        .words()
        .any(|word| matches!(word, "const" | "static"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use camino::Utf8PathBuf;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let sources = SourceTree::single(Utf8PathBuf::from("src/lib.rs"), text.into());
        let plain = without_const(&sources, names_in_constants(&sources));
        assert_eq!(plain.text(plain.root()), expected);
    }

    #[test]
    fn what_no_constant_leads_to_is_ordinary() {
        check(
            "impl S { pub const fn f() {} const unsafe fn g() {} }",
            "impl S { pub       fn f() {}       unsafe fn g() {} }",
        );
    }

    #[test]
    fn what_a_constant_leads_to_stays() {
        check(
            "static A: [u8; 1] = [S::f(1)]; const fn f(a: u8) -> u8 { g(a) } const fn g(a: u8) -> u8 { a } const fn h() {}",
            "static A: [u8; 1] = [S::f(1)]; const fn f(a: u8) -> u8 { g(a) } const fn g(a: u8) -> u8 { a }       fn h() {}",
        );
        let text = "fn f(a: [u8; n()]) {} const fn n() -> usize { 1 }";
        check(text, text);
        let text = "m! { static A: u8 = f(); } const fn f() -> u8 { 1 }";
        check(text, text);
        check("m! { f() } const fn f() {}", "m! { f() }       fn f() {}");
    }
}
