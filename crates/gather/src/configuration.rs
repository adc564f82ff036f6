//! Removes from a file what conditional compilation turns off: by `#[cfg(..)]`, `#[cfg_attr(..)]`, `cfg!(..)`, and the macros
//! that choose between branches. A crate that is put into another one is compiled with that one's flags, so what its own flags
//! decided has to be decided in its text.
//!
//! `attributes` says what an attribute turns on or off, `branches` which branch of a macro is taken,
//! `visit` turns both into edits of a file. `macros` decides predicates at places that are the compiler's.

mod attributes;
mod branches;
mod macros;
mod visit;

pub(crate) use attributes::is_conditional;
pub use macros::decided_in_macros;

use crate::rewriting::with_replaced;
use proc_macro2::{TokenStream, TokenTree};
use reduce_syntax::{Parsed, split_trees_by_commas};
use std::collections::BTreeSet;
use std::ops::Range;
use syn::ext::IdentExt;
use syn::{Expr, Ident, Lit, Meta};

/// The deepest nesting of a `cfg` predicate that is evaluated; a deeper one counts as not understood.
const DEEPEST: usize = 64;

/// The values by which `cfg` predicates are decided.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Configuration {
    /// The `cfg` names that are set without a value, such as `unix`.
    names: BTreeSet<String>,
    /// The `cfg` names that are set to a value, each with that value: `target_os="linux"`. Some have several.
    values: BTreeSet<(String, String)>,
    /// The only `cfg` names that this configuration decides; `None` if it decides all but the open ones.
    decided: Option<BTreeSet<String>>,
    /// The `cfg` names that this configuration does not decide, so that conditions on them stay for the compiler.
    open: BTreeSet<String>,
}

impl Configuration {
    /// Reads the lines that `rustc --print cfg` prints: `unix`, `target_os="linux"`; also the arguments of
    /// `--cfg`.
    pub fn from_lines<'l>(lines: impl IntoIterator<Item = &'l str>) -> Self {
        let mut configuration = Self::default();
        for line in lines.into_iter().map(str::trim) {
            if let Some((name, value)) = line.split_once('=') {
                let pair = (without_raw(name), unquoted(value));
                configuration.values.insert(pair);
            } else if !line.is_empty() {
                configuration.names.insert(without_raw(line));
            }
        }
        configuration
    }

    /// Leaves conditions on these `cfg` names undecided, so that they stay for the compiler.
    #[must_use]
    pub fn leaving_open<'n>(mut self, names: impl IntoIterator<Item = &'n str>) -> Self {
        self.open.extend(names.into_iter().map(str::to_owned));
        self
    }

    /// Leaves conditions on all `cfg` names but these undecided, so that they stay for the compiler.
    pub(crate) fn deciding_only<'n>(mut self, names: impl IntoIterator<Item = &'n str>) -> Self {
        self.decided = Some(names.into_iter().map(str::to_owned).collect());
        self
    }

    fn decides(&self, name: &str) -> bool {
        let is_decided = self
            .decided
            .as_ref()
            .is_none_or(|names| names.contains(name));
        is_decided && !self.open.contains(name)
    }

    /// Returns whether a predicate, such as `unix` in `#[cfg(unix)]`, holds. `None` if it is not understood, or depends on
    /// something that is not.
    #[must_use]
    pub fn is_on(&self, predicate: &Meta) -> Option<bool> {
        self.is_meta_on(predicate, 0)
    }

    fn is_meta_on(&self, predicate: &Meta, depth: usize) -> Option<bool> {
        let name = predicate.path().get_ident()?;
        let is_name = !matches!(predicate, Meta::List(_));
        if is_name && !self.decides(&name.unraw().to_string()) {
            return None;
        }
        match predicate {
            Meta::Path(_) => Some(self.names.contains(&name.unraw().to_string())),
            Meta::NameValue(pair) => self.has_value(name, &pair.value),
            Meta::List(list) if depth < DEEPEST => {
                let tokens: Vec<TokenTree> = list.tokens.clone().into_iter().collect();
                let decide = |operand| self.decide_at(operand, depth + 1);
                let operands: Vec<_> = split_trees_by_commas(&tokens)
                    .into_iter()
                    .map(decide)
                    .collect();
                combined(&name.to_string(), &operands)
            }
            Meta::List(_) => None,
        }
    }

    /// Decides a `cfg` predicate from its tokens, as syn has no tree for the predicate `true`.
    fn decide(&self, predicate: &[TokenTree]) -> Option<bool> {
        self.decide_at(predicate, 0)
    }

    /// Decides a `cfg` predicate from its text.
    fn decide_text(&self, predicate: &str) -> Option<bool> {
        let tokens: TokenStream = predicate.parse().ok()?;
        self.decide(&tokens.into_iter().collect::<Vec<TokenTree>>())
    }

    fn decide_at(&self, predicate: &[TokenTree], depth: usize) -> Option<bool> {
        if let [TokenTree::Ident(name)] = predicate {
            match name.to_string().as_str() {
                "true" => return Some(true),
                "false" => return Some(false),
                _ => {}
            }
        }
        let tokens: TokenStream = predicate.iter().cloned().collect();
        let meta: Meta = syn::parse2(tokens).ok()?;
        self.is_meta_on(&meta, depth)
    }

    fn has_value(&self, name: &Ident, value: &Expr) -> Option<bool> {
        let Expr::Lit(literal) = value else {
            return None;
        };
        let Lit::Str(value) = &literal.lit else {
            return None;
        };
        let pair = (name.unraw().to_string(), value.value());
        Some(self.values.contains(&pair))
    }

    /// Returns whether `cfg(test)` is on or undecided.
    fn is_of_tests(&self) -> bool {
        self.names.contains("test") || !self.decides("test")
    }
}

/// Returns a file's text without what the configuration turns off, and without the `cfg` attributes of what it turns on. What is
/// not understood stays as it is; so does a text that does not parse.
#[must_use]
pub fn configured(text: &str, configuration: &Configuration) -> String {
    configured_by(text, configuration, with_replaced)
}

/// Configures a text as [`configured`] does, but the rest keeps its place: blanks stand where something went. The judge of the
/// model compares places with those of the compiler.
#[must_use]
pub fn configured_in_place(text: &str, configuration: &Configuration) -> String {
    configured_by(text, configuration, with_blanks)
}

/// Edits of a text.
type Replaced = Vec<(Range<usize>, String)>;

fn configured_by(
    text: &str,
    configuration: &Configuration,
    edited: fn(&str, Replaced) -> String,
) -> String {
    let mut text = text.to_owned();
    // Each round takes out a macro call around its branch, so there is a last one.
    while let Some((next, is_done)) = configured_once(&text, configuration, edited) {
        text = next;
        if is_done {
            break;
        }
    }
    text
}

/// Returns the text after one round of removals, and whether this was the last round. `None` if there is nothing to do, or if a
/// bracket has no partner, as nobody knows then where what is off ends.
fn configured_once(
    text: &str,
    configuration: &Configuration,
    edited: fn(&str, Replaced) -> String,
) -> Option<(String, bool)> {
    let parsed = Parsed::new(text);
    let file = parsed.file().filter(|_| parsed.has_matching_brackets())?;
    match visit::edits_of(file, text, configuration) {
        visit::Outcome::Off => {
            let whole = (0..text.len(), String::new());
            Some((edited(text, vec![whole]), true))
        }
        visit::Outcome::Edits { replaced, .. } if replaced.is_empty() => None,
        visit::Outcome::Edits { replaced, is_done } => Some((edited(text, replaced), is_done)),
    }
}

/// Returns the text with others and blanks in place of what stands in these ranges. What is longer than its
/// range is left out. Of ranges that contain each other the outermost counts.
fn with_blanks(text: &str, mut replaced: Replaced) -> String {
    replaced.sort_by_key(|(range, _)| range.len());
    let mut bytes = text.as_bytes().to_vec();
    for (range, by) in replaced {
        let fits = by.len() <= range.len();
        let mut by = by.bytes().filter(|&byte| fits && byte != b'\n');
        for byte in bytes[range].iter_mut().filter(|byte| **byte != b'\n') {
            *byte = by.next().unwrap_or(b' ');
        }
    }
    String::from_utf8(bytes).expect("whole characters are replaced by whole characters")
}

/// Combines the operands of a predicate by its operator. Some of them may be enough.
fn combined(operator: &str, operands: &[Option<bool>]) -> Option<bool> {
    let unless = |enough: bool| {
        if operands.contains(&Some(enough)) {
            return Some(enough);
        }
        (!operands.contains(&None)).then_some(!enough)
    };
    match (operator, operands) {
        ("all", _) => unless(false),
        ("any", _) => unless(true),
        ("not", [operand]) => operand.map(|is_on| !is_on),
        _ => None,
    }
}

fn without_raw(name: &str) -> String {
    let name = name.trim();
    name.strip_prefix("r#").unwrap_or(name).to_owned()
}

fn unquoted(value: &str) -> String {
    let value = value.trim();
    let inside = value
        .strip_prefix('"')
        .and_then(|rest| rest.strip_suffix('"'));
    inside
        .unwrap_or(value)
        .replace("\\\"", "\"")
        .replace("\\\\", "\\")
}

#[cfg(test)]
mod tests;
