//! The outline of a crate: the items, members and parts of imports that may go from it, as far as they
//! stand in modules and not in bodies, each with the names that reach it and those that it mentions.

mod nameless;

use crate::collect::Collected;
use crate::definitions::{DefKind, Definition};
use crate::ids::{DefId, ImportId, NameId, PathId, Place, Position, WordId};
use crate::model::{Model, Resolution};
use crate::names::Hint;
use crate::nesting::Nesting;
use crate::outline::{Entry, Kind, Mention, Outline};
use crate::scopes::{Import, WordRole};
use reduce_syntax::{FileId, ListKind, SyntaxTree, tokens};
use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap, HashSet};

impl Model {
    /// Returns the items that may go from the crate, with the names that reach them.
    pub(crate) fn outline(&self) -> &Outline {
        self.outline.get_or_init(|| outline(self))
    }
}

/// Makes the outline of the files that a crate's root leads to.
fn outline(model: &Model) -> Outline {
    let mut entries = Entries::of(model);
    let places = entries.all.iter().map(|entry| entry.place.clone());
    let nesting = Nesting::new(places);
    let leaves = entries.read_imports(&nesting);
    entries.read_mentions(&nesting);
    let (all, by_definition) = (entries.all, entries.by_definition);
    let mut by_name: HashMap<NameId, Vec<usize>> = HashMap::new();
    let (mut imports_in, mut modules_in) = (HashMap::new(), HashMap::new());
    for (idx, entry) in all.iter().enumerate() {
        for &name in &entry.names {
            by_name.entry(name).or_default().push(idx);
        }
        let of_kind: Option<&mut HashMap<usize, Vec<usize>>> = match entry.kind {
            Kind::Import { .. } => Some(&mut imports_in),
            Kind::Module => Some(&mut modules_in),
            _ => None,
        };
        if let (Some(of_kind), Some(module)) = (of_kind, entry.parent) {
            of_kind.entry(module).or_default().push(idx);
        }
    }
    let by_element = all.iter().enumerate();
    Outline {
        by_element: by_element
            .map(|(idx, entry)| (entry.element, idx))
            .collect(),
        all,
        nesting,
        by_name,
        imports_in,
        modules_in,
        leaves,
        by_definition,
    }
}

/// The place of an element of the syntax tree, with the index of its list, and its index in that
/// list.
type Element = (Place, (usize, usize));

/// Builds the list of a slice's entries (items, members, ..), and finds each by its definition.
struct Entries<'m> {
    model: &'m Model,
    definitions: HashMap<&'m Place, DefId>,
    all: Vec<Entry>,
    by_definition: HashMap<DefId, usize>,
}

impl<'m> Entries<'m> {
    fn of(model: &'m Model) -> Self {
        let definitions = model.definitions().map(|(def, one)| (&one.whole, def));
        let mut entries = Self {
            model,
            definitions: definitions.collect(),
            all: Vec::new(),
            by_definition: HashMap::new(),
        };
        let elements = elements(model.tree());
        for &(file, module) in &model.collected().files {
            let parent = entries.by_definition.get(&module).copied();
            if parent.is_some() || file == model.sources().root() {
                entries.read_file(elements.get(&file).map_or(&[], Vec::as_slice), parent);
            }
        }
        entries
    }

    /// Reads the elements of a file, of which the outer ones come first.
    fn read_file(&mut self, elements: &[Element], module: Option<usize>) {
        let mut around: Vec<usize> = Vec::new();
        for (place, element) in elements {
            while around
                .last()
                .is_some_and(|&last| !place.is_within(&self.all[last].place))
            {
                around.pop();
            }
            let parent = match around.last() {
                None => module,
                Some(&outer) => match self.all[outer].kind {
                    Kind::Import { .. } => self.all[outer].parent,
                    Kind::Module | Kind::Trait | Kind::Impl { .. } => Some(outer),
                    // The definition is in a body or in the arguments of a macro.
                    _ => continue,
                },
            };
            around.push(self.all.len());
            self.push(place, *element, parent);
        }
    }

    fn push(&mut self, place: &Place, element: (usize, usize), parent: Option<usize>) {
        let def = self.definitions.get(place).copied();
        let definition = def.map(|def| self.model.definition(def));
        let of = parent.map(|parent| &self.all[parent].kind);
        let (kind, names) = match (definition, of) {
            _ if self.model.tree().lists[element.0].kind == ListKind::UseTrees => {
                (Kind::Import { glob: false }, Vec::new())
            }
            (Some(definition), of) => self.named(definition, of),
            (None, Some(Kind::Trait | Kind::Impl { .. })) => (Kind::Required, Vec::new()),
            (None, _) => nameless::read(self.model, place),
        };
        if let (Some(Kind::Trait), Some(parent)) = (of, parent) {
            self.all[parent].names.extend(&names);
        }
        self.by_definition
            .extend(def.map(|def| (def, self.all.len())));
        let function = definition.filter(|one| one.kind == DefKind::Function);
        self.all.push(Entry {
            kind,
            place: place.clone(),
            element,
            names,
            mentions: BTreeSet::new(),
            body: function.and_then(|function| function.body.clone()),
            body_mentions: BTreeSet::new(),
            parent,
        });
    }

    /// Returns the kind of a definition's entry, and the names that reach it.
    fn named(&self, definition: &Definition, of: Option<&Kind>) -> (Kind, Vec<NameId>) {
        let kind = match (definition.kind, of) {
            (_, Some(Kind::Impl { of_trait: None, .. })) => Kind::Provided,
            (_, Some(Kind::Trait)) if definition.body.is_some() => Kind::Provided,
            (_, Some(Kind::Impl { .. } | Kind::Trait)) => Kind::Required,
            (DefKind::ExternCrate, _) => return (Kind::ExternCrate, Vec::new()),
            (DefKind::Module, _) => Kind::Module,
            (DefKind::Trait, _) => Kind::Trait,
            (DefKind::Impl, _) => Kind::Impl {
                of_trait: definition
                    .bounds
                    .first()
                    .and_then(|&path| self.names_of(path).pop()),
                of_type: self.subject(definition),
            },
            _ => Kind::Other,
        };
        (kind, definition.spelling.into_iter().collect())
    }

    /// Returns the name of the type that an impl is for, unless it is a parameter.
    fn subject(&self, block: &Definition) -> Option<NameId> {
        let Collected { words, paths, .. } = self.model.collected();
        let word = *paths[block.head?.idx()].words.last()?;
        let is_parameter = match self.model.resolve(word) {
            Resolution::Certain(def) => self.model.definition(def).kind == DefKind::TypeParameter,
            _ => false,
        };
        (!is_parameter).then(|| words.get(word).name)
    }

    fn names_of(&self, path: PathId) -> Vec<NameId> {
        let Collected { words, paths, .. } = self.model.collected();
        let path = paths[path.idx()].words.iter();
        path.map(|&word| words.get(word).name).collect()
    }

    /// Reads the leaves of use declarations: each part of a declaration imports what its leaves import. Returns the leaves of
    /// each part.
    fn read_imports(&mut self, nesting: &Nesting) -> HashMap<usize, Vec<ImportId>> {
        let mut leaves: HashMap<usize, Vec<ImportId>> = HashMap::new();
        let imports = &self.model.collected().imports;
        for (number, import) in imports.iter().enumerate() {
            let around = nesting.around(import.leaf);
            for idx in around.take_while(|&idx| self.all[idx].kind.is_import()) {
                leaves.entry(idx).or_default().push(ImportId::new(number));
            }
        }
        for (&idx, leaves) in &leaves {
            let leaves: Vec<&Import> = leaves.iter().map(|leaf| &imports[leaf.idx()]).collect();
            let mentions = common_start(leaves.iter().map(|leaf| self.path_to(leaf)));
            let names: Vec<Option<NameId>> = leaves.iter().map(|leaf| leaf.name).collect();
            let glob = names.contains(&None);
            let entry = &mut self.all[idx];
            entry.kind = Kind::Import { glob };
            entry.names = names.into_iter().flatten().collect();
            entry.mentions = mentions.into_iter().map(Mention::plain).collect();
        }
        leaves
    }

    /// Returns the names before that of a leaf of a use declaration, which is at the end of its
    /// path unless it is `self` or `*`.
    fn path_to(&self, leaf: &Import) -> Vec<NameId> {
        let mut path = self.names_of(leaf.path);
        if self.model.collected().path(leaf.path).namespace.is_none() {
            path.pop();
        }
        path
    }

    /// Reads the names in all entries, those in attributes too, which are no words of the model.
    fn read_mentions(&mut self, nesting: &Nesting) {
        let of_members = self.names_of_members();
        for (file, _, text) in self.model.sources().files() {
            for token in tokens(text).iter().filter(|token| token.kind.is_name()) {
                let at = Position::new(file, token.range().start);
                let entry = nesting.around(at).next();
                let name = self.model.name_of(&text[token.range()]);
                if let (Some(entry), Some(name)) = (entry, name) {
                    let is_of_member = of_members.contains(&at);
                    self.all[entry].mention(Mention { name, is_of_member }, at.at);
                }
            }
        }
    }

    fn names_of_members(&self) -> HashSet<Position> {
        let members = self.model.words().filter(|&word| self.is_of_member(word));
        members.map(|word| self.model.position(word)).collect()
    }

    fn is_of_member(&self, word: WordId) -> bool {
        let model = self.model;
        let is_member = |def: DefId| {
            let of = model.kind_of_parent(def);
            let is_in = matches!(of, Some(DefKind::Trait | DefKind::Impl));
            is_in || model.definition(def).kind == DefKind::Field
        };
        match (model.hint(word), model.role(word)) {
            (Hint::Field | Hint::Method, _) => true,
            (_, WordRole::Definition(def)) => is_member(def),
            _ => false,
        }
    }
}

/// Returns the elements of each file that may go, with their indices in the tree; an element comes after those around it.
fn elements(tree: &SyntaxTree) -> HashMap<FileId, Vec<Element>> {
    let mut found: HashMap<FileId, Vec<Element>> = HashMap::new();
    for (list_idx, list) in tree.lists.iter().enumerate() {
        if let ListKind::Items | ListKind::Members | ListKind::UseTrees = list.kind {
            for (idx, element) in list.elements.iter().enumerate() {
                let place = Place::from(element);
                found
                    .entry(element.file)
                    .or_default()
                    .push((place, (list_idx, idx)));
            }
        }
    }
    for of_file in found.values_mut() {
        of_file.sort_by_key(|(place, _)| (place.range.start, Reverse(place.range.end)));
    }
    found
}

/// Returns the names with which all of some paths begin.
fn common_start(paths: impl Iterator<Item = Vec<NameId>>) -> Vec<NameId> {
    let common = paths.reduce(|common, path| {
        let both = common.into_iter().zip(path);
        let same = both.take_while(|(one, other)| one == other);
        same.map(|(one, _)| one).collect()
    });
    common.unwrap_or_default()
}
