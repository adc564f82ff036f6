//! The definitions that calls of macros have made.

use super::{Exact, Printout};
use crate::compiler_names::Printed;
use crate::outline::{Entry, Kind};
use reduce_syntax::TokenCursor;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// The mentions of the definitions that calls of macros have made.
#[derive(Debug, Default)]
pub(in crate::slice) struct Made {
    /// The mentions of the definitions that each call has made, by the entry of the call.
    calls: HashMap<usize, Exact>,
    /// The mentions of each impl that a call has made, without those of its members, by the entry of the call.
    impls: HashMap<usize, Vec<BTreeSet<usize>>>,
}

impl Made {
    /// Returns the mentions of a call of a macro, with those of the definitions that it has made.
    pub(in crate::slice) fn of(&self, call: usize) -> Option<&Exact> {
        self.calls.get(&call)
    }

    /// Returns, for each impl that a call of a macro has made, the definitions that the impl
    /// mentions.
    pub(in crate::slice) fn impls_of(&self, call: usize) -> &[BTreeSet<usize>] {
        self.impls.get(&call).map_or(&[], Vec::as_slice)
    }
}

/// The calls of macros that have made definitions, by the paths of the outermost of these.
pub(super) type Makers<'m> = BTreeMap<&'m str, BTreeSet<usize>>;

impl<'m> Printout<'m> {
    /// Finds the calls of macros that have made the definitions which begin nowhere in the source.
    pub(super) fn makers(&self) -> Makers<'m> {
        let mut places: BTreeMap<&'m str, BTreeSet<usize>> = BTreeMap::new();
        for (path, printed) in &self.names.definitions {
            if let Some(top) = self.made_top(path) {
                let near = printed.mentions.iter().filter_map(|mention| mention.near);
                let near = near.chain(printed.start);
                let at = near.filter_map(|spot| self.outline.innermost(self.position(spot)?));
                places.entry(top).or_default().extend(at);
            }
        }
        let calls = self.calls_by_parent();
        let makers = places.into_iter().map(|(top, near)| {
            let around = top
                .rsplit_once("::")
                .and_then(|(outer, _)| self.entry_of(outer));
            let calls = calls.get(&around).map_or(&[][..], Vec::as_slice);
            (top, self.makers_among(calls, top, &near))
        });
        makers.filter(|(_, makers)| !makers.is_empty()).collect()
    }

    /// Finds the calls in a module or an impl that have made a definition in it, near some entries.
    fn makers_among(&self, calls: &[usize], top: &str, near: &BTreeSet<usize>) -> BTreeSet<usize> {
        let near_calls: BTreeSet<usize> = calls
            .iter()
            .copied()
            .filter(|idx| near.contains(idx))
            .collect();
        if !near_calls.is_empty() {
            return near_calls;
        }
        if !near.is_empty() {
            // A derive has made the definition.
            return BTreeSet::new();
        }
        let is_nameless = top.ends_with('}');
        let name = self.name_of(top).filter(|_| !is_nameless);
        let mentions_it = |idx: &usize| {
            let mentions = &self.outline.all[*idx].mentions;
            name.is_some_and(|name| mentions.iter().any(|mention| mention.name == name))
        };
        match calls {
            [only] => BTreeSet::from([*only]),
            _ => calls.iter().copied().filter(mentions_it).collect(),
        }
    }

    /// Returns the outermost of the definitions at and around a path that begin nowhere; `None` if the one at the
    /// path begins somewhere.
    fn made_top(&self, path: &'m str) -> Option<&'m str> {
        let outer = |path: &&'m str| path.rsplit_once("::").map(|(before, _)| before);
        let around = std::iter::successors(Some(path), outer);
        let made = around.take_while(|path| !path.is_empty() && !self.begins.contains_key(path));
        let printed = made.filter(|path| self.names.definitions.contains_key(*path));
        printed.last()
    }

    fn calls_by_parent(&self) -> HashMap<Option<usize>, Vec<usize>> {
        let mut calls: HashMap<Option<usize>, Vec<usize>> = HashMap::new();
        for (idx, entry) in self.outline.all.iter().enumerate() {
            if self.is_call(idx) {
                calls.entry(entry.parent).or_default().push(idx);
            }
        }
        calls
    }

    /// Collects the mentions of the definitions that calls of macros have made.
    pub(super) fn made(&self) -> Made {
        let mut made = Made::default();
        for (path, printed) in &self.names.definitions {
            let mentioned = printed.mentions.iter().map(|mention| mention.path.as_str());
            for call in self.makers_of(path) {
                let exact = made.calls.entry(call).or_default();
                for path in mentioned.clone() {
                    self.mention(call, path, &mut exact.outside_body);
                }
                if path.ends_with('}') {
                    made.impls
                        .entry(call)
                        .or_default()
                        .extend(self.head(call, printed));
                }
            }
        }
        for (owner, paths) in &self.names.bodies {
            for call in self.makers_of(owner) {
                let exact = made.calls.entry(call).or_default();
                for path in paths {
                    self.mention(call, path, &mut exact.outside_body);
                }
            }
        }
        made
    }

    /// Returns the types and traits that an impl mentions, unless it is about something that the same call has made: then
    /// it comes along with that.
    fn head(&self, call: usize, block: &Printed) -> Option<BTreeSet<usize>> {
        let mut head = BTreeSet::new();
        for mention in &block.mentions {
            let makers = self.makers_of(&mention.path);
            if makers.contains(&call) {
                return None;
            }
            let entry = self.entry_of(&mention.path).into_iter();
            let entry = entry
                .filter(|idx| matches!(self.outline.all[*idx].kind, Kind::Trait | Kind::Other));
            head.extend(entry.chain(makers));
        }
        Some(head)
    }

    /// Returns the calls of macros that have made the definition at a path, or around it.
    pub(super) fn makers_of(&self, path: &str) -> BTreeSet<usize> {
        let around = self.names.around(path);
        let printed = around.and_then(|path| self.names.definitions.get_key_value(path));
        let Some((around, _)) = printed else {
            return BTreeSet::new();
        };
        if let Some((idx, _)) = self.begins.get(around.as_str()) {
            let call = Some(*idx).filter(|idx| self.is_call(*idx));
            return call.into_iter().collect();
        }
        let top = self.made_top(around);
        let makers = top.and_then(|top| self.makers.get(top));
        makers.cloned().unwrap_or_default()
    }

    /// Returns whether an entry calls a macro.
    pub(super) fn is_call(&self, idx: usize) -> bool {
        let entry = &self.outline.all[idx];
        let is_member = entry.kind == Kind::Required && entry.names.is_empty();
        is_member || matches!(entry.kind, Kind::Call | Kind::Expanded)
    }

    /// Returns the entries that a `cfg` leaves out: they, or entries around them, have one, and rustc
    /// has not printed them.
    pub(super) fn left_out(&self, printed: &HashMap<usize, Exact>) -> HashSet<usize> {
        let mut left_out: HashSet<usize> = HashSet::new();
        for (idx, entry) in self.outline.all.iter().enumerate() {
            // Neither macros are printed, nor their calls, nor all imports.
            let may_be_there = printed.contains_key(&idx)
                || self.unknown.contains(&idx)
                || self.is_call(idx)
                || entry.kind.is_import();
            let is_within = entry
                .parent
                .is_some_and(|parent| left_out.contains(&parent));
            if is_within || (!may_be_there && self.has_cfg(entry)) {
                left_out.insert(idx);
            }
        }
        left_out
    }

    fn has_cfg(&self, entry: &Entry) -> bool {
        let text = &self.model.sources().text(entry.place.file)[entry.place.range.clone()];
        let cursor = TokenCursor::without_docs(text);
        (0..cursor.skip_attributes(0)).any(|idx| cursor.is(idx, "cfg"))
    }
}
