//! The comment above the report of a crash of rustc or of another tool, which GitHub does not show: a title for the issue,
//! where to look whether the crash is known, and where to report it.

use super::links::new_issue;
use super::{Extent, Report, of_tool};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use reduce_oracle::{CrashKind, Shown, Signature, Tool, escape};

/// The length in characters above which a text in brackets is left out of a title.
const LONGEST_GROUP: usize = 32;

/// The text before a definition's path in the compiler's words: `DefId(0:4 ~
/// krate[d1d4]::Trait::foo)`.
const BEFORE_PATH: &str = "DefId(";

/// The least number of hexadecimal digits on each side of the hyphen in a fingerprint.
const FEWEST_DIGITS: usize = 4;

/// The longest title, in characters.
const LONGEST_TITLE: usize = 120;

/// The title where rustfmt does not leave its own output as it is.
const UNSTABLE: &str = "rustfmt formats its own output in another way";

/// The beginning of a title for a crash.
const ICE: &str = "ICE: ";

/// The least number of words in a row that are searched for in a tracker, as fewer occur in too
/// many messages.
const FEWEST_WORDS: usize = 3;

/// The title and links that a reporter of a crash needs besides the report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Reporting {
    /// A title for the issue, if the crash has a message.
    pub(crate) title: Option<String>,
    /// The link that looks whether the crash is known, if it has words to look for.
    pub(crate) search: Option<String>,
    /// The link that opens a new issue with the report as its text.
    pub(crate) issue: String,
    /// The link that opens an issue without a text, for whoever has the report at hand.
    pub(crate) empty_issue: String,
}

impl Reporting {
    /// Returns the comment above a report for the person who reports the crash, which GitHub does
    /// not show.
    pub(super) fn comment(&self) -> String {
        // The message may have characters of the program's that turn text around.
        let title = self.title.iter();
        let title = title.map(|title| format!("A title: {}", escape::line(title)));
        let search = self.search.iter();
        let search = search.map(|link| format!("Look whether it is known: {link}"));
        // With the report in the address, it would be a line of several thousand characters.
        let issue = format!("Report it with the text below: {}", self.empty_issue);
        let issue = std::iter::once(issue);
        let lines = Vec::from_iter(title.chain(search).chain(issue));
        format!("<!--\n{}\n-->\n\n", lines.join("\n"))
    }
}

impl Report<'_> {
    /// Returns the title and the links that a reporter needs, if rustc or another tool has crashed.
    pub(super) fn reporting(&self) -> Option<Reporting> {
        let is_of_other = self.tool != Tool::Rustc;
        if !self.is_of_rustc() && !is_of_other {
            return None;
        }
        let signature = &self.summary.behaviour.signature;
        let title = title(self.shown, signature).or_else(|| {
            // A stack overflow and a signal have none.
            let query = signature
                .query
                .iter()
                .map(|query| format!(" in the query {query}"));
            title_of(&(signature.kind.to_string() + &query.collect::<String>()))
        });
        let title = match signature.kind {
            CrashKind::DifferentOutput => Some(UNSTABLE.to_owned()),
            _ => title.map(|title| {
                let message = title.strip_prefix(ICE).unwrap_or(&title);
                self.public(&format!("{}{message}", of_tool::begin_of_title(self.tool)))
            }),
        };
        let tracker = of_tool::tracker(self.tool);
        let search = words_to_search(signature).map(|words| {
            let query = format!("is:issue \"{words}\"");
            let query = utf8_percent_encode(&query, NON_ALPHANUMERIC);
            format!("{tracker}?q={query}")
        });
        let bodies = [Extent::Issue, Extent::ShortIssue].map(|extent| self.body(extent));
        let words = title.as_deref().unwrap_or_default();
        let place = (tracker, of_tool::labels(self.tool));
        let (issue, empty_issue) = (
            new_issue(place, words, &bodies),
            new_issue(place, words, &[]),
        );
        Some(Reporting {
            title,
            search,
            issue,
            empty_issue,
        })
    }

    /// Whether rustc itself has crashed.
    pub(super) fn is_of_rustc(&self) -> bool {
        let is_rustc = self.tool == Tool::Rustc && self.compiler() == "rustc";
        is_rustc && self.summary.behaviour.signature.is_of_compiler()
    }
}

/// Makes the title for a crash, in the words in which it was printed if these are found; `None` where it has no
/// message.
pub(crate) fn title(shown: &Shown, signature: &Signature) -> Option<String> {
    match shown.message(signature) {
        Some(message) => title_of(&without_details(first_line(&message)?)),
        None => title_of(&without_gaps(first_line(&signature.message)?)),
    }
}

fn first_line(message: &str) -> Option<&str> {
    message.lines().find(|line| !line.trim().is_empty())
}

/// Makes the title of an issue from a line of the compiler's message.
fn title_of(line: &str) -> Option<String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    if words.is_empty() {
        return None;
    }
    // A comment ends with `-->`.
    let mut text = format!("{ICE}{}", words.join(" "));
    while text.contains("--") {
        text = text.replace("--", "-");
    }
    if text.chars().count() > LONGEST_TITLE {
        let short: String = text.chars().take(LONGEST_TITLE).collect();
        let end = short.rfind(' ').unwrap_or(short.len());
        text = format!("{} ..", &short[..end]);
    }
    Some(text)
}

/// Shortens a message for a title: it keeps the paths of definitions, and loses long texts in brackets and
/// fingerprints, which differ from program to program: `evaluate_obligation(33f7..-b84e..)`.
fn without_details(line: &str) -> String {
    let mut text = String::new();
    let mut rest = line;
    while let Some(character) = rest.chars().next() {
        let (taken, after) = match path_of_definition(rest) {
            Some((path, after)) => (path.to_owned(), after),
            None => match group(rest) {
                Some((inner, after)) if is_fingerprint(inner) => (String::new(), after),
                Some((inner, after)) if inner.chars().count() > LONGEST_GROUP => {
                    let open = &rest[..1];
                    let close = &rest[1 + inner.len()..][..1];
                    let space = if inner.starts_with(' ') { " " } else { "" };
                    (format!("{open}{space}..{space}{close}"), after)
                }
                _ => (character.to_string(), &rest[character.len_utf8()..]),
            },
        };
        text.push_str(&taken);
        rest = after;
    }
    text
}

/// Whether a text is two hexadecimal numbers with a hyphen between them, as the compiler prints a hash.
fn is_fingerprint(text: &str) -> bool {
    let is_number = |text: &str| {
        text.len() >= FEWEST_DIGITS && text.bytes().all(|byte| byte.is_ascii_hexdigit())
    };
    let halves = text.split_once('-');
    halves.is_some_and(|(first, second)| is_number(first) && is_number(second))
}

/// Splits a text that begins with a definition such as `DefId(0:4 ~ a[d1d4]::f)` into the
/// definition's path and the rest.
fn path_of_definition(text: &str) -> Option<(&str, &str)> {
    text.strip_prefix(BEFORE_PATH)?;
    let (inside, after) = group(&text[BEFORE_PATH.len() - 1..])?;
    let (_, path) = inside.split_once("]::")?;
    Some((path, after))
}

/// Returns the text in the brackets that a text begins with, and the text after them. Both are
/// ASCII.
fn group(text: &str) -> Option<(&str, &str)> {
    let mut open = Vec::new();
    for (at, character) in text.char_indices() {
        match character {
            '(' => open.push(')'),
            '[' => open.push(']'),
            '{' => open.push('}'),
            ')' | ']' | '}' if open.pop() != Some(character) => return None,
            _ => {}
        }
        if open.is_empty() {
            let is_group = at > 0;
            return is_group.then(|| (&text[1..at], &text[at + 1..]));
        }
    }
    None
}

/// Returns a message on one line, without the `..` that stand in it for words of the program.
fn without_gaps(line: &str) -> String {
    let mut words: Vec<String> = Vec::new();
    for word in line.split_whitespace() {
        let is_gap =
            word.starts_with("..") && word.chars().all(|one| matches!(one, '.' | ':' | ','));
        match words.last_mut() {
            Some(before) if is_gap && !before.ends_with(':') => {
                before.push_str(word.trim_start_matches('.'));
            }
            _ if is_gap => {}
            _ => words.push(word.to_owned()),
        }
    }
    words.join(" ").trim_end_matches([':', ',']).to_owned()
}

/// Returns words that all reports of the crash have: words of the message, or the file in which the compiler
/// panicked.
fn words_to_search(signature: &Signature) -> Option<String> {
    let words = words_of_message(signature);
    words.or_else(|| signature.file.as_ref().map(ToString::to_string))
}

/// Returns the longest run of words of the message that are not the program's, if it is long enough to mean
/// this crash.
pub(crate) fn words_of_message(signature: &Signature) -> Option<String> {
    let line = signature.message.lines().next().unwrap_or_default();
    let longest = runs_of_words(line)
        .into_iter()
        .filter(|run| run.len() >= FEWEST_WORDS)
        .max_by_key(|run| (run.len(), std::cmp::Reverse(run.clone())));
    longest.map(|run| run.join(" "))
}

/// Splits a line into runs of ordinary words that stand in no brackets or quotes.
fn runs_of_words(line: &str) -> Vec<Vec<String>> {
    let mut runs = vec![Vec::new()];
    for word in outside_of_brackets(line).split_whitespace() {
        let bare = word.trim_end_matches([',', '.', ':']);
        let are = |is_meant: fn(char) -> bool| bare.chars().all(is_meant);
        let is_plain = are(|one| one.is_lowercase() || one == '\'');
        // An abbreviation, such as MIR.
        let is_abbreviation = bare.len() > 1 && are(char::is_uppercase);
        let is_ordinary = !bare.is_empty() && (is_plain || is_abbreviation);
        if is_ordinary && let Some(run) = runs.last_mut() {
            run.push(bare.to_owned());
        }
        // Quoted words have to stand beside each other.
        if !is_ordinary || bare != word {
            runs.push(Vec::new());
        }
    }
    runs
}

/// Puts `#` in place of what is in brackets and quotes in a text.
fn outside_of_brackets(line: &str) -> String {
    let mut text = String::new();
    let (mut depth, mut quote) = (0_usize, None);
    for character in line.chars() {
        match (quote, character) {
            (Some(open), _) => {
                if open == character {
                    quote = None;
                }
            }
            (None, '`' | '"') => {
                quote = Some(character);
                text.push_str(" # ");
            }
            (None, '(' | '[' | '{' | '<') => {
                depth += 1;
                text.push_str(" # ");
            }
            (None, ')' | ']' | '}' | '>') => depth = depth.saturating_sub(1),
            (None, _) if depth == 0 => text.push(character),
            (None, _) => {}
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use reduce_oracle::CrashKind;

    fn searched(message: &str) -> Option<String> {
        words_to_search(&Signature {
            file: Some("compiler/rustc_a/src/b.rs".into()),
            ..Signature::of_kind(CrashKind::Panic, message)
        })
    }

    #[test]
    fn what_is_searched_for_is_not_of_the_program() {
        let binder = "Binder { value: T([u8; U/#0]), bound_vars: [] } has parameters, but no args were provided in instantiate";
        let expected = "but no args were provided in instantiate";
        assert_eq!(searched(binder).as_deref(), Some(expected));
        let quoted = "no entry found for key `Foo` in the map";
        assert_eq!(searched(quoted).as_deref(), Some("no entry found for key"));
        let place = Some("compiler/rustc_a/src/b.rs");
        assert_eq!(searched("assertion failed: a == b").as_deref(), place);
        assert_eq!(searched("").as_deref(), place);
        let abbreviated = searched("broken MIR in ..: bad assignment ..: ..");
        assert_eq!(abbreviated.as_deref(), Some("broken MIR in"));
    }

    #[test]
    fn a_title_has_the_words_of_the_compiler_without_its_details() {
        let check = |message: &str, expected: &str| {
            let title = title_of(&without_details(message));
            assert_eq!(title.as_deref(), Some(expected));
        };
        check(
            "Binder { value: WellFormed(Term::Ty([u8; N/#0])), bound_vars: [] } has parameters",
            "ICE: Binder { .. } has parameters",
        );
        check(
            "broken MIR in DefId(0:4 ~ a[d1d4]::Trait::foo) (_2 = Add(move _3, move _4)): bad assignment (Alias(Projection, AliasTy { args: [] }) = *const Self/#0): NoSolution",
            "ICE: broken MIR in Trait::foo (_2 = Add(move _3, move _4)): bad assignment (..): NoSolution",
        );
        check(
            "expected `[u8; 2]`, found (a",
            "ICE: expected `[u8; 2]`, found (a",
        );
        check("DefId(a) is ) odd", "ICE: DefId(a) is ) odd");
        check(
            "Found unstable fingerprints for evaluate_obligation(33f72a9c1b0d4e55-b84e6a0f): Ok(EvaluatedToOk)",
            "ICE: Found unstable fingerprints for evaluate_obligation: Ok(EvaluatedToOk)",
        );
        check("key (a-b) (1-2)", "ICE: key (a-b) (1-2)");
    }

    #[test]
    fn a_title_has_no_gaps() {
        let message = "broken MIR in ..: bad assignment ..: ..";
        assert_eq!(without_gaps(message), "broken MIR in: bad assignment");
        assert_eq!(without_gaps("a .. b, .."), "a b");
        assert_eq!(without_gaps("0..2 and ..2"), "0..2 and ..2");
    }

    #[test]
    fn a_title_has_no_effect_on_who_reads_the_comment() {
        let reporting = Reporting {
            title: title_of("key \u{1b}[2J\u{202e} is missing"),
            search: None,
            issue: "https://example.org".to_owned(),
            empty_issue: "https://example.org".to_owned(),
        };
        let comment = reporting.comment();
        let is_active = |one: char| one != '\n' && escape::is_active(one);
        assert!(!comment.contains(is_active), "{comment:?}");
    }

    #[test]
    fn a_title_is_one_line_that_ends_no_comment() {
        assert_eq!(title_of(""), None);
        assert_eq!(first_line("\n no\tend -->\nx"), Some(" no\tend -->"));
        assert_eq!(title_of(" no\tend -->").as_deref(), Some("ICE: no end ->"));
        let long = title_of(&"word ".repeat(60)).unwrap();
        assert!(long.chars().count() <= LONGEST_TITLE + 3, "{long}");
        assert!(long.ends_with("word .."), "{long}");
    }
}
