//! Slices: what of a crate is reachable, by name, from the definitions that the crash names. One
//! query about a slice can take a crate from 50,000 lines to 500.
//!
//! Names are resolved by spelling alone: an identifier reaches every definition of that name. An
//! `impl` is reached when its trait and its type are; members of traits and inherent impls when
//! their name is mentioned. Bodies further from the crash than a given distance do not count, and
//! are emptied.

pub(crate) mod definitions;

use crate::ids::{Place, Position};
use crate::model::Model;
use definitions::{Definition, Definitions, Kind, Name};
use reduce_syntax::{Edit, EditSet, FileId, ListKind, SourceTree, SyntaxTree};
use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::ops::Range;
use std::rc::Rc;

/// What a crash names.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Seed {
    /// A line and column, both from 1, of a file.
    Position(FileId, usize, usize),
    /// An identifier.
    Name(String),
    /// The name of a definition, after the names of what it stands in, outermost first. Those decide
    /// between definitions of one name, as far as they still stand around it.
    Path(Vec<String>),
}

/// How much a slice keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SliceWidth {
    /// Bodies of functions at most so many steps from a seed stay and count.
    pub body_distance: usize,
    /// Users of the seeds are seeds too, and their users, so many times: a crash in code generation
    /// needs the call that makes an instance.
    pub users: usize,
    /// Whether imports of what the crate does not define stay although nothing names them: a method may
    /// be of an imported trait.
    pub with_imports: bool,
}

/// What comes into a slice although nothing in it names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Unnamed {
    /// Neither members of the crate's own traits, nor impls of these for types of others.
    Neither,
    /// Members of traits.
    Members,
    /// Members of traits, and impls of the crate's traits for all types of others.
    All,
}

/// Makes slices of a crate. Reads its definitions once, however many slices are made.
#[derive(Debug)]
pub struct Slicer {
    sources: SourceTree,
    definitions: Rc<Definitions>,
}

impl Slicer {
    /// Parses a crate and reads its definitions.
    #[must_use]
    pub fn new(sources: &SourceTree) -> Self {
        Self::of(&Model::new(sources))
    }

    /// Reads the definitions of a crate that is parsed.
    #[must_use]
    pub fn of(model: &Model) -> Self {
        Self {
            sources: model.sources().clone(),
            definitions: model.outline(),
        }
    }

    /// The edits that leave only what is reachable from the seeds. `tree` is that of the crate.
    ///
    /// Returns `None` if no definition is named by the seeds.
    #[must_use]
    pub fn slice(&self, tree: &SyntaxTree, seeds: &[Seed], width: SliceWidth) -> Option<EditSet> {
        let mut reach = Reach::new(&self.definitions, width.body_distance);
        reach.with_imports = width.with_imports;
        for seed in seeds {
            reach.start_from(&self.sources, seed);
        }
        if reach.distance.is_empty() {
            return None;
        }
        for _ in 0..width.users {
            reach.start_from_users();
        }
        reach.close();
        Some(reach.edits(tree))
    }
}

impl Slicer {
    /// The edits that leave all that is outside of a place, such as a module, and of what is in it only
    /// what is reachable from outside. Bodies in it that are further away than `body_distance` are
    /// emptied. What nothing names comes along as `unnamed` says.
    #[must_use]
    pub fn slice_within(
        &self,
        tree: &SyntaxTree,
        place: &Place,
        body_distance: usize,
        unnamed: Unnamed,
    ) -> EditSet {
        let mut reach = Reach::new(&self.definitions, body_distance);
        reach.unnamed = unnamed;
        reach.with_imports = unnamed > Unnamed::Neither;
        let is_outside = |one: &Definition| !Position::new(one.file, one.range.start).is_in(place);
        let outside = reach.all().filter(|(_, one)| is_outside(one));
        let outside: Vec<usize> = outside.map(|(idx, _)| idx).collect();
        outside.into_iter().for_each(|idx| reach.reach(idx, 0));
        reach.close();
        reach.edits(tree)
    }
}

/// How far each definition of a crate is from the seeds, in mentions of names that lead there from
/// the nearest one, bodies included. `None` is what no seed leads to.
///
/// Members of a trait that is a seed are as near as the trait. An import is one step from the
/// nearest mention of what it imports; one of unknown names is as near as its module.
pub(crate) fn distances(
    definitions: &Definitions,
    sources: &SourceTree,
    seeds: &[Seed],
) -> Vec<Option<usize>> {
    let mut reach = Reach::new(definitions, usize::MAX);
    reach.own_names = OwnNames::Skip;
    for seed in seeds {
        for idx in reach.definitions_of(sources, seed) {
            reach.start_from_members(idx);
        }
        reach.start_from(sources, seed);
    }
    reach.close();
    (0..definitions.all.len())
        .map(|idx| reach.distance_of(idx))
        .collect()
}

/// Which definitions are reached, and how.
struct Reach<'d> {
    definitions: &'d Definitions,
    body_distance: usize,
    /// Steps from the nearest seed, for each definition that is reached.
    distance: BTreeMap<usize, usize>,
    /// Names that reached definitions mention, with the distance of the nearest mention.
    mentioned: HashMap<Name, usize>,
    /// In the order in which they were reached, so that few are reached again from nearer.
    todo: VecDeque<usize>,
    own_names: OwnNames,
    unnamed: Unnamed,
    with_imports: bool,
    /// The imports of each module.
    imports_in: HashMap<usize, Vec<usize>>,
}

/// So many modules that export what others export are followed.
const DEEPEST_IMPORTS: usize = 4;

/// Whether a definition leads to others of its name because it has that name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum OwnNames {
    Follow,
    Skip,
}

impl<'d> Reach<'d> {
    fn new(definitions: &'d Definitions, body_distance: usize) -> Self {
        let (distance, mentioned) = (BTreeMap::new(), HashMap::new());
        let mut imports_in: HashMap<usize, Vec<usize>> = HashMap::new();
        for (idx, one) in definitions.all.iter().enumerate() {
            if let (Kind::Import { .. }, Some(module)) = (&one.kind, one.parent) {
                imports_in.entry(module).or_default().push(idx);
            }
        }
        Self {
            imports_in,
            definitions,
            body_distance,
            distance,
            mentioned,
            todo: VecDeque::new(),
            own_names: OwnNames::Follow,
            unnamed: Unnamed::All,
            with_imports: false,
        }
    }

    fn start_from(&mut self, sources: &SourceTree, seed: &Seed) {
        for idx in self.definitions_of(sources, seed) {
            self.reach(idx, 0);
        }
    }

    fn definitions_of(&self, sources: &SourceTree, seed: &Seed) -> Vec<usize> {
        match seed {
            Seed::Position(file, line, column) => {
                let at = offset(sources, *file, *line, *column);
                let innermost = at.and_then(|at| self.definitions.innermost(*file, at));
                innermost.into_iter().collect()
            }
            Seed::Name(name) => self.definitions.named(name),
            Seed::Path(names) => self.definitions.along(names),
        }
    }

    fn start_from_members(&mut self, of: usize) {
        if self.definitions.all[of].kind == Kind::Other {
            let is_member = |(_, one): &(usize, &Definition)| one.parent == Some(of);
            let members: Vec<usize> = self.all().filter(is_member).map(|(idx, _)| idx).collect();
            members.into_iter().for_each(|idx| self.reach(idx, 0));
        }
    }

    fn distance_of(&self, idx: usize) -> Option<usize> {
        let definition = &self.definitions.all[idx];
        let names = definition.names.iter();
        let mention = || names.filter_map(|name| self.mentioned.get(name)).min();
        let other = match definition.kind {
            Kind::Import { glob: false } => mention().copied(),
            Kind::Import { glob: true } | Kind::ExternCrate => match definition.parent {
                Some(module) => self.distance.get(&module).copied(),
                None => Some(0),
            },
            _ => None,
        };
        let own = self.distance.get(&idx).copied();
        own.into_iter().chain(other).min()
    }

    /// Whatever mentions a name of what is reached is a seed too.
    fn start_from_users(&mut self) {
        let reached = self.distance.keys().map(|&idx| &self.definitions.all[idx]);
        let named = reached.filter(|one| one.kind != Kind::Module);
        let names: BTreeSet<Name> = named.flat_map(|one| one.names.iter().copied()).collect();
        let uses_one = |one: &Definition| {
            let mut mentions = one.mentions.iter().chain(&one.body_mentions);
            !matches!(one.kind, Kind::Import { .. }) && mentions.any(|name| names.contains(name))
        };
        let users: Vec<usize> = self
            .all()
            .filter(|(_, definition)| uses_one(definition))
            .map(|(idx, _)| idx)
            .collect();
        for idx in users {
            self.reach(idx, 0);
        }
    }

    fn all(&self) -> impl Iterator<Item = (usize, &'d Definition)> {
        self.definitions.all.iter().enumerate()
    }

    fn reach(&mut self, idx: usize, distance: usize) {
        if self
            .distance
            .get(&idx)
            .is_some_and(|known| *known <= distance)
        {
            return;
        }
        self.distance.insert(idx, distance);
        self.todo.push_back(idx);
        if let Some(parent) = self.definitions.all[idx].parent {
            self.reach(parent, distance);
        }
    }

    /// Goes on until nothing more is reached.
    fn close(&mut self) {
        loop {
            while let Some(idx) = self.todo.pop_front() {
                self.follow(idx);
            }
            let before = (self.distance.len(), self.mentioned.len());
            self.reach_impls_and_members();
            self.follow_imports();
            let is_closed = before == (self.distance.len(), self.mentioned.len());
            if self.todo.is_empty() && is_closed {
                return;
            }
        }
    }

    fn follow(&mut self, idx: usize) {
        let definition = &self.definitions.all[idx];
        let distance = self.distance[&idx];
        let in_body = (distance <= self.body_distance).then_some(&definition.body_mentions);
        let is_own =
            |name: &&Name| self.own_names == OwnNames::Skip && definition.names.contains(name);
        let outside: Vec<Name> = definition
            .mentions
            .iter()
            .filter(|name| !is_own(name))
            .copied()
            .collect();
        let in_body = in_body.into_iter().flatten().copied();
        for name in outside.into_iter().chain(in_body) {
            self.mention(name, distance.saturating_add(1));
        }
    }

    /// Reaches what has a name.
    fn mention(&mut self, name: Name, distance: usize) {
        let nearest = self.mentioned.entry(name).or_insert(usize::MAX);
        if *nearest <= distance {
            return;
        }
        *nearest = distance;
        for idx in self.definitions.by_name(name) {
            if self.definitions.all[idx].kind.is_reached_by_name() {
                self.reach(idx, distance);
            }
        }
    }

    /// An import that stays mentions what its path names, which may be another import; a module that is
    /// named stays for the imports in it.
    fn follow_imports(&mut self) {
        let imports = self
            .all()
            .filter(|(_, one)| matches!(one.kind, Kind::Import { .. }));
        let staying: Vec<usize> = imports
            .filter(|(_, one)| self.stays_unreached(one))
            .map(|(idx, _)| idx)
            .collect();
        for idx in staying {
            let Some(distance) = self.distance_of(idx) else {
                self.reach_module_of(idx);
                continue;
            };
            let import = &self.definitions.all[idx];
            for &name in &import.mentions {
                if !import.names.contains(&name) {
                    self.mention(name, distance);
                }
            }
            self.reach_module_of(idx);
        }
    }

    /// Reaches the module that an import stands in if its name is mentioned.
    fn reach_module_of(&mut self, import: usize) {
        let Some(module) = self.definitions.all[import].parent else {
            return;
        };
        let names = self.definitions.all[module].names.iter();
        let mention = names.filter_map(|name| self.mentioned.get(name)).min();
        if let (Some(&distance), false) = (mention, self.distance.contains_key(&module)) {
            self.reach(module, distance);
        }
    }

    fn reach_impls_and_members(&mut self) {
        let found: Vec<(usize, usize)> = self
            .all()
            .filter(|(idx, _)| !self.distance.contains_key(idx))
            .filter_map(|(idx, definition)| Some((idx, self.is_implied(definition)?)))
            .collect();
        for (idx, distance) in found {
            self.reach(idx, distance);
        }
    }

    /// Whether a definition that no mention reaches is needed by what is reached, at a distance.
    fn is_implied(&self, definition: &Definition) -> Option<usize> {
        let parent = definition
            .parent
            .and_then(|parent| self.distance.get(&parent))
            .copied();
        let mention = definition
            .names
            .iter()
            .filter_map(|name| self.mentioned.get(name))
            .min();
        match &definition.kind {
            Kind::Impl { of_trait, of_type } => {
                let is_unnamed = |name: Name| {
                    !self.mentioned.contains_key(&name)
                        && self.local_distance(Some(name)) == Some(None)
                };
                if self.unnamed < Unnamed::All && of_type.is_some_and(is_unnamed) {
                    return None;
                }
                let of_trait = self.local_distance(*of_trait)?;
                let of_type = self.local_distance(*of_type)?;
                of_trait.into_iter().chain(of_type).max()
            }
            Kind::Required if self.is_of_own_trait(definition) => {
                parent.and(mention).map(|distance| distance + 1)
            }
            Kind::Required => parent.map(|distance| distance + 1),
            Kind::Provided => parent.and(mention.copied()),
            _ => None,
        }
    }

    /// Whether a member stays only if it is named: of a trait of the crate, or in an impl of one.
    fn is_of_own_trait(&self, member: &Definition) -> bool {
        let parent = member.parent.map(|idx| &self.definitions.all[idx].kind);
        let is_own = match parent {
            Some(Kind::Other) => true,
            Some(Kind::Impl { of_trait, .. }) => {
                matches!(self.local_distance(*of_trait), Some(Some(_)))
            }
            _ => false,
        };
        is_own && self.unnamed == Unnamed::Neither && !member.names.is_empty()
    }

    /// `None` if the name is of this crate and not reached; `Some(None)` if it is not of this crate.
    fn local_distance(&self, name: Option<Name>) -> Option<Option<usize>> {
        let Some(name) = name else { return Some(None) };
        let mut local = self
            .definitions
            .by_name(name)
            .filter(|&idx| self.definitions.all[idx].kind == Kind::Other)
            .peekable();
        if local.peek().is_none() {
            return Some(None);
        }
        local
            .filter_map(|idx| self.distance.get(&idx).copied())
            .min()
            .map(Some)
    }

    fn edits(&self, tree: &SyntaxTree) -> EditSet {
        let mut edits = EditSet::new();
        let mut gone: BTreeSet<(FileId, usize, usize)> = BTreeSet::new();
        for (idx, definition) in self.all() {
            match self.distance.get(&idx) {
                Some(distance) if *distance > self.body_distance => {
                    if let Some(body) = &definition.body {
                        edits.add(Edit::replace(definition.file, body, "{ loop {} }"));
                    }
                }
                Some(_) => {}
                None if self.stays_unreached(definition) => {}
                None => {
                    gone.insert(key(definition.file, &definition.range));
                }
            }
        }
        remove_elements(tree, &gone, &mut edits);
        edits
    }

    /// An import stays if its name is mentioned and no module on its path goes.
    fn stays_unreached(&self, definition: &Definition) -> bool {
        match definition.kind {
            Kind::Import { .. } => self.import_stays(definition, DEEPEST_IMPORTS),
            Kind::ExternCrate => true,
            _ => false,
        }
    }

    fn import_stays(&self, import: &Definition, depth: usize) -> bool {
        let glob = import.kind == Kind::Import { glob: true };
        let mut names = import.names.iter();
        let is_wanted = |name: &Name| {
            let is_foreign = || self.with_imports && self.definitions.only_imported(*name);
            self.mentioned.contains_key(name) || is_foreign()
        };
        let is_mentioned = glob || names.any(is_wanted);
        let module_goes = |name: &Name| {
            let modules = self.definitions.by_name(*name);
            let mut modules = modules
                .filter(|&idx| self.definitions.all[idx].kind == Kind::Module)
                .peekable();
            let stays = |idx| self.distance.contains_key(&idx) || self.has_imports(idx, depth);
            modules.peek().is_some() && !modules.any(stays)
        };
        is_mentioned && !import.mentions.iter().any(module_goes)
    }

    /// Whether a module has imports that stay if it does: then it is needed for what it exports.
    fn has_imports(&self, module: usize, depth: usize) -> bool {
        let inside = self.imports_in.get(&module).into_iter().flatten();
        let mut imports = inside.map(|&idx| &self.definitions.all[idx]);
        depth > 0 && imports.any(|import| self.import_stays(import, depth - 1))
    }
}

fn key(file: FileId, range: &Range<usize>) -> (FileId, usize, usize) {
    (file, range.start, range.end)
}

/// Removes list elements by their range. A `use` whose leaves all go, goes.
fn remove_elements(
    tree: &SyntaxTree,
    gone: &BTreeSet<(FileId, usize, usize)>,
    edits: &mut EditSet,
) {
    let is_gone = |file: FileId, range: &Range<usize>| gone.contains(&key(file, range));
    for list in &tree.lists {
        let is_wanted = matches!(
            list.kind,
            ListKind::Items | ListKind::Members | ListKind::UseTrees
        );
        if is_wanted {
            let removed: Vec<usize> = (0..list.elements.len())
                .filter(|&idx| is_gone(list.elements[idx].file, &list.elements[idx].range))
                .collect();
            list.remove(&removed, edits);
        }
    }
}

/// The byte at a line and column, both from 1.
pub(crate) fn offset(
    sources: &SourceTree,
    file: FileId,
    line: usize,
    column: usize,
) -> Option<usize> {
    let text = sources.contains(file).then(|| sources.text(file))?;
    let mut start = 0;
    for (number, content) in text.split_inclusive('\n').enumerate() {
        if number + 1 == line {
            let in_line = content.char_indices().nth(column.saturating_sub(1));
            return Some(start + in_line.map_or(content.len(), |(at, _)| at));
        }
        start += content.len();
    }
    None
}

#[cfg(test)]
mod tests;
