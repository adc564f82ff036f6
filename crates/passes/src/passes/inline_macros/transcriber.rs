//! Writes what stands for a macro call: the body of the rule that takes its arguments, with the variables filled in, and
//! with the calls of the same macro in it expanded in turn.

use super::matcher::{Binding, Bindings, matches};
use super::rules::{Piece, Repeat, Rule, inside, names};
use super::stringified::with_texts;
use crate::precedence::is_tight;
use proc_macro2::{Delimiter, Group, Spacing, TokenTree};
use reduce_syntax::is_punct;
use std::cell::Cell;

/// The most levels in which a macro may call itself: one that does so more often is not inlined.
const MAX_DEPTH: usize = 100;

/// The most token trees of an expansion: one with more is not worth anything.
pub(super) const MAX_TREES: usize = 20_000;

/// A macro's name and rules.
pub(super) struct Expander<'m> {
    pub(super) name: &'m str,
    pub(super) rules: &'m [Rule],
    /// The number of token trees that may still be written.
    pub(super) n_left: Cell<usize>,
}

impl Expander<'_> {
    /// Returns the expansion of a call of the macro, in which calls of the same macro are expanded too. `None` if no
    /// rule takes it, or if it is not understood.
    pub(super) fn expand(&self, arguments: &[TokenTree], depth: usize) -> Option<Vec<TokenTree>> {
        if depth > MAX_DEPTH {
            return None;
        }
        self.calls_in(&self.transcribed(arguments)?, depth)
    }

    /// Returns the expansion of a call by the first rule that takes its arguments; calls of the macro in it stay.
    /// `None` as before.
    pub(super) fn transcribed(&self, arguments: &[TokenTree]) -> Option<Vec<TokenTree>> {
        let taken = |rule| Some((rule, matches(rule, arguments)?));
        let (rule, bindings): (&Rule, Bindings) = self.rules.iter().find_map(taken)?;
        let mut result = Vec::new();
        transcribe(&rule.body, &bindings, &mut result)?;
        let n_trees = result.iter().map(size).sum::<usize>() + arguments.len();
        self.n_left.set(self.n_left.get().checked_sub(n_trees)?);
        Some(result)
    }

    /// Expands the calls of the macro in its own expansion.
    fn calls_in(&self, trees: &[TokenTree], depth: usize) -> Option<Vec<TokenTree>> {
        let mut found = Vec::with_capacity(trees.len());
        let mut rest = trees;
        while let Some((first, after)) = rest.split_first() {
            rest = after;
            match (first, after) {
                (TokenTree::Ident(name), [bang, TokenTree::Group(group), after @ ..])
                    if name == self.name && is_punct(bang, '!') =>
                {
                    let is_braced = group.delimiter() == Delimiter::Brace;
                    let expansion = self.expand(&inside(group), depth + 1)?;
                    rest = after;
                    let ends = expansion.last().is_some_and(ends_item);
                    if !is_braced && ends && rest.first().is_some_and(|one| is_punct(one, ';')) {
                        rest = rest.get(1..)?;
                    }
                    leave_path_out(&mut found);
                    found.extend(expansion);
                }
                (TokenTree::Group(group), _) => {
                    let inner = self.calls_in(&inside(group), depth)?;
                    found.push(regroup(group.delimiter(), inner));
                }
                _ => found.push(first.clone()),
            }
            if found.len() > MAX_TREES {
                return None;
            }
        }
        Some(found)
    }
}

fn size(tree: &TokenTree) -> usize {
    match tree {
        TokenTree::Group(group) => {
            1 + group
                .stream()
                .into_iter()
                .map(|one| size(&one))
                .sum::<usize>()
        }
        _ => 1,
    }
}

/// Whether no semicolon may follow a token tree, or none needs to.
pub(super) fn ends_item(tree: &TokenTree) -> bool {
    let is_block = |group: &Group| group.delimiter() == Delimiter::Brace;
    is_punct(tree, ';') || matches!(tree, TokenTree::Group(group) if is_block(group))
}

/// Removes the path before the name of a called macro, such as `crate::`.
fn leave_path_out(before: &mut Vec<TokenTree>) {
    while let [.., first, second] = before.as_slice()
        && is_punct(first, ':')
        && is_punct(second, ':')
    {
        before.truncate(before.len() - 2);
        before.pop_if(|one| matches!(one, TokenTree::Ident(_)));
    }
}

fn regroup(delimiter: Delimiter, inner: Vec<TokenTree>) -> TokenTree {
    TokenTree::Group(Group::new(delimiter, inner.into_iter().collect()))
}

/// Fills in the variables in the body of a macro's rule.
fn transcribe(body: &[Piece], bindings: &Bindings, found: &mut Vec<TokenTree>) -> Option<()> {
    for piece in body {
        if found.len() > MAX_TREES {
            return None;
        }
        match piece {
            Piece::Token(token) => found.push(token.clone()),
            Piece::Group(delimiter, body) => {
                let mut inner = Vec::new();
                transcribe(body, bindings, &mut inner)?;
                found.push(regroup(*delimiter, inner));
            }
            Piece::Variable(name, _) => match bindings.get(name)? {
                Binding::Tokens(tokens) => found.extend(tokens.iter().cloned()),
                Binding::Rounds(_) => return None,
            },
            Piece::Repeat(repeat) => transcribe_rounds(repeat, bindings, found)?,
        }
    }
    Some(())
}

fn transcribe_rounds(
    repeat: &Repeat,
    bindings: &Bindings,
    found: &mut Vec<TokenTree>,
) -> Option<()> {
    let names = names(&repeat.pieces);
    let bound = names
        .into_iter()
        .filter_map(|name| bindings.get_key_value(name));
    let n_rounds = bound.clone().find_map(|(_, binding)| match binding {
        Binding::Rounds(rounds) => Some(rounds.len()),
        Binding::Tokens(_) => None,
    })?;
    for round in 0..n_rounds {
        let of_round = bound.clone().map(|(name, binding)| {
            let one = match binding {
                Binding::Rounds(rounds) => rounds.get(round)?,
                tokens => tokens,
            };
            Some((name.clone(), one.clone()))
        });
        let of_round: Bindings = of_round.collect::<Option<_>>()?;
        if round > 0 {
            found.extend(repeat.separator.iter().cloned());
        }
        transcribe(&repeat.pieces, &of_round, found)?;
    }
    Some(())
}

/// Writes token trees as text, without documentation, which would be written as attributes, and with what
/// `stringify!` makes. Expressions that were filled in have parentheses unless they stand alone.
pub(super) fn print(trees: &[TokenTree]) -> String {
    let mut text = String::new();
    let mut is_joint = true;
    let trees = with_texts(&without_docs(trees));
    for (idx, tree) in trees.iter().enumerate() {
        if !is_joint {
            text.push(' ');
        }
        is_joint = matches!(tree, TokenTree::Punct(one) if one.spacing() == Spacing::Joint);
        match tree {
            TokenTree::Group(group) => {
                let neighbour = |idx: usize| trees.get(idx);
                let before = idx.checked_sub(1).and_then(neighbour);
                let is_alone = is_border(before) && is_border(neighbour(idx + 1));
                let (open, close) = brackets(group, is_alone);
                text.push_str(open);
                text.push_str(&print(&inside(group)));
                text.push_str(close);
            }
            other => text.push_str(&other.to_string()),
        }
    }
    text
}

fn without_docs(trees: &[TokenTree]) -> Vec<TokenTree> {
    let mut found = Vec::with_capacity(trees.len());
    let mut rest = trees;
    while let Some((first, after)) = rest.split_first() {
        rest = match after {
            [attribute, after @ ..] if is_punct(first, '#') && is_doc(attribute) => after,
            [bang, attribute, after @ ..]
                if is_punct(first, '#') && is_punct(bang, '!') && is_doc(attribute) =>
            {
                after
            }
            _ => {
                found.push(first.clone());
                after
            }
        };
    }
    found
}

/// Whether a token tree is `[doc = ..]`.
fn is_doc(tree: &TokenTree) -> bool {
    let TokenTree::Group(group) = tree else {
        return false;
    };
    let is_bracket = group.delimiter() == Delimiter::Bracket;
    let is_text = |inner: &[TokenTree]| matches!(inner, [name, is, ..] if name.to_string() == "doc" && is_punct(is, '='));
    is_bracket && is_text(&inside(group))
}

fn brackets(group: &Group, is_alone: bool) -> (&'static str, &'static str) {
    match group.delimiter() {
        Delimiter::Parenthesis => ("(", ")"),
        Delimiter::Brace => ("{ ", " }"),
        Delimiter::Bracket => ("[", "]"),
        Delimiter::None if is_alone || is_postfix(group) => ("", ""),
        Delimiter::None => ("(", ")"),
    }
}

/// Whether an expression may have an operator on either side.
fn is_postfix(group: &Group) -> bool {
    syn::parse2::<syn::Expr>(group.stream()).is_ok_and(|one| is_tight(&one))
}

fn is_border(tree: Option<&TokenTree>) -> bool {
    tree.is_none_or(|tree| [',', ';'].iter().any(|&one| is_punct(tree, one)))
}
