//! The bodies of macros of which it is known what a call becomes: those that can be called without
//! arguments, and those that take items and put attributes before each.

use crate::configuration::is_conditional;
use proc_macro2::{Group, TokenStream, TokenTree};
use reduce_syntax::{bytes_inside, is_punct};
use std::ops::Range;
use syn::ItemMacro;
use syn::spanned::Spanned;

/// What a call becomes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Body {
    /// This, of a call without arguments.
    Text(String),
    /// Its items, each after this text: `($($item:item)*) => { $(#[cold] $item)* }`.
    BeforeEach(String),
}

impl Body {
    /// Of a `macro_rules!` whose only rule takes items, or which has a rule whose pattern is empty.
    /// `text` is that of the definition's file; `None` if there is no
    /// such rule, or another one before it may match.
    pub(super) fn of_definition(item: &ItemMacro, text: &str) -> Option<Self> {
        if !item.mac.path.is_ident("macro_rules") {
            return None;
        }
        let tokens: Vec<TokenTree> = item.mac.tokens.clone().into_iter().collect();
        if let Some(prefix) = before_each_item(&tokens) {
            return Some(Self::BeforeEach(text.get(prefix)?.to_owned()));
        }
        let body = body_of_empty_rule(&tokens)?;
        let places = crate_variables(body.stream());
        let body = bytes_inside(&body);
        with_crate_at(text, body, places).map(Self::Text)
    }

    /// What a call with these items as arguments becomes.
    pub(super) fn called_with(&self, items: &[String]) -> Option<String> {
        match self {
            Self::Text(text) => items.is_empty().then(|| text.clone()),
            Self::BeforeEach(prefix) => {
                let each = items.iter().map(|item| format!("{prefix}{item}\n"));
                Some(each.collect())
            }
        }
    }
}

/// What stands in a range, with the word `crate` at `places` in it.
fn with_crate_at(text: &str, range: Range<usize>, mut places: Vec<Range<usize>>) -> Option<String> {
    places.sort_by_key(|place| place.start);
    let mut result = String::with_capacity(range.len());
    let mut done = range.start;
    for place in places {
        result.push_str(text.get(done..place.start)?);
        result.push_str("crate");
        done = place.end;
    }
    result.push_str(text.get(done..range.end)?);
    Some(result)
}

/// The name of the macro of the crate that is called, and the ranges of the items that are its
/// arguments. `None` if these are something else, or the call has a condition.
pub(super) fn called_with_items(item: &ItemMacro) -> Option<(String, Vec<Range<usize>>)> {
    let segments = &item.mac.path.segments;
    let mut modules = segments.iter().rev().skip(1);
    if item.attrs.iter().any(is_conditional) || !modules.all(|one| one.ident == "crate") {
        return None;
    }
    let arguments: syn::File = syn::parse2(item.mac.tokens.clone()).ok()?;
    let ranges = arguments.items.iter().map(|one| one.span().byte_range());
    let name = segments.last()?.ident.to_string();
    arguments.attrs.is_empty().then(|| (name, ranges.collect()))
}

/// What stands before each item in a macro of one rule that hands items on.
fn before_each_item(rules: &[TokenTree]) -> Option<Range<usize>> {
    let mut rules = rules.split(|tree| is_punct(tree, ';'));
    let (pattern, body) = rule(rules.next()?)?;
    if !rules.all(<[TokenTree]>::is_empty) {
        return None;
    }
    let pattern: Vec<TokenTree> = repeated(&pattern)?.stream().into_iter().collect();
    let repetition = repeated(&body)?;
    let inside: Vec<TokenTree> = repetition.stream().into_iter().collect();
    let [
        dollar,
        TokenTree::Ident(name),
        colon,
        TokenTree::Ident(kind),
    ] = pattern.as_slice()
    else {
        return None;
    };
    let [prefix @ .., last, TokenTree::Ident(used)] = inside.as_slice() else {
        return None;
    };
    let is_used =
        is_punct(dollar, '$') && is_punct(colon, ':') && is_punct(last, '$') && used == name;
    let prefix_is_fixed = !prefix
        .iter()
        .any(|tree| is_punct(tree, '$') || is_punct(tree, '!'));
    let start = bytes_inside(&repetition).start;
    (is_used && kind == "item" && prefix_is_fixed).then(|| start..last.span().byte_range().start)
}

/// What is repeated, in a group that holds nothing but `$(..)*`.
fn repeated(group: &Group) -> Option<Group> {
    let tokens: Vec<TokenTree> = group.stream().into_iter().collect();
    match tokens.as_slice() {
        [dollar, TokenTree::Group(repeated), star]
            if is_punct(dollar, '$') && is_punct(star, '*') =>
        {
            Some(repeated.clone())
        }
        _ => None,
    }
}

/// Pattern and body of a rule.
fn rule(rule: &[TokenTree]) -> Option<(Group, Group)> {
    let [
        TokenTree::Group(pattern),
        equals,
        greater,
        TokenTree::Group(body),
    ] = rule
    else {
        return None;
    };
    (is_punct(equals, '=') && is_punct(greater, '>')).then(|| (pattern.clone(), body.clone()))
}

/// What follows the first empty pattern. Patterns before it that begin with a variable may match
/// nothing too.
fn body_of_empty_rule(rules: &[TokenTree]) -> Option<Group> {
    for tokens in rules.split(|tree| is_punct(tree, ';')) {
        let (pattern, body) = rule(tokens)?;
        match pattern.stream().into_iter().next() {
            None => return Some(body),
            Some(first) if is_punct(&first, '$') => return None,
            Some(_) => {}
        }
    }
    None
}

/// Where `$crate` stands, but for definitions of macros in the body, where it keeps its meaning. Other
/// variables can only be those of such definitions.
fn crate_variables(body: TokenStream) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut levels = vec![body];
    while let Some(level) = levels.pop() {
        let trees: Vec<TokenTree> = level.into_iter().collect();
        for (idx, tree) in trees.iter().enumerate() {
            match (tree, trees.get(idx + 1)) {
                (TokenTree::Group(group), _) if !is_definition(&trees, idx) => {
                    levels.push(group.stream());
                }
                (dollar, Some(TokenTree::Ident(word)))
                    if is_punct(dollar, '$') && word == "crate" =>
                {
                    found.push(dollar.span().byte_range().start..word.span().byte_range().end);
                }
                _ => {}
            }
        }
    }
    found
}

/// Whether the group at `idx` is what `macro_rules! name` defines.
fn is_definition(trees: &[TokenTree], idx: usize) -> bool {
    let start = idx.checked_sub(3);
    let before = start.and_then(|start| trees.get(start..idx));
    let Some([TokenTree::Ident(word), bang, TokenTree::Ident(_)]) = before else {
        return false;
    };
    word == "macro_rules" && is_punct(bang, '!')
}
