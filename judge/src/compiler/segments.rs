//! At which places the segments of a path stand in the text: the compiler prints a range for a whole path only.

use super::atoms::Name;
use crate::text::Piece;

/// Where the segments of a path stand among the tokens of its range, found from the last one back: the
/// first ones may be missing, as those of `a` in `a::{b, c}`.
pub fn places_of_segments(
    tokens: &[Piece<'_>],
    names: &[Name<'_>],
    has_type: bool,
) -> Vec<Option<usize>> {
    let mut places = vec![None; names.len()];
    let (mut left, mut depth) = (names.len(), 0_i32);
    for (idx, piece) in tokens.iter().enumerate().rev() {
        if left == 0 {
            break;
        }
        match piece.text {
            // The bracket around `T as Trait`: what is in it belongs to the path.
            ">" if has_type && depth == 0 && closes_first(tokens, idx) => {}
            ">>" if has_type && depth == 0 && closes_first(tokens, idx) => depth += 1,
            "as" if has_type && depth == 0 => break,
            ">" | ")" | "]" | "}" => depth += 1,
            ">>" => depth += 2,
            "<" | "(" | "[" | "{" => depth -= 1,
            "<<" => depth -= 2,
            _ if depth == 0 && piece.name() == names[left - 1].text => {
                left -= 1;
                places[left] = Some(piece.at);
                if idx == 0 || tokens[idx - 1].text != "::" {
                    break;
                }
            }
            _ => {}
        }
    }
    places
}

/// The first segments of the path of an import that stand before the brackets around its end: `a` for each
/// of `a::{b, c}`.
pub fn add_places_before_group(
    before: &[Piece<'_>],
    names: &[Name<'_>],
    places: &mut [Option<usize>],
) {
    let mut depth = 0_i32;
    let mut left = places.iter().take_while(|place| place.is_none()).count();
    for pair in before.windows(2).rev() {
        match (pair[0].text, pair[1].text) {
            _ if left == 0 => break,
            (_, ";") => break,
            (_, "}") => depth += 1,
            (_, "{") if depth > 0 => depth -= 1,
            (name, "::") if depth == 0 && is_spelled(name, names[left - 1]) => {
                left -= 1;
                places[left] = Some(pair[0].at);
            }
            _ => {}
        }
    }
}

fn is_spelled(text: &str, name: Name<'_>) -> bool {
    text.strip_prefix("r#").unwrap_or(text) == name.text
}

/// Whether the bracket at `idx` closes the one with which the path begins.
fn closes_first(tokens: &[Piece<'_>], idx: usize) -> bool {
    let mut depth = 0_i32;
    for piece in tokens[..=idx].iter().rev() {
        match piece.text {
            ">" => depth += 1,
            ">>" => depth += 2,
            "<" => depth -= 1,
            "<<" => depth -= 2,
            _ => {}
        }
        if depth <= 0 {
            return piece.at == tokens[0].at;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(text: &str, names: &[&str], has_type: bool) -> Vec<Option<usize>> {
        let tokens: Vec<Piece<'_>> = reduce_syntax::tokens(text)
            .into_iter()
            .map(|token| Piece {
                at: token.start as usize,
                text: &text[token.range()],
            })
            .collect();
        let names: Vec<_> = names
            .iter()
            .map(|text| Name { text, expansion: 0 })
            .collect();
        places_of_segments(&tokens, &names, has_type)
    }

    #[test]
    fn segments_stand_outside_of_generic_arguments() {
        let expected = [Some(0), Some(3)];
        assert_eq!(places("a::b::<a::b<c>>", &["a", "b"], false), expected);
    }

    #[test]
    fn the_beginning_of_an_import_may_be_elsewhere() {
        let expected = [None, Some(0), Some(3)];
        assert_eq!(places("b::c", &["a", "b", "c"], false), expected);
    }

    #[test]
    fn the_trait_of_a_qualified_path_stands_in_brackets() {
        let places = |text| places(text, &["Tr", "A"], true);
        assert_eq!(places("<Vec<A> as Tr<Tr>>::A"), [Some(11), Some(20)]);
        assert_eq!(places("<<T as X>::A as Tr>::A"), [Some(16), Some(21)]);
    }

    #[test]
    fn what_follows_an_arrow_is_not_a_segment() {
        assert_eq!(
            places("ops::Fn(A) -> ops", &["ops", "Fn"], false),
            [Some(0), Some(5)]
        );
    }
}
