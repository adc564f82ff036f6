//! Moves of a linked crate: it becomes a module of the crate that names it, or a crate whose text is reduced beside it: first
//! with little, and what the compiler misses in that, then with what is reachable by name from the rest, and then with more
//! and more.

use super::super::slices::points;
use super::naming::{names_of, only_named};
use crate::ask::{Crates, text_in};
use crate::auxiliary::auxiliary_file;
use crate::auxiliary::own_and_others;
use crate::candidate::Candidate;
use crate::failure::Failure;
use crate::session::Session;
use crate::strategy::expansion_limit::most_tokens_of_expansion;
use crate::strategy::slices::grown;
use camino::Utf8PathBuf;
use reduce_gather::{CrateText, Edition, merge_crate, stub_of_crate};
use reduce_model::{Contents, Model, Place, Unnamed};
use reduce_oracle::{Auxiliary, Linkage, externs_of};
use reduce_passes::expand_items_of_macros;
use reduce_syntax::{FileId, SourceTree, count_tokens, without_doc_comments};
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

/// The slices of a linked crate that are tried, the smallest first: how far from the rest of the program bodies stay,
/// and what stays that nothing names.
const SLICES: [(usize, Unnamed); 7] = [
    (0, Unnamed::Neither),
    (0, Unnamed::Members),
    (usize::MAX, Unnamed::Members),
    (0, Unnamed::All),
    (1, Unnamed::All),
    (3, Unnamed::All),
    (usize::MAX, Unnamed::All),
];

/// The slices of a linked crate that are tried where programs are run: functions that may be called keep their bodies.
const SLICES_TO_RUN: [(usize, Unnamed); 8] = [
    (1, Unnamed::Members),
    (2, Unnamed::Members),
    (2, Unnamed::All),
    (4, Unnamed::Members),
    (4, Unnamed::All),
    (8, Unnamed::All),
    (usize::MAX, Unnamed::Members),
    (usize::MAX, Unnamed::All),
];

/// The number of tokens below which slices do not grow: a slice of a smaller program is soon
/// reduced, however much is in it.
const FEWEST_TOKENS_TO_GROW: u64 = 2_000;

/// A way to take the text of a linked crate into the program, as a module or as a crate of its own.
pub(super) struct Move {
    /// The program with each text of the crate, the smallest first.
    forms: Vec<WithCrate>,
    /// The program with those texts of the crate in which slices may grow.
    growing: Vec<WithCrate>,
}

/// A program with the whole text of a linked crate in it.
struct WithCrate {
    whole: Candidate,
    /// The place of the crate's text in the program.
    place: Place,
}

impl Move {
    /// Makes a move with each of the texts of a crate, the smallest first.
    fn new(
        session: &Session<'_>,
        texts: Vec<Arc<str>>,
        with_text: impl Fn(Arc<str>) -> Option<WithCrate>,
    ) -> Option<Self> {
        let growing = texts_to_grow_in(session, &texts).into_iter();
        let growing = growing.filter_map(&with_text).collect();
        let forms: Vec<WithCrate> = texts.into_iter().filter_map(&with_text).collect();
        (!forms.is_empty()).then_some(Self { forms, growing })
    }

    /// Returns the candidates of the move: the program with slices of each text of the crate, the smallest first, and
    /// with the whole text.
    pub(super) fn candidates(&self, session: &Session<'_>) -> Vec<Candidate> {
        let all = self.forms.iter();
        all.flat_map(|one| one.candidates(session)).collect()
    }

    /// Whether slices of the crate may grow.
    pub(super) fn grows(&self) -> bool {
        !self.growing.is_empty()
    }

    /// Returns slices of the crate that begin with little and may grow, one for each text and
    /// beginning.
    pub(super) fn growths(&self) -> impl Iterator<Item = Growth<'_>> {
        let contents = [Contents::Needed, Contents::Whole];
        let growths = |contents| self.growing.iter().map(move |form| (form, contents));
        let growths = contents.into_iter().flat_map(growths);
        growths.map(|(form, contents)| Growth { form, contents })
    }
}

/// A slice of a crate that begins with less than what may be needed, and grows by what the compiler misses in it.
pub(super) struct Growth<'w> {
    form: &'w WithCrate,
    contents: Contents,
}

impl Growth<'_> {
    /// Returns the program with a slice in which the compiler misses nothing, but for errors that the best program has
    /// too (in `raw_message`). `None` where it misses what could not be added.
    pub(super) fn grown(
        &self,
        session: &mut Session<'_>,
        raw_message: &str,
    ) -> Result<Option<Candidate>, Failure> {
        let WithCrate { whole, place } = self.form;
        let model = Model::new(&whole.tree);
        let slice = model.growing_slice_within(place, self.contents);
        let grown = grown(session, whole, slice, &|tree| tree, raw_message)?;
        Ok(grown.map(|tree| only_named(&whole.with_tree(tree))))
    }
}

/// Returns those texts of a crate that are large enough for a slice that grows, with the items that their macros make:
/// of a call that stands for items a slice has all or nothing. None where programs are run, as these need bodies.
fn texts_to_grow_in(session: &Session<'_>, texts: &[Arc<str>]) -> Vec<Arc<str>> {
    let Some(crates) = session.tools.oracle.crates() else {
        return Vec::new();
    };
    if session.tools.oracle.runs_programs() {
        return Vec::new();
    }
    let large = texts
        .iter()
        .filter(|text| count_tokens(text) >= FEWEST_TOKENS_TO_GROW);
    let with_items = large.map(|text| {
        let text = without_doc_comments(text).map_or_else(|| text.clone(), Arc::from);
        let tree = SourceTree::single("lib.rs".into(), text.clone());
        let expanded = expand_items_of_macros(&tree, most_tokens_of_expansion(&tree));
        let configured = expanded.map(|tree| crates.as_program(tree.text(tree.root())));
        configured.map_or(text, Arc::from)
    });
    with_items.collect()
}

/// Asks the compiler for the errors of the best program, which every slice of it may have too.
pub(super) fn raw_message_of_best(session: &mut Session<'_>) -> Result<String, Failure> {
    let best = session.best().clone();
    let errors = session.errors_of(&best)?.unwrap_or_default();
    let messages: Vec<String> = errors.into_iter().map(|error| error.message).collect();
    Ok(messages.join("\n"))
}

impl WithCrate {
    fn candidates(&self, session: &Session<'_>) -> Vec<Candidate> {
        let tree = &self.whole.tree;
        let model = Model::new(tree);
        let slices = match session.tools.oracle.runs_programs() {
            true => SLICES_TO_RUN.as_slice(),
            false => SLICES.as_slice(),
        };
        let points = points(tree);
        let slices = slices.iter().map(|&(distance, unnamed)| {
            let edits = model.slice_within(&self.place, &points, distance, unnamed);
            edits.apply(tree)
        });
        let mut candidates: Vec<Candidate> = Vec::new();
        for tree in slices.chain([tree.clone()]) {
            let compile_options = self.whole.compile_options.clone();
            let candidate = only_named(&Candidate {
                tree,
                compile_options,
            });
            if !candidates.contains(&candidate) && candidate != *session.best() {
                candidates.push(candidate);
            }
        }
        candidates
    }
}

/// The crate that names a linked crate.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Host {
    /// The crashing crate.
    Program,
    /// A linked crate, by its index, that is reduced as a crate of its own beside the program.
    Auxiliary(usize),
}

/// Returns the move by which a linked crate becomes a module of the only crate that names it.
pub(super) fn merges(session: &Session<'_>, idx: usize) -> Option<Move> {
    let merging = Merging::new(session, idx)?;
    Move::new(session, merging.texts.clone(), |text| {
        merging.with_text(&text)
    })
}

/// Returns the program with a module in place of a linked crate that has nothing but empty types and traits. `None` where
/// programs are run, or the program uses more of the crate.
pub(super) fn stub(session: &Session<'_>, idx: usize) -> Option<Candidate> {
    if session.tools.oracle.runs_programs() {
        return None;
    }
    let merging = Merging::new(session, idx)?;
    let names = merging.names_of_crate().into_iter().collect();
    let text = stub_of_crate(&merging.own, &names)?;
    let stub = merging.with_text(&text)?;
    Some(only_named(&stub.whole))
}

/// A linked crate that is to become a module of the crate that names it.
struct Merging<'s> {
    idx: usize,
    crates: &'s Crates,
    best: &'s Candidate,
    host: Host,
    /// The texts of the linked crate, the smallest first.
    texts: Vec<Arc<str>>,
    edition: Edition,
    own: SourceTree,
    own_edition: Edition,
    edition_of_both: Edition,
    names: BTreeMap<String, usize>,
    renamed: Vec<(String, String)>,
}

impl<'s> Merging<'s> {
    fn new(session: &'s Session<'_>, idx: usize) -> Option<Self> {
        let crates = session.tools.oracle.crates()?;
        let best = session.best();
        let linkage = &best.compile_options.linkage;
        let host = only_host(linkage, crates, idx)?;
        let (texts, edition) = current_texts(best, crates, idx)?;
        let own_edition = session.tools.oracle.edition(&best.compile_options)?;
        let (own, own_edition) = host_tree(best, crates, host, own_edition)?;
        // Before 2018 an import begins at the root of the crate, where the names of a module are not.
        let edition_of_both = edition.max(own_edition).max(Edition::E2018);
        let own = tree_in(own, own_edition, edition_of_both)?;
        let (names, renamed) = names_for(linkage, crates, host, idx);
        Some(Self {
            idx,
            crates,
            best,
            host,
            texts,
            edition,
            own,
            own_edition,
            edition_of_both,
            names,
            renamed,
        })
    }

    /// Returns the names that the host has for the linked crate.
    fn names_of_crate(&self) -> Vec<String> {
        let linkage = &self.best.compile_options.linkage;
        names_of(externs_of_host(linkage, self.host), self.idx)
    }

    fn with_text(&self, text: &str) -> Option<WithCrate> {
        let linkage = &self.best.compile_options.linkage;
        let text = text_in(text, self.edition, self.edition_of_both)?;
        let merged = merge_crate(
            &self.own,
            &self.names_of_crate(),
            &CrateText {
                name: &self.crates.units()[self.idx].name,
                text: &text,
                externs: &self.renamed,
            },
        )?;
        let mut whole = self.best.clone();
        let mut changed = Linkage::clone(linkage);
        take_out(&mut whole.tree, &mut changed, self.idx);
        changed.modules.push(self.idx);
        set_externs(
            &mut changed,
            self.host,
            self.names.clone(),
            self.edition_of_both,
            self.own_edition,
        );
        let (tree, module) = (&merged.tree, merged.module);
        let (file, range) = put_in(&mut whole.tree, linkage, self.host, tree, module);
        whole.compile_options.linkage = Arc::new(changed);
        let place = Place::new(file, range);
        Some(WithCrate { whole, place })
    }
}

/// Returns the move by which a linked crate is reduced as a crate of its own, beside the program.
pub(super) fn openings(session: &Session<'_>, idx: usize) -> Option<Move> {
    let crates = session.tools.oracle.crates()?;
    let best = session.best();
    let linkage = &best.compile_options.linkage;
    let unit = crates.units().get(idx)?;
    let file = auxiliary_file(&unit.name);
    let is_there = linkage.auxiliaries.contains_key(&idx) || best.tree.find(&file).is_some();
    if is_there || unit.is_proc_macro || has_compiled_users(linkage, crates, idx) {
        return None;
    }
    let with_text = |text: Arc<str>| {
        let mut whole = best.clone();
        let range = 0..text.len();
        let id = whole.tree.add(file.clone(), text);
        let mut changed = Linkage::clone(linkage);
        let auxiliary = Auxiliary {
            file: file.clone(),
            edition: unit.edition.clone(),
            externs: externs_of(unit, crates.units()),
        };
        changed.auxiliaries.insert(idx, auxiliary);
        whole.compile_options.linkage = Arc::new(changed);
        let place = Place::new(id, range);
        Some(WithCrate { whole, place })
    };
    Move::new(session, vec![crates.text(idx)?], with_text)
}

/// Whether a linked crate is also linked by one that stays compiled.
fn has_compiled_users(linkage: &Linkage, crates: &Crates, idx: usize) -> bool {
    let reachable = linkage.reachable(crates.units());
    let compiled = reachable
        .into_iter()
        .filter(|user| !linkage.auxiliaries.contains_key(user));
    compiled
        .into_iter()
        .any(|user| linkage.linked_by(user, crates.units()).contains(&idx))
}

/// Finds the only crate that links a given one; `None` if several do, or one that is not edited.
fn only_host(linkage: &Linkage, crates: &Crates, idx: usize) -> Option<Host> {
    let unit = crates.units().get(idx)?;
    if unit.is_proc_macro || has_compiled_users(linkage, crates, idx) {
        return None;
    }
    let is_named = |externs: &BTreeMap<String, usize>| externs.values().any(|one| *one == idx);
    let auxiliaries = linkage.auxiliaries.iter();
    let mut hosts: Vec<Host> = auxiliaries
        .filter(|(_, one)| is_named(&one.externs))
        .map(|(&user, _)| Host::Auxiliary(user))
        .collect();
    if is_named(&linkage.externs) {
        hosts.push(Host::Program);
    }
    match hosts.as_slice() {
        [only] => Some(*only),
        _ => None,
    }
}

fn externs_of_host(linkage: &Linkage, host: Host) -> &BTreeMap<String, usize> {
    match host {
        Host::Program => &linkage.externs,
        Host::Auxiliary(user) => &linkage.auxiliaries[&user].externs,
    }
}

/// Returns the text that a linked crate has at present, with its edition. There may be a smaller
/// one, which then comes first.
fn current_texts(
    best: &Candidate,
    crates: &Crates,
    idx: usize,
) -> Option<(Vec<Arc<str>>, Edition)> {
    match best.compile_options.linkage.auxiliaries.get(&idx) {
        Some(auxiliary) => {
            let file = best.tree.find(&auxiliary.file)?;
            let edition = auxiliary.edition.parse().ok()?;
            Some((vec![best.tree.shared_text(file)], edition))
        }
        None => {
            let smaller = crates.smaller_text(idx).into_iter();
            let texts = smaller.chain([crates.text(idx)?]).collect();
            Some((texts, crates.edition(idx)?))
        }
    }
}

/// Returns the files and the edition of the crate that a linked crate becomes a module of.
fn host_tree(
    best: &Candidate,
    crates: &Crates,
    host: Host,
    edition: Edition,
) -> Option<(SourceTree, Edition)> {
    match host {
        Host::Program => {
            let (own, _) = own_and_others(&best.tree);
            Some((own, edition))
        }
        Host::Auxiliary(user) => {
            let (mut texts, edition) = current_texts(best, crates, user)?;
            let text = texts.pop()?;
            let path = best.compile_options.linkage.auxiliaries[&user].file.clone();
            Some((SourceTree::single(path, text), edition))
        }
    }
}

fn tree_in(tree: SourceTree, from: Edition, to: Edition) -> Option<SourceTree> {
    let mut changed = tree.clone();
    for (file, _, text) in tree.files().filter(|_| from != to) {
        changed.set_text(file, Arc::from(text_in(text, from, to)?));
    }
    Some(changed)
}

/// Returns the crates that a crate names once a linked crate is a module of it, and the new names
/// of crates in the module's text: one crate has one name in a crate, and one name means one crate.
fn names_for(
    linkage: &Linkage,
    crates: &Crates,
    host: Host,
    idx: usize,
) -> (BTreeMap<String, usize>, Vec<(String, String)>) {
    let mut names = externs_of_host(linkage, host).clone();
    names.retain(|_, unit| *unit != idx);
    let of_unit = match linkage.auxiliaries.get(&idx) {
        Some(auxiliary) => auxiliary.externs.clone(),
        None => externs_of(&crates.units()[idx], crates.units()),
    };
    let mut renamed = Vec::new();
    for (name, unit) in of_unit {
        let known = names_of(&names, unit).into_iter();
        let new = match known
            .clone()
            .find(|known| *known == name)
            .or(known.into_iter().next())
        {
            Some(known) => known,
            None => free_name(&names, &name),
        };
        names.insert(new.clone(), unit);
        renamed.push((name, new));
    }
    (names, renamed)
}

/// Returns `name`, or it with a number behind if the name is taken.
fn free_name(names: &BTreeMap<String, usize>, name: &str) -> String {
    let numbered = (2..).map(|number| format!("{name}{number}"));
    let mut all = std::iter::once(name.to_owned()).chain(numbered);
    all.find(|name| !names.contains_key(name))
        .expect("there are more numbers than names")
}

/// Removes a linked crate that was reduced beside the program, with its file.
fn take_out(tree: &mut SourceTree, linkage: &mut Linkage, idx: usize) {
    let auxiliary = linkage.auxiliaries.remove(&idx);
    if let Some(file) = auxiliary.and_then(|one| tree.find(&one.file)) {
        tree.drop_file(file);
    }
}

fn set_externs(
    linkage: &mut Linkage,
    host: Host,
    names: BTreeMap<String, usize>,
    edition: Edition,
    before: Edition,
) {
    match host {
        Host::Program => {
            linkage.externs = names;
            if edition != before {
                linkage.edition = Some(edition.to_string());
            }
        }
        Host::Auxiliary(user) => {
            if let Some(auxiliary) = linkage.auxiliaries.get_mut(&user) {
                auxiliary.externs = names;
                auxiliary.edition = edition.to_string();
            }
        }
    }
}

/// Puts the changed files of the crate that has a new module into the tree of all crates, and
/// returns the module's place there.
fn put_in(
    tree: &mut SourceTree,
    linkage: &Linkage,
    host: Host,
    changed: &SourceTree,
    module: (FileId, Range<usize>),
) -> (FileId, Range<usize>) {
    match host {
        Host::Program => {
            for (file, _, text) in changed.files() {
                tree.set_text(file, text.clone());
            }
            module
        }
        Host::Auxiliary(user) => {
            let path: &Utf8PathBuf = &linkage.auxiliaries[&user].file;
            let file = tree.find(path).expect("an auxiliary crate has its file");
            tree.set_text(file, changed.shared_text(changed.root()));
            (file, module.1)
        }
    }
}
