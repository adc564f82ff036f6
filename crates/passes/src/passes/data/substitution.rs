//! Puts generic arguments in place of the parameters in the text of a type.

use super::{Definition, Segment};
use crate::passes::generics::names_of;
use reduce_syntax::with_words;

/// Returns a text in which the arguments of a path's segment take the place of parameters: `Vec<u8>` for `Vec<T>` and
/// the segment `S<u8>`. Lifetimes that are left out are `'_`; `None` if anything else is.
pub(in crate::passes) fn substituted(
    text: &str,
    definition: &Definition<'_>,
    segment: &Segment<'_>,
) -> Option<String> {
    let is_lifetime = |text: &&str| text.starts_with('\'');
    let (lifetimes, others): (Vec<&str>, Vec<&str>) =
        segment.args.iter().copied().partition(is_lifetime);
    let (mut lifetimes, mut others) = (lifetimes.into_iter(), others.into_iter());
    let mut pairs = Vec::new();
    for name in definition.generics.into_iter().flat_map(names_of) {
        let arg = match is_lifetime(&name.as_str()) {
            true => lifetimes.next().unwrap_or("'_"),
            false => others.next()?,
        };
        pairs.push((name, arg));
    }
    let argument = |word: &str| pairs.iter().find(|(name, _)| name == word);
    Some(with_words(text, |word| argument(word).map(|(_, arg)| *arg)))
}
