//! The names, order and layout of a result, which make it pleasant to read once nothing more can go.
//! The number of tokens stays as it is, but for commas that a layout puts at the ends of lines.

use super::alternatives::Alternatives;
use super::forms::try_instead;
use crate::candidate::Candidate;
use crate::failure::Failure;
use crate::propose::Methods;
use crate::request::Stage;
use crate::session::Session;
use reduce_guard::has_points;
use reduce_passes::{canonical_names, idiomatic_order, without_idle_statements};
use reduce_syntax::{
    Comments, EditSet, SourceTree, count_long_lines, count_tokens, has_same_tokens,
    laid_out_by_tokens, pretty, spaced, without_doc_comments, without_last_commas,
};
use std::sync::Arc;

/// The length of lines at which rustfmt breaks them.
const LONGEST_LINE: usize = 100;

/// Removes the comments that mark points of the code under test, as no later edit removes these
/// points.
///
/// # Errors
/// Where our own surroundings fail.
pub(super) fn leave_marks_out(session: &mut Session<'_>) -> Result<(), Failure> {
    if !has_points(&session.best().tree) || session.is_cancelled() {
        return Ok(());
    }
    let (candidates, kind) = (vec![session.best().unguarded()], "unmarked");
    session.in_stage(Stage::Print, 1, |session| {
        session.of_any_size(|session| Alternatives { candidates, kind }.try_in(session))
    })?;
    Ok(())
}

/// Renames all definitions at once, or else each that lets itself be renamed. Returns how many candidates were accepted.
///
/// # Errors
/// Where our own surroundings fail.
pub(super) fn rename(session: &mut Session<'_>, _: &Methods, _: u32) -> Result<u64, Failure> {
    let base = session.best().tree.clone();
    let renamings = canonical_names(&base);
    if renamings.is_empty() {
        return Ok(0);
    }
    if try_form(session, Stage::RenameDefinitions, with(&base, &renamings))? {
        return Ok(1);
    }
    let mut done: Vec<EditSet> = Vec::new();
    for renaming in renamings {
        done.push(renaming);
        if !try_form(session, Stage::RenameDefinitions, with(&base, &done))? {
            done.pop();
        }
    }
    Ok(done.len() as u64)
}

/// Puts items in the usual order. Returns how many candidates were accepted.
///
/// # Errors
/// Where our own surroundings fail.
pub(super) fn order_items(session: &mut Session<'_>, _: &Methods, _: u32) -> Result<u64, Failure> {
    let best = &session.best().tree;
    let Some(edits) = idiomatic_order(best) else {
        return Ok(0);
    };
    let ordered = edits.apply(best);
    try_form(session, Stage::OrderItems, ordered).map(u64::from)
}

pub(super) fn with(base: &SourceTree, all: &[EditSet]) -> SourceTree {
    let mut edits = EditSet::new();
    all.iter().for_each(|one| edits.extend(one));
    edits.apply(base)
}

/// Returns a tree without doc comments.
pub(super) fn without_docs(tree: &SourceTree) -> SourceTree {
    let mut left = tree.clone();
    for (file, _, text) in tree.files() {
        if let Some(text) = without_doc_comments(text) {
            left.set_text(file, Arc::from(text));
        }
    }
    left
}

/// Lays all files out, as the toolchain's rustfmt does or else as prettyplease does; what neither understands by its tokens. The
/// doc comments go that are left where no pass that deletes attributes was made. Returns how many candidates were accepted.
///
/// # Errors
/// Where our own surroundings fail.
pub(super) fn print(session: &mut Session<'_>, _: &Methods, _: u32) -> Result<u64, Failure> {
    let undocumented = without_docs(&session.best().tree);
    let mut accepted = u64::from(try_instead(session, Stage::Print, undocumented)?);
    let format = |text: &str| {
        session
            .tools
            .in_turn(|oracle, cancel| oracle.format(text, cancel))
    };
    // A printer of syntax may leave out what it does not know.
    for laid_out in layouts(&session.best().tree, &format)? {
        // A line for each argument ends in a comma more.
        accepted += u64::from(try_instead(session, Stage::Print, laid_out.clone())?);
        if session.best().tree == laid_out {
            break;
        }
    }
    accepted += u64::from(leave_idle_statements_out(session)?);
    Ok(accepted)
}

/// Leaves out statements that do nothing, once all else is done. A literal that an assertion expects may have become one, and
/// must not go as long as it may be a part of the setup. What runs is the same without them, and whoever checks the result sees
/// that.
fn leave_idle_statements_out(session: &mut Session<'_>) -> Result<bool, Failure> {
    if !session.tools.oracle.runs_programs() || session.is_cancelled() {
        return Ok(false);
    }
    let Some(without) = without_idle_statements(&session.best().tree) else {
        return Ok(false);
    };
    let candidate = session.best().with_tree(without);
    session.end_with(candidate)?;
    Ok(true)
}

/// A formatter, which lays a text out as rustfmt does; `None` where that is not there, or cannot.
type Format<'a> = dyn Fn(&str) -> Result<Option<String>, Failure> + 'a;

/// Returns a tree in the layouts that it may have, the nicest first. None of them has an ordinary comment.
///
/// # Errors
/// Those of the formatter.
pub(super) fn layouts(tree: &SourceTree, format: &Format<'_>) -> Result<[SourceTree; 3], Failure> {
    let (mut formatted, mut printed, mut by_tokens) = (tree.clone(), tree.clone(), tree.clone());
    for (file, _, text) in tree.files() {
        let plain = Comments::Doc.left_in(text);
        let plain = laid_out_by_tokens(plain.as_deref().unwrap_or(text));
        let of_printer = pretty(text);
        let laid_out = formatted_text(format, text, of_printer.as_deref(), &plain)?;
        formatted.set_text(file, Arc::from(laid_out));
        let of_printer = of_printer.unwrap_or_else(|| plain.clone());
        printed.set_text(file, Arc::from(of_printer));
        by_tokens.set_text(file, Arc::from(plain));
    }
    Ok([formatted, printed, by_tokens])
}

/// Chooses the layout of a file: rustfmt's of what prettyplease printed, or of the text where that has other tokens. Where it
/// has lines that are too long, the one of all layouts with the fewest of these.
fn formatted_text(
    format: &Format<'_>,
    text: &str,
    printed: Option<&str>,
    plain: &str,
) -> Result<String, Failure> {
    let of_printed = || match printed {
        Some(printed) => laid_out_with_least_commas(format, text, printed),
        None => Ok(None),
    };
    let of_text = || format(plain);
    let of_none = || Ok(Some(printed.unwrap_or(plain).to_owned()));
    let is_whole = printed.is_some_and(|printed| has_same_tokens(printed, text));
    let ways: [&dyn Fn() -> Result<Option<String>, Failure>; 3] = match is_whole {
        true => [&of_printed, &of_none, &of_text],
        false => [&of_text, &of_printed, &of_none],
    };
    let mut best: Option<(usize, String)> = None;
    for way in ways {
        let Some(laid_out) = way()? else { continue };
        let laid_out = without_last_commas(&laid_out);
        let n_long = count_long_lines(&laid_out);
        if best.as_ref().is_none_or(|(fewest, _)| n_long < *fewest) {
            best = Some((n_long, laid_out));
        }
        if best.as_ref().is_some_and(|(fewest, _)| *fewest == 0) {
            break;
        }
    }
    let (fewest, laid_out) = best.unwrap_or((usize::MAX, String::new()));
    Ok(match count_long_lines(plain) < fewest {
        true => plain.to_owned(),
        false => laid_out,
    })
}

/// Lays out by rustfmt what prettyplease printed. In the arguments of macros prettyplease adds commas that rustfmt leaves where
/// they are: then the layout of the text without its comments is taken instead, unless it has longer lines.
fn laid_out_with_least_commas(
    format: &Format<'_>,
    text: &str,
    printed: &str,
) -> Result<Option<String>, Failure> {
    let Some(laid_out) = format(printed)? else {
        return Ok(None);
    };
    if count_tokens(&laid_out) <= count_tokens(text) {
        return Ok(Some(laid_out));
    }
    let other = format(&spaced(text))?;
    let longest = |text: &str| text.lines().map(str::len).max();
    let is_better = |other: &String| {
        count_tokens(other) < count_tokens(&laid_out)
            && longest(other) <= longest(&laid_out).max(Some(LONGEST_LINE))
    };
    Ok(Some(other.filter(is_better).unwrap_or(laid_out)))
}

/// Takes a tree in another form if it has no more tokens and still crashes. Returns whether it is
/// now the best.
fn try_form(session: &mut Session<'_>, stage: Stage, tree: SourceTree) -> Result<bool, Failure> {
    if tree.count_tokens() > session.best().tree.count_tokens() {
        return Ok(false);
    }
    try_instead(session, stage, tree.clone())?;
    let Candidate { tree: best, .. } = session.best();
    Ok(*best == tree)
}
