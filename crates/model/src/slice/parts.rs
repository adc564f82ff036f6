//! The items of a crate, each with the items that it needs: of a crash that names nothing, half of the crate can be tried at
//! once.

use super::known::{Known, needs_body};
use super::reach::Reach;
use crate::compiler_names::CompilerNames;
use crate::model::Model;
use crate::outline::Kind;
use reduce_syntax::{Edit, EditSet};

/// The items of a crate in modules, in the order of the text.
pub struct KnownParts<'m> {
    model: &'m Model,
    known: Known,
    parts: Vec<usize>,
}

impl Model {
    /// Returns the items of the crate, if rustc has printed what they mention. `None` if it has printed
    /// nothing.
    #[must_use]
    pub fn known_parts(&self, names: &CompilerNames) -> Option<KnownParts<'_>> {
        let known = Known::new(self, names)?;
        let all = self.outline().all.iter().enumerate();
        let is_item =
            |of: Option<usize>| of.is_none_or(|of| self.outline().all[of].kind == Kind::Module);
        let items = all.filter(|(idx, entry)| {
            let may_be_needed = !matches!(
                entry.kind,
                Kind::Module | Kind::Import { .. } | Kind::ExternCrate
            );
            may_be_needed && is_item(entry.parent) && !known.is_left_out(*idx)
        });
        let parts = items.map(|(idx, _)| idx).collect();
        Some(KnownParts {
            model: self,
            known,
            parts,
        })
    }

    /// Returns the edits that empty all bodies of functions, but for those without which their functions do not
    /// compile.
    #[must_use]
    pub fn without_bodies(&self) -> EditSet {
        let mut edits = EditSet::new();
        for entry in &self.outline().all {
            let text = self.sources().text(entry.place.file);
            if let Some(body) = &entry.body
                && !needs_body(&text[entry.place.range.start..body.start])
            {
                edits.add(Edit::replace(entry.place.file, body, "{ loop {} }"));
            }
        }
        edits
    }
}

impl KnownParts<'_> {
    /// Returns the number of parts.
    #[must_use]
    pub fn len(&self) -> usize {
        self.parts.len()
    }

    /// Returns whether there are no parts.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// Returns the edits that leave some of the items, given by their numbers, with all that they need. Other bodies are
    /// emptied.
    #[must_use]
    pub fn slice(&self, kept: impl IntoIterator<Item = usize>) -> EditSet {
        let mut reach = Reach::new(self.model, 0);
        reach.known = Some(&self.known);
        reach.with_calls = false;
        let mut kept: Vec<usize> = kept.into_iter().map(|part| self.parts[part]).collect();
        kept.sort_unstable();
        let is_kept = |idx: &usize| kept.binary_search(idx).is_ok();
        reach.start_from(kept.iter().copied());
        reach.start_from_all(|entry| entry.parent.as_ref().is_some_and(is_kept));
        reach.close();
        reach.edits()
    }
}
