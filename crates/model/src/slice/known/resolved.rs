//! The mentions of the entries as far as the model itself resolves them, where the compiler cannot be asked.

use super::{Exact, Known, Mentioned, unknown};
use crate::ids::{DefId, NameId, WordId};
use crate::model::{Model, Resolution};
use crate::names::Hint;
use crate::outline::{Kind, Outline};
use crate::scopes::WordRole;
use crate::slice::opaque::Opaque;
use reduce_syntax::TokenCursor;
use std::collections::{HashMap, HashSet};

impl Known {
    /// Resolves the names in all entries as far as the model can. A path of which it is not known what it means
    /// stands for whatever has its last name, but for one in a macro or a call of it, where any word may be a part of the
    /// macro's own syntax.
    pub(in crate::slice) fn resolved(model: &Model, opaque: &Opaque) -> Self {
        let resolved = Resolved::new(model, opaque);
        let mut known = Self {
            is_by_model: true,
            private_imports: private_imports(model),
            ..Self::of_nothing(model)
        };
        for word in model.words() {
            resolved.read(word, &mut known.entries);
        }
        known
    }
}

/// Returns the imports, and the parts of imports, without a visibility.
fn private_imports(model: &Model) -> HashSet<usize> {
    let outline = model.outline();
    let all = outline.all.iter().enumerate();
    let imports = all.filter(|(_, entry)| entry.kind.is_import());
    let private = imports.filter(|(_, entry)| {
        let around = outline.nesting.around(entry.place.start());
        let whole = around
            .take_while(|&idx| outline.all[idx].kind.is_import())
            .last();
        whole.is_some_and(|idx| {
            let cursor = TokenCursor::without_docs(model.text_at(&outline.all[idx].place));
            cursor.is(cursor.skip_attributes(0), "use")
        })
    });
    private.map(|(idx, _)| idx).collect()
}

struct Resolved<'m> {
    model: &'m Model,
    outline: &'m Outline,
    unknown: HashSet<usize>,
    entries: HashMap<DefId, usize>,
    opaque: &'m Opaque,
}

impl<'m> Resolved<'m> {
    fn new(model: &'m Model, opaque: &'m Opaque) -> Self {
        let outline = model.outline();
        let places = outline.by_place();
        let entries = model.definitions().filter_map(|(def, one)| {
            let exact = places.get(&one.whole).copied();
            Some((def, exact.or_else(|| outline.innermost(one.name))?))
        });
        Self {
            model,
            outline,
            unknown: unknown(model),
            entries: entries.collect(),
            opaque,
        }
    }

    /// Adds the definition that a word means to the mentions of the entry that the word stands in.
    fn read(&self, word: WordId, known: &mut HashMap<usize, Exact>) {
        let at = self.model.position(word);
        let Some(idx) = self.outline.innermost(at) else {
            return;
        };
        let exact = known.entry(idx).or_default();
        let entry = &self.outline.all[idx];
        let inside = self.opaque.of(idx).map(|form| &form.inside);
        let mut bodies = entry.body.iter().chain(inside);
        let is_in_body = bodies.any(|body| body.contains(&at.at));
        let mentioned = match is_in_body {
            true => &mut exact.in_body,
            false => &mut exact.outside_body,
        };
        self.mention(idx, word, mentioned);
    }

    fn mention(&self, idx: usize, word: WordId, mentioned: &mut Mentioned) {
        let is_member = matches!(self.model.hint(word), Hint::Field | Hint::Method);
        let is_in_macro = self.unknown.contains(&idx);
        if let WordRole::Definition(_) = self.model.role(word) {
            return;
        }
        if is_in_macro && self.model.hint(word) == Hint::Definition {
            return;
        }
        match self.model.resolve(word) {
            Resolution::Certain(def) => self.add(idx, &[def], mentioned),
            _ if is_member => {}
            // Of several definitions that a word in a macro may mean, the compiler says which is missing.
            Resolution::Maybe(defs) if defs.len() == 1 || !is_in_macro => {
                self.add(idx, &defs, mentioned);
            }
            Resolution::Unknown if !is_in_macro => {
                mentioned.names.entry(self.name(word)).or_default();
            }
            _ => {}
        }
    }

    fn add(&self, idx: usize, defs: &[DefId], mentioned: &mut Mentioned) {
        let entries = defs.iter().filter_map(|def| self.entries.get(def).copied());
        let all = &self.outline.all;
        // Members of several impls are needed only if their impls are.
        let is_meant = |one: &usize| {
            let is_member = matches!(all[*one].kind, Kind::Required | Kind::Provided);
            *one != idx && !(is_member && defs.len() > 1)
        };
        mentioned.entries.extend(entries.filter(is_meant));
    }

    fn name(&self, word: WordId) -> NameId {
        self.model.collected().words.get(word).name
    }
}
