//! The result as it goes into `tests/crashes` of rust-lang/rust: lines that say how rustc's own tests compile it, and
//! the program.

use reduce_oracle::Plan;

/// The edition of a test that names none.
const USUAL_EDITION: &str = "2015";

/// What a file's name, its edition or its lines say already, or what the tests choose themselves.
const SAID_OTHERWISE: [&str; 3] = ["--crate-name", "--edition", "--emit"];

/// The test for the issue of a number. `is_read` says which variables the program reads.
pub(super) fn crashes_test(
    number: u32,
    plan: &Plan,
    code: &str,
    is_read: impl Fn(&str) -> bool,
) -> String {
    let edition = Some(&plan.call.edition).filter(|edition| *edition != USUAL_EDITION);
    let edition = edition.map(|edition| format!("//@ edition: {edition}"));
    let env = plan.call.env.iter().filter(|(name, _)| is_read(name));
    let env = env.map(|(name, value)| format!("//@ rustc-env: {name}={value}"));
    let first = format!("//@ known-bug: #{number}");
    let lines: Vec<String> = [first]
        .into_iter()
        .chain(edition)
        .chain(flags(plan))
        .chain(env)
        .collect();
    format!("{}\n\n{code}", lines.join("\n"))
}

/// The line with the flags that the crash needs.
fn flags(plan: &Plan) -> Option<String> {
    let groups = plan.removable_args().into_iter();
    let needed = groups.filter(|group| !SAID_OTHERWISE.contains(&group.name.as_str()));
    let words = needed.flat_map(|group| &plan.call.args[group.range]);
    let words: Vec<String> = words.map(|word| quoted(word)).collect();
    (!words.is_empty()).then(|| format!("//@ compile-flags: {}", words.join(" ")))
}

/// A word as it stands in a line of flags.
fn quoted(word: &str) -> String {
    match word.contains(char::is_whitespace) {
        true => format!("'{word}'"),
        false => word.to_owned(),
    }
}
