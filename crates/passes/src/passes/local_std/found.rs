//! Which items of the standard library a program names, and where: by imports, by paths from the
//! library's root or from an imported module, or by the prelude.

use super::known::in_prelude;
use super::reader::{Arguments, PathUse, Reading, Role, Segment};
use crate::passes::paths::{Import, ImportKind, Scopes, module_of, scopes};
use crate::program::{Place, Program};
use reduce_model::Position;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// A type or trait of the standard library.
pub(super) struct Item {
    /// From the library's root, such as `vec::Vec`.
    pub(super) path: String,
    pub(super) uses: Vec<Use>,
    pub(super) imports: Vec<Imported>,
}

/// A mention outside of imports.
pub(super) struct Use {
    pub(super) via: Via,
    /// Where the last name of the item stands, or the variant that stands for it.
    pub(super) at: usize,
    pub(super) arguments: Arguments,
    pub(super) role: Role,
    /// What follows: a variant, a function.
    pub(super) rest: Vec<String>,
}

pub(super) enum Via {
    /// These bytes are the path, which has to become another.
    Path(Place),
    /// The path follows an import.
    Import,
    /// Here begins a variant that the prelude has.
    Variant(Position),
}

/// An import of an item, or of something in it.
pub(super) struct Imported {
    /// Index among all imports.
    pub(super) import: usize,
    pub(super) rest: Vec<String>,
    /// The name that it gets in its scope, if not its own.
    pub(super) rename: Option<String>,
}

/// All of the standard library that a program names.
pub(super) struct NamedItems {
    pub(super) items: Vec<Item>,
    /// The paths of functions, constants and modules.
    pub(super) others: BTreeSet<String>,
    pub(super) scopes: Scopes,
    /// Names that cannot be given to something else.
    pub(super) taken: BTreeSet<String>,
}

impl Item {
    fn new(path: String) -> Self {
        Self {
            path,
            uses: Vec::new(),
            imports: Vec::new(),
        }
    }

    /// The last name of its path.
    pub(super) fn name(&self) -> &str {
        self.path.rsplit("::").next().unwrap_or(&self.path)
    }
}

/// Finds them all.
pub(super) fn find(program: &Program, reading: &Reading<'_>) -> NamedItems {
    let mut finder = NamedItemsWalk::new(program, reading);
    finder.imports();
    for path in &reading.paths {
        finder.path(path);
    }
    let NamedItemsWalk {
        items,
        others,
        scopes,
        taken,
        ..
    } = finder;
    NamedItems {
        items: items.into_values().collect(),
        others,
        scopes,
        taken,
    }
}

struct NamedItemsWalk<'r> {
    items: BTreeMap<String, Item>,
    others: BTreeSet<String>,
    scopes: Scopes,
    /// The imports that bind a name.
    bindings: HashMap<String, Vec<usize>>,
    /// The binding of each import, if it has one.
    names: Vec<Option<String>>,
    defined: &'r BTreeSet<String>,
    taken: BTreeSet<String>,
}

/// What a path means.
struct Resolved {
    /// From the library's root.
    full: Vec<String>,
    /// So many names at its end are those of the path itself.
    n_own: usize,
    /// So many at its beginning are those of an import.
    n_imported: usize,
}

impl<'r> NamedItemsWalk<'r> {
    fn new(program: &Program, reading: &'r Reading<'_>) -> Self {
        let scopes = scopes(program);
        let all = scopes.imports.iter();
        let names = all.map(|one| bound(program, one)).collect();
        let mut finder = Self {
            items: BTreeMap::new(),
            others: BTreeSet::new(),
            scopes,
            bindings: HashMap::new(),
            names,
            defined: &reading.defined,
            taken: reading.defined.clone(),
        };
        for (idx, name) in finder.names.iter().enumerate() {
            if let Some(name) = name {
                let known = finder.bindings.entry(name.clone());
                known.or_default().push(idx);
            }
        }
        finder
    }

    fn is_root(&self, name: &str) -> bool {
        matches!(name, "std" | "core" | "alloc") && !self.defined.contains(name)
    }

    fn imports(&mut self) {
        for idx in 0..self.scopes.imports.len() {
            self.import(idx);
        }
    }

    fn import(&mut self, idx: usize) {
        let Some(import) = self.scopes.imports.get(idx) else {
            return;
        };
        let (kind, path) = (import.kind, import.path.clone());
        let name = self.names.get(idx).cloned().flatten();
        match path.split_first() {
            Some((root, full)) if self.is_root(root) => match nth_item(full) {
                Some(nth) => self.import_of_item(idx, full, nth, name),
                None => {
                    // A module is named by what is taken from it.
                    let is_other = kind != ImportKind::Glob && full.len() > 1;
                    self.others.extend(is_other.then(|| full.join("::")));
                    self.taken.extend(name);
                }
            },
            _ => self.taken.extend(name),
        }
    }

    fn import_of_item(&mut self, import: usize, full: &[String], nth: usize, name: Option<String>) {
        let kind = self.scopes.imports.get(import).map(|one| one.kind);
        let (path, rest) = split(full, nth);
        let mut rest = rest.to_vec();
        let rename = match kind {
            Some(ImportKind::Nameless(..)) => Some("_".to_owned()),
            Some(ImportKind::Renamed(..)) => name.clone(),
            _ => None,
        };
        if rename.is_some() || !rest.is_empty() {
            self.taken.extend(name);
        }
        if kind == Some(ImportKind::Glob) {
            rest.push("*".to_owned());
        }
        self.item(path).imports.push(Imported {
            import,
            rest,
            rename,
        });
    }

    fn item(&mut self, path: String) -> &mut Item {
        let entry = self.items.entry(path.clone());
        entry.or_insert_with(|| Item::new(path))
    }

    fn path(&mut self, path: &PathUse) {
        let Some(resolved) = self.resolve(path) else {
            return;
        };
        let Some(nth) = nth_item(&resolved.full) else {
            self.others.insert(resolved.full.join("::"));
            return;
        };
        let (item, rest) = split(&resolved.full, nth);
        let own = resolved.own(path, nth);
        let via = match own {
            _ if nth < resolved.n_imported => Via::Import,
            Some(own) => Via::Path(Place::new(path.file, path.start..own.range.end)),
            None => Via::Variant(Position::new(path.file, path.start)),
        };
        let found = Use {
            via,
            at: own.map_or(path.start, |own| own.range.start),
            arguments: own.map_or_else(Arguments::default, |own| own.arguments.clone()),
            role: match path.role {
                Role::Trait if !rest.is_empty() => Role::Type,
                role => role,
            },
            rest: rest.to_vec(),
        };
        self.item(item).uses.push(found);
    }

    fn resolve(&self, path: &PathUse) -> Option<Resolved> {
        let names: Vec<String> = path.segments.iter().map(|one| one.name.clone()).collect();
        let (first, rest) = names.split_first()?;
        if let Some(import) = self.binding(path) {
            let (root, imported) = import.path.split_first()?;
            let resolved = Resolved::new(imported, rest, imported.len());
            return self.is_root(root).then_some(resolved);
        }
        if self.is_root(first) {
            return Some(Resolved::new(&[], rest, 0));
        }
        let known = in_prelude(first).filter(|_| !self.defined.contains(first) && !path.is_rooted);
        let before: Vec<String> = known?.split("::").map(str::to_owned).collect();
        Some(Resolved::new(&before, rest, 0))
    }

    /// The import that the first name of a path follows.
    fn binding(&self, path: &PathUse) -> Option<&Import> {
        let first = path.segments.first().filter(|_| !path.is_rooted)?;
        let known = self.bindings.get(&first.name)?;
        let position = Position::new(path.file, path.start);
        let module = module_of(&self.scopes.modules, position);
        let module = module.and_then(|idx| self.scopes.modules.get(idx))?;
        let is_seen = |import: &&Import| {
            let (scope, around) = (&import.scope, &module.range);
            let is_of_module = around.start <= scope.start && scope.end <= around.end;
            import.file == path.file && scope.contains(&path.start) && is_of_module
        };
        let all = known.iter().filter_map(|idx| self.scopes.imports.get(*idx));
        all.filter(is_seen).min_by_key(|import| import.scope.len())
    }
}

impl Resolved {
    /// The last of the names before is that with which the path begins.
    fn new(before: &[String], rest: &[String], n_imported: usize) -> Self {
        Self {
            full: [before, rest].concat(),
            n_own: rest.len() + usize::from(!before.is_empty()),
            n_imported,
        }
    }

    /// The segment that is the nth name, unless that is none of the path's own.
    fn own<'p>(&self, path: &'p PathUse, nth: usize) -> Option<&'p Segment> {
        let nth_own = nth.checked_sub(self.full.len().checked_sub(self.n_own)?)?;
        let n_others = path.segments.len().checked_sub(self.n_own)?;
        path.segments.get(nth_own + n_others)
    }
}

/// The first name of a path that is one of a type or trait.
fn nth_item(path: &[String]) -> Option<usize> {
    path.iter().position(|name| is_type_name(name))
}

fn is_type_name(name: &str) -> bool {
    let is_upper = name.starts_with(|one: char| one.is_ascii_uppercase());
    is_upper && (name.len() == 1 || name.contains(|one: char| one.is_ascii_lowercase()))
}

fn split(path: &[String], nth: usize) -> (String, &[String]) {
    let (item, rest) = path.split_at((nth + 1).min(path.len()));
    (item.join("::"), rest)
}

/// The name that an import gives to something.
fn bound(program: &Program, import: &Import) -> Option<String> {
    match import.kind {
        ImportKind::Name | ImportKind::Itself => import.path.last().cloned(),
        ImportKind::Renamed(..) => import.renamed(program).map(str::to_owned),
        ImportKind::Nameless(..) | ImportKind::Glob => None,
    }
}
