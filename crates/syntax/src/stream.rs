//! The token stream of a text as a number of tokens and a hash, and how those of an edited text come
//! from those of the text before: by lexing what is around the edits, nothing else.
//!
//! The hash is a polynomial in the tokens, modulo 2^127 - 1 (Karp and Rabin, *Efficient Randomized
//! Pattern-Matching Algorithms*): that of a part of a stream follows from those of two beginnings of
//! it, and that of two streams after each other from those of both. Two streams of 10^6 words share
//! one by accident with a probability of about 10^-32. It does not withstand who looks for two that do;
//! what they would get is a wrong verdict in the reduction of their own program.
//!
//! rustc's lexer has no state between two tokens. So where an edited text has a token that begins
//! where one begins in the base text, both have the same tokens until shortly before the next edit.
//! An edit that opens a string or a comment has no such place before the end of it.

use crate::lexer::{Scanner, bytes_before_code};
use crate::token::Token;
use std::ops::Range;

/// The modulus of the sums that tell streams of tokens apart, a Mersenne prime.
const MODULUS: u128 = (1 << 127) - 1;

/// The point at which the polynomial of the hash is evaluated: the digits of pi, below the modulus.
const POINT: u128 = 0x243f_6a88_85a3_08d3_1319_8a2e_0370_7344;

/// The number of bytes after a token that must be known before the token is certain: the lexer looks ahead by three characters.
const LOOK_AHEAD: usize = 16;

/// The least distance between two marks in a text, in bytes. It decides how much is lexed around an edit, and how much
/// memory the marks take: 32 bytes each.
const MARK_DISTANCE: usize = 48;

/// The number of bytes of a token in one word of the polynomial that the hash is; one more byte says how many there are.
const BYTES_OF_WORD: usize = 7;

/// The size of a token stream and a hash of it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct StreamSum {
    /// The number of tokens, without doc comments.
    n_tokens: u32,
    /// The number of words (runs of a few bytes) of all tokens.
    n_words: u32,
    hash: u128,
}

/// The token stream of a text, with marks: places from which on the text can be lexed.
#[derive(Debug)]
pub(crate) struct TokenStream {
    /// The marks between tokens, in ascending order; the first is where code begins.
    marks: Vec<Mark>,
    sum: StreamSum,
}

#[derive(Debug, Clone, Copy)]
struct Mark {
    position: u32,
    before: StreamSum,
}

/// A part of a text that is unchanged in an edited text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Kept {
    /// The bytes of the kept text in the base text.
    pub(crate) base: Range<usize>,
    /// The first byte of the kept text in the edited text.
    pub(crate) start: usize,
}

impl TokenStream {
    /// Lexes `text`.
    pub(crate) fn new(text: &str) -> Self {
        let mut scanner = Scanner::new(text, bytes_before_code(text));
        let mut sum = StreamSum::default();
        let mut marks: Vec<Mark> = Vec::with_capacity(text.len() / MARK_DISTANCE + 1);
        loop {
            let position = scanner.position();
            let far = |last: &Mark| position >= last.position as usize + MARK_DISTANCE;
            if scanner.is_between_tokens() && marks.last().is_none_or(far) {
                marks.push(Mark::new(position, sum));
            }
            if !scanner.advance(|token| sum.push(text, token)) {
                return Self { marks, sum };
            }
        }
    }

    pub(crate) fn sum(&self) -> StreamSum {
        self.sum
    }

    /// Computes the size and hash of an edited text, whose parts `kept` (in ascending order) come from this stream's text.
    pub(crate) fn edited(&self, base: &str, text: &str, kept: &[Kept]) -> StreamSum {
        let mut edited = Edited::new(self, base, text);
        for part in kept {
            edited.skip_in(part);
        }
        edited.rest()
    }

    fn position(&self, mark: usize) -> usize {
        self.marks[mark].position as usize
    }
}

/// An edited text while it is lexed, for which unchanged parts are taken over from the base text.
struct Edited<'a> {
    stream: &'a TokenStream,
    base: &'a str,
    text: &'a str,
    scanner: Scanner<'a>,
    sum: StreamSum,
}

impl<'a> Edited<'a> {
    fn new(stream: &'a TokenStream, base: &'a str, text: &'a str) -> Self {
        Self {
            stream,
            base,
            text,
            scanner: Scanner::new(text, bytes_before_code(text)),
            sum: StreamSum::default(),
        }
    }

    /// Takes over an unchanged part of the text, up to its last mark that does not depend on the text behind the part.
    /// Only the text before the first mark that is between two tokens here as well is lexed.
    fn skip_in(&mut self, part: &Kept) {
        let marks = &self.stream.marks;
        let is_last = part.base.end == self.base.len() && self.end_of(part) == self.text.len();
        let end = part
            .base
            .end
            .saturating_sub(if is_last { 0 } else { LOOK_AHEAD });
        let end = marks.partition_point(|mark| mark.position as usize <= end);
        let Some(last) = end.checked_sub(1) else {
            return;
        };
        let mut next = marks.partition_point(|mark| (mark.position as usize) < part.base.start);
        while next < last {
            let place = self.stream.position(next) - part.base.start + part.start;
            if !self.lex_to(place) {
                return;
            }
            if self.scanner.position() == place && self.scanner.is_between_tokens() {
                return self.jump(next, last, part);
            }
            // The text's own tokens go beyond this mark.
            next += 1;
        }
    }

    /// Takes over the tokens between two marks without lexing them.
    fn jump(&mut self, from: usize, to: usize, part: &Kept) {
        let marks = &self.stream.marks;
        self.sum.append(&marks[from].before, &marks[to].before);
        let place = self.stream.position(to) - part.base.start + part.start;
        self.scanner = Scanner::new(self.text, place);
    }

    /// Lexes the edited text up to a place or beyond it. Returns `false` at the end of the text.
    fn lex_to(&mut self, place: usize) -> bool {
        let (text, sum) = (self.text, &mut self.sum);
        while self.scanner.position() < place {
            if !self.scanner.advance(|token| sum.push(text, token)) {
                return false;
            }
        }
        true
    }

    /// Lexes the edited text to its end, and returns the size and hash of all of it.
    fn rest(mut self) -> StreamSum {
        let (text, sum) = (self.text, &mut self.sum);
        while self.scanner.advance(|token| sum.push(text, token)) {}
        self.sum
    }

    fn end_of(&self, part: &Kept) -> usize {
        part.start + part.base.len()
    }
}

impl Mark {
    fn new(position: usize, before: StreamSum) -> Self {
        let position = u32::try_from(position).expect("a source file is under 4 GiB");
        Self { position, before }
    }
}

impl StreamSum {
    /// Returns the number of tokens, without doc comments.
    pub(crate) fn n_tokens(&self) -> u64 {
        u64::from(self.n_tokens)
    }

    /// Returns a digest that tells the stream from others.
    pub(crate) fn digest(&self) -> [u8; 20] {
        let mut bytes = [0; 20];
        bytes[..4].copy_from_slice(&self.n_words.to_le_bytes());
        bytes[4..].copy_from_slice(&self.hash.to_le_bytes());
        bytes
    }

    fn push(&mut self, text: &str, token: Token) {
        self.n_tokens += u32::from(!token.is_doc());
        let mut left = &text.as_bytes()[token.range()];
        while left.len() > BYTES_OF_WORD {
            let (word, rest) = left.split_at(BYTES_OF_WORD);
            self.push_word(word, false);
            left = rest;
        }
        self.push_word(left, true);
    }

    /// Adds a word of at most seven bytes to the hash, with a byte that tells its length and whether it is a token's
    /// last. So a word is never 0, and no two streams have the same words.
    fn push_word(&mut self, bytes: &[u8], is_last: bool) {
        let mut word = [0; 8];
        word[..bytes.len()].copy_from_slice(bytes);
        word[BYTES_OF_WORD] = u8::from(is_last) << 7 | bytes.len() as u8;
        self.n_words += 1;
        self.hash = add(multiply(self.hash, POINT), u64::from_le_bytes(word).into());
    }

    /// Appends the tokens between two marks of a stream, given the size and hash of all tokens before each.
    fn append(&mut self, from: &Self, to: &Self) {
        let n_words = to.n_words - from.n_words;
        let apart = add(self.hash, MODULUS - from.hash);
        self.hash = add(multiply(apart, power(n_words)), to.hash);
        self.n_words += n_words;
        self.n_tokens += to.n_tokens - from.n_tokens;
    }
}

/// The sum of two numbers of at most the modulus, below it.
fn add(a: u128, b: u128) -> u128 {
    let sum = a + b;
    let sum = (sum & MODULUS) + (sum >> 127);
    if sum == MODULUS { 0 } else { sum }
}

/// The product of two numbers of at most the modulus, below it.
const fn multiply(a: u128, b: u128) -> u128 {
    const LOW: u128 = u64::MAX as u128;
    let (a_high, a_low) = (a >> 64, a & LOW);
    let (b_high, b_low) = (b >> 64, b & LOW);
    // Upper halves are below 2^63, so that no sum overflows.
    let low = a_low * b_low;
    let middle = a_low * b_high + a_high * b_low + (low >> 64);
    let high = a_high * b_high + (middle >> 64);
    let low = middle << 64 | low & LOW;
    // 2^127 is 1, so 2^128 is 2.
    let sum = (low & MODULUS) + (low >> 127) + 2 * high;
    let sum = (sum & MODULUS) + (sum >> 127);
    if sum == MODULUS { 0 } else { sum }
}

/// [`POINT`] to the power of 2^0, 2^1, ..
const POWERS: [u128; 32] = {
    let mut powers = [POINT; 32];
    let mut idx = 1;
    while idx < powers.len() {
        powers[idx] = multiply(powers[idx - 1], powers[idx - 1]);
        idx += 1;
    }
    powers
};

/// [`POINT`] to a power.
fn power(mut exponent: u32) -> u128 {
    let mut product = 1;
    while exponent > 0 {
        product = multiply(product, POWERS[exponent.trailing_zeros() as usize]);
        exponent &= exponent - 1;
    }
    product
}

#[cfg(test)]
mod tests;
