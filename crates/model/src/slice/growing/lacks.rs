//! Finds the definitions that a slice lacks, by the compiler's errors: they name what they miss, in backticks,
//! in all versions.

use super::super::known::Known;
use super::Needs;
use super::trimmings::{DEFAULT, Derived, ElementId};
use crate::definitions::DefKind;
use crate::ids::NameId;
use crate::model::Model;
use crate::outline::{Entry, Kind};
use reduce_syntax::TokenCursor;
use std::collections::{BTreeMap, BTreeSet};

/// An error of the compiler that the slice has and the whole program has not.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Lack {
    /// The code of the error, such as `E0277`, if it has one.
    pub code: String,
    /// The first line of the error: its message.
    pub message: String,
    /// The further texts of the error: labels, notes and suggestions.
    pub details: Vec<String>,
    /// The text that the error is about.
    pub source: String,
}

/// Errors about names that mean nothing.
const OF_NAMES: [&str; 12] = [
    "E0404", "E0405", "E0412", "E0422", "E0423", "E0425", "E0432", "E0433", "E0531", "E0532",
    "E0573", "E0574",
];
/// Errors about members that are not there.
const OF_MEMBERS: [&str; 9] = [
    "E0046", "E0191", "E0220", "E0221", "E0407", "E0437", "E0438", "E0576", "E0599",
];
/// Errors about fields, variants, or the parts of a tuple struct.
const OF_FIELDS: [&str; 14] = [
    "E0023", "E0026", "E0027", "E0061", "E0063", "E0164", "E0423", "E0532", "E0560", "E0574",
    "E0599", "E0609", "E0616", "E0618",
];
/// Errors about type parameters that are not written.
const OF_PARAMETERS: [&str; 3] = ["E0107", "E0282", "E0283"];
/// Errors that do not name the trait that they miss, each with the traits that it may be.
const OF_TRAITS: [(&str, &[&str]); 5] = [
    ("E0308", &["Deref", "DerefMut"]),
    ("E0599", &["Deref", "DerefMut"]),
    ("E0608", &["Index", "IndexMut", "Deref"]),
    ("E0609", &["Deref", "DerefMut"]),
    ("E0614", &["Deref", "DerefMut"]),
];
/// Traits of operators. Where the only implementation that is left for a type is one of another crate, an operand of another type
/// is an error about that type, which does not name the trait.
const OF_OPERATORS: [&str; 12] = [
    "Add",
    "AddAssign",
    "BitAnd",
    "BitOr",
    "Div",
    "DivAssign",
    "Mul",
    "MulAssign",
    "PartialEq",
    "PartialOrd",
    "Sub",
    "SubAssign",
];
/// The beginnings of labels that name what is not there, before its name.
const OF_MISSING: [&str; 2] = ["no `", "could not find `"];
/// The words that begin a compiler's list of implementations that exist.
const OF_OTHERS: &str = "the following other types implement";

/// Finds the definitions that the compiler misses in a slice of a crate.
pub(super) struct Missing<'m> {
    model: &'m Model,
    known: &'m Known,
    left_out: BTreeSet<usize>,
    /// The aliases of types, each with the names of the crate in what it stands for: errors name these.
    aliases: Vec<(NameId, BTreeSet<NameId>)>,
    /// The traits of the slice, and the implementations for types and of traits of it.
    pub(super) in_slice: BTreeSet<usize>,
    /// The types of the slice whose fields or variants were left out.
    pub(super) opaque: BTreeSet<usize>,
    /// The traits that items do not derive any more, and defaults of parameters.
    pub(super) derived: Vec<&'m Derived>,
}

/// The names that an error of the compiler mentions.
struct Named {
    in_message: BTreeSet<NameId>,
    /// The names in the message and the details.
    all: BTreeSet<NameId>,
    /// The names in the message, the details and the text that the error is about.
    with_source: BTreeSet<NameId>,
    /// The words in the message and the details, those that the crate does not have too.
    words: BTreeSet<String>,
}

impl<'m> Missing<'m> {
    pub(super) fn new(
        model: &'m Model,
        known: &'m Known,
        is_left_out: impl Fn(usize) -> bool,
    ) -> Self {
        let left_out = (0..model.outline().all.len()).filter(|idx| is_left_out(*idx));
        Self {
            model,
            known,
            left_out: left_out.collect(),
            aliases: aliases(model),
            in_slice: BTreeSet::new(),
            opaque: BTreeSet::new(),
            derived: Vec::new(),
        }
    }

    /// Returns the entries and names that some errors name. If they name nothing that is missing, these are the contents of the types
    /// that they name; if those are there, the operators with operands of these types, and if there are none, all that the types
    /// implement.
    pub(super) fn of(&self, lacks: &[Lack]) -> Needs {
        let mut needs = Needs::default();
        for lack in lacks {
            self.add_named(lack, &mut needs);
        }
        let missing = lacks.iter().filter(|lack| is_of_names(lack));
        let missing: BTreeSet<&str> = missing.filter_map(missing_name).collect();
        let makers = missing.into_iter().flat_map(|name| self.makers(name));
        needs.entries.extend(makers);
        if needs.len() > 0 {
            return needs;
        }
        let named = lacks.iter().map(|lack| self.named(lack).with_source);
        let named: BTreeSet<NameId> = named.flatten().collect();
        needs.transparent.extend(self.opaque_types(&named));
        if needs.len() == 0 {
            let mismatched = lacks.iter().filter(|lack| lack.code == "E0308");
            let operators = mismatched.flat_map(|lack| self.operators(&self.named(lack)));
            needs.entries.extend(operators);
        }
        if needs.len() == 0 {
            let named = named.into_iter().filter(|name| self.is_type(*name));
            let named: BTreeSet<NameId> = named.collect();
            let of_types = self.entries().filter(|(_, entry)| match entry.kind {
                Kind::Impl { of_type, .. } => of_type.is_some_and(|one| named.contains(&one)),
                Kind::Call | Kind::Expanded => names_any(entry, &named),
                _ => false,
            });
            needs.entries.extend(of_types.map(|(idx, _)| idx));
            let derived = self.derived.iter();
            let derived = derived.filter(|one| named.contains(&one.of_type));
            needs.derived.extend(derived.map(|one| one.element));
        }
        needs
    }

    fn add_named(&self, lack: &Lack, needs: &mut Needs) {
        let (named, code) = (self.named(lack), lack.code.as_str());
        let is_of_names = is_of_names(lack);
        if is_of_names {
            let missing = missing_name(lack).and_then(|name| self.model.name_of(name));
            needs.entries.extend(self.definitions(&named, missing));
        } else {
            needs.entries.extend(self.impls(&named));
            needs.entries.extend(self.calls(&named));
            needs.derived.extend(self.derives(code, &named));
        }
        if OF_FIELDS.contains(&code) {
            needs
                .transparent
                .extend(self.opaque_types(&named.with_source));
        }
        let is_of_members = OF_MEMBERS.contains(&code);
        if is_of_members {
            needs.entries.extend(self.members(&named));
        }
        if is_of_names || is_of_members {
            let imports = self.entries().filter(|(_, entry)| entry.kind.is_import());
            let names = imports.flat_map(|(_, entry)| entry.names.iter().copied());
            needs
                .imported
                .extend(names.filter(|name| named.all.contains(name)));
        }
    }

    /// Returns the entries that define a name of the error's message, or the `missing` one, calls of macros among them.
    fn definitions(&self, named: &Named, missing: Option<NameId>) -> Vec<usize> {
        let mut names = named.in_message.clone();
        names.extend(missing);
        let definitions = self.entries().filter(|(_, entry)| match entry.kind {
            Kind::Import { .. } => false,
            Kind::Call | Kind::Expanded => names_any(entry, &names),
            _ => {
                let first = entry.names.first();
                first.is_some_and(|name| names.contains(name))
            }
        });
        definitions.map(|(idx, _)| idx).collect()
    }

    /// Returns the calls of macros that may define something of a name that nothing else has: the name stands in the call, or
    /// in the definition of the macro, as in `make!();` of one that makes `trait Named {}`.
    fn makers(&self, name: &str) -> Vec<usize> {
        let outline = self.model.outline();
        let known = self.model.name_of(name);
        let mut defined = known.into_iter().flat_map(|name| outline.by_name(name));
        if defined.any(|idx| !outline.all[idx].kind.is_import()) {
            return Vec::new();
        }
        let all = outline.all.iter().enumerate();
        let macros = all.filter(|(idx, _)| self.known.defines_macro(*idx));
        let making = macros.filter(|(_, entry)| {
            let mut words = words_of(self.model.text_at(&entry.place));
            words.any(|word| word == name)
        });
        let macros: BTreeSet<NameId> = making.flat_map(|(_, entry)| entry.names.clone()).collect();
        let calls = self.entries().filter(|(_, entry)| {
            let is_call = matches!(entry.kind, Kind::Call | Kind::Expanded);
            let is_meant = |one: NameId| macros.contains(&one) || known == Some(one);
            is_call && entry.mentions.iter().any(|one| is_meant(one.name))
        });
        calls.map(|(idx, _)| idx).collect()
    }

    /// Returns the implementations of traits that an error names for types that it names. If there are some of whose
    /// heads all types of the crate are named, only these, and all of a trait in the message that has none of these; of each trait
    /// those that name the most.
    fn impls(&self, named: &Named) -> Vec<usize> {
        let is_named = |name: Option<NameId>| name.is_none_or(|name| named.all.contains(&name));
        let mut exact: BTreeMap<NameId, Vec<(usize, usize)>> = BTreeMap::new();
        let mut others: Vec<(NameId, usize)> = Vec::new();
        for (idx, entry) in self.entries() {
            let Kind::Impl {
                of_trait: Some(of_trait),
                of_type,
            } = entry.kind
            else {
                continue;
            };
            let is_of_named = || is_named(of_type) || self.is_for_all(entry, of_type);
            if !is_named(Some(of_trait)) || !is_of_named() {
                continue;
            }
            match self.n_types(entry, named) {
                Some(n_types) => exact.entry(of_trait).or_default().push((n_types, idx)),
                None => others.push((of_trait, idx)),
            }
        }
        let has_none = exact.is_empty();
        let is_missed = |of_trait: &NameId| {
            has_none || (named.in_message.contains(of_trait) && !exact.contains_key(of_trait))
        };
        others.retain(|(of_trait, _)| is_missed(of_trait));
        let others = others.into_iter().map(|(_, idx)| idx);
        others
            .chain(exact.into_values().flat_map(with_most))
            .collect()
    }

    /// Returns whether an impl is for a type parameter of its own: `impl<T: Into<Column>> IntoColumn for T`.
    fn is_for_all(&self, block: &Entry, of_type: Option<NameId>) -> bool {
        let cursor = TokenCursor::without_docs(self.model.text_at(&block.place));
        let start = cursor.find(cursor.skip_attributes(0)..cursor.len(), "impl");
        let Some(opener) = start.map(|at| at + 1).filter(|&at| cursor.is(at, "<")) else {
            return false;
        };
        let name = of_type.map_or("", |name| self.model.spelling(name));
        let parameters = opener + 1..cursor.skip_angles(opener) - 1;
        let parameters = cursor.split_by_commas(parameters).into_iter();
        let mut starts = parameters.map(|one| cursor.skip_attributes(one.start));
        starts.any(|at| cursor.is(at, name))
    }

    /// Returns the implementations of operators whose heads name types of the crate, and only those that an
    /// error names.
    fn operators(&self, named: &Named) -> Vec<usize> {
        let traits = OF_OPERATORS
            .iter()
            .filter_map(|name| self.model.name_of(name));
        let traits: BTreeSet<NameId> = traits.collect();
        let is_operator = |(_, entry): &(usize, &Entry)| match entry.kind {
            Kind::Impl {
                of_trait: Some(of_trait),
                ..
            } => traits.contains(&of_trait) && self.n_types(entry, named) > Some(0),
            _ => false,
        };
        let operators = self.entries().filter(is_operator);
        operators.map(|(idx, _)| idx).collect()
    }

    /// Returns the calls of macros that have made an impl whose head names nothing of the crate but what the error
    /// names. Of several those that say the most of it.
    fn calls(&self, named: &Named) -> Vec<usize> {
        let all = &self.model.outline().all;
        let is_named = |idx: &usize| {
            let name = all[*idx].names.first();
            name.is_some_and(|name| named.all.contains(name))
        };
        let is_about = |head: &BTreeSet<usize>| !head.is_empty() && head.iter().all(is_named);
        let calls = self.entries().filter(|(idx, entry)| {
            let heads = self.known.made().impls_of(*idx);
            match heads.is_empty() {
                true => self.may_be_about(entry, named),
                false => heads.iter().any(is_about),
            }
        });
        let numbered = calls.map(|(idx, entry)| (self.n_words(entry, named), idx));
        with_most(numbered.collect()).collect()
    }

    /// Returns whether an entry is a call of a macro whose definitions are not known, and it and the macro share words with
    /// an error: for a type of std rustc does not print the place of the call.
    fn may_be_about(&self, entry: &Entry, named: &Named) -> bool {
        if !matches!(entry.kind, Kind::Call | Kind::Expanded) || self.n_words(entry, named) == 0 {
            return false;
        }
        let text = self.model.text_at(&entry.place);
        let path = text.split('!').next().unwrap_or_default();
        let name = words_of(path).last();
        let name = name.and_then(|name| self.model.name_of(name)).into_iter();
        let outline = self.model.outline();
        let mut defined = name.flat_map(|name| outline.by_name(name));
        defined.any(|idx| {
            let is_definition = self.known.defines_macro(idx);
            is_definition && self.n_words(&outline.all[idx], named) > 0
        })
    }

    /// Returns how many of the words that a compiler error names stand in the text of an entry.
    fn n_words(&self, entry: &Entry, named: &Named) -> usize {
        let words: BTreeSet<&str> = words_of(self.model.text_at(&entry.place)).collect();
        let said = named.words.iter();
        said.filter(|word| words.contains(word.as_str())).count()
    }

    /// Returns the number of types of the crate that the head of an impl names; `None` if the error does not name one of them.
    fn n_types(&self, block: &Entry, named: &Named) -> Option<usize> {
        let mentions = block.mentions.iter().map(|mention| mention.name);
        let types: BTreeSet<NameId> = mentions.filter(|name| self.is_type(*name)).collect();
        types.is_subset(&named.all).then_some(types.len())
    }

    /// Returns the derived traits that an error names, of types that it names, and the defaults of
    /// the parameters of these types.
    fn derives(&self, code: &str, named: &Named) -> Vec<ElementId> {
        let is_of_parameters = OF_PARAMETERS.contains(&code);
        let is_named = |one: &&&Derived| match one.name == DEFAULT {
            true => is_of_parameters && named.with_source.contains(&one.of_type),
            false => named.words.contains(one.name) && named.all.contains(&one.of_type),
        };
        let found = self.derived.iter().filter(is_named);
        found.map(|one| one.element).collect()
    }

    /// Returns the members that an error names, of impls for types or of traits that it names too. Of several of one name
    /// those that belong to what the slice has.
    fn members(&self, named: &Named) -> Vec<usize> {
        let all = &self.model.outline().all;
        let members = self.entries().filter(|(_, entry)| {
            let is_member = matches!(entry.kind, Kind::Required | Kind::Provided);
            let first = entry.names.first();
            is_member && first.is_some_and(|name| named.in_message.contains(name))
        });
        let is_of_named = |entry: &Entry| {
            let parent = entry.parent.map(|parent| &all[parent]);
            parent.is_some_and(|parent| match parent.kind {
                Kind::Impl { of_type, .. } => {
                    of_type.is_none_or(|one| named.with_source.contains(&one))
                }
                _ => parent
                    .names
                    .first()
                    .is_some_and(|one| named.with_source.contains(one)),
            })
        };
        let of_named: Vec<_> = members.filter(|(_, entry)| is_of_named(entry)).collect();
        let is_in_slice = |one: &Entry| {
            let parent = one.parent.as_ref();
            parent.is_some_and(|parent| self.in_slice.contains(parent))
        };
        let in_slice = of_named.iter().filter(|(_, one)| is_in_slice(one));
        let known: BTreeSet<NameId> = in_slice.flat_map(|(_, one)| one.names.clone()).collect();
        let is_meant =
            |one: &Entry| is_in_slice(one) || !one.names.iter().any(|name| known.contains(name));
        let meant = of_named.into_iter().filter(|(_, one)| is_meant(one));
        meant.map(|(idx, _)| idx).collect()
    }

    /// Returns the types without fields or variants that are among some names.
    fn opaque_types(&self, named: &BTreeSet<NameId>) -> impl Iterator<Item = usize> {
        let opaque = self.opaque.iter().copied();
        opaque.filter(|&idx| {
            let name = self.model.outline().all[idx].names.first();
            name.is_some_and(|name| named.contains(name))
        })
    }

    fn named(&self, lack: &Lack) -> Named {
        let model = self.model;
        let in_message: BTreeSet<NameId> = quoted(&lack.message)
            .filter_map(|word| model.name_of(word))
            .collect();
        let details = lack.details.iter();
        let details = details.filter(|text| !text.starts_with(OF_OTHERS));
        let of_code = OF_TRAITS.iter().filter(|(code, _)| *code == lack.code);
        let traits = of_code.flat_map(|(_, traits)| traits.iter().copied());
        let words: BTreeSet<String> = quoted(&lack.message)
            .chain(details.flat_map(|text| quoted(text)))
            .chain(traits)
            .map(str::to_owned)
            .collect();
        let all = words.iter().filter_map(|word| model.name_of(word));
        let mut all: BTreeSet<NameId> = all.collect();
        let aliases = self.aliases.iter();
        let said = aliases.filter(|(_, names)| names.is_subset(&all));
        all.extend(said.map(|(name, _)| *name).collect::<Vec<_>>());
        let in_source = words_of(&lack.source).filter_map(|word| model.name_of(word));
        Named {
            in_message,
            with_source: in_source.chain(all.iter().copied()).collect(),
            all,
            words,
        }
    }

    /// Returns the entries that are not in the slice.
    fn entries(&self) -> impl Iterator<Item = (usize, &'m Entry)> {
        let all = &self.model.outline().all;
        self.left_out.iter().map(|&idx| (idx, &all[idx]))
    }

    fn is_type(&self, name: NameId) -> bool {
        let outline = self.model.outline();
        let mut entries = outline.by_name(name);
        entries.any(|idx| matches!(outline.all[idx].kind, Kind::Other | Kind::Expanded))
    }
}

/// Returns whether an error is about a name that means nothing.
fn is_of_names(lack: &Lack) -> bool {
    OF_NAMES.contains(&lack.code.as_str()) || lack.message.starts_with("cannot find")
}

/// Returns the name that an error says is not there: that of its label, where the message names the whole path of an import, or
/// code of a derived trait; else the last one of the path in the message.
fn missing_name(lack: &Lack) -> Option<&str> {
    let labels = lack.details.iter();
    let mut of_labels = labels.filter_map(|label| {
        let starts = OF_MISSING.iter();
        starts.filter_map(|start| label.strip_prefix(start)).next()
    });
    let path = match of_labels.next() {
        Some(rest) => rest.split('`').next()?,
        None => lack.message.split('`').nth(1)?,
    };
    words_of(path).last()
}

/// Returns the aliases of types, each with the names of the crate in what it stands for.
fn aliases(model: &Model) -> Vec<(NameId, BTreeSet<NameId>)> {
    let definitions = model.definitions().map(|(_, one)| one);
    let aliases = definitions.filter(|one| one.kind == DefKind::TypeAlias);
    let known = aliases.filter_map(|one| {
        let (name, body) = (one.spelling?, one.body.clone()?);
        let text = &model.sources().text(one.whole.file)[body];
        let is_of_crate = |name: &NameId| model.outline().by_name(*name).next().is_some();
        let names = words_of(text).filter_map(|word| model.name_of(word));
        Some((name, names.filter(is_of_crate).collect()))
    });
    known
        .filter(|(_, names): &(_, BTreeSet<_>)| !names.is_empty())
        .collect()
}

/// Returns the words of a text that stand in backticks.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2).flat_map(words_of)
}

fn words_of(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|one: char| !one.is_alphanumeric() && one != '_');
    words.filter(|word| !word.is_empty())
}

/// Returns the indices that have the highest number, without the number.
fn with_most(numbered: Vec<(usize, usize)>) -> impl Iterator<Item = usize> {
    let most = numbered.iter().map(|(number, _)| *number).max();
    let best = move |(number, idx)| (Some(number) == most).then_some(idx);
    numbered.into_iter().filter_map(best)
}

fn names_any(entry: &Entry, named: &BTreeSet<NameId>) -> bool {
    entry.names.iter().any(|name| named.contains(name))
}
