//! Where nobody knows, without the compiler, what becomes of a text: what may be configured out, what
//! attributes rewrite, and what macros get. It is read from tokens, so that the macros in what another
//! one gets count too.

use super::attributes::leaves_alone;
use crate::definitions::DefKind;
use crate::ids::{ImportId, Place, Position};
use crate::model::Model;
use crate::nesting::Nesting;
use crate::std_names::takes_expressions;
use reduce_syntax::{FileId, TokenCursor};
use std::collections::HashSet;
use std::ops::Range;

/// Where macros are those that they seem to be.
const STANDARD: [&str; 3] = ["alloc", "core", "std"];

/// What is not certain of the text of a crate.
#[derive(Debug, Default)]
pub(super) struct Doubts {
    /// What stands at an attribute that may leave it out or rewrite it.
    pub(super) configured: Vec<Place>,
    /// What macros get of which nobody knows what they make of it, and their bodies.
    pub(super) given: Vec<Place>,
    /// The words of attributes that may make something of them.
    pub(super) words: HashSet<String>,
    /// Whether macros of another crate are visible by their names.
    pub(super) imports_macros: bool,
    /// Whether macros may include files that nobody has seen.
    pub(super) includes: bool,
    /// Whether macros may make macros of any name.
    makes_macros: bool,
    /// What macros get that are of the standard library by their names, and take expressions.
    expressions: Vec<(String, Place)>,
}

impl Doubts {
    pub(super) fn of(model: &Model) -> Self {
        let mut doubts = Self::default();
        let parts = model.definitions().map(|(_, one)| one);
        let parts = parts.filter(|one| one.kind != DefKind::Module);
        let parts: Vec<Place> = parts.map(|one| one.whole.clone()).collect();
        let nested = Nesting::new(parts.iter().cloned());
        for (file, _, text) in model.sources().files() {
            let mut tokens = FileTokens {
                model,
                cursor: TokenCursor::without_docs(text),
                file,
                parts: &parts,
                nested: &nested,
                doubts: &mut doubts,
            };
            tokens.cursor.indices().for_each(|idx| tokens.read(idx));
        }
        let own = own_macros(model);
        let may_be_any = doubts.imports_macros || doubts.makes_macros;
        let expressions = std::mem::take(&mut doubts.expressions).into_iter();
        let unknown = expressions.filter(|(name, _)| may_be_any || own.contains(&**name));
        doubts.given.extend(unknown.map(|(_, place)| place));
        doubts
    }
}

/// The names that the crate's own macros and imports have.
fn own_macros(model: &Model) -> HashSet<&str> {
    let collected = model.collected();
    let is_standard = |import: &ImportId| {
        let words = &collected.path(collected.imports[import.idx()].path).words;
        words.len() > 1 && STANDARD.contains(&model.text(words[0]))
    };
    let imports = collected.scopes.iter().flat_map(|scope| &scope.imports);
    let imports = imports.filter(|(_, all)| !all.iter().all(is_standard));
    let macros = collected.macros.keys().chain(imports.map(|(name, _)| name));
    macros.map(|&name| collected.words.text(name)).collect()
}

/// The tokens of a file.
struct FileTokens<'t> {
    model: &'t Model,
    cursor: TokenCursor<'t>,
    file: FileId,
    /// The definitions that are no modules.
    parts: &'t [Place],
    nested: &'t Nesting,
    doubts: &'t mut Doubts,
}

impl FileTokens<'_> {
    /// Reads an attribute or what a macro gets.
    fn read(&mut self, idx: usize) {
        let end = self.cursor.skip_attribute(idx);
        let at = Position::new(self.file, self.cursor.range(idx).start);
        if end > idx {
            self.attribute(idx..end);
        } else if self.cursor.is(idx + 1, "!") && self.model.word_at(at).is_some() {
            self.call(idx);
        }
    }

    fn call(&mut self, idx: usize) {
        let name = self.cursor.word(idx);
        let open = idx + 2 + usize::from(self.cursor.is_name(idx + 2));
        let Some(close) = self.cursor.closing(open) else {
            return;
        };
        let place = Place::new(self.file, self.cursor.bytes(open, close));
        if takes_expressions(name) && self.cursor.before(idx, 1) != "::" {
            return self.doubts.expressions.push((name.to_owned(), place));
        }
        let mut words = (open..close).map(|idx| self.cursor.word(idx));
        let is_include =
            name == "include" || words.clone().any(|one| matches!(one, "mod" | "include"));
        self.doubts.includes |= is_include;
        self.doubts.makes_macros |= words.any(|one| matches!(one, "macro_rules" | "macro"));
        self.doubts.given.push(place);
    }

    fn attribute(&mut self, tokens: Range<usize>) {
        let cursor = &self.cursor;
        let name = tokens.start + 2 + usize::from(cursor.is(tokens.start + 1, "!"));
        let item = cursor.skip_attributes(tokens.end);
        let is_extern = cursor.is(item, "extern") || cursor.is(item + 1, "extern");
        let may_import = matches!(cursor.word(name), "macro_use" | "cfg_attr");
        self.doubts.imports_macros |= may_import && is_extern;
        if !leaves_alone(cursor, name) {
            self.doubts
                .words
                .extend(tokens.clone().map(|idx| cursor.word(idx).to_owned()));
            let part = self.part_at(tokens);
            self.doubts.configured.push(part);
        }
    }

    /// What an attribute stands at: the innermost definition, or all up to a `;` or the end of the group.
    fn part_at(&self, attribute: Range<usize>) -> Place {
        let cursor = &self.cursor;
        let at = cursor.range(attribute.start).start;
        if let Some(part) = self.nested.around(Position::new(self.file, at)).next() {
            return self.parts[part].clone();
        }
        let start = match cursor.is(attribute.start + 1, "!") {
            true => 0,
            false => at,
        };
        let group = cursor.group(attribute.start);
        let close = group.and_then(|open| cursor.closing(open));
        let is_end =
            |&idx: &usize| Some(idx) == close || cursor.is(idx, ";") && cursor.group(idx) == group;
        let end = (attribute.end..cursor.len()).find(is_end);
        let end = end.map_or(cursor.text().len(), |end| cursor.range(end).end);
        Place::new(self.file, start..end)
    }
}
