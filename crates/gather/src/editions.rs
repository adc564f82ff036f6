//! Converts a crate's text to a later edition, so that it can stand as a module in a crate of that edition.
//!
//! Most of it is done on tokens: this reaches what macros are given and what they expand to, and works
//! on text that syn does not parse, as it knows the current grammar only. What needs types, such as
//! temporaries that live shorter or patterns that bind otherwise, is left as it is.

mod anonymous_parameters;
mod fragments;
mod reserved;
mod root_paths;
mod trait_objects;
mod unsafe_markers;

use std::fmt;
use std::str::FromStr;

/// A Rust edition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Edition {
    /// Edition 2015, which a package has that names no edition.
    E2015,
    /// Edition 2018, since which a path may begin with the name of a crate.
    E2018,
    /// Edition 2021, since which trait objects have to be written with `dyn`.
    E2021,
    /// Edition 2024, since which `extern` blocks and attributes such as `no_mangle` have to be marked as `unsafe`.
    E2024,
}

/// The error that a text is the name of no edition.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown edition `{0}`")]
pub struct UnknownEdition(String);

/// Converts a crate's text from one edition to a later one, such that its meaning stays. Modules have to be inlined: what stands
/// at the root of the text is taken for what the crate's root has.
///
/// Returns `None` if `to` is before `from`.
#[must_use]
pub fn in_edition(text: &str, from: Edition, to: Edition) -> Option<String> {
    if to < from {
        return None;
    }
    let text = text.to_owned();
    let text = since(Edition::E2018, from, to, text, to_2018);
    let text = since(Edition::E2021, from, to, text, to_2021);
    Some(since(Edition::E2024, from, to, text, to_2024))
}

/// Rewrites old syntax that syn cannot parse (`Box<Fn(u8)>`, `fn f(u8);`, names such as `async`) in a form that means the same in
/// the text's own edition. What [`in_edition`] does after it is the same as without it.
#[must_use]
pub fn in_current_grammar(text: &str, from: Edition) -> String {
    let text = text.to_owned();
    let text = since(Edition::E2018, from, Edition::E2024, text, with_old_names);
    let with_dyn = trait_objects::with_dyn_for_closures;
    since(Edition::E2021, from, Edition::E2024, text, with_dyn)
}

/// Applies `convert` to a text if `edition` is later than `from` and not later than `to`.
fn since(
    edition: Edition,
    from: Edition,
    to: Edition,
    text: String,
    convert: impl Fn(&str) -> String,
) -> String {
    if from < edition && edition <= to {
        convert(&text)
    } else {
        text
    }
}

fn to_2018(text: &str) -> String {
    let text = with_old_names(text);
    let text = root_paths::from_crate(&text);
    trait_objects::with_dyn(&text)
}

/// Writes new keywords as raw names, and names the parameters that have no name.
fn with_old_names(text: &str) -> String {
    let text = reserved::separate(text);
    let text = reserved::in_raw_form(&text, reserved::KEYWORDS_OF_2018);
    anonymous_parameters::named(&text)
}

fn to_2021(text: &str) -> String {
    let text = reserved::separate(text);
    let text = trait_objects::with_dyn(&text);
    let text = fragments::inclusive_ranges(&text);
    fragments::renamed(&text, "pat", "pat_param")
}

fn to_2024(text: &str) -> String {
    let text = reserved::separate(text);
    let text = reserved::in_raw_form(&text, reserved::KEYWORDS_OF_2024);
    let text = fragments::renamed(&text, "expr", "expr_2021");
    unsafe_markers::added(&text)
}

impl fmt::Display for Edition {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::E2015 => "2015",
            Self::E2018 => "2018",
            Self::E2021 => "2021",
            Self::E2024 => "2024",
        })
    }
}

impl FromStr for Edition {
    type Err = UnknownEdition;

    fn from_str(text: &str) -> Result<Self, UnknownEdition> {
        let all = [Self::E2015, Self::E2018, Self::E2021, Self::E2024];
        let named = all.into_iter().find(|edition| edition.to_string() == text);
        named.ok_or_else(|| UnknownEdition(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use reduce_syntax::spaced;

    #[track_caller]
    fn check(from: &str, to: &str, before: &str, after: &str) {
        let edition = |name: &str| Edition::from_str(name).expect("an edition");
        let converted = in_edition(before, edition(from), edition(to)).expect("a later edition");
        assert_eq!(spaced(&converted), spaced(after));
    }

    #[test]
    fn editions_are_named_by_their_year() {
        assert_eq!("2021".parse(), Ok(Edition::E2021));
        assert_eq!(Edition::E2024.to_string(), "2024");
        assert!("2027".parse::<Edition>().is_err());
        assert!(Edition::E2015 < Edition::E2018);
    }

    #[test]
    fn there_is_no_way_back() {
        assert_eq!(in_edition("", Edition::E2021, Edition::E2018), None);
    }

    #[test]
    fn a_text_in_its_own_edition_stays_as_it_is() {
        let text = "use a :: b; // Box<Trait>\n";
        let same = in_edition(text, Edition::E2015, Edition::E2015);
        assert_eq!(same.as_deref(), Some(text));
    }

    #[test]
    fn all_steps_between_two_editions_are_made() {
        let before = "mod a { pub trait T { fn f(u8); } pub fn gen(_: Box<T>) {} } use a::gen; \
                      extern { fn async(); } fn g(x: u8) { match x { 0...9 => (), _ => () } }";
        let after_2018 = "mod a { pub trait T { fn f(_: u8); } pub fn gen(_: Box<dyn T>) {} } \
                          use crate::a::gen; extern { fn r#async(); } \
                          fn g(x: u8) { match x { 0...9 => (), _ => () } }";
        check("2015", "2018", before, after_2018);
        let after_2024 = "mod a { pub trait T { fn f(_: u8); } pub fn r#gen(_: Box<dyn T>) {} } \
                          use crate::a::r#gen; unsafe extern { fn r#async(); } \
                          fn g(x: u8) { match x { 0..=9 => (), _ => () } }";
        check("2015", "2024", before, after_2024);
        check("2018", "2024", after_2018, after_2024);
    }

    #[test]
    fn what_comes_of_a_conversion_stays_in_a_second_one() {
        let text = "use crate::a::r#gen; fn f(_: Box<dyn T>) { r#try!(x) } trait T {}";
        check("2015", "2024", text, text);
    }

    #[test]
    fn old_grammar_can_be_parsed() {
        let text = "trait T { fn f(&self, Box<Fn(u8)>) -> &Fn(); } fn async() { try!(a) }";
        let parsable = in_current_grammar(text, Edition::E2015);
        assert!(!reduce_syntax::is_parsable(text) && reduce_syntax::is_parsable(&parsable));
        let same = in_current_grammar(text, Edition::E2021);
        assert_eq!(same, text);
    }

    #[test]
    fn text_that_nothing_parses_is_converted_as_far_as_it_has_tokens() {
        check(
            "2015",
            "2021",
            "use a::b; fn fn ) \"open",
            "use crate::a::b; fn fn ) \"open",
        );
        check("2015", "2024", "\u{feff}#!/bin/x\n", "\u{feff}#!/bin/x\n");
    }

    #[test]
    fn no_text_is_too_odd() {
        let text = "#![a] use ::{a, b}; trait T { fn f(&Fn(u8), $x); } m!(c\"a\" #\"b\"# ##) \
                    extern { } pub(in x) fn g(_: Box<T + 'a>) { match 1 { 0...9 => ::a() } }";
        for cut in 0..text.len() {
            let (head, tail) = text.split_at(cut);
            for part in [head.to_owned(), tail.to_owned(), format!("{tail}{head}")] {
                let converted = in_edition(&part, Edition::E2015, Edition::E2024);
                assert!(converted.is_some_and(|converted| converted.len() >= part.len() / 2));
            }
        }
    }
}
