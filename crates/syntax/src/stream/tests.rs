//! Sums of edited texts against those of the same texts as a whole, on code with all that a lexer
//! can trip over, and edits anywhere, also in the middle of a token.

use super::*;
use crate::lexer::tokens;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

const FRAGMENTS: [&str; 34] = [
    "fn f<'a, T: Copy>(x: &'a T) -> u8 { x << 2 }\n",
    "let mut total = self.values.len() + 0x1f_u64;\n",
    "    if a <= b && c >= d || !e { return Some(1.5e3f64); }\n",
    "/// What it is.\n",
    "// an ordinary comment, with \" and '\n",
    "/* a /* nested */ comment */",
    "/** doc */",
    "#[derive(Debug, Clone)]\n",
    "r#\"a raw \" string\"#",
    "r##\"another \"# one\"##",
    "b\"bytes\\\"\"",
    "br#\"raw bytes\"#",
    "c\"a c string\"",
    "'x'",
    "'\\''",
    "'a ",
    "'a",
    "r#fn",
    "<<=",
    "..=",
    "->",
    "<",
    ">",
    "=",
    "&",
    "/",
    "*",
    "\"",
    "'",
    "#",
    "1.",
    "e",
    "ä✓",
    "\n    ",
];

const BEGINNINGS: [&str; 6] = [
    "",
    "#!/usr/bin/env run\n",
    "#![no_std]\n",
    "#!/* a comment */ [feature(a)]\n",
    "\u{feff}",
    "\u{feff}#!/usr/bin/env run\n",
];

/// A text of so many fragments.
fn code(len: Range<usize>) -> impl Strategy<Value = String> {
    // The first four are whole lines: mostly there is something between the traps.
    let fragment = prop_oneof![3 => select(&FRAGMENTS[..8]), 1 => select(&FRAGMENTS[..])];
    let fragments = vec(fragment, len);
    (select(&BEGINNINGS[..]), fragments)
        .prop_map(|(beginning, fragments)| beginning.to_owned() + &fragments.concat())
}

/// Two places and what stands between them afterwards.
type RandomEdit = (Index, u8, Vec<&'static str>);

fn edit() -> impl Strategy<Value = RandomEdit> {
    let text = vec(select(&FRAGMENTS[..]), 0..3);
    (any::<Index>(), any::<u8>(), text)
}

/// The edited text and what of it is as before. Nothing keeps what meets at an edit apart.
fn apply(base: &str, edits: &[RandomEdit]) -> (String, Vec<Kept>) {
    let is_boundary = |at: &usize| base.is_char_boundary(*at);
    let places: Vec<usize> = (0..=base.len()).filter(is_boundary).collect();
    let range = |(place, len, text): &RandomEdit| {
        let first = place.index(places.len());
        let last = (first + usize::from(*len)).min(places.len() - 1);
        (places[first], places[last], text.concat())
    };
    let mut edits: Vec<(usize, usize, String)> = edits.iter().map(range).collect();
    edits.sort();
    let (mut text, mut kept, mut position) = (String::new(), Vec::new(), 0);
    edits.push((base.len(), base.len(), String::new()));
    for (start, end, replacement) in edits {
        if start >= position {
            let (range, start) = (position..start, text.len());
            text += &base[range.clone()];
            kept.push(Kept { base: range, start });
            text += &replacement;
            position = end;
        }
    }
    let (range, start) = (position..base.len(), text.len());
    text += &base[range.clone()];
    kept.push(Kept { base: range, start });
    (text, kept)
}

fn words(text: &str) -> Vec<&str> {
    let found = tokens(text);
    found.iter().map(|token| &text[token.range()]).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn the_sum_of_an_edited_text_is_that_of_the_text(
        base in code(1..80),
        edits in vec(edit(), 0..6),
    ) {
        let (text, kept) = apply(&base, &edits);
        let found = TokenStream::new(&base).edited(&base, &text, &kept);
        prop_assert_eq!(found, TokenStream::new(&text).sum());
    }

    #[test]
    fn texts_have_one_sum_if_they_have_the_same_tokens(
        base in code(1..8),
        edits in vec(edit(), 0..2),
    ) {
        let (text, _) = apply(&base, &edits);
        let is_same = words(&base) == words(&text);
        let [one, other] = [&*base, &*text].map(|text| TokenStream::new(text).sum().digest());
        prop_assert_eq!(one == other, is_same);
    }

    #[test]
    fn a_sum_counts_tokens_but_doc_comments(text in code(0..20)) {
        let counted = tokens(&text).iter().filter(|token| !token.is_doc()).count();
        prop_assert_eq!(TokenStream::new(&text).sum().n_tokens(), counted as u64);
    }

    #[test]
    fn products_are_those_of_a_slower_way(a in 0..=MODULUS, b in 0..=MODULUS) {
        let double = |sum: u128| add(sum, sum);
        let bits = (0..127).rev().map(|bit| b >> bit & 1);
        let product = bits.fold(0, |sum, bit| add(double(sum), if bit == 1 { a } else { 0 }));
        prop_assert_eq!(multiply(a, b), product);
    }

    #[test]
    fn powers_are_repeated_products(exponent in 0_u32..200) {
        let product = (0..exponent).fold(1, |product, _| multiply(product, POINT));
        prop_assert_eq!(power(exponent), product);
    }
}

#[test]
fn layout_and_comments_do_not_matter_but_tokens_do() {
    let digest = |text: &str| TokenStream::new(text).sum().digest();
    assert_eq!(digest("fn f ( ) { }"), digest("fn f(){} // x"));
    assert_ne!(digest("a = = b"), digest("a == b"));
    assert_ne!(digest("ab"), digest("a b"));
    assert_ne!(digest("/// a\nfn f(){}"), digest("fn f(){}"));
    assert_ne!(digest("abcdefgh"), digest("abcdefg h"));
}

/// Only a part of the text is lexed: the place after the edit is reached by a jump.
#[test]
fn only_what_is_around_an_edit_is_lexed() {
    let base = "fn f() { g(1, 2); }\n".repeat(1_000);
    let stream = TokenStream::new(&base);
    let text = base.replacen("g", "h", 1);
    let edit = base.find('g').expect("it is there");
    let [before, after] = [0..edit, edit + 1..base.len()];
    let mut edited = Edited::new(&stream, &base, &text);
    for part in [before, after] {
        let start = part.start;
        edited.skip_in(&Kept { base: part, start });
    }
    assert!(edited.scanner.position() + 2 * MARK_DISTANCE > text.len());
    assert_eq!(edited.rest(), TokenStream::new(&text).sum());
}
