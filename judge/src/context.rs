//! In what context a name stands, as far as its neighbours tell: for people who look for a class of names
//! that the model should know.

use crate::compare::Subject;
use crate::meaning::{Meaning, Place};
use crate::text::{CrateText, Piece};
use reduce_syntax::FileId;
use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

/// The bodies of macros and the arguments of calls of macros.
pub struct Contexts {
    macros: HashMap<FileId, Vec<(Range<usize>, &'static str)>>,
}

impl Contexts {
    pub fn new(text: &CrateText<'_>) -> Self {
        let files = text.sources().files();
        let macros = files.map(|(file, _, _)| (file, macros(text.tokens_from(file, 0))));
        Self {
            macros: macros.collect(),
        }
    }

    /// A class for a name: how it is written, and what it means.
    pub fn describe(
        &self,
        text: &CrateText<'_>,
        place: Place,
        subject: Subject,
        meant: &BTreeSet<Meaning>,
    ) -> String {
        let within = self.macros.get(&place.file).into_iter().flatten();
        let mut within = within.filter(|(range, _)| range.contains(&place.at));
        let within = within.next_back().map_or("", |(_, within)| within);
        let target = match subject {
            Subject::Outside => "outside".to_owned(),
            Subject::Unplaced => "made by a macro".to_owned(),
            Subject::Definition => "a definition".to_owned(),
            Subject::Inside | Subject::Member => targets(text, meant),
        };
        format!("{}{within} -> {target}", manner(text, place))
    }
}

fn targets(text: &CrateText<'_>, meant: &BTreeSet<Meaning>) -> String {
    let targets = meant.iter().filter_map(|meaning| match meaning {
        Meaning::Inside(place) => Some(keyword(text, *place)),
        _ => None,
    });
    let targets: BTreeSet<_> = targets.collect();
    targets.into_iter().collect::<Vec<_>>().join("/")
}

/// What stands before the name of a definition.
fn keyword(text: &CrateText<'_>, place: Place) -> &'static str {
    const KEYWORDS: [&str; 11] = [
        "fn", "struct", "enum", "union", "trait", "mod", "const", "static", "type", "let", "!",
    ];
    let tokens = text.tokens_before(place.file, place.at);
    let before = tokens.last().map_or("", |piece| piece.text);
    let keyword = KEYWORDS.iter().find(|&&keyword| keyword == before);
    keyword
        .copied()
        .unwrap_or("field, variant, variable or parameter")
}

fn manner(text: &CrateText<'_>, place: Place) -> &'static str {
    let tokens = text.tokens_before(place.file, place.at);
    let before = tokens.last().map_or("", |piece| piece.text);
    let after = text.tokens_from(place.file, place.at);
    let after = after.get(1).map_or("", |piece| piece.text);
    match (before, after) {
        _ if text.name(place).starts_with('\'') => "lifetime",
        (".", "(" | "::") => "method",
        (".", _) => "field",
        (_, "!") => "macro",
        ("::", "::") => "middle of a path",
        ("::", _) => "end of a path",
        (_, "::") => "beginning of a path",
        ("$", _) => "fragment",
        _ => "name",
    }
}

/// The ranges of macros' bodies and of calls' arguments, outer ones first.
fn macros(tokens: &[Piece<'_>]) -> Vec<(Range<usize>, &'static str)> {
    let mut macros = Vec::new();
    for (idx, window) in tokens.windows(3).enumerate() {
        if window[1].text != "!" || !is_word(window[0].text) {
            continue;
        }
        let is_definition = window[0].text == "macro_rules";
        let open = idx + 2 + usize::from(is_definition);
        let within = [" in a macro call", " in a macro's body"][usize::from(is_definition)];
        if let Some(end) = end_of_group(&tokens[open.min(tokens.len())..]) {
            macros.push((tokens[open].at..end, within));
        }
    }
    macros
}

fn is_word(text: &str) -> bool {
    text.starts_with(|first: char| first == '_' || first.is_alphabetic())
}

fn end_of_group(tokens: &[Piece<'_>]) -> Option<usize> {
    let mut depth = 0;
    for piece in tokens {
        match piece.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return (piece.text != "=")
                .then_some(piece.at)
                .filter(|_| piece.at != tokens[0].at);
        }
    }
    None
}
