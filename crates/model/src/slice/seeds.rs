//! Finds the entries of a crate's outline that a crash names: by a position, by a name, or by the path to one.

use super::Seed;
use super::known::needs_body;
use crate::ids::{NameId, Position};
use crate::model::Model;
use crate::outline::{Entry, Kind};
use reduce_syntax::{FileId, SourceTree};

/// Returns the entries that a seed names.
pub(super) fn named(model: &Model, seed: &Seed) -> Vec<usize> {
    match seed {
        Seed::Position(..) => innermost(model, seed).into_iter().collect(),
        Seed::Member(.., name) => {
            let name = model.name_of(name).into_iter();
            let namesakes = name.flat_map(|name| model.outline().by_name(name));
            let of = innermost(model, seed);
            let is_member = |idx: &usize| of.is_some() && model.outline().all[*idx].parent == of;
            namesakes.filter(is_member).collect()
        }
        Seed::Name(name) => {
            let name = model.name_of(name).into_iter();
            name.flat_map(|name| model.outline().by_name(name))
                .collect()
        }
        Seed::Path(path) => along(model, path),
    }
}

/// Returns a seed as paths and names, which can still be found in later states of the crate, where
/// lines and columns are others.
pub(crate) fn lasting(model: &Model, seed: &Seed) -> Vec<Seed> {
    let first = match seed {
        Seed::Position(..) => innermost(model, seed),
        Seed::Member(..) => named(model, seed).first().copied(),
        Seed::Name(_) | Seed::Path(_) => return vec![seed.clone()],
    };
    let around = std::iter::successors(first, |&idx| model.outline().all[idx].parent);
    let mut paths = around.map(|idx| paths_of(model, idx));
    paths.find(|paths| !paths.is_empty()).unwrap_or_default()
}

/// Returns the functions whose bodies are not empty and need not be there for their functions to compile: what other
/// slices have left of a crate because something calls for it.
pub(super) fn with_bodies(model: &Model) -> Vec<Seed> {
    let all = model.outline().all.iter().enumerate();
    let functions = all.filter(|(_, entry)| {
        let text = model.sources().text(entry.place.file);
        entry.body.as_ref().is_some_and(|body| {
            let signature = &text[entry.place.range.start..body.start];
            !is_empty(&text[body.clone()]) && !needs_body(signature)
        })
    });
    functions
        .flat_map(|(idx, _)| paths_of(model, idx))
        .collect()
}

fn is_empty(body: &str) -> bool {
    let plain: String = body.split_whitespace().collect();
    ["{}", "{loop{}}"].contains(&plain.as_str())
}

/// Returns the byte at the position of a seed; `None` for a seed that has only names.
pub(super) fn position(model: &Model, seed: &Seed) -> Option<Position> {
    let (Seed::Position(file, line, column) | Seed::Member(file, line, column, _)) = seed else {
        return None;
    };
    let at = offset(model.sources(), *file, *line, *column)?;
    Some(Position::new(*file, at))
}

/// Returns the innermost entry around a seed that is a position.
fn innermost(model: &Model, seed: &Seed) -> Option<usize> {
    model.outline().innermost(position(model, seed)?)
}

/// Returns the entries at the end of a path. Names before the last decide between several, as far as
/// they are still there: modules may have been dissolved.
fn along(model: &Model, path: &[String]) -> Vec<usize> {
    let outline = model.outline();
    let Some((last, before)) = path.split_last() else {
        return Vec::new();
    };
    let last = model.name_of(last);
    let before: Vec<NameId> = before
        .iter()
        .filter_map(|name| model.name_of(name))
        .collect();
    let named = last.into_iter().flat_map(|name| outline.by_name(name));
    let named = named.filter(|&idx| outline.all[idx].names.first() == last.as_ref());
    let n_around = |idx: usize| {
        let around = names_around(model, idx);
        before.iter().filter(|name| around.contains(name)).count()
    };
    let found: Vec<(usize, usize)> = named.map(|idx| (n_around(idx), idx)).collect();
    let most = found.iter().map(|(n_around, _)| *n_around).max();
    let best = found.iter().filter(|(n_around, _)| Some(*n_around) == most);
    best.map(|(_, idx)| *idx).collect()
}

/// Returns the paths by which an entry can be found again. An impl has those of its trait and its
/// type.
fn paths_of(model: &Model, idx: usize) -> Vec<Seed> {
    let around = names_around(model, idx);
    let own = own_names(&model.outline().all[idx]).into_iter();
    let path = |name| {
        let path = around.iter().chain([&name]);
        Seed::Path(path.map(|&name| model.spelling(name).to_owned()).collect())
    };
    own.map(path).collect()
}

/// Returns the names of the entries around an entry, outermost first.
fn names_around(model: &Model, idx: usize) -> Vec<NameId> {
    let all = &model.outline().all;
    let around = std::iter::successors(all[idx].parent, |&idx| all[idx].parent);
    let mut names: Vec<NameId> = around.flat_map(|idx| own_names(&all[idx])).collect();
    names.reverse();
    names
}

/// Returns the name of an entry; of an impl those of its type and its trait.
fn own_names(entry: &Entry) -> Vec<NameId> {
    match entry.kind {
        Kind::Impl { of_trait, of_type } => of_type.into_iter().chain(of_trait).collect(),
        _ => entry.names.first().copied().into_iter().collect(),
    }
}

/// Returns the byte at a line and column, both from 1.
fn offset(sources: &SourceTree, file: FileId, line: usize, column: usize) -> Option<usize> {
    let text = sources.contains(file).then(|| sources.text(file))?;
    let lines = text.split_inclusive('\n');
    let start: usize = lines.take(line.checked_sub(1)?).map(str::len).sum();
    let content = text[start..].split_inclusive('\n').next()?;
    let in_line = content.char_indices().nth(column.saturating_sub(1));
    Some(start + in_line.map_or(content.len(), |(at, _)| at))
}
