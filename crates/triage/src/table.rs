//! The table of groups for a terminal.

use crate::record::{GroupRecord, KnownRecord, Triage};
use reduce_oracle::escape;
use std::fmt::Write;

/// The largest number of members that a row names.
const MOST_NAMED: usize = 3;
/// The largest number of lines of a reduced program that are shown.
const MOST_LINES: usize = 12;

/// Writes the groups of a triage: of each its number, its members, its toolchains, its signature, its reduced program with the
/// size, what is known of it, and where the report is. Below them is what is in no group.
#[must_use]
pub fn table(triage: &Triage) -> String {
    let mut text = String::new();
    for group in &triage.groups {
        text += &of_group(group);
        text.push('\n');
    }
    for other in &triage.others {
        line(&mut text, &format!("{}: {}", other.input, other.reason));
    }
    if !triage.others.is_empty() {
        text.push('\n');
    }
    let members: usize = triage.groups.iter().map(|group| group.members.len()).sum();
    let complete = match triage.is_complete {
        true => "",
        false => "; stopped before all was reduced, the same command goes on",
    };
    line(
        &mut text,
        &format!(
            "{} in {}, {}{complete}",
            counted(members, "crash", "crashes"),
            counted(triage.groups.len(), "group", "groups"),
            counted(triage.others.len(), "other input", "other inputs")
        ),
    );
    text
}

/// A number of things, with the word for one of them or for several.
#[must_use]
pub fn counted(n: usize, one: &str, several: &str) -> String {
    match n {
        1 => format!("1 {one}"),
        n => format!("{n} {several}"),
    }
}

fn of_group(group: &GroupRecord) -> String {
    let mut text = String::new();
    let count = counted(group.members.len(), "input", "inputs");
    let tokens = match (&group.reduced, &group.failed) {
        (Some(reduced), _) => format!("{} tokens", reduced.tokens),
        (None, Some(_)) => "not reduced".to_owned(),
        (None, None) => "not reduced yet".to_owned(),
    };
    let toolchains = group.toolchains.join(", ");
    line(
        &mut text,
        &format!("group {}: {count}, {tokens}, on {toolchains}", group.number),
    );
    let mut row = |name: &str, value: &str| line(&mut text, &format!("  {name:<9} {value}"));
    row("crash", &group.signature);
    row("members", &members(group));
    if let Some(known) = known(group) {
        row("known", &known);
    }
    if !group.possibly_same_as.is_empty() {
        let numbers = group.possibly_same_as.iter().map(ToString::to_string);
        let numbers: Vec<String> = numbers.collect();
        row(
            "maybe",
            &format!("the same as group {}", numbers.join(", ")),
        );
    }
    if let Some(why) = &group.failed {
        row("failed", why);
    }
    if let Some(reduced) = &group.reduced {
        row("report", reduced.report.as_str());
        text += &program(reduced.program.as_deref().unwrap_or_default());
    }
    text
}

fn members(group: &GroupRecord) -> String {
    let names = group.members.iter().take(MOST_NAMED);
    let names: Vec<&str> = names.map(|member| member.input.as_str()).collect();
    match group.members.len().saturating_sub(MOST_NAMED) {
        0 => names.join(", "),
        more => format!("{} and {more} more", names.join(", ")),
    }
}

fn known(group: &GroupRecord) -> Option<String> {
    let named = |known: &KnownRecord| match &known.bug {
        Some(bug) => format!("{bug} ({})", known.file),
        None => known.file.clone(),
    };
    match (group.known.first(), group.possibly_known.first()) {
        (Some(known), _) => Some(named(known)),
        (None, Some(near)) => Some(format!("possibly {}", named(near))),
        (None, None) => None,
    }
}

fn program(text: &str) -> String {
    let mut shown = String::new();
    let lines = text.lines();
    for one in lines.clone().take(MOST_LINES) {
        line(&mut shown, &format!("    {one}"));
    }
    match lines.count().saturating_sub(MOST_LINES) {
        0 => {}
        more => line(&mut shown, &format!("    .. and {more} more lines")),
    }
    shown
}

/// Adds a line. What others have written in it is escaped.
fn line(text: &mut String, content: &str) {
    writeln!(text, "{}", escape::line(content)).expect("a string takes what is written");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Confirmed, Member, Other, ReducedRecord, TRIAGE_VERSION};

    fn member(input: &str) -> Member {
        Member {
            input: input.to_owned(),
            tokens: 100,
            core_tokens: Some(20),
            confirmed: Confirmed::Core,
        }
    }

    fn group() -> GroupRecord {
        GroupRecord {
            number: 1,
            signature: "bug at x.rs".to_owned(),
            toolchains: vec!["nightly".to_owned()],
            reduced: Some(ReducedRecord {
                program: Some("fn main() {\n    1\n}\n".to_owned()),
                tokens: 7,
                result: "reductions/k/reduced.rs".into(),
                directory: "reductions/k".into(),
                report: "reductions/k/report.html".into(),
                from: "a.rs".to_owned(),
            }),
            failed: None,
            members: ["a.rs", "b.rs", "c.rs", "d.rs"].map(member).into(),
            known: Vec::new(),
            possibly_known: vec![KnownRecord {
                file: "crashes/12.rs".to_owned(),
                bug: Some("#12".to_owned()),
            }],
            possibly_same_as: vec![2],
        }
    }

    #[test]
    fn a_group_is_shown_with_its_program_and_what_is_in_no_group_has_a_line() {
        let triage = Triage {
            version: TRIAGE_VERSION,
            is_complete: true,
            toolchains: Vec::new(),
            groups: vec![group()],
            others: vec![Other {
                input: "e\u{1b}.rs".to_owned(),
                reason: "it compiles".to_owned(),
            }],
        };
        let expected = "\
group 1: 4 inputs, 7 tokens, on nightly
  crash     bug at x.rs
  members   a.rs, b.rs, c.rs and 1 more
  known     possibly #12 (crashes/12.rs)
  maybe     the same as group 2
  report    reductions/k/report.html
    fn main() {
        1
    }

e\\u{1b}.rs: it compiles

4 crashes in 1 group, 1 other input
";
        assert_eq!(table(&triage), expected);
    }

    #[test]
    fn a_group_that_is_not_reduced_says_so() {
        let group = GroupRecord {
            reduced: None,
            failed: Some("it fails only sometimes".to_owned()),
            possibly_known: Vec::new(),
            ..group()
        };
        let text = of_group(&group);
        assert!(text.contains("not reduced"), "{text}");
        assert!(text.contains("failed    it fails only sometimes"), "{text}");
    }
}
