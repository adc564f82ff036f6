//! Which definition a path means.

use super::{Definition, Kind, Segment};
use crate::program::Program;
use reduce_model::Position;
use std::collections::HashMap;

/// Which definition a segment means.
pub(super) struct Names {
    by_mention: HashMap<Position, usize>,
    /// Items by name; none for a name that several have.
    items: HashMap<String, Option<usize>>,
    variants: HashMap<(usize, String), usize>,
}

impl Names {
    pub(super) fn new(program: &Program, definitions: &[Definition]) -> Self {
        let mut names = Self {
            by_mention: HashMap::new(),
            items: HashMap::new(),
            variants: HashMap::new(),
        };
        for (idx, one) in definitions.iter().enumerate() {
            let mentions = program.mentions().of(one.at);
            names
                .by_mention
                .extend(mentions.iter().map(|&at| (at, idx)));
            match one.kind {
                Kind::Variant(of) => drop(names.variants.insert((of, one.name.clone()), idx)),
                _ => {
                    let entry = names.items.entry(one.name.clone());
                    entry.and_modify(|one| *one = None).or_insert(Some(idx));
                }
            }
            names.by_mention.insert(one.at, idx);
        }
        names
    }

    pub(super) fn resolve(&self, program: &Program, segment: &Segment) -> Option<usize> {
        let named = |name: &str| self.items.get(name).copied().flatten();
        if segment.name == "Self" {
            let (name, at) = segment.own.as_ref()?;
            return self.by_mention.get(at).copied().or_else(|| named(name));
        }
        if let Some(&idx) = self.by_mention.get(&segment.at) {
            return Some(idx);
        }
        let of = match segment.before.as_deref() {
            Some("Self") => segment.own.as_ref().and_then(|(name, _)| named(name)),
            Some(name) => named(name),
            // A variable or parameter may have the name too.
            None if program.mentions().definition(segment.at).is_some() => return None,
            None => return named(&segment.name),
        };
        self.variants.get(&(of?, segment.name.clone())).copied()
    }
}
