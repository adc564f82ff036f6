//! The files of each crate import each other in one direction only: no circle of imports, but for those of a module and its own
//! children. The folders of `engine` for the steps of a candidate's way import no later one. The test reads the sources of the
//! program, without their tests.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use syn::visit::{self, Visit};
use syn::{Attribute, ItemMod, ItemUse, UseTree};

/// The path of a module within its crate: `["store", "open"]` is `crate::store::open`.
type Module = Vec<String>;

/// The modules that each module of a crate imports.
type Imports = BTreeMap<Module, BTreeSet<Module>>;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The directories of sources of the program, each with the name of its crate.
fn crates() -> Vec<PathBuf> {
    let libraries = fs::read_dir(root().join("crates")).unwrap();
    let libraries = libraries.map(|entry| entry.unwrap().path());
    let all = libraries.chain([root().join("cargo-reduce"), root().join("daemon")]);
    let mut all: Vec<PathBuf> = all.map(|one| one.join("src")).collect();
    all.sort();
    all
}

/// The texts of a crate's files by their modules.
fn modules(directory: &Path) -> BTreeMap<Module, String> {
    fn read(directory: &Path, within: &[String], found: &mut BTreeMap<Module, String>) {
        for entry in fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            let stem = path.file_stem().unwrap().to_str().unwrap().to_owned();
            let mut module = within.to_vec();
            if path.is_dir() {
                module.push(stem);
                read(&path, &module, found);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                if !(within.is_empty() && ["lib", "main"].contains(&&*stem)) {
                    module.push(stem);
                }
                found.insert(module, fs::read_to_string(&path).unwrap());
            }
        }
    }
    let mut found = BTreeMap::new();
    read(directory, &[], &mut found);
    found
}

fn is_for_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let is_test = |list: &syn::MetaList| list.tokens.to_string() == "test";
        attribute.path().is_ident("cfg") && attribute.meta.require_list().is_ok_and(is_test)
    })
}

/// Collects the paths in a file that may lead to other files, those of modules for tests left out.
#[derive(Default)]
struct Paths(Vec<Vec<String>>);

impl Paths {
    fn add_use(&mut self, tree: &UseTree, mut before: Vec<String>) {
        match tree {
            UseTree::Path(path) => {
                before.push(path.ident.to_string());
                self.add_use(&path.tree, before);
            }
            UseTree::Name(name) => {
                before.push(name.ident.to_string());
                self.0.push(before);
            }
            UseTree::Rename(name) => {
                before.push(name.ident.to_string());
                self.0.push(before);
            }
            UseTree::Glob(_) => self.0.push(before),
            UseTree::Group(group) => {
                for inner in &group.items {
                    self.add_use(inner, before.clone());
                }
            }
        }
    }
}

impl<'ast> Visit<'ast> for Paths {
    fn visit_item_mod(&mut self, item: &'ast ItemMod) {
        if !is_for_tests(&item.attrs) {
            visit::visit_item_mod(self, item);
        }
    }

    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        if !is_for_tests(&item.attrs) {
            self.add_use(&item.tree, vec![]);
        }
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let segments = path.segments.iter();
        self.0
            .push(segments.map(|one| one.ident.to_string()).collect());
        visit::visit_path(self, path);
    }
}

/// The innermost file that a path leads to; `None` where it leads out of the crate, or stays in its own file.
fn meant(path: &[String], from: &Module, all: &BTreeMap<Module, String>) -> Option<Module> {
    let (first, mut rest) = path.split_first()?;
    let mut module = match &**first {
        "crate" => vec![],
        "self" => from.clone(),
        "super" => {
            let mut module = from.clone();
            module.pop()?;
            while let Some((next, others)) = rest.split_first()
                && next == "super"
            {
                module.pop()?;
                rest = others;
            }
            module
        }
        child => [from.as_slice(), &[child.to_owned()]].concat(),
    };
    if !all.contains_key(&module) {
        return None;
    }
    for name in rest {
        module.push(name.clone());
        if !all.contains_key(&module) {
            module.pop();
            break;
        }
    }
    (module != *from).then_some(module)
}

/// Returns the imports of a crate's modules, without those between a module and others above or below it.
fn imports(all: &BTreeMap<Module, String>) -> Imports {
    let of_file = |(module, text): (&Module, &String)| {
        let file = syn::parse_file(text).unwrap();
        let mut paths = Paths::default();
        if !is_for_tests(&file.attrs) {
            paths.visit_file(&file);
        }
        let meant = paths.0.iter().filter_map(|path| meant(path, module, all));
        let elsewhere = meant.filter(|one| !one.starts_with(module) && !module.starts_with(one));
        (module.clone(), elsewhere.collect())
    };
    all.iter().map(of_file).collect()
}

/// The modules that can be reached from one by imports.
fn reached(from: &Module, imports: &Imports) -> BTreeSet<Module> {
    let mut found = BTreeSet::new();
    let mut open = vec![from];
    while let Some(next) = open.pop() {
        for module in imports.get(next).into_iter().flatten() {
            if found.insert(module.clone()) {
                open.push(module);
            }
        }
    }
    found
}

/// The modules of each circle.
fn circles(imports: &Imports) -> BTreeSet<BTreeSet<Module>> {
    let reached: BTreeMap<&Module, BTreeSet<Module>> = imports
        .keys()
        .map(|module| (module, reached(module, imports)))
        .collect();
    let circle_of = |module: &Module| -> BTreeSet<Module> {
        let others = reached[module].iter();
        let back = others.filter(|other| reached[*other].contains(module));
        back.cloned().collect()
    };
    let all = imports.keys().map(circle_of);
    all.filter(|circle| !circle.is_empty()).collect()
}

#[test]
fn no_two_files_of_a_crate_import_each_other() {
    let mut wrong = vec![];
    let mut n_imports = 0;
    for directory in crates() {
        let imports = imports(&modules(&directory));
        n_imports += imports.values().map(BTreeSet::len).sum::<usize>();
        for circle in circles(&imports) {
            let names = circle.iter().map(|module| module.join("::"));
            let names: Vec<String> = names.collect();
            wrong.push(format!("{}: {}", directory.display(), names.join(", ")));
        }
    }
    assert!(n_imports > 1_000, "only {n_imports} imports were found");
    assert!(
        wrong.is_empty(),
        "these files import each other: move what several of them name into a file of its own\n{}",
        wrong.join("\n")
    );
}

/// The folders of `engine` for the steps of a candidate's way, and those that stand above them.
const FOLDERS_OF_ENGINE: [&str; 8] = [
    "propose", "screen", "ask", "accept", "session", "strategy", "result", "reduce",
];

/// Returns the imports that lead from a folder to a later one, from module to module.
fn imports_of_later(imports: &Imports, folders: &[&str]) -> Vec<String> {
    let place = |module: &Module| {
        let folder = module.first()?;
        folders.iter().position(|one| one == folder)
    };
    let leads_to_later = |from: &Module, to: &Module| {
        let both = place(from).zip(place(to));
        both.is_some_and(|(from, to)| from < to)
    };
    let arrows = imports
        .iter()
        .flat_map(|(from, all)| all.iter().map(move |to| (from, to)));
    let wrong = arrows.filter(|(from, to)| leads_to_later(from, to));
    wrong
        .map(|(from, to)| format!("{} imports {}", from.join("::"), to.join("::")))
        .collect()
}

#[test]
fn no_step_of_a_candidate_knows_a_later_one() {
    let all = modules(&root().join("crates/engine/src"));
    for folder in FOLDERS_OF_ENGINE {
        let n_files = all
            .keys()
            .filter(|module| module.first().is_some_and(|one| one == folder));
        assert!(n_files.count() > 1, "`{folder}` is no folder of `engine`");
    }
    let wrong = imports_of_later(&imports(&all), &FOLDERS_OF_ENGINE);
    assert!(
        wrong.is_empty(),
        "these import a later folder of {}\n{}",
        FOLDERS_OF_ENGINE.join(", "),
        wrong.join("\n")
    );
}

#[test]
fn an_import_of_a_later_folder_is_found() {
    let file = |path: &[&str], text: &str| {
        let path = path.iter().map(|&name| name.to_owned());
        (path.collect::<Module>(), text.to_owned())
    };
    let all = BTreeMap::from([
        file(&[], "mod ask; mod screen;"),
        file(&["ask"], "mod pool;"),
        file(&["ask", "pool"], "use crate::screen::Check;"),
        file(&["screen"], "pub use crate::ask::pool::Pool;"),
    ]);
    let wrong = imports_of_later(&imports(&all), &FOLDERS_OF_ENGINE);
    assert_eq!(wrong, ["screen imports ask::pool"]);
}

#[test]
fn a_circle_of_three_files_is_found_and_one_of_a_module_and_its_child_is_none() {
    let file = |path: &str, text: &str| {
        let path = path.split("::").filter(|name| !name.is_empty());
        (path.map(str::to_owned).collect::<Module>(), text.to_owned())
    };
    let all = BTreeMap::from([
        file("", "mod a; mod b; mod c; mod d;"),
        file("a", "use crate::b::{Other, One as Two};"),
        file("b", "use super::c; pub struct Other(c::Third);"),
        file("c", "mod inner; fn f() -> crate::a::First { inner::g() }"),
        file("c::inner", "use super::*;"),
        file(
            "d",
            "#[cfg(test)] mod tests { use crate::a; } use crate::a;",
        ),
    ]);
    let named = |names: &[&str]| -> BTreeSet<Module> {
        names.iter().map(|name| vec![(*name).to_owned()]).collect()
    };
    assert_eq!(
        circles(&imports(&all)),
        BTreeSet::from([named(&["a", "b", "c"])])
    );
}
