//! Lines such as `//@ compile-flags: -Znext-solver`, with which files of rustc's own tests say how
//! they are compiled. They are obeyed as compiletest does; what the user says counts more.
//!
//! - `line`: a line, taken apart.
//! - `links`: the files that it links.
//! - `unread`: lines that decide how a file is compiled, and are not obeyed.

mod line;
mod links;
mod unread;

use camino::Utf8Path;
use line::{Line, lines};
use links::{Place, directory, links};
use reduce_oracle::FileInput;
use std::collections::BTreeMap;

/// A function that reads a file; `None` where there is none.
type Read<'r> = dyn Fn(&Utf8Path) -> Option<String> + 'r;

/// A way in which the `//@` lines of a file ask to compile it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Obeyed {
    /// The input, completed by its `//@` lines.
    pub(crate) file: FileInput,
    /// The revision, where the file has some.
    pub(crate) revision: Option<String>,
    /// A sentence for each line that decides how the file is compiled and is not obeyed.
    pub(crate) unread: Vec<String>,
    /// The lines that say on which systems and with which compilers rustc runs the test.
    pub(crate) restrictions: Vec<String>,
}

/// Returns the ways in which a file with this text is to be compiled, one for each of its revisions
/// that the user leaves to choose from. There is at least one. `read` reads the files that it links.
///
/// # Errors
/// The revisions that there are, where the user wants another one.
pub(crate) fn obeyed(
    file: &FileInput,
    text: &str,
    read: &Read<'_>,
) -> Result<Vec<Obeyed>, Vec<String>> {
    let lines: Vec<Line<'_>> = lines(text).collect();
    let revisions = chosen(file, revisions(&lines))?;
    let directory = directory(&file.path);
    let place = Place::of_test(&directory, read);
    let of = |revision: Option<&str>| of_lines(file, &lines, revision, place);
    Ok(match revisions.is_empty() {
        true => vec![of(None)],
        false => revisions.iter().map(|one| of(Some(one))).collect(),
    })
}

/// Returns the names of all revisions, in the order of the file.
fn revisions(lines: &[Line<'_>]) -> Vec<String> {
    let named = lines.iter().filter(|line| line.name == "revisions");
    let names = named.flat_map(|line| line.value.split_whitespace());
    names.map(str::to_owned).collect()
}

/// Returns the revision that the user names, or all revisions. One whose `cfg` is among the user's
/// arguments is named, too.
fn chosen(file: &FileInput, revisions: Vec<String>) -> Result<Vec<String>, Vec<String>> {
    let is_given = |name: &&String| {
        let cfg = cfg_of(name);
        let mut pairs = file.rustc_args.windows(2);
        pairs.any(|pair| pair[0] == "--cfg" && pair[1] == cfg)
            || file.rustc_args.contains(&format!("--cfg={cfg}"))
    };
    let wanted = match &file.revision {
        Some(wanted) => Some(wanted),
        None => revisions.iter().find(is_given),
    };
    match wanted {
        None => Ok(revisions),
        Some(wanted) if revisions.contains(wanted) => Ok(vec![wanted.clone()]),
        Some(_) => Err(revisions),
    }
}

/// Returns the `cfg` that is set in a revision.
fn cfg_of(revision: &str) -> String {
    revision.replace('-', "_")
}

/// Completes an input by its `//@` lines that hold in a revision.
fn of_lines(
    file: &FileInput,
    lines: &[Line<'_>],
    revision: Option<&str>,
    place: Place<'_>,
) -> Obeyed {
    let lines = lines.iter().filter(|line| line.is_for(revision));
    let lines: Vec<&Line<'_>> = lines.collect();
    let (links, missing) = links(&lines, revision, file, place);
    let mut obeying = FileInput {
        revision: revision.map(str::to_owned),
        env: variables(&lines),
        links,
        ..file.clone()
    };
    obeying.add_default_args(&arguments(&lines, revision));
    let restricting = lines.iter().filter(|line| line.is_restriction());
    Obeyed {
        unread: [unread::sentences(&lines), missing].concat(),
        restrictions: restricting.map(|line| line.text.to_owned()).collect(),
        revision: obeying.revision.clone(),
        file: obeying,
    }
}

/// Returns the compiler's arguments that `//@` lines ask for. An edition among the flags counts
/// more than one of its own.
fn arguments(lines: &[&Line<'_>], revision: Option<&str>) -> Vec<String> {
    let flags: Vec<String> = values(lines, "compile-flags").flat_map(flags).collect();
    let has_edition = flags.iter().any(|flag| flag.starts_with("--edition"));
    let edition = values(lines, "edition").map(first_edition).next();
    let edition = edition.filter(|edition| !edition.is_empty() && !has_edition);
    let edition = edition.map(|edition| format!("--edition={edition}"));
    let cfg = revision.map(|revision| format!("--cfg={}", cfg_of(revision)));
    edition.into_iter().chain(cfg).chain(flags).collect()
}

/// Returns the values of all `//@` lines with a name.
fn values<'l>(lines: &[&Line<'l>], name: &str) -> impl Iterator<Item = &'l str> {
    let named = lines.iter().filter(move |line| line.name == name);
    named.map(|line| line.value)
}

/// Returns the first edition of a range such as `2015..2021`, which is the one that the test is run
/// in.
fn first_edition(range: &str) -> &str {
    range.split("..").next().unwrap_or(range).trim()
}

/// Returns the compiler flags in a `//@` line. What stands in single quotes is one word.
fn flags(line: &str) -> Vec<String> {
    let parts = line.split('\'').enumerate();
    let words = parts.flat_map(|(idx, part)| match idx % 2 {
        1 => vec![part],
        _ => part.split_whitespace().collect(),
    });
    words.map(str::to_owned).collect()
}

/// Returns the environment variables that `//@` lines set and unset.
fn variables(lines: &[&Line<'_>]) -> BTreeMap<String, Option<String>> {
    let unset = values(lines, "unset-rustc-env").map(|name| (name, None));
    let set = values(lines, "rustc-env").map(|line| {
        let (name, value) = line.split_once('=').unwrap_or((line, ""));
        (name.trim(), Some(value.to_owned()))
    });
    let all = unset.chain(set).filter(|(name, _)| !name.is_empty());
    all.map(|(name, value)| (name.to_owned(), value)).collect()
}

#[cfg(test)]
mod tests;
