//! Removes from the compiler's messages what depends on the program: the program shrinks, the message must not change.
//!
//! Text in balanced brackets, quotes or backticks, paths, and words that look like names and types of
//! a program (`CamelCase`, `a::b`, `T`, `_1`, `x2`, `'tcx`) become `..`; numbers become `N`. Ordinary
//! words stay, as do the names of the compiler's own stages. Neighbouring `..` become one, so that
//! `DefId(0:5) (_0 = _1)` and `(_3)` are the same. The table of tests shows it.
//!
//! A bare `snake_case` word stays too: mostly it names a function or query of the compiler and is all
//! that tells two bugs apart ("error performing operation: fully_perform"). Where it is the program's,
//! keeping it costs a reduction one name.

use super::groups::group_ends;

/// The length to which messages are cut, in characters: rustc prints whole types into them.
const MAX_CHARS: usize = 16_000;
/// Words in capitals that the compiler uses in its own messages, such as `MIR`.
const STAGES: [&str; 19] = [
    "ABI", "AST", "CGU", "CTFE", "DST", "FFI", "GAT", "HIR", "ICE", "LLVM", "LTO", "MIR", "NLL",
    "RPIT", "RPITIT", "TAIT", "THIR", "UB", "ZST",
];

/// Words in lower case that belong to types of the program, such as `usize`.
const OF_TYPES: [&str; 11] = [
    "bool", "char", "dyn", "impl", "isize", "mut", "never", "self", "static", "str", "usize",
];

/// One part of a normalised message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Part {
    /// A hole in place of a name, type or other text of the program.
    Hole,
    /// A number.
    Number,
    /// An ordinary word.
    Word(String),
    /// `:`, `,`, `;`, `.`, `!` or `?`.
    Mark(char),
    /// An operator; disappears beside a hole.
    Operator(char),
}

/// Returns the message without what depends on the program or the run, on one line.
pub(crate) fn normalise(message: &str) -> String {
    print(&parts(message, &|_, _| Part::Hole))
}

/// Returns the parts of the message. `enclosed` says what stands for a text in quotes or brackets, which it is given with
/// these and with the parts before it.
pub(super) fn parts(message: &str, enclosed: &dyn Fn(&str, &[Part]) -> Part) -> Vec<Part> {
    let chars: Vec<char> = message.chars().take(MAX_CHARS).collect();
    let groups = group_ends(&chars);
    let mut parts = vec![];
    let mut at = 0;
    while at < chars.len() {
        let end = groups[at].or_else(|| quote_end(&chars, at));
        let (part, next) = match end {
            Some(end) => {
                let text: String = chars[at..end].iter().collect();
                (Some(enclosed(&text, &parts)), end)
            }
            None => part_at(&chars, at, &parts),
        };
        parts.extend(part);
        at = next;
    }
    merge(parts)
}

/// Returns the part of a message that begins at `at`, and the place at which the next part begins.
fn part_at(chars: &[char], at: usize, before: &[Part]) -> (Option<Part>, usize) {
    let char = chars[at];
    match char {
        c if c.is_whitespace() => (None, at + 1),
        '\'' if chars.get(at + 1).is_some_and(|c| is_word(*c)) => {
            (Some(Part::Hole), word_end(chars, at + 1))
        }
        '#' | '$' if chars.get(at + 1).is_some_and(|c| is_word(*c)) => {
            (Some(Part::Hole), word_end(chars, at + 1))
        }
        '*' if chars[at..].starts_with(&['*', 'c', 'o', 'n', 's', 't', ' ']) => {
            (Some(Part::Hole), at + "*const".len())
        }
        '*' | '&' => (Some(Part::Hole), at + 1),
        ':' if chars.get(at + 1) == Some(&':') => (Some(Part::Hole), word_end(chars, at + 2)),
        c if c.is_ascii_digit() => (Some(Part::Number), number_end(chars, at)),
        '/' | '~' if path_end(chars, at).is_some() => {
            (Some(Part::Hole), path_end(chars, at).unwrap_or(at + 1))
        }
        c if is_word(c) => word_part(chars, at, before),
        ':' | ',' | ';' | '.' | '!' | '?' => (Some(Part::Mark(char)), at + 1),
        '(' | ')' | '[' | ']' | '{' | '}' | '`' | '"' | '\'' => (None, at + 1),
        _ => (Some(Part::Operator(char)), at + 1),
    }
}

fn word_part(chars: &[char], at: usize, before: &[Part]) -> (Option<Part>, usize) {
    if let Some(end) = path_end(chars, at) {
        return (Some(Part::Hole), end);
    }
    let end = word_end(chars, at);
    let word: String = chars[at..end].iter().collect();
    let starts_sentence = before.is_empty() || before.ends_with(&[Part::Mark('.')]);
    match is_ordinary(&word, starts_sentence) {
        true => (Some(Part::Word(word)), end),
        false => (Some(Part::Hole), end),
    }
}

/// Whether a word is English, or a stage of the compiler, rather than a name.
fn is_ordinary(word: &str, starts_sentence: bool) -> bool {
    if STAGES.contains(&word) || OF_TYPES.contains(&word) {
        return STAGES.contains(&word);
    }
    let letters = word.replace('\'', "");
    let rest_is_lower = letters
        .chars()
        .skip(1)
        .all(|c| c.is_lowercase() || "-_".contains(c));
    let first_is_lower = letters.starts_with(char::is_lowercase);
    rest_is_lower && (first_is_lower || (starts_sentence && letters.chars().count() > 1))
}

/// Returns the end of a word: names with `::` or `_` in them, lower-case words with `-` or `'` in them.
fn word_end(chars: &[char], at: usize) -> usize {
    let mut end = at;
    while end < chars.len() {
        let next_is_word = chars.get(end + 1).is_some_and(|c| is_word(*c));
        match chars[end] {
            c if is_word(c) => end += 1,
            '-' | '\'' if end > at && next_is_word => end += 1,
            ':' if chars.get(end + 1) == Some(&':') => end += 2,
            _ => break,
        }
    }
    end
}

fn number_end(chars: &[char], at: usize) -> usize {
    at + chars[at..].iter().take_while(|c| is_word(**c)).count()
}

/// Returns the end of a file path that begins at `at`: a run of letters with a `/` or `.rs` in it.
fn path_end(chars: &[char], at: usize) -> Option<usize> {
    let length = chars[at..]
        .iter()
        .take_while(|c| is_word(**c) || "/.-~@+".contains(**c))
        .count();
    let run: String = chars[at..at + length].iter().collect();
    let run = run.trim_end_matches(['.', '-']);
    let is_path = run.len() > 1 && (run.contains('/') || run.ends_with(".rs"));
    is_path.then(|| at + run.chars().count())
}

/// Returns the end of a quoted text that begins at `at`, if it is one.
fn quote_end(chars: &[char], at: usize) -> Option<usize> {
    let closing = || {
        let length = chars[at + 1..].iter().position(|c| *c == chars[at])?;
        Some(at + length + 2)
    };
    let is_apart = |at: Option<usize>| at.and_then(|at| chars.get(at)).is_none_or(|c| !is_word(*c));
    match chars[at] {
        '`' | '"' => closing(),
        // Otherwise it is an apostrophe, or a lifetime.
        '\'' if is_apart(at.checked_sub(1)) => closing().filter(|end| is_apart(Some(*end))),
        _ => None,
    }
}

fn is_word(char: char) -> bool {
    char.is_alphanumeric() || char == '_'
}

/// Makes one hole of neighbouring ones and of the operators between and beside them.
fn merge(parts: Vec<Part>) -> Vec<Part> {
    let mut merged: Vec<Part> = vec![];
    for part in parts {
        let beside_hole = merged.last() == Some(&Part::Hole);
        match part {
            Part::Hole => {
                while matches!(merged.last(), Some(Part::Operator(_))) {
                    merged.pop();
                }
                if merged.last() != Some(&Part::Hole) {
                    merged.push(Part::Hole);
                }
            }
            Part::Operator(_) if beside_hole => {}
            Part::Operator('-') => {}
            part => merged.push(part),
        }
    }
    merged
}

/// Returns the parts as a text on one line.
pub(super) fn print(parts: &[Part]) -> String {
    let mut text = String::new();
    for part in parts {
        if !text.is_empty() && !matches!(part, Part::Mark(_)) {
            text.push(' ');
        }
        match part {
            Part::Hole => text.push_str(".."),
            Part::Number => text.push('N'),
            Part::Word(word) => text.push_str(word),
            Part::Mark(char) | Part::Operator(char) => text.push(*char),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::normalise;

    #[test]
    fn messages_lose_what_depends_on_the_program() {
        let table = [
            // Messages that compilers really printed, shortened.
            (
                "broken MIR in DefId(0:50 ~ input[7343]::InlineDistance::combine) (_0 = Add(move _2, \
                 move _3)): bad assignment (Alias(Projection, AliasTy { args: [*const Self/#0], \
                 def_id: DefId(1:4091 ~ core[c1f1]::ops::Add::Output), .. }) = *const Self/#0): NoSolution",
                "broken MIR in ..: bad assignment ..: ..",
            ),
            (
                "broken MIR in DefId(0:3 ~ a[1]::f) (_0 = copy (*_1)): bad assignment (T = u8): NoSolution",
                "broken MIR in ..: bad assignment ..: ..",
            ),
            (
                "failed to normalize const, but it is not generic: (Add: (1_usize: usize), (1_usize: usize))",
                "failed to normalize const, but it is not generic: ..",
            ),
            (
                "Normalization of `ty::ConstKind::Expr` is unimplemented",
                "Normalization of .. is unimplemented",
            ),
            (
                "index out of bounds: the len is 3 but the index is 17",
                "index out of bounds: the len is N but the index is N",
            ),
            (
                "called `Option::unwrap()` on a `None` value",
                "called .. on a .. value",
            ),
            (
                "assertion `left == right` failed: no vtable\n  left: 2\n right: 0x7f3a",
                "assertion .. failed: no vtable left: N right: N",
            ),
            (
                "error performing operation: fully_perform",
                "error performing operation: fully_perform",
            ),
            (
                "no type for node HirId(DefId(0:7 ~ a[b]::main).4) (expr foo.bar::<T>())",
                "no type for node ..",
            ),
            // Names of the program.
            ("cannot find MyStruct in scope", "cannot find .. in scope"),
            (
                "cannot find Foo::<Vec<u8>>::bar_baz() in scope",
                "cannot find .. in scope",
            ),
            (
                "unexpected region 'a in 'static",
                "unexpected region .. in ..",
            ),
            ("unexpected const N/#2 for T", "unexpected const .. for .."),
            ("local _17 is dead", "local .. is dead"),
            ("type is *const T, not &mut [U; 4]", "type is .., not .."),
            // Files.
            ("cannot read /tmp/a-b/x.rs: gone", "cannot read ..: gone"),
            ("at src/lib.rs:3:14: 3:20 (#0)", "at ..: N: N: N: N .."),
            // Words stay.
            (
                "couldn't find the pre-computed query",
                "couldn't find the pre-computed query",
            ),
            (
                "THIR and MIR differ. Please report",
                "THIR and MIR differ. Please report",
            ),
            ("entered unreachable code", "entered unreachable code"),
            ("compiling 'core' twice", "compiling .. twice"),
            // Brackets that do not match, and operators, break nothing.
            ("expected (foo, got bar", "expected foo, got bar"),
            ("a) b] c} d> `e", "a b c d > e"),
            ("size 3 < 4 and 4 >= -3", "size N < N and N > = N"),
            ("fn(A) -> (B, C<{ x < 3 }>) is wrong", "fn .. is wrong"),
            ("", ""),
        ];
        for (message, expected) in table {
            assert_eq!(normalise(message), expected, "{message}");
        }
    }

    #[test]
    fn a_message_of_any_length_is_normalised_quickly() {
        let open = "(".repeat(100_000);
        assert_eq!(normalise(&open), "");
        let closed = "](".repeat(50_000);
        assert_eq!(normalise(&closed), "");
    }
}
