//! Observes a program: each edit of each pass, slices, relations, names, and what the ways to gather
//! a crate make of its text.

use crate::programs::{Merge, Program};
use reduce_gather::{
    Configuration, CrateText, Edition, configured, has_macro_calls, has_procedural_calls,
    in_current_grammar, in_edition, inline_modules, merge_crate, tidy_expansion, with_derives,
};
use reduce_model::{
    Inspection, Model, Outside, Place, Relations, ResolvedNames, Seed, SliceWidth, Unnamed,
};
use reduce_passes::{
    PASSES, canonical_names, flattenings_at_level, halting_at_loops, idiomatic_order, std_items,
    std_names, std_words,
};
use reduce_syntax::{EditSet, FileId, ListKind, SourceTree, SyntaxTree, build_tree};
use std::collections::BTreeSet;
use std::ops::Range;

/// The most seeds, one after the other, from which slices are made.
const MOST_SEEDS: usize = 6;
/// The most elements whose removal is inspected.
const MOST_REMOVALS: usize = 60;

/// Something that was observed: a name for it, and a text for each thing that was found.
pub(crate) struct Observation {
    pub(crate) what: String,
    pub(crate) entries: Vec<String>,
}

impl Observation {
    fn new(what: &str, entries: impl IntoIterator<Item = String>) -> Self {
        Self {
            what: what.to_owned(),
            entries: entries.into_iter().collect(),
        }
    }
}

/// Observes a program alone.
pub(crate) fn of(Program { sources, .. }: &Program) -> Vec<Observation> {
    let tree = build_tree(sources);
    let program = reduce_passes::Program::new(sources);
    let mut found: Vec<Observation> = PASSES
        .iter()
        .map(|pass| Observation::new(pass.name, edit_sets(&pass.single_edits(&program))))
        .collect();
    found.push(slices(sources, &tree));
    found.push(slices_within(sources, &tree));
    found.extend(relations(sources, &tree));
    found.push(inspections(sources, &tree));
    found.extend(standard_library(sources));
    found.push(Observation::new(
        "canonical names",
        edit_sets(&canonical_names(sources)),
    ));
    let order = idiomatic_order(sources);
    found.push(Observation::new(
        "idiomatic order",
        edit_sets(order.as_slice()),
    ));
    found.push(flattenings(&program));
    found.extend(texts(sources));
    found
}

/// Observes the merge of a crate with a program, and the slices of the crate in it.
pub(crate) fn of_merge(merge: &Merge) -> Vec<Observation> {
    let sources = &merge.program.sources;
    let one = inline_modules(sources);
    let krate = CrateText {
        name: &merge.dependency,
        text: &merge.text,
        externs: &[("core_detect".to_owned(), "core_detect".to_owned())],
    };
    let merged = merge_crate(
        one.as_ref().unwrap_or(sources),
        std::slice::from_ref(&merge.dependency),
        &krate,
    );
    let Some(merged) = merged else {
        return vec![Observation::new("merged", ["nothing".to_owned()])];
    };
    let text = merged.tree.text(merged.tree.root()).to_owned();
    let (file, range) = &merged.module;
    let model = Model::new(&merged.tree);
    vec![
        Observation::new("merged", [merged.name, text]),
        Observation::new("slices of the module", within(&model, *file, range)),
    ]
}

fn edit_sets(sets: &[EditSet]) -> Vec<String> {
    sets.iter().map(edit_set).collect()
}

/// A set of edits as one line.
fn edit_set(set: &EditSet) -> String {
    let edits = set.edits().map(|edit| {
        format!(
            "{:?} {}..{} => {:?}",
            edit.file, edit.start, edit.end, edit.text
        )
    });
    let dropped = set.dropped_files().map(|file| format!("without {file:?}"));
    edits.chain(dropped).collect::<Vec<_>>().join("; ")
}

/// Slices of all widths from functions that are evenly spread, by their position and by their name.
fn slices(sources: &SourceTree, tree: &SyntaxTree) -> Observation {
    let model = Model::new(sources);
    let mut entries = Vec::new();
    for seed in seeds(sources, tree) {
        for (body_distance, users, with_imports) in [
            (0, 0, false),
            (1, 0, false),
            (usize::MAX, 0, false),
            (0, 1, false),
            (0, 2, true),
            (usize::MAX, 2, true),
        ] {
            let width = SliceWidth {
                body_distance,
                users,
                with_imports,
            };
            let slice = model.slice(std::slice::from_ref(&seed), width);
            let slice = slice.as_ref().map(edit_set);
            entries.push(format!("{seed:?} {width:?}: {slice:?}"));
        }
    }
    Observation::new("slices", entries)
}

fn seeds(sources: &SourceTree, tree: &SyntaxTree) -> Vec<Seed> {
    let bodies: Vec<(FileId, usize)> = tree
        .lists
        .iter()
        .filter(|list| list.kind == ListKind::Bodies)
        .flat_map(|list| {
            list.elements
                .iter()
                .map(|body| (body.file, body.range.start))
        })
        .collect();
    let step = bodies.len().div_ceil(MOST_SEEDS).max(1);
    let mut seeds = Vec::new();
    for &(file, start) in bodies.iter().step_by(step) {
        let before = &sources.text(file)[..start];
        let line = before.matches('\n').count() + 1;
        seeds.push(Seed::Position(file, line, 1));
        if let Some((_, after)) = before.rsplit_once("fn ") {
            let is_part = |character: &char| character.is_alphanumeric() || *character == '_';
            seeds.push(Seed::Name(after.chars().take_while(is_part).collect()));
        }
    }
    seeds
}

/// The rest of each item with content when it may keep only what is reached from outside.
fn slices_within(sources: &SourceTree, tree: &SyntaxTree) -> Observation {
    let model = Model::new(sources);
    let modules = elements(tree, &[ListKind::Items]).into_iter();
    let modules =
        modules.filter(|Place { file, range }| sources.text(*file)[range.clone()].contains("mod "));
    let entries = modules.flat_map(|Place { file, range }| within(&model, file, &range));
    Observation::new("slices within", entries.collect::<Vec<_>>())
}

fn within(model: &Model, file: FileId, range: &Range<usize>) -> Vec<String> {
    let place = Place::new(file, range.clone());
    let slice = |(distance, unnamed)| {
        let edits = model.slice_within(&place, &[], distance, unnamed);
        format!("{range:?} {distance} {unnamed:?}: {}", edit_set(&edits))
    };
    let widths = [
        (0, Unnamed::Neither),
        (1, Unnamed::Members),
        (usize::MAX, Unnamed::All),
    ];
    widths.into_iter().map(slice).collect()
}

fn elements(tree: &SyntaxTree, kinds: &[ListKind]) -> Vec<Place> {
    let lists = tree.lists.iter().filter(|list| kinds.contains(&list.kind));
    let elements = lists.flat_map(|list| &list.elements);
    elements.map(Place::from).collect()
}

/// Users of the elements of each kind of list, and how far they are from some functions.
fn relations(sources: &SourceTree, tree: &SyntaxTree) -> Vec<Observation> {
    let kinds: BTreeSet<ListKind> = tree.lists.iter().map(|list| list.kind).collect();
    let model = Model::new(sources);
    let relations = Relations::of(&model);
    let seeds = seeds(sources, tree);
    let (mut users, mut distances) = (Vec::new(), Vec::new());
    for kind in kinds {
        let parts = elements(tree, &[kind]);
        users.push(format!("{kind:?}: {:?}", relations.users(&parts)));
        distances.push(format!(
            "{kind:?}: {:?}",
            relations.distances(&seeds, &parts)
        ));
    }
    let lasting = relations.lasting(&seeds).into_iter();
    vec![
        Observation::new("users", users),
        Observation::new("distances", distances),
        Observation::new("lasting seeds", lasting.map(|seed| format!("{seed:?}"))),
    ]
}

/// The inspections, which need no compiler, of programs from which an element is missing.
fn inspections(sources: &SourceTree, tree: &SyntaxTree) -> Observation {
    let names = ResolvedNames::new(sources, &Outside::default());
    let all = tree
        .lists
        .iter()
        .flat_map(|list| (0..list.elements.len()).map(move |idx| (list, idx)));
    let all: Vec<_> = all.collect();
    let step = all.len().div_ceil(MOST_REMOVALS).max(1);
    let inspected = all.into_iter().step_by(step).map(|(list, idx)| {
        let mut edits = EditSet::new();
        list.remove(&[idx], &mut edits);
        let inspection: Inspection = names.inspect(&edits.apply(sources));
        format!("{}: {inspection:?}", edit_set(&edits))
    });
    Observation::new("inspections", inspected.collect::<Vec<_>>())
}

fn standard_library(sources: &SourceTree) -> Vec<Observation> {
    let items = std_items(sources).into_iter();
    let items = items.map(|item| format!("{}: {:?}", item.path, edit_sets(&item.forms)));
    vec![
        Observation::new("std items", items),
        Observation::new("std names", std_names(sources)),
        Observation::new("std words", std_words(sources)),
    ]
}

fn flattenings(program: &reduce_passes::Program) -> Observation {
    let mut entries = Vec::new();
    let mut depth = 0;
    while let Some((level, edits)) = flattenings_at_level(program, depth) {
        entries.extend(edit_sets(&edits));
        depth = level + 1;
    }
    Observation::new("flattenings", entries)
}

/// The texts that the ways to gather a crate make of each file.
fn texts(sources: &SourceTree) -> Vec<Observation> {
    let texts: Vec<String> = sources
        .files()
        .map(|(_, _, text)| text.to_string())
        .collect();
    let of_each = |what: &str, make: &dyn Fn(&str) -> Vec<String>| {
        Observation::new(what, texts.iter().flat_map(|text| make(text)))
    };
    let lines = ["unix", "target_os=\"linux\"", "feature=\"std\""];
    let configuration = Configuration::from_lines(lines);
    let editions = [Edition::E2018, Edition::E2021, Edition::E2024];
    let later = |text: &str| {
        let later = editions
            .into_iter()
            .filter_map(|to| in_edition(text, Edition::E2015, to));
        later
            .chain([in_current_grammar(text, Edition::E2015)])
            .collect()
    };
    let inlined = inline_modules(sources);
    let of_inlined = inlined.iter().map(|tree| tree.text(tree.root()).to_owned());
    let halting = halting_at_loops(sources, 77).into_iter();
    let halting =
        halting.map(|one| format!("{} {}", one.is_certain, one.tree.text(one.tree.root())));
    let calls = [has_macro_calls(sources), has_procedural_calls(sources)];
    vec![
        of_each("configured", &|text| vec![configured(text, &configuration)]),
        of_each("editions", &later),
        of_each("tidied", &tidy_expansion),
        of_each("with derives", &|text| {
            with_derives(text).into_iter().collect()
        }),
        Observation::new("inlined", of_inlined),
        Observation::new("halting", halting),
        Observation::new("macro calls", calls.map(|has_calls| has_calls.to_string())),
    ]
}
