//! Which other tests of the package are run under mutants: those in its library, and some of its integration tests.

use super::switches::{Switches, features};
use crate::candidate::sources;
use crate::failure::Failure;
use camino::Utf8Path;
use reduce_mutants::Instrumented;
use reduce_oracle::{Plan, Unit};
use reduce_syntax::tokens;
use std::collections::BTreeSet;
use std::sync::Arc;

/// So many files of integration tests are compiled at most, the largest first,
const MOST_FILES: usize = 4;
/// if they have no more bytes.
const LARGEST: u64 = 200_000;

/// Libraries by which tests choose their input at random. What breaks such a test is not the same in each run.
const RANDOM: [&str; 4] = ["quickcheck", "proptest", "rand", "arbtest"];

/// How other tests of the package are compiled.
pub(super) struct TestsBeside {
    pub(super) plan: Plan,
    /// The paths of modules whose tests may choose their input at random.
    pub(super) random_modules: BTreeSet<String>,
    /// The library with its switches, where the tests are in it.
    pub(super) switches: Option<Arc<Instrumented>>,
}

/// Those that are linked with the switches that the failing test of `plan` is linked with.
///
/// # Errors
/// Where files of the package cannot be read.
pub(super) fn tests_beside(
    plan: &Plan,
    units: &[Unit],
    switches: &Switches,
) -> Result<Vec<TestsBeside>, Failure> {
    let mut found = Vec::new();
    for (idx, instrumented) in switches.linked() {
        let unit = &units[idx];
        if let Some(plan) = unit_tests(plan, unit, instrumented)? {
            let directory = unit.root.parent().unwrap_or(&unit.root);
            let tree = instrumented.sources();
            let random_modules = tree.files().flat_map(|(_, path, text)| {
                let path = plan.inputs.tree.join(path);
                let module = module_of_file(path.strip_prefix(directory).unwrap_or(&path));
                random_modules(&module, text)
            });
            let random_modules = random_modules.collect();
            found.push(TestsBeside {
                plan,
                random_modules,
                switches: Some(Arc::clone(instrumented)),
            });
        }
    }
    let mut files = plan.integration_tests_beside()?;
    files.retain(|(_, size)| *size <= LARGEST);
    files.sort_by_key(|(_, size)| std::cmp::Reverse(*size));
    for (plan, _) in files.into_iter().take(MOST_FILES) {
        let root = plan.inputs.tree.join(&plan.call.root);
        let text = std::fs::read_to_string(root).unwrap_or_default();
        found.push(TestsBeside {
            plan,
            random_modules: random_modules("", &text),
            switches: None,
        });
    }
    for one in &mut found {
        one.plan = switches.switched.plan(&one.plan);
        one.plan.conduct.limits.usual = None;
    }
    Ok(found)
}

/// The plan of the tests in a library that has switches.
fn unit_tests(
    plan: &Plan,
    unit: &Unit,
    instrumented: &Instrumented,
) -> Result<Option<Plan>, Failure> {
    let tree = instrumented.sources();
    let has_tests = tree.files().any(|(_, _, text)| text.contains("#[test]"));
    if !has_tests {
        return Ok(None);
    }
    let features = features(instrumented.reach());
    Ok(plan.unit_tests_of(unit, &sources(tree), features)?)
}

/// The path of the module that a file is, relative to the directory of the crate root; empty for that.
fn module_of_file(path: &Utf8Path) -> String {
    let stem = path.with_extension("");
    let parts = stem.components().map(|part| part.as_str());
    let names: Vec<&str> = parts
        .filter(|name| !matches!(*name, "lib" | "mod" | "main"))
        .collect();
    names.join("::")
}

/// The paths of the modules in a file that name a library which chooses at random, themselves and not in a module in them.
fn random_modules(module: &str, text: &str) -> BTreeSet<String> {
    let tokens = tokens(text);
    let words: Vec<&str> = tokens.iter().map(|token| &text[token.range()]).collect();
    let mut found = BTreeSet::new();
    // The inline modules around a token, each with the number of braces around it.
    let mut around: Vec<(&str, usize)> = Vec::new();
    let mut depth = 0;
    for (idx, word) in words.iter().enumerate() {
        match *word {
            "{" => {
                if let Some(["mod", name]) = words[..idx].last_chunk() {
                    around.push((*name, depth));
                }
                depth += 1;
            }
            "}" => {
                depth = depth.saturating_sub(1);
                around.pop_if(|(_, outside)| *outside == depth);
            }
            random if RANDOM.contains(&random) => {
                let names = around.iter().map(|(name, _)| *name);
                let own = Some(module).filter(|module| !module.is_empty());
                let path: Vec<&str> = own.into_iter().chain(names).collect();
                found.insert(path.join("::"));
            }
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_are_random_whose_own_items_choose_at_random() {
        let text = "mod a { #[test] fn b() { f(rand::random::<u8>()) } mod c {} }
            mod d { mod e { quickcheck! { fn g(x: u8) -> bool { h(x) } } } fn brand() {} }";
        let found: Vec<String> = random_modules("m", text).into_iter().collect();
        assert_eq!(found, ["m::a", "m::d::e"]);
        let at_root: Vec<String> = random_modules("", "use proptest::prelude::*; mod a {}")
            .into_iter()
            .collect();
        assert_eq!(at_root, [""]);
    }

    #[test]
    fn a_file_is_a_module() {
        let check = |path: &str, expected| assert_eq!(module_of_file(path.into()), expected);
        check("lib.rs", "");
        check("a.rs", "a");
        check("a/mod.rs", "a");
        check("a/b.rs", "a::b");
    }
}
