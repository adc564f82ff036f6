//! The memory of the names of a crate that were resolved: each import and each segment of a path is followed once.

use super::globs::Globs;
use super::{Meaning, Names};
use crate::collect::Collected;
use crate::definitions::Namespace;
use crate::ids::{DefId, ImportId, NameId, PathId, ShapeId};
use crate::typed::Typed;
use std::cell::{Cell, RefCell};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// The fields and the methods of each name, told apart by whether they are fields.
type MembersByName = HashMap<(NameId, bool), Rc<[DefId]>>;

/// Follows paths to the definitions that they mean. What was found is kept: each import and each segment of a path is followed
/// once.
#[derive(Debug, Default)]
pub(crate) struct Resolver {
    pub(super) imports: RefCell<HashMap<(ImportId, Option<Namespace>), Meaning>>,
    /// The meanings of the segments of paths.
    pub(super) segments: RefCell<HashMap<(PathId, usize), Meaning>>,
    /// The members that may be meant by a name after a dot, where the type before it is not known.
    pub(crate) members: RefCell<MembersByName>,
    /// The members of traits that have a name.
    pub(super) of_traits: RefCell<HashMap<(NameId, Option<Namespace>), Meaning>>,
    /// The names that scopes see by their globs.
    pub(super) globs: RefCell<Rc<Globs>>,
    /// The number of scopes in which names were looked up.
    steps: Cell<u64>,
    /// The types of expressions that were found already.
    pub(crate) types: RefCell<HashMap<ShapeId, Typed>>,
    /// The number of nested expressions whose types are being looked up.
    pub(crate) depth: Cell<usize>,
    /// The impls of each type of the crate.
    pub(crate) impls: HashMap<DefId, Vec<DefId>>,
    /// The names of the types that impls are for, where these are a name alone.
    pub(super) subjects: HashSet<NameId>,
}

impl Resolver {
    pub(crate) fn new(collected: &Collected) -> Self {
        let mut result = Self {
            subjects: subjects(collected),
            ..Self::default()
        };
        let names = Names {
            collected,
            resolver: &result,
        };
        names.resolve_globs();
        let mut impls: HashMap<DefId, Vec<DefId>> = HashMap::new();
        for &block in &collected.impls {
            let names = Names {
                collected,
                resolver: &result,
            };
            let own_type = names.subject(block).definitions;
            for def in own_type {
                impls.entry(def).or_default().push(block);
            }
        }
        result.impls = impls;
        // Members of types are found from here on.
        result.segments.borrow_mut().clear();
        result.imports.borrow_mut().clear();
        result
    }

    /// Counts a scope in which a name is looked up.
    pub(super) fn count_step(&self) {
        self.steps.set(self.steps.get() + 1);
    }

    /// Returns the number of scopes in which names were looked up.
    #[cfg(test)]
    pub(crate) fn steps(&self) -> u64 {
        self.steps.get()
    }
}

fn subjects(collected: &Collected) -> HashSet<NameId> {
    let blocks = collected.impls.iter();
    let subjects = blocks.filter_map(|&block| collected.definition(block).subject);
    let alone = subjects.filter_map(|path| match collected.path(path).words[..] {
        [only] => Some(collected.words.get(only).name),
        _ => None,
    });
    alone.collect()
}
