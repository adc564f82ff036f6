//! Adds imports, makes them longer, and merges them: all imports of a scope whose paths begin with the same word are
//! written anew, as one declaration.

use super::super::functions::name_place;
use super::super::paths::{Import, ImportKind, PathMention};
use super::{Paths, n_modules};
use crate::program::{Change, Place};
use reduce_model::{DefKind, Model, Position, Resolution};
use reduce_syntax::EditSet;
use std::collections::{BTreeMap, BTreeSet};

/// The position where the inside of a module or block begins, and the first segment of the imports'
/// paths.
type Key = (Position, String);

/// The most mentions of an import that may become paths: with more, the paths together are never shorter than the import.
const MANY: usize = 4;

/// The segments of the path to one leaf of a use declaration.
type Segments = Vec<String>;

/// The paths that may be imported, by module and segments: each mention, and the number of its
/// segments that the import takes.
type Importable<'p> = BTreeMap<(Position, Vec<&'p str>), Vec<(usize, usize)>>;

pub(super) fn changes(paths: &Paths<'_>) -> Vec<EditSet> {
    let families = Families::new(paths);
    let merged = families.all.iter().filter(|(_, family)| family.len() > 1);
    let merge = |key| {
        let mut change = paths.program.change();
        families.rewrite(key, None, &[], &mut change);
        change.finish()
    };
    let mut found: Vec<EditSet> = merged.filter_map(|(key, _)| merge(key)).collect();
    let imports = 0..paths.imports.len();
    let either = |idx| [families.inlined(idx), families.longer(idx)];
    found.extend(imports.flat_map(either).flatten());
    found.extend(families.new_imports());
    found
}

/// The imports of each scope by the first segment of their paths, as indices.
struct Families<'a, 'p> {
    paths: &'a Paths<'p>,
    all: BTreeMap<Key, Vec<usize>>,
}

impl<'a, 'p> Families<'a, 'p> {
    /// Groups imports by their scope and first segment; declarations whose leaves begin with different segments
    /// belong to no group.
    fn new(paths: &'a Paths<'p>) -> Self {
        let mut all: BTreeMap<Key, Vec<usize>> = BTreeMap::new();
        for (idx, import) in paths.imports.iter().enumerate() {
            if let Some(key) = key(import).filter(|_| !import.is_special) {
                all.entry(key).or_default().push(idx);
            }
        }
        let imports = &paths.imports;
        for family in all.values_mut() {
            let mut of_item: BTreeMap<usize, usize> = BTreeMap::new();
            for &idx in family.iter() {
                *of_item.entry(imports[idx].item.range.start).or_default() += 1;
            }
            let is_whole = |idx: &usize| {
                let import = &imports[*idx];
                of_item.get(&import.item.range.start) == Some(&import.n_leaves)
            };
            family.retain(is_whole);
        }
        all.retain(|_, family| !family.is_empty());
        Self { paths, all }
    }

    /// Writes the imports of a family as one declaration, without one of them and with others.
    /// Returns `false` if there is no such family.
    fn rewrite(
        &self,
        key: &Key,
        without: Option<usize>,
        with: &[Segments],
        change: &mut Change<'_>,
    ) -> bool {
        let Some(family) = self.all.get(key) else {
            return false;
        };
        let imports = &self.paths.imports;
        let kept = family.iter().filter(|&&idx| Some(idx) != without);
        let mut leaves: Vec<Segments> = kept.map(|&idx| self.segments(&imports[idx])).collect();
        leaves.extend(with.iter().cloned());
        let items: BTreeSet<(usize, usize)> = family
            .iter()
            .map(|&idx| (imports[idx].item.range.start, imports[idx].item.range.end))
            .collect();
        let text = format!("use {};", tree(&leaves));
        for (nth, (start, end)) in items.into_iter().enumerate() {
            let place = Place::new(key.0.file, start..end);
            match nth {
                0 => change.replace(&place, &text),
                _ => change.remove(&place),
            };
        }
        true
    }

    fn segments(&self, import: &Import) -> Segments {
        let mut segments = import.path.clone();
        match import.kind {
            ImportKind::Itself => segments.push("self".to_owned()),
            ImportKind::Glob => segments.push("*".to_owned()),
            ImportKind::Name | ImportKind::Renamed(_) => {
                let renaming = import.renaming(self.paths.program);
                segments
                    .last_mut()
                    .into_iter()
                    .for_each(|last| last.push_str(renaming));
            }
        }
        segments
    }

    /// Puts a full path in place of an import wherever it is mentioned. If it is not, others delete
    /// it.
    fn inlined(&self, idx: usize) -> Option<EditSet> {
        let import = self.paths.imports.get(idx)?;
        let is_name = matches!(import.kind, ImportKind::Name | ImportKind::Itself);
        let mentions = self.paths.program.mentions().of(import.name);
        if !is_name || import.is_special || mentions.is_empty() || mentions.len() > MANY {
            return None;
        }
        let mut change = self.paths.program.change();
        let key = key(import)?;
        match self.all.get(&key) {
            Some(family) if family.len() > 1 => {
                self.rewrite(&key, Some(idx), &[], &mut change);
            }
            _ => drop(change.remove(import.whole())),
        }
        for &mention in mentions {
            change.replace(&name_place(self.paths.program, mention), &import.text());
        }
        change.finish()
    }

    /// Makes an import longer, by the path that always follows it.
    fn longer(&self, idx: usize) -> Option<EditSet> {
        let import = &self.paths.imports[idx];
        let is_module = matches!(import.kind, ImportKind::Name | ImportKind::Itself);
        let mentions = self.paths.program.mentions().of(import.name);
        if !is_module || import.is_special || mentions.is_empty() {
            return None;
        }
        let mut change = self.paths.program.change();
        let mut names = BTreeSet::new();
        for position in mentions {
            let path = &self.paths.mentions[*self.paths.by_head.get(position)?];
            let next = path.segments.get(1)?;
            names.insert(next.name);
            change.delete(&Place::new(path.file, position.at..next.at));
        }
        let with = |name: &str| [import.path.as_slice(), &[name.to_owned()]].concat();
        let with: Vec<Segments> = names.into_iter().map(with).collect();
        let is_there = self.rewrite(&key(import)?, Some(idx), &with, &mut change);
        change.finish().filter(|_| is_there)
    }

    /// Returns changes that add imports of what paths name: each alone, and all of a module that begin alike.
    fn new_imports(&self) -> Vec<EditSet> {
        let importable = self.importable();
        let mut alike: BTreeMap<(Position, &str), Importable<'p>> = BTreeMap::new();
        let mut found = Vec::new();
        for ((module, segments), mentions) in importable {
            let Some(&head) = segments.first() else {
                continue;
            };
            let one = Importable::from([((module, segments), mentions)]);
            found.extend(self.new_import(&one));
            alike.entry((module, head)).or_default().extend(one);
        }
        let several = alike.values().filter(|all| all.len() > 1);
        found.extend(several.filter_map(|all| self.new_import(all)));
        found
    }

    fn importable(&self) -> Importable<'p> {
        let model = self.paths.program.model();
        let mut found = Importable::new();
        for (idx, path) in self.paths.mentions.iter().enumerate() {
            let module = model.module_around(Position::new(path.file, path.range.start));
            let module = module.and_then(|module| model.inside(module));
            if let (Some(module), Some(n_segments)) = (module, self.n_imported(path)) {
                let names = path.segments.iter().take(n_segments);
                let names = names.map(|segment| segment.name).collect();
                let mentions = found.entry((module.start(), names)).or_default();
                mentions.push((idx, n_segments));
            }
        }
        found
    }

    /// Returns the number of a path's segments that an import of it takes: up to the first type, or to a variant.
    fn n_imported(&self, path: &PathMention<'_>) -> Option<usize> {
        let program = self.paths.program;
        let head = Position::new(path.file, path.segments.first()?.at);
        let definition = program.mentions().definition(head);
        let is_import = |one: &Import| Some(one.name) == definition;
        if definition.is_some() && self.paths.imports.iter().any(is_import) {
            return None;
        }
        let n_modules = n_modules(path);
        match n_modules {
            0 if is_enum(program.model(), head) => {
                let variant = path.segments.get(1)?;
                variant.name.starts_with(char::is_uppercase).then_some(2)
            }
            0 => None,
            _ => Some((n_modules + 1).min(path.segments.len())).filter(|&n| n > 1),
        }
    }

    fn new_import(&self, all: &Importable<'p>) -> Option<EditSet> {
        let (&(module, _), _) = all.first_key_value()?;
        let owned = |names: &Vec<&str>| names.iter().map(|&name| name.to_owned()).collect();
        let with: Vec<Segments> = all.keys().map(|(_, names)| owned(names)).collect();
        let head = with.first()?.first()?.clone();
        let mut change = self.paths.program.change();
        if !self.rewrite(&(module, head), None, &with, &mut change) {
            let text = format!("use {};\n", tree(&with));
            change.insert(*self.paths.first_items.get(&module)?, &text);
        }
        for &(idx, n_segments) in all.values().flatten() {
            let path = self.paths.mentions.get(idx)?;
            let last = path.segments.get(n_segments.checked_sub(1)?)?;
            change.delete(&Place::new(path.file, path.range.start..last.at));
        }
        change.finish()
    }
}

/// Whether a name means an enum of the crate.
fn is_enum(model: &Model, name: Position) -> bool {
    matches!(model.resolve_at(name), Resolution::Certain(def) if model.definition(def).kind == DefKind::Enum)
}

fn key(import: &Import) -> Option<Key> {
    Some((import.scope.start(), import.path.first()?.clone()))
}

/// Returns the text of the use tree with these leaves. None of them is empty.
fn tree(leaves: &[Segments]) -> String {
    let mut branches: Vec<(&str, Vec<Segments>)> = Vec::new();
    for leaf in leaves {
        let Some((first, rest)) = leaf.split_first() else {
            continue;
        };
        match branches.iter_mut().find(|(name, _)| name == first) {
            Some((_, all)) if all.iter().any(|other| other == rest) => {}
            Some((_, all)) => all.push(rest.to_vec()),
            None => branches.push((first, vec![rest.to_vec()])),
        }
    }
    let texts: Vec<String> = branches.iter().map(|one| branch(one.0, &one.1)).collect();
    match texts.as_slice() {
        [one] => one.clone(),
        _ => format!("{{{}}}", texts.join(", ")),
    }
}

fn branch(name: &str, below: &[Segments]) -> String {
    if below.iter().all(Vec::is_empty) {
        return name.to_owned();
    }
    let itself = |leaf: &Segments| match leaf.is_empty() {
        true => vec!["self".to_owned()],
        false => leaf.clone(),
    };
    let below: Vec<Segments> = below.iter().map(itself).collect();
    format!("{name}::{}", tree(&below))
}
