//! Matches arguments with the rules of a `macro_rules!`, and binds the variables of the rule.
//!
//! What a fragment such as `$x:expr` takes is what syn parses as such. Repetitions take as much as
//! they can, and less if the rest would not match otherwise.

use super::rules::{Piece, Repeat, Rule, inside, names};
use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use reduce_syntax::is_punct;
use std::collections::HashMap;
use syn::parse::{Parse, ParseStream, Parser};

/// The tokens that a variable of a macro stands for in one call.
#[derive(Debug, Clone)]
pub(super) enum Binding {
    Tokens(Vec<TokenTree>),
    /// The contents of a variable in a repetition, one for each round.
    Rounds(Vec<Binding>),
}

pub(super) type Bindings = HashMap<String, Binding>;

/// The most steps that matching the arguments with a rule may take.
const MAX_STEPS: usize = 20_000;

/// Binds the variables of a rule if it takes these arguments.
pub(super) fn matches(rule: &Rule, arguments: &[TokenTree]) -> Option<Bindings> {
    let mut matching = Matching { steps: 0 };
    let (rest, bindings) = matching.sequence(&rule.pattern, arguments, true)?;
    rest.is_empty().then_some(bindings)
}

struct Matching {
    steps: usize,
}

type Matched<'t> = Option<(&'t [TokenTree], Bindings)>;

impl Matching {
    /// Matches the pieces of a rule with token trees, one after the other. `to_end` says that nothing may be left over.
    fn sequence<'t>(
        &mut self,
        pieces: &[Piece],
        input: &'t [TokenTree],
        to_end: bool,
    ) -> Matched<'t> {
        self.steps += 1;
        if self.steps > MAX_STEPS {
            return None;
        }
        let Some((first, rest)) = pieces.split_first() else {
            return (input.is_empty() || !to_end).then(|| (input, Bindings::new()));
        };
        if let Piece::Repeat(repeat) = first {
            return self.repeat(repeat, rest, input, to_end);
        }
        let (after, mut bindings) = self.one(first, input)?;
        let (after, others) = self.sequence(rest, after, to_end)?;
        bindings.extend(others);
        Some((after, bindings))
    }

    fn one<'t>(&mut self, piece: &Piece, input: &'t [TokenTree]) -> Matched<'t> {
        match (piece, input) {
            (Piece::Token(token), [first, after @ ..]) if is_same(first, token) => {
                Some((after, Bindings::new()))
            }
            (Piece::Group(delimiter, inner), [TokenTree::Group(group), after @ ..])
                if group.delimiter() == *delimiter =>
            {
                let (_, bindings) = self.sequence(inner, &inside(group), true)?;
                Some((after, bindings))
            }
            (Piece::Variable(name, Some(kind)), _) => {
                let (taken, after) = input.split_at_checked(fragment(kind, input)?)?;
                let tokens = Binding::Tokens(substitute(kind, taken));
                Some((after, Bindings::from([(name.clone(), tokens)])))
            }
            _ => None,
        }
    }

    fn repeat<'t>(
        &mut self,
        repeat: &Repeat,
        rest: &[Piece],
        input: &'t [TokenTree],
        to_end: bool,
    ) -> Matched<'t> {
        let (mut rounds, mut ends) = self.rounds(repeat, input);
        loop {
            let is_enough = repeat.operator != '+' || !rounds.is_empty();
            let end = ends.pop().filter(|_| is_enough)?;
            if let Some((after, mut bindings)) = self.sequence(rest, end, to_end) {
                collect(repeat, &rounds, &mut bindings);
                return Some((after, bindings));
            }
            rounds.pop();
        }
    }

    /// Matches a repetition in as many rounds as possible; returns the rounds with the rest of the input after each
    /// number of them.
    fn rounds<'t>(
        &mut self,
        repeat: &Repeat,
        input: &'t [TokenTree],
    ) -> (Vec<Bindings>, Vec<&'t [TokenTree]>) {
        let (mut rounds, mut ends) = (Vec::new(), vec![input]);
        let mut input = input;
        let max = if repeat.operator == '?' { 1 } else { MAX_STEPS };
        while rounds.len() < max {
            let start = match rounds.is_empty() {
                true => Some(input),
                false => separated(&repeat.separator, input),
            };
            let Some(start) = start else { break };
            match self.sequence(&repeat.pieces, start, false) {
                Some((after, bindings)) if after.len() < input.len() => {
                    rounds.push(bindings);
                    ends.push(after);
                    input = after;
                }
                _ => break,
            }
        }
        (rounds, ends)
    }
}

fn separated<'t>(separator: &[TokenTree], input: &'t [TokenTree]) -> Option<&'t [TokenTree]> {
    let (found, after) = input.split_at_checked(separator.len())?;
    let mut pairs = found.iter().zip(separator);
    pairs
        .all(|(one, other)| is_same(one, other))
        .then_some(after)
}

fn is_same(one: &TokenTree, token: &TokenTree) -> bool {
    !matches!(one, TokenTree::Group(_)) && one.to_string() == token.to_string()
}

/// Binds each variable of a repetition to what it stands for in each round.
fn collect(repeat: &Repeat, rounds: &[Bindings], bindings: &mut Bindings) {
    for name in names(&repeat.pieces) {
        let all = rounds.iter().filter_map(|round| round.get(name).cloned());
        bindings.insert(name.clone(), Binding::Rounds(all.collect()));
    }
}

/// Returns the token trees to put in place of a fragment; those of an expression become one group, so that it stays
/// one next to an operator.
fn substitute(kind: &str, taken: &[TokenTree]) -> Vec<TokenTree> {
    if matches!(kind, "expr" | "expr_2021") && taken.len() > 1 {
        let stream: TokenStream = taken.iter().cloned().collect();
        return vec![TokenTree::Group(Group::new(Delimiter::None, stream))];
    }
    taken.to_vec()
}

/// Returns the number of token trees that a fragment takes from the beginning of the input.
fn fragment(kind: &str, input: &[TokenTree]) -> Option<usize> {
    match kind {
        "tt" => token_tree(input),
        "ident" => matches!(input.first()?, TokenTree::Ident(name) if name != "_").then_some(1),
        "lifetime" => is_punct(input.first()?, '\'').then_some(2),
        "block" => match input.first()? {
            TokenTree::Group(group) => (group.delimiter() == Delimiter::Brace).then_some(1),
            _ => None,
        },
        "literal" => parsed(input, |stream| {
            stream.parse::<Option<syn::Token![-]>>()?;
            stream.parse::<syn::Lit>().map(drop)
        }),
        "vis" => parsed(input, |stream| syn::Visibility::parse(stream).map(drop)),
        "expr" | "expr_2021" => parsed(input, |stream| syn::Expr::parse(stream).map(drop)),
        "ty" => parsed(input, |stream| syn::Type::parse(stream).map(drop)),
        "pat" => parsed(input, |stream| {
            syn::Pat::parse_multi_with_leading_vert(stream).map(drop)
        }),
        "pat_param" => parsed(input, |stream| syn::Pat::parse_single(stream).map(drop)),
        "path" => parsed(input, |stream| syn::TypePath::parse(stream).map(drop)),
        "stmt" => parsed(input, statement),
        "item" => parsed(input, |stream| syn::Item::parse(stream).map(drop)),
        "meta" => parsed(input, |stream| syn::Meta::parse(stream).map(drop)),
        _ => None,
    }
}

/// Parses a statement without its semicolon: the semicolon is not part of the fragment.
fn statement(stream: ParseStream<'_>) -> syn::Result<()> {
    if !stream.peek(syn::Token![let]) {
        let fork = stream.fork();
        return match syn::Item::parse(&fork) {
            Ok(_) => syn::Item::parse(stream).map(drop),
            Err(_) => syn::Expr::parse(stream).map(drop),
        };
    }
    stream.parse::<syn::Token![let]>()?;
    syn::Pat::parse_single(stream)?;
    if stream.parse::<Option<syn::Token![:]>>()?.is_some() {
        syn::Type::parse(stream)?;
    }
    if stream.parse::<Option<syn::Token![=]>>()?.is_some() {
        syn::Expr::parse(stream)?;
    }
    Ok(())
}

/// Returns how many of the first trees are a single token tree for rustc, as operators of several characters and lifetimes are.
fn token_tree(input: &[TokenTree]) -> Option<usize> {
    let TokenTree::Punct(first) = input.first()? else {
        return Some(1);
    };
    if first.as_char() == '\'' {
        return Some(2);
    }
    let mut run = String::new();
    for tree in input.iter().take(3) {
        let TokenTree::Punct(punct) = tree else { break };
        run.push(punct.as_char());
        if punct.spacing() == proc_macro2::Spacing::Alone {
            break;
        }
    }
    reduce_syntax::tokens(&run)
        .first()
        .map(|token| token.range().len())
}

fn parsed(
    input: &[TokenTree],
    parse: impl Fn(ParseStream<'_>) -> syn::Result<()>,
) -> Option<usize> {
    let stream: TokenStream = input.iter().cloned().collect();
    let parser = |stream: ParseStream<'_>| {
        parse(stream)?;
        let rest: TokenStream = stream.parse()?;
        Ok(rest.into_iter().count())
    };
    let n_left = parser.parse2(stream).ok()?;
    input.len().checked_sub(n_left)
}
