//! Plans as shell lines for people.

use super::Plan;
use crate::args;
use camino::Utf8Path;
use std::collections::BTreeMap;

/// Variables that change what the compiler does.
const SHOWN: [&str; 2] = ["RUSTC_BOOTSTRAP", "RUST_MIN_STACK"];

pub(super) fn of_plan(plan: &Plan, root: &Utf8Path, also: &dyn Fn(&str) -> bool) -> String {
    let mut words = assignments(&plan.env);
    let others = plan.env.iter().filter(|(name, value)| {
        !SHOWN.contains(&name.as_str()) && also(name) && !value.contains(plan.tree.as_str())
    });
    words.extend(others.map(|(name, value)| format!("{name}={}", quoted(value))));
    words.push(plan.compiler.command.clone());
    for group in args::groups(&plan.args) {
        if group.is_root() {
            words.push(quoted(root.as_str()));
        } else {
            words.extend(plan.args[group.range].iter().map(|arg| quoted(arg)));
        }
    }
    words.join(" ")
}

/// A command as it could be typed.
pub(crate) fn shell_line(env: &BTreeMap<String, String>, program: &str, args: &[String]) -> String {
    let mut words = assignments(env);
    words.push(quoted(program));
    words.extend(args.iter().map(|arg| quoted(arg)));
    words.join(" ")
}

fn assignments(env: &BTreeMap<String, String>) -> Vec<String> {
    let shown = SHOWN
        .iter()
        .filter_map(|name| Some((name, env.get(*name)?)));
    shown
        .map(|(name, value)| format!("{name}={}", quoted(value)))
        .collect()
}

/// Quoted only where a shell needs it.
pub(crate) fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_=+./,:@%".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    shlex::try_quote(word).map_or_else(|_| word.to_owned(), std::borrow::Cow::into_owned)
}
