//! The definitions that each entry of an outline mentions, as rustc resolves their names.
//!
//! An entry is known if rustc has printed a definition that begins in it. Macros, their calls and what a `cfg` leaves
//! out are not: these mention what their names say.
//!
//! - `resolved` knows what the model does, where the compiler cannot be asked.
//! - `made` finds out which calls of macros have made the definitions that begin nowhere, and what a `cfg` leaves out.

mod made;
mod resolved;

use crate::compiler_names::{CompilerNames, Printed, PrintedMention, Spot};
use crate::definitions::DefKind;
use crate::ids::{NameId, Position};
use crate::model::Model;
use crate::outline::{Entry, Kind, Outline};
use made::{Made, Makers};
use reduce_syntax::{FileId, TokenCursor};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// The definitions that each entry of an outline mentions, as far as they are known.
pub(super) struct Known {
    entries: HashMap<usize, Exact>,
    /// The entries of the crate that leaves of use declarations import, by the elements of the leaves.
    imported: HashMap<(usize, usize), Vec<usize>>,
    /// The modules on the paths of leaves that import something of another crate, by the elements of the leaves.
    modules_before: HashMap<(usize, usize), Vec<usize>>,
    /// The functions that do not compile with another body, or may run while the crate is compiled.
    whole: HashSet<usize>,
    /// The entries of whose bodies all mentions are known, the methods that they call too.
    typed: HashSet<usize>,
    /// The entries that a `cfg` leaves out.
    left_out: HashSet<usize>,
    macros: HashSet<NameId>,
    /// The entries that define macros.
    defining_macros: HashSet<usize>,
    made: Made,
    /// Whether names mean what the model resolves, and not what the compiler has printed.
    is_by_model: bool,
    /// The imports whose names are seen in their own modules alone, and in those below; known of the model alone.
    private_imports: HashSet<usize>,
}

/// The definitions that an entry mentions, in its body and outside.
#[derive(Debug, Default)]
pub(super) struct Exact {
    pub(super) outside_body: Mentioned,
    pub(super) in_body: Mentioned,
}

/// The definitions that a text mentions.
#[derive(Debug, Default)]
pub(super) struct Mentioned {
    pub(super) entries: BTreeSet<usize>,
    /// The names of mentioned definitions that a macro has made, with the calls that have made
    /// them, as far as these are known.
    pub(super) names: BTreeMap<NameId, BTreeSet<usize>>,
}

impl Exact {
    /// Returns all entries that the entry mentions, in its body and outside.
    pub(super) fn entries(&self) -> impl Iterator<Item = usize> {
        let [outside, inside] = [&self.outside_body, &self.in_body].map(|one| one.entries.iter());
        outside.chain(inside).copied()
    }
}

impl Known {
    /// Reads the mentions of a model's entries from what rustc has printed; `None` if nothing is
    /// known of them.
    pub(super) fn new(model: &Model, names: &CompilerNames) -> Option<Self> {
        let known = Printout::new(model, names).known();
        (!known.entries.is_empty()).then_some(known)
    }

    /// Makes the record of a crate for which the compiler is not asked: it tells only which entries define macros,
    /// and which bodies have to stay.
    pub(super) fn of_nothing(model: &Model) -> Self {
        Printout::new(model, &CompilerNames::default()).known()
    }

    /// Returns the definitions that an entry mentions, if they are known.
    pub(super) fn of(&self, idx: usize) -> Option<&Exact> {
        self.entries.get(&idx)
    }

    /// Returns the entries of the crate that an import imports, modules aside, if it is known to import something of
    /// the crate.
    pub(super) fn imported_by(&self, import: &Entry) -> Option<&[usize]> {
        self.imported.get(&import.element).map(Vec::as_slice)
    }

    /// Returns the modules of the crate on the path of an import, if it is known to import something of
    /// another crate.
    pub(super) fn modules_before(&self, import: &Entry) -> Option<&[usize]> {
        self.modules_before.get(&import.element).map(Vec::as_slice)
    }

    /// Returns whether the body of an entry has to stay if the entry does.
    pub(super) fn keeps_body(&self, idx: usize) -> bool {
        self.whole.contains(&idx)
    }

    /// Returns whether names mean what the model resolves, and not what the compiler has printed.
    pub(super) fn is_by_model(&self) -> bool {
        self.is_by_model
    }

    /// Returns whether the names of an import are known to be seen in its own module alone, and in those below.
    pub(super) fn is_private_import(&self, idx: usize) -> bool {
        self.private_imports.contains(&idx)
    }

    /// Returns whether it is known which methods the body of an entry calls.
    pub(super) fn is_typed(&self, idx: usize) -> bool {
        self.typed.contains(&idx)
    }

    /// Returns whether it is known which methods bodies call.
    pub(super) fn has_bodies(&self) -> bool {
        !self.typed.is_empty()
    }

    /// Returns whether a `cfg` leaves an entry out: rustc's expansion of the crate lacks it.
    pub(super) fn is_left_out(&self, idx: usize) -> bool {
        self.left_out.contains(&idx)
    }

    /// Returns the entries of whose bodies all mentions are known.
    pub(super) fn typed(&self) -> impl Iterator<Item = (usize, &Exact)> {
        let typed = self.typed.iter();
        typed.filter_map(|idx| Some((*idx, self.entries.get(idx)?)))
    }

    /// Returns whether an entry defines a macro.
    pub(super) fn defines_macro(&self, idx: usize) -> bool {
        self.defining_macros.contains(&idx)
    }

    /// Returns the definitions that calls of macros have made.
    pub(super) fn made(&self) -> &Made {
        &self.made
    }

    /// Separates the definitions that imports import from the modules that their paths lead
    /// through.
    fn sort_imports(&mut self, outline: &Outline) {
        for (&idx, exact) in &self.entries {
            let entry = &outline.all[idx];
            if !entry.kind.is_import() {
                continue;
            }
            let mentioned = exact.outside_body.entries.iter().copied();
            let is_module = |idx: &usize| outline.all[*idx].kind == Kind::Module;
            let (modules, imported): (Vec<usize>, Vec<usize>) = mentioned.partition(is_module);
            match imported.is_empty() {
                true => self.modules_before.insert(entry.element, modules),
                false => self.imported.insert(entry.element, imported),
            };
        }
    }

    /// Returns whether a name is that of a macro, of which rustc does not print the calls.
    pub(super) fn is_macro(&self, name: NameId) -> bool {
        self.macros.contains(&name)
    }
}

/// The definitions that rustc has printed, with the outline of the crate.
struct Printout<'m> {
    model: &'m Model,
    outline: &'m Outline,
    names: &'m CompilerNames,
    lines: HashMap<FileId, Vec<usize>>,
    /// The entries in which definitions begin, and where in them, by the paths of the definitions.
    begins: BTreeMap<&'m str, (usize, Position)>,
    unknown: HashSet<usize>,
    makers: Makers<'m>,
}

impl<'m> Printout<'m> {
    fn new(model: &'m Model, names: &'m CompilerNames) -> Self {
        let outline = model.outline();
        let files = model.sources().files();
        let lines = files.map(|(file, _, text)| (file, line_starts(text)));
        let mut printout = Self {
            model,
            outline,
            names,
            lines: lines.collect(),
            begins: BTreeMap::new(),
            unknown: unknown(model),
            makers: Makers::new(),
        };
        let begins = names.definitions.iter().filter_map(|(path, printed)| {
            let at = printout.position(printed.start?)?;
            Some((path.as_str(), (printout.outline.innermost(at)?, at)))
        });
        printout.begins = begins.collect();
        if !names.bodies.is_empty() {
            printout.makers = printout.makers();
        }
        printout
    }

    fn known(&self) -> Known {
        let mut known = Known {
            entries: HashMap::new(),
            imported: HashMap::new(),
            modules_before: HashMap::new(),
            whole: self.whole(),
            typed: HashSet::new(),
            left_out: HashSet::new(),
            macros: self.model.collected().macros.keys().copied().collect(),
            defining_macros: self.defining_macros(),
            made: self.made(),
            is_by_model: false,
            private_imports: HashSet::new(),
        };
        for (path, &(idx, at)) in &self.begins {
            if !self.unknown.contains(&idx) {
                let exact = known.entries.entry(idx).or_default();
                self.read(idx, at, &self.names.definitions[*path], exact);
            }
        }
        self.read_bodies(&mut known);
        known.left_out = self.left_out(&known.entries);
        known.sort_imports(self.outline);
        known
    }

    /// Adds the mentions of a definition that begins in an entry.
    fn read(&self, idx: usize, at: Position, printed: &Printed, exact: &mut Exact) {
        let entry = &self.outline.all[idx];
        let is_inner = self.is_in_body(entry, at);
        for mention in &printed.mentions {
            let is_in_body = is_inner || self.mention_is_in_body(entry, mention);
            let mentioned = match is_in_body {
                true => &mut exact.in_body,
                false => &mut exact.outside_body,
            };
            self.mention(idx, &mention.path, mentioned);
        }
    }

    /// Adds the mentions in bodies, as they are once types are checked.
    fn read_bodies(&self, known: &mut Known) {
        for (owner, paths) in &self.names.bodies {
            let Some(idx) = self
                .entry_of(owner)
                .filter(|idx| !self.unknown.contains(idx))
            else {
                continue;
            };
            known.typed.insert(idx);
            let exact = known.entries.entry(idx).or_default();
            let mentioned = match self.outline.all[idx].body {
                Some(_) => &mut exact.in_body,
                None => &mut exact.outside_body,
            };
            for path in paths {
                self.mention(idx, path, mentioned);
            }
        }
    }

    /// Notes that an entry mentions the definition at a path.
    fn mention(&self, idx: usize, path: &str, mentioned: &mut Mentioned) {
        match self.entry_of(path) {
            Some(target) if target == idx => {}
            Some(target) => drop(mentioned.entries.insert(target)),
            None => {
                if let Some(name) = self.name_of(path) {
                    let calls = mentioned.names.entry(name).or_default();
                    calls.extend(self.makers_of(path));
                }
            }
        }
    }

    fn defining_macros(&self) -> HashSet<usize> {
        let unknown = self.unknown.iter().copied();
        unknown.filter(|&idx| !self.is_call(idx)).collect()
    }

    /// Returns whether a mention is in the body of an entry: the length of an array is a body too,
    /// but may stand in the signature of a function.
    fn mention_is_in_body(&self, entry: &Entry, mention: &PrintedMention) -> bool {
        let at = mention.near.and_then(|spot| self.position(spot));
        let is_in_function = entry.body.is_some();
        mention.is_in_body && is_in_function && at.is_none_or(|at| self.is_in_body(entry, at))
    }

    fn is_in_body(&self, entry: &Entry, at: Position) -> bool {
        let body = entry.body.as_ref();
        at.file == entry.place.file && body.is_some_and(|body| body.contains(&at.at))
    }

    /// Returns the entry of the definition at a path, or around it.
    fn entry_of(&self, path: &str) -> Option<usize> {
        let around = self.names.around(path)?;
        self.begins.get(around).map(|(idx, _)| *idx)
    }

    /// Returns the last name in a path: `f` of `::m::f::{closure#0}`.
    fn name_of(&self, path: &str) -> Option<NameId> {
        let mut parts = path.rsplit("::");
        self.model
            .name_of(parts.find(|part| !part.starts_with('{'))?)
    }

    fn position(&self, spot: Spot) -> Option<Position> {
        let text = self.model.sources().text(spot.file);
        let starts = self.lines.get(&spot.file)?;
        let start = *starts.get(spot.line.checked_sub(1)?)?;
        let mut characters = text[start..].char_indices();
        let (at, _) = characters.nth(spot.column.checked_sub(1)?)?;
        Some(Position::new(spot.file, start + at))
    }

    fn whole(&self) -> HashSet<usize> {
        let all = self.outline.all.iter().enumerate();
        let whole = all.filter(|(_, entry)| {
            let body = entry.body.as_ref();
            let text = self.model.sources().text(entry.place.file);
            body.is_some_and(|body| needs_body(&text[entry.place.range.start..body.start]))
        });
        whole.map(|(idx, _)| idx).collect()
    }
}

/// Returns the entries of which rustc does not print all: macros and their calls.
fn unknown(model: &Model) -> HashSet<usize> {
    let definitions = model.definitions();
    let macros = definitions.filter(|(_, one)| one.kind == DefKind::Macro);
    let places: HashSet<Position> = macros.map(|(_, one)| one.whole.start()).collect();
    let all = model.outline().all.iter().enumerate();
    let unknown = all.filter(|(_, entry)| {
        let is_call = matches!(entry.kind, Kind::Call | Kind::Expanded);
        is_call || places.contains(&entry.place.start())
    });
    unknown.map(|(idx, _)| idx).collect()
}

/// Returns whether a function with such a signature needs its body: it returns what implements a trait, or may run
/// while the crate is compiled.
pub(super) fn needs_body(signature: &str) -> bool {
    let cursor = TokenCursor::without_docs(signature);
    let start = cursor.skip_attributes(0);
    let Some(keyword) = cursor.find(start..cursor.len(), "fn") else {
        return false;
    };
    let generics = keyword + 2;
    let parameters = match cursor.is(generics, "<") {
        true => cursor.skip_angles(generics),
        false => generics,
    };
    let mut result = cursor.skip_group(parameters)..cursor.len();
    cursor.find(start..keyword, "const").is_some() || result.any(|idx| cursor.is(idx, "impl"))
}

/// Returns the bytes at which the lines of a text begin.
fn line_starts(text: &str) -> Vec<usize> {
    let lines = text.split_inclusive('\n').map(str::len);
    let ends = lines.scan(0, |at, length| {
        *at += length;
        Some(*at)
    });
    std::iter::once(0).chain(ends).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn some_functions_need_their_bodies() {
        for signature in [
            "fn f() -> impl Iterator<Item = u8>",
            "#[inline] pub const fn f<T: Into<u8>>(t: T) -> u8",
            "fn f<T>(&self) -> Option<impl Fn(T) -> u8> where T: Copy",
        ] {
            assert!(needs_body(signature), "{signature}");
        }
        for signature in [
            "fn f(g: impl Fn() -> u8) -> u8",
            "pub(crate) async unsafe fn f<const N: usize>(_: [u8; N])",
            "/// const fn impl\nfn f()",
            "fn",
            "",
        ] {
            assert!(!needs_body(signature), "{signature}");
        }
    }

    #[test]
    fn lines_begin_behind_line_ends() {
        assert_eq!(line_starts("a\n\nb"), [0, 2, 3, 4]);
        assert_eq!(line_starts(""), [0]);
    }
}
