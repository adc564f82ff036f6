//! Each command of `cargo reduce` that a page shows is parsed as if somebody had typed it.

use super::{Document, documents};
use crate::args::{Layer, parse};
use pulldown_cmark::{CodeBlockKind, Event, Parser, Tag, TagEnd};
use std::ffi::OsString;

/// The operators that end a command in a line of a shell.
const OPERATORS: [&str; 8] = ["|", "||", "&&", ";", "<", ">", "2>", "&"];

/// Returns the calls of `cargo reduce` that a page shows: lines of its blocks of shell, and code within its sentences.
fn commands(text: &str) -> Vec<String> {
    let mut commands = Vec::new();
    let mut is_shell = false;
    for event in Parser::new(text) {
        match event {
            Event::Start(Tag::CodeBlock(kind)) => is_shell = is_of_shell(&kind),
            Event::End(TagEnd::CodeBlock) => is_shell = false,
            Event::Text(code) if is_shell => commands.extend(code.lines().filter_map(command)),
            Event::Code(code) => commands.extend(command(&code)),
            _ => {}
        }
    }
    commands
}

fn is_of_shell(kind: &CodeBlockKind<'_>) -> bool {
    matches!(kind, CodeBlockKind::Fenced(language) if ["sh", "console"].contains(&&**language))
}

/// The command in a line, without prompt and variables, if it is one of `cargo reduce`.
fn command(line: &str) -> Option<String> {
    let mut rest = line.trim().trim_start_matches("$ ");
    while let Some((word, after)) = rest.split_once(' ')
        && word.contains('=')
    {
        rest = after;
    }
    let words: Vec<&str> = rest.split(' ').collect();
    let is_ours = match words.as_slice() {
        ["cargo", toolchain, "reduce", ..] => toolchain.starts_with('+'),
        ["cargo" | "cargo-reduce", "reduce", ..] => true,
        _ => false,
    };
    is_ours.then(|| rest.to_owned())
}

/// Returns the words of a shell's command that `cargo-reduce` itself would get, without a toolchain's name (`+nightly`):
/// rustup takes the name of a toolchain for itself.
fn words(command: &str) -> Option<Vec<String>> {
    let words = shlex::split(command)?.into_iter();
    let words = words.take_while(|word| !OPERATORS.contains(&word.as_str()));
    let is_kept = |(index, word): &(usize, String)| *index != 1 || !word.starts_with('+');
    let kept = words.enumerate().filter(is_kept);
    Some(kept.map(|(_, word)| word).collect())
}

/// Returns the reason why `cargo reduce` does not understand a command, if there is one.
fn reason_against(command: &str) -> Option<String> {
    let Some(words) = words(command) else {
        return Some("a quote is not closed".to_owned());
    };
    match parse(words.iter().map(OsString::from), &Layer::new()) {
        Err(error) if error.use_stderr() => Some(error.to_string()),
        _ => None,
    }
}

/// Returns the complaints about the commands of a page.
fn complaints(document: &Document) -> Vec<String> {
    document.complaints(commands(&document.text), reason_against)
}

#[test]
fn each_command_is_understood() {
    let wrong: Vec<String> = documents().iter().flat_map(complaints).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_readme_shows_commands_for_six_failures() {
    let readme = documents().swap_remove(0);
    let n_commands = commands(&readme.text).len();
    assert!(n_commands >= 6, "{n_commands} in `{}`", readme.path);
}

#[test]
fn commands_are_found_in_blocks_and_in_sentences() {
    let page = "Call `cargo reduce --ice`, not `reduce`.\n\n```sh\n$ cargo +nightly reduce -p a\n\
                JOBS=1 cargo reduce # a remark\ncargo test\n```\n\n```text\ncargo reduce x\n```\n";
    let expected = [
        "cargo reduce --ice",
        "cargo +nightly reduce -p a",
        "cargo reduce # a remark",
    ];
    assert_eq!(commands(page), expected);
}

#[test]
fn what_a_shell_does_is_no_part_of_a_command() {
    let expected = ["cargo", "reduce", "--ice", "-"];
    assert_eq!(
        words("cargo +1.95 reduce --ice - < a.rs").unwrap(),
        expected
    );
    assert_eq!(words("cargo reduce --ice - # a remark").unwrap(), expected);
    let expected = ["cargo", "reduce", "--valid-with", "+nightly"];
    assert_eq!(
        words("cargo reduce --valid-with +nightly").unwrap(),
        expected
    );
}

#[test]
fn a_command_that_is_not_understood_is_reported() {
    let document = Document {
        path: "page.md".into(),
        text: "`cargo reduce --icy` and `cargo reduce --ice 'a`".to_owned(),
    };
    let complaints = complaints(&document);
    assert_eq!(complaints.len(), 2, "{complaints:?}");
    assert!(complaints[0].contains("unexpected argument '--icy'"));
    assert!(complaints[1].contains("a quote is not closed"));
}
