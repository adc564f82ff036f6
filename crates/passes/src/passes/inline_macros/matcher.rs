//! Which rule of a `macro_rules!` takes which arguments, and what its variables then stand for.
//!
//! What a fragment such as `$x:expr` takes is what syn parses as such. Repetitions take as much as
//! they can, and less if the rest would not match otherwise.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use reduce_syntax::is_punct;
use std::collections::HashMap;
use syn::parse::{Parse, ParseStream, Parser};

/// A rule: what it takes, and what stands for that.
pub(super) struct Rule {
    pattern: Vec<Pattern>,
    pub(super) body: Vec<TokenTree>,
}

enum Pattern {
    Token(String),
    Group(Delimiter, Vec<Pattern>),
    /// A variable, and the kind of its fragment.
    Fragment(String, String),
    Repeat(Repeat),
}

struct Repeat {
    pattern: Vec<Pattern>,
    separator: Vec<String>,
    operator: char,
}

/// What a variable stands for.
#[derive(Debug, Clone)]
pub(super) enum Binding {
    Tokens(Vec<TokenTree>),
    /// For each round of a repetition.
    Rounds(Vec<Binding>),
}

pub(super) type Bindings = HashMap<String, Binding>;

/// How many steps a match may take.
const MAX_STEPS: usize = 20_000;

/// The rules of a macro's definition; `None` if it is not understood.
pub(super) fn rules(definition: &TokenStream) -> Option<Vec<Rule>> {
    let trees: Vec<TokenTree> = definition.clone().into_iter().collect();
    let mut rest = trees.as_slice();
    let mut found = Vec::new();
    while let [
        TokenTree::Group(pattern),
        arrow,
        end,
        TokenTree::Group(body),
        after @ ..,
    ] = rest
    {
        if !is_punct(arrow, '=') || !is_punct(end, '>') {
            return None;
        }
        found.push(Rule {
            pattern: patterns(&inside(pattern))?,
            body: inside(body),
        });
        rest = match after {
            [semicolon, after @ ..] if is_punct(semicolon, ';') => after,
            _ => after,
        };
    }
    rest.is_empty().then_some(found)
}

/// What the variables of a rule stand for if it takes these arguments.
pub(super) fn matches(rule: &Rule, arguments: &[TokenTree]) -> Option<Bindings> {
    let mut matching = Matching { steps: 0 };
    let (rest, bindings) = matching.sequence(&rule.pattern, arguments, true)?;
    rest.is_empty().then_some(bindings)
}

pub(super) fn inside(group: &Group) -> Vec<TokenTree> {
    group.stream().into_iter().collect()
}

/// The separator and operator after a repetition's group, and how many trees they are.
pub(super) fn repetition(after: &[TokenTree]) -> Option<(&[TokenTree], char, usize)> {
    let is_operator = |tree: &TokenTree| ['*', '+', '?'].iter().any(|&one| is_punct(tree, one));
    let at = after.iter().take(4).position(is_operator)?;
    let TokenTree::Punct(operator) = after.get(at)? else {
        return None;
    };
    Some((after.get(..at)?, operator.as_char(), at + 1))
}

fn patterns(trees: &[TokenTree]) -> Option<Vec<Pattern>> {
    let mut found = Vec::new();
    let mut rest = trees;
    while let Some((first, after)) = rest.split_first() {
        rest = after;
        match first {
            TokenTree::Punct(punct) if punct.as_char() == '$' => {
                rest = variable(after, &mut found)?;
            }
            TokenTree::Group(group) => {
                let inner = patterns(&inside(group))?;
                found.push(Pattern::Group(group.delimiter(), inner));
            }
            other => found.push(Pattern::Token(other.to_string())),
        }
    }
    Some(found)
}

/// Reads what stands after a `$`.
fn variable<'t>(after: &'t [TokenTree], found: &mut Vec<Pattern>) -> Option<&'t [TokenTree]> {
    match after {
        [
            TokenTree::Ident(name),
            colon,
            TokenTree::Ident(kind),
            rest @ ..,
        ] if is_punct(colon, ':') => {
            found.push(Pattern::Fragment(name.to_string(), kind.to_string()));
            Some(rest)
        }
        [TokenTree::Ident(name), rest @ ..] if name == "crate" => {
            found.push(Pattern::Token("crate".to_owned()));
            Some(rest)
        }
        [TokenTree::Group(group), rest @ ..] if group.delimiter() == Delimiter::Parenthesis => {
            let (separator, operator, n_trees) = repetition(rest)?;
            found.push(Pattern::Repeat(Repeat {
                pattern: patterns(&inside(group))?,
                separator: separator.iter().map(ToString::to_string).collect(),
                operator,
            }));
            rest.get(n_trees..)
        }
        _ => None,
    }
}

struct Matching {
    steps: usize,
}

type Matched<'t> = Option<(&'t [TokenTree], Bindings)>;

impl Matching {
    /// Matches patterns one after the other. `to_end` says that nothing may be left over.
    fn sequence<'t>(
        &mut self,
        patterns: &[Pattern],
        input: &'t [TokenTree],
        to_end: bool,
    ) -> Matched<'t> {
        self.steps += 1;
        if self.steps > MAX_STEPS {
            return None;
        }
        let Some((first, rest)) = patterns.split_first() else {
            return (input.is_empty() || !to_end).then(|| (input, Bindings::new()));
        };
        if let Pattern::Repeat(repeat) = first {
            return self.repeat(repeat, rest, input, to_end);
        }
        let (after, mut bindings) = self.one(first, input)?;
        let (after, others) = self.sequence(rest, after, to_end)?;
        bindings.extend(others);
        Some((after, bindings))
    }

    fn one<'t>(&mut self, pattern: &Pattern, input: &'t [TokenTree]) -> Matched<'t> {
        match pattern {
            Pattern::Token(text) => {
                let (first, after) = input.split_first()?;
                let is_group = matches!(first, TokenTree::Group(_));
                (!is_group && first.to_string() == *text).then(|| (after, Bindings::new()))
            }
            Pattern::Group(delimiter, inner) => {
                let (TokenTree::Group(group), after) = input.split_first()? else {
                    return None;
                };
                if group.delimiter() != *delimiter {
                    return None;
                }
                let (_, bindings) = self.sequence(inner, &inside(group), true)?;
                Some((after, bindings))
            }
            Pattern::Fragment(name, kind) => {
                let (taken, after) = input.split_at_checked(fragment(kind, input)?)?;
                let tokens = Binding::Tokens(substitute(kind, taken));
                Some((after, Bindings::from([(name.clone(), tokens)])))
            }
            Pattern::Repeat(_) => None,
        }
    }

    fn repeat<'t>(
        &mut self,
        repeat: &Repeat,
        rest: &[Pattern],
        input: &'t [TokenTree],
        to_end: bool,
    ) -> Matched<'t> {
        let (mut rounds, mut ends) = self.rounds(repeat, input);
        loop {
            let is_enough = repeat.operator != '+' || !rounds.is_empty();
            let end = ends.pop().filter(|_| is_enough)?;
            if let Some((after, mut bindings)) = self.sequence(rest, end, to_end) {
                collect(repeat, rounds, &mut bindings);
                return Some((after, bindings));
            }
            rounds.pop();
        }
    }

    /// As many rounds as possible, and what is left over after each number of them.
    fn rounds<'t>(
        &mut self,
        repeat: &Repeat,
        input: &'t [TokenTree],
    ) -> (Vec<Bindings>, Vec<&'t [TokenTree]>) {
        let (mut rounds, mut ends) = (Vec::new(), vec![input]);
        let mut input = input;
        let max = if repeat.operator == '?' { 1 } else { MAX_STEPS };
        while rounds.len() < max {
            let mut start = input;
            if !rounds.is_empty() {
                match separated(&repeat.separator, input) {
                    Some(after) => start = after,
                    None => break,
                }
            }
            match self.sequence(&repeat.pattern, start, false) {
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

fn separated<'t>(separator: &[String], input: &'t [TokenTree]) -> Option<&'t [TokenTree]> {
    let (found, after) = input.split_at_checked(separator.len())?;
    let same = |(tree, text): (&TokenTree, &String)| tree.to_string() == *text;
    found.iter().zip(separator).all(same).then_some(after)
}

/// Binds each variable of a repetition to what it stands for in each round.
fn collect(repeat: &Repeat, rounds: Vec<Bindings>, bindings: &mut Bindings) {
    let mut names = Vec::new();
    names_of(&repeat.pattern, &mut names);
    for name in names {
        let of_round = |round: &Bindings| round.get(&name).cloned();
        let all = rounds.iter().filter_map(of_round).collect();
        bindings.insert(name, Binding::Rounds(all));
    }
}

fn names_of(patterns: &[Pattern], names: &mut Vec<String>) {
    for pattern in patterns {
        match pattern {
            Pattern::Token(_) => {}
            Pattern::Group(_, inner) => names_of(inner, names),
            Pattern::Fragment(name, _) => names.push(name.clone()),
            Pattern::Repeat(repeat) => names_of(&repeat.pattern, names),
        }
    }
}

/// An expression stays one when it comes next to an operator.
fn substitute(kind: &str, taken: &[TokenTree]) -> Vec<TokenTree> {
    if matches!(kind, "expr" | "expr_2021") && taken.len() > 1 {
        let stream: TokenStream = taken.iter().cloned().collect();
        return vec![TokenTree::Group(Group::new(Delimiter::None, stream))];
    }
    taken.to_vec()
}

/// How many trees a fragment takes from the beginning of the input.
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

/// A statement without its semicolon: the semicolon is not part of the fragment.
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

/// Operators of several characters and lifetimes are single token trees for rustc.
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
