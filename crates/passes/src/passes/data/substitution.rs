//! Types with arguments in place of parameters.

use super::{Parameter, Segment};
use crate::program::Program;
use reduce_syntax::tokens;

/// A text in which the arguments of a segment stand for parameters. Lifetimes that are left out are
/// `'_`; `None` if anything else is.
pub(in crate::passes) fn substituted(
    program: &Program<'_>,
    text: &str,
    parameters: &[Parameter],
    segment: &Segment,
) -> Option<String> {
    let args: Vec<&str> = segment.args.iter().map(|arg| program.text(arg)).collect();
    let is_lifetime = |text: &str| text.starts_with('\'');
    let lifetimes: Vec<&str> = args
        .iter()
        .copied()
        .filter(|arg| is_lifetime(arg))
        .collect();
    let mut lifetimes = lifetimes.into_iter();
    let mut others = args.iter().copied().filter(|arg| !is_lifetime(arg));
    let mut pairs = Vec::new();
    for one in parameters {
        let arg = if is_lifetime(&one.name) {
            lifetimes.next().unwrap_or("'_")
        } else {
            others.next()?
        };
        pairs.push((one.name.as_str(), arg));
    }
    Some(with_words(text, &pairs))
}

/// A text in which each word that comes first in a pair is the other one.
pub(in crate::passes) fn with_words(text: &str, pairs: &[(&str, &str)]) -> String {
    let mut result = String::with_capacity(text.len());
    let mut position = 0;
    for token in tokens(text) {
        let range = token.range();
        if let Some((_, arg)) = pairs.iter().find(|(name, _)| *name == &text[range.clone()]) {
            result.push_str(&text[position..range.start]);
            result.push_str(arg);
            position = range.end;
        }
    }
    result.push_str(&text[position..]);
    result
}
