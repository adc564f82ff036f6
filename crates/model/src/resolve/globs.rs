//! The globs of a crate as a graph of sets: by which `use m::*` which scopes see the names of which others. Where a name
//! comes from is then a question about the few scopes that have it, however many globs lead to them.

use super::{Meaning, Names, Trail};
use crate::collect::Collected;
use crate::definitions::{DefKind, Namespace};
use crate::ids::{DefId, ImportId, NameId, ScopeId};
use reduce_syntax::poll_interruption;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;

/// The number of rounds after which the targets of globs count as known: a path may begin with a name of another glob.
const MOST_ROUNDS: usize = 8;

/// Something whose names a glob brings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Holder {
    Scope(ScopeId),
    Enum(DefId),
}

/// The globs of a crate, with what each scope sees by them.
#[derive(Debug, Default)]
pub(super) struct Globs {
    /// The scopes with globs, and what globs lead to; each has its index as its number.
    holders: Vec<Holder>,
    numbers: HashMap<Holder, usize>,
    /// The holders to which the globs of each holder lead.
    targets: Vec<Vec<usize>>,
    /// The holders that are seen from each holder, by any number of globs.
    seen: Vec<Rc<Bits>>,
    /// Whether a macro may have made definitions in something that is seen from each holder.
    sees_unseen: Vec<bool>,
    /// The scopes with a `*` of another crate, or of an unknown module.
    foreign: HashSet<ScopeId>,
    /// The holders that have something of each name.
    having: HashMap<NameId, Vec<usize>>,
}

/// The targets of the globs of each scope of a crate, and whether one is of another crate, or unknown.
type Targets = Vec<(ScopeId, Vec<Holder>, bool)>;

impl Names<'_> {
    /// Finds the targets of all globs, each of whose paths may lead through other globs.
    pub(super) fn resolve_globs(&self) {
        let mut before = Targets::new();
        for _ in 0..MOST_ROUNDS {
            let targets = self.targets_of_globs();
            if targets == before {
                break;
            }
            let globs = Globs::of(self.collected, &targets);
            *self.resolver.globs.borrow_mut() = Rc::new(globs);
            self.resolver.imports.borrow_mut().clear();
            self.resolver.segments.borrow_mut().clear();
            before = targets;
        }
    }

    fn targets_of_globs(&self) -> Targets {
        let scopes = self.collected.scopes.iter().enumerate();
        let with_globs = scopes.filter(|(_, scope)| !scope.globs.is_empty());
        let targets = with_globs.map(|(idx, scope)| {
            let holders = scope.globs.iter().flat_map(|glob| self.holders(*glob));
            let is_foreign = scope.globs.iter().any(|glob| self.is_foreign(*glob));
            (ScopeId::new(idx), holders.collect(), is_foreign)
        });
        targets.collect()
    }

    fn is_foreign(&self, glob: ImportId) -> bool {
        let path = self.collected.imports[glob.idx()].path;
        self.collected.path(path).words.is_empty() || !self.path(path).is_own()
    }

    /// Returns whether a `*` of another crate, or of an unknown module, brings names into a scope.
    pub(super) fn has_foreign_glob(&self, scope: ScopeId) -> bool {
        let globs = self.resolver.globs.borrow();
        let mut around = self.collected.scopes_around(scope);
        around.any(|one| globs.foreign.contains(&one.id))
    }

    fn holders(&self, glob: ImportId) -> Vec<Holder> {
        let path = self.collected.imports[glob.idx()].path;
        if self.collected.path(path).words.is_empty() {
            return Vec::new();
        }
        let meant = self.path(path).definitions.into_iter();
        let holders = meant.filter_map(|def| {
            let definition = self.collected.definition(def);
            match definition.kind {
                DefKind::Module => definition.inside.map(Holder::Scope),
                DefKind::Enum => Some(Holder::Enum(def)),
                _ => None,
            }
        });
        holders.collect()
    }

    /// Resolves a name by the globs of a scope. Nobody knows what macros have made in what they lead to, but what was found
    /// is not of these.
    pub(super) fn by_globs(
        &self,
        scope: ScopeId,
        name: NameId,
        namespace: Option<Namespace>,
        trail: &mut Trail,
    ) -> Meaning {
        let globs = Rc::clone(&self.resolver.globs.borrow());
        let Some(&from) = globs.numbers.get(&Holder::Scope(scope)) else {
            return Meaning::default();
        };
        let having = globs.having.get(&name).map_or(&[][..], Vec::as_slice);
        let having = having
            .iter()
            .filter(|holder| globs.seen[from].has(**holder));
        let having: BTreeSet<usize> = having.copied().collect();
        let mut found = match having.len() {
            0 => Meaning::default(),
            1 => self.own_of(&globs, having.first().copied(), (name, namespace), trail),
            _ => self.nearest_of(&globs, from, &having, (name, namespace), trail),
        };
        found.unseen |= globs.sees_unseen[from] && found.definitions.is_empty();
        found
    }

    /// Resolves a name that several things have which are seen from a holder. What is behind one of them is hidden by it.
    fn nearest_of(
        &self,
        globs: &Globs,
        from: usize,
        having: &BTreeSet<usize>,
        name: (NameId, Option<Namespace>),
        trail: &mut Trail,
    ) -> Meaning {
        let leads_on = |holder: usize| having.iter().any(|one| globs.seen[holder].has(*one));
        let mut found = Meaning::default();
        let mut todo = globs.targets[from].clone();
        let mut visited = BTreeSet::new();
        while let Some(holder) = todo.pop() {
            if !visited.insert(holder) {
                continue;
            }
            self.resolver.count_step();
            let is_one = having.contains(&holder).then_some(holder);
            let own = self.own_of(globs, is_one, name, trail);
            if own.is_nothing() && leads_on(holder) {
                todo.extend(&globs.targets[holder]);
            }
            found.add(own);
        }
        found
    }

    /// Resolves a name to what a holder has itself.
    fn own_of(
        &self,
        globs: &Globs,
        holder: Option<usize>,
        (name, namespace): (NameId, Option<Namespace>),
        trail: &mut Trail,
    ) -> Meaning {
        match holder.map(|holder| globs.holders[holder]) {
            Some(Holder::Scope(scope)) => self.own_of_scope(scope, name, namespace, trail),
            Some(Holder::Enum(def)) => Meaning {
                definitions: self.collected.members(def, name).iter().copied().collect(),
                ..Meaning::default()
            },
            None => Meaning::default(),
        }
    }
}

impl Globs {
    fn of(collected: &Collected, targets: &Targets) -> Self {
        let mut globs = Self::default();
        for (scope, of_scope, is_foreign) in targets {
            globs.foreign.extend(is_foreign.then_some(*scope));
            let from = globs.number(Holder::Scope(*scope));
            for &target in of_scope {
                let to = globs.number(target);
                globs.targets[from].push(to);
            }
        }
        globs.seen = Closure::of(&globs.targets);
        let has_unseen = |holder: &Holder| match holder {
            Holder::Scope(scope) => collected.scope(*scope).has_unseen,
            Holder::Enum(_) => false,
        };
        let unseen = globs
            .holders
            .iter()
            .enumerate()
            .filter(|(_, one)| has_unseen(one));
        let unseen = Bits::of(unseen.map(|(number, _)| number));
        globs.sees_unseen = globs
            .seen
            .iter()
            .map(|seen| seen.has_any(&unseen))
            .collect();
        globs.index(collected);
        globs
    }

    fn number(&mut self, holder: Holder) -> usize {
        *self.numbers.entry(holder).or_insert_with(|| {
            self.holders.push(holder);
            self.targets.push(Vec::new());
            self.holders.len() - 1
        })
    }

    /// Notes which holders have something of each name.
    fn index(&mut self, collected: &Collected) {
        for (number, holder) in self.holders.iter().enumerate() {
            let names: BTreeSet<NameId> = match holder {
                Holder::Scope(scope) => {
                    let scope = collected.scope(*scope);
                    scope
                        .items
                        .keys()
                        .chain(scope.imports.keys())
                        .copied()
                        .collect()
                }
                Holder::Enum(def) => {
                    let members = collected.members.get(def).into_iter();
                    members.flat_map(|all| all.keys().copied()).collect()
                }
            };
            for name in names {
                self.having.entry(name).or_default().push(number);
            }
        }
    }
}

/// A set of small numbers.
#[derive(Debug, Default)]
struct Bits(Vec<u64>);

impl Bits {
    fn of(numbers: impl IntoIterator<Item = usize>) -> Self {
        let mut bits = Self::default();
        numbers.into_iter().for_each(|number| bits.insert(number));
        bits
    }

    fn insert(&mut self, number: usize) {
        if self.0.len() <= number / 64 {
            self.0.resize(number / 64 + 1, 0);
        }
        self.0[number / 64] |= 1 << (number % 64);
    }

    fn has(&self, number: usize) -> bool {
        self.0
            .get(number / 64)
            .is_some_and(|word| word >> (number % 64) & 1 == 1)
    }

    fn has_any(&self, other: &Self) -> bool {
        self.0
            .iter()
            .zip(&other.0)
            .any(|(one, other)| one & other != 0)
    }

    fn extend(&mut self, other: &Self) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        self.0
            .iter_mut()
            .zip(&other.0)
            .for_each(|(one, other)| *one |= other);
    }
}

/// Computes what is reached from each node of a graph, by one edge or more, one time for all nodes of a circle (Tarjan,
/// Depth-First Search and Linear Graph Algorithms, 1972).
struct Closure<'g> {
    edges: &'g [Vec<usize>],
    /// The order in which each node was come to.
    order: Vec<Option<usize>>,
    /// The earliest node that each node leads back to.
    low: Vec<usize>,
    open: Vec<usize>,
    n_met: usize,
    reached: Vec<Option<Rc<Bits>>>,
}

impl<'g> Closure<'g> {
    fn of(edges: &'g [Vec<usize>]) -> Vec<Rc<Bits>> {
        let mut closure = Self {
            edges,
            order: vec![None; edges.len()],
            low: vec![0; edges.len()],
            open: Vec::new(),
            n_met: 0,
            reached: vec![None; edges.len()],
        };
        for node in 0..edges.len() {
            if closure.order[node].is_none() {
                closure.visit(node);
            }
        }
        closure
            .reached
            .into_iter()
            .map(Option::unwrap_or_default)
            .collect()
    }

    fn visit(&mut self, node: usize) {
        poll_interruption();
        let order = self.n_met;
        self.n_met += 1;
        (self.order[node], self.low[node]) = (Some(order), order);
        self.open.push(node);
        for &next in &self.edges[node] {
            match self.order[next] {
                None => {
                    self.visit(next);
                    self.low[node] = self.low[node].min(self.low[next]);
                }
                Some(earlier) if self.reached[next].is_none() => {
                    self.low[node] = self.low[node].min(earlier);
                }
                Some(_) => {}
            }
        }
        if self.low[node] == order {
            self.end_circle(node);
        }
    }

    /// Gives all nodes of the circle that begins with a node what they reach.
    fn end_circle(&mut self, first: usize) {
        let begin = self
            .open
            .iter()
            .rposition(|&one| one == first)
            .unwrap_or_default();
        let members = self.open.split_off(begin);
        let mut bits = Bits::default();
        for &next in members.iter().flat_map(|&member| &self.edges[member]) {
            bits.insert(next);
            if let Some(reached) = &self.reached[next] {
                bits.extend(reached);
            }
        }
        let bits = Rc::new(bits);
        for member in members {
            self.reached[member] = Some(Rc::clone(&bits));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_reached_is_known_in_circles_too() {
        let edges = [vec![1], vec![2, 3], vec![1], vec![], vec![0, 70], vec![]];
        let mut edges = edges.to_vec();
        edges.resize(71, Vec::new());
        let reached = Closure::of(&edges);
        let of = |node: usize| {
            (0..71)
                .filter(|&one| reached[node].has(one))
                .collect::<Vec<_>>()
        };
        assert_eq!(of(0), [1, 2, 3]);
        assert_eq!(of(1), [1, 2, 3]);
        assert_eq!(of(2), [1, 2, 3]);
        assert_eq!(of(3), [0; 0]);
        assert_eq!(of(4), [0, 1, 2, 3, 70]);
    }
}
