//! Macros that choose between branches: `cfg_if!` of the crate of that name, std's `cfg_select!`, and
//! `cfg!`, which chooses between `true` and `false`.

use super::Configuration;
use proc_macro2::{Delimiter, Group, TokenTree};
use reduce_syntax::{bytes_inside, bytes_of_trees, is_punct, split_trees_by_commas};
use std::ops::Range;
use syn::{Macro, Path};

/// What a macro call becomes.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Choice {
    /// What stands in a range, relative to the parsed text. It may be empty.
    Branch(Range<usize>),
    /// `true` or `false`.
    Value(bool),
}

/// The branch that is taken. `None` if the macro is another one, or a predicate before the branch is
/// not understood.
pub(super) fn choice(call: &Macro, configuration: &Configuration) -> Option<Choice> {
    let name = call.path.segments.last()?.ident.to_string();
    let tokens: Vec<TokenTree> = match name.as_str() {
        "cfg" | "cfg_if" | "cfg_select" => call.tokens.clone().into_iter().collect(),
        _ => return None,
    };
    match name.as_str() {
        "cfg" if is_of_std(&call.path) => {
            let predicate = split_trees_by_commas(&tokens);
            let [predicate] = predicate.as_slice() else {
                return None;
            };
            configuration.decide(predicate).map(Choice::Value)
        }
        "cfg_if" => of_ifs(&tokens, configuration).map(Choice::Branch),
        "cfg_select" => of_arms(&tokens, configuration).map(Choice::Branch),
        _ => None,
    }
}

fn is_of_std(path: &Path) -> bool {
    let first = path.segments.first();
    path.segments.len() == 1
        || first.is_some_and(|first| first.ident == "core" || first.ident == "std")
}

/// `if #[cfg(..)] { .. } else if #[cfg(..)] { .. } else { .. }`
fn of_ifs(mut tokens: &[TokenTree], configuration: &Configuration) -> Option<Range<usize>> {
    loop {
        let (is_on, branch, rest) = match tokens {
            [
                TokenTree::Ident(word),
                TokenTree::Punct(pound),
                TokenTree::Group(attribute),
                TokenTree::Group(branch),
                rest @ ..,
            ] if word == "if" && pound.as_char() == '#' => (
                configuration.decide(&predicate_of(attribute)?)?,
                branch,
                rest,
            ),
            [TokenTree::Group(branch)] => (true, branch, &[][..]),
            _ => return None,
        };
        if branch.delimiter() != Delimiter::Brace {
            return None;
        }
        tokens = match rest {
            _ if is_on => return Some(bytes_inside(branch)),
            [] => return Some(bytes_inside(branch).start..bytes_inside(branch).start),
            [TokenTree::Ident(word), rest @ ..] if word == "else" => rest,
            _ => return None,
        };
    }
}

/// The predicate of `[cfg(..)]`.
fn predicate_of(attribute: &Group) -> Option<Vec<TokenTree>> {
    let tokens: Vec<TokenTree> = attribute.stream().into_iter().collect();
    match tokens.as_slice() {
        [TokenTree::Ident(name), TokenTree::Group(predicate)] if name == "cfg" => {
            let predicate: Vec<TokenTree> = predicate.stream().into_iter().collect();
            match split_trees_by_commas(&predicate).as_slice() {
                [only] => Some(only.to_vec()),
                _ => None,
            }
        }
        _ => None,
    }
}

/// `unix => { .. } windows => value, _ => { .. }`
fn of_arms(mut tokens: &[TokenTree], configuration: &Configuration) -> Option<Range<usize>> {
    loop {
        let arrow = tokens.windows(2).position(is_arrow)?;
        let (predicate, rest) = (tokens.get(..arrow)?, tokens.get(arrow + 2..)?);
        let is_on = match predicate {
            [TokenTree::Ident(any)] if any == "_" => true,
            predicate => configuration.decide(predicate)?,
        };
        let (branch, after) = arm_body(rest)?;
        if is_on {
            return Some(branch);
        }
        tokens = after;
    }
}

/// What an arm's value is, and what follows the arm.
fn arm_body(tokens: &[TokenTree]) -> Option<(Range<usize>, &[TokenTree])> {
    if let [TokenTree::Group(braced), rest @ ..] = tokens
        && braced.delimiter() == Delimiter::Brace
    {
        let after = match rest {
            [comma, after @ ..] if is_punct(comma, ',') => after,
            _ => rest,
        };
        return Some((bytes_inside(braced), after));
    }
    let comma = tokens.iter().position(|token| is_punct(token, ','));
    let value = tokens.get(..comma.unwrap_or(tokens.len()))?;
    let range = bytes_of_trees(value)?;
    let after = comma.and_then(|comma| tokens.get(comma + 1..));
    Some((range, after.unwrap_or_default()))
}

fn is_arrow(pair: &[TokenTree]) -> bool {
    matches!(pair, [first, second] if is_punct(first, '=') && is_punct(second, '>'))
}
