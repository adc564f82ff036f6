//! Types with arguments in place of parameters.

use super::{Parameter, Segment};
use crate::program::Program;
use reduce_syntax::with_words;

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
    let argument = |word: &str| pairs.iter().find(|(name, _)| *name == word);
    Some(with_words(text, |word| argument(word).map(|(_, arg)| *arg)))
}
