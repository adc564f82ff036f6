//! The book's page of the licenses of all that is compiled into the two programs, which is written from what cargo says of the packages:
//! with the variable `UPDATE_DOCS=1` the test writes it, and without it the test compares.

use super::{check_written, root};
use cargo_metadata::{DependencyKind, Metadata, MetadataCommand, Package, PackageId};
use spdx::Expression;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// The system that the program is for; on others some packages are other ones.
const TARGET: &str = "x86_64-unknown-linux-gnu";

/// The programs of a release.
const PROGRAMS: [&str; 2] = ["cargo-reduce", "cargo-reduce-remote"];

/// Licenses under which a package may be compiled into a program: they ask for no more than that their text stays with it.
const ALLOWED: [&str; 10] = [
    "0BSD",
    "Apache-2.0",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "CC0-1.0",
    "ISC",
    "MIT",
    "MIT-0",
    "Unicode-3.0",
    "Zlib",
];

const HEAD: &str = "\
# Licenses

cargo-reduce is licensed under MIT or Apache-2.0, as you choose. This page lists the packages of others that are compiled into
it and into `cargo-reduce-remote`, by their licenses. A test makes it from what cargo says of them, and fails for a license that asks for more than that its
text stays with the program.

| license | packages |
| --- | --- |
";

fn metadata() -> Metadata {
    let mut command = MetadataCommand::new();
    command.manifest_path(root().join("Cargo.toml"));
    let options = ["--locked", "--offline", "--filter-platform", TARGET].map(str::to_owned);
    command.other_options(options);
    command.exec().expect("cargo tells the packages")
}

/// The packages of others that are compiled into the programs.
fn compiled(metadata: &Metadata) -> BTreeSet<PackageId> {
    let resolve = metadata.resolve.as_ref().expect("dependencies are known");
    let nodes: BTreeMap<&PackageId, _> =
        resolve.nodes.iter().map(|node| (&node.id, node)).collect();
    let of_programs = metadata
        .packages
        .iter()
        .filter(|one| PROGRAMS.contains(&one.name.as_str()));
    let mut waiting: Vec<PackageId> = of_programs.map(|one| one.id.clone()).collect();
    assert_eq!(waiting.len(), PROGRAMS.len(), "they are members");
    let mut found = BTreeSet::new();
    while let Some(id) = waiting.pop() {
        let is_compiled_in = |kind: DependencyKind| kind == DependencyKind::Normal;
        for dependency in &nodes[&id].deps {
            let mut kinds = dependency.dep_kinds.iter().map(|one| one.kind);
            if kinds.any(is_compiled_in) && found.insert(dependency.pkg.clone()) {
                waiting.push(dependency.pkg.clone());
            }
        }
    }
    found.retain(|id| !metadata.workspace_members.contains(id));
    found
}

/// The license of a package, in today's notation.
fn license(package: &Package) -> Expression {
    let said = package.license.as_deref().unwrap_or_default();
    let name = &package.name;
    // Older packages have a slash for "or".
    let said = said.replace(" / ", " OR ").replace('/', " OR ");
    Expression::parse(&said).unwrap_or_else(|error| panic!("the license of {name}: {error}"))
}

/// A license in a form that is the same whatever the order of its alternatives.
fn sorted(license: &Expression) -> String {
    let text = license.to_string();
    match text.contains("AND") {
        true => text,
        false => {
            let alternatives: BTreeSet<&str> = text.split(" OR ").collect();
            alternatives.into_iter().collect::<Vec<_>>().join(" OR ")
        }
    }
}

fn page() -> String {
    let metadata = metadata();
    let compiled = compiled(&metadata);
    let mut by_license: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    for package in metadata
        .packages
        .iter()
        .filter(|one| compiled.contains(&one.id))
    {
        let license = license(package);
        let is_allowed = license.evaluate(|wanted| {
            let name = wanted.license.id().map(|id| id.name);
            name.is_some_and(|name| ALLOWED.contains(&name))
        });
        assert!(is_allowed, "{} has the license {license}", package.name);
        by_license
            .entry(sorted(&license))
            .or_default()
            .insert(&package.name);
    }
    let mut page = HEAD.to_owned();
    for (license, packages) in by_license {
        let packages: Vec<&str> = packages.into_iter().collect();
        // Writing to a string cannot fail.
        let _ = writeln!(page, "| {license} | {} |", packages.join(", "));
    }
    page
}

#[test]
fn the_page_of_licenses_is_what_cargo_says() {
    check_written("licenses.md", &page());
}
