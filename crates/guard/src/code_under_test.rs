//! Chooses the linked crates that are the code under test: the members of the workspace, and the packages that
//! `--mutate` names.

use crate::error::NotMutable;
use crate::package_spec::PackageSpec;
use reduce_oracle::{Plan, Recompiled, Unit};
use reduce_syntax::{SourceTree, TokenKind, tokens};
use std::collections::BTreeSet;

/// The names by which tests start programs: of std, `assert_cmd`, `escargot`, `snapbox` and `trycmd`.
const STARTING: [&str; 7] = [
    "Command",
    "cargo_bin",
    "cargo_bin_cmd",
    "current_exe",
    "escargot",
    "snapbox",
    "trycmd",
];

/// A crate that a test links.
#[derive(Debug, Clone, Copy)]
struct LinkedCrate<'u> {
    idx: usize,
    package: &'u str,
    version: &'u str,
    /// Whether the crate can be compiled with other text.
    can_change: bool,
    is_member: bool,
}

/// Chooses the linked crates that get mutants, and returns their numbers.
///
/// # Errors
/// Where `wanted` has what names none that a test of the package `own` links.
pub(crate) fn code_under_test(
    wanted: &[PackageSpec],
    plan: &Plan,
    crates: &Recompiled<'_>,
    units: &[Unit],
) -> Result<BTreeSet<usize>, NotMutable> {
    let var = |name: &str| plan.call.env.get(name).map_or("", String::as_str);
    let own = (var("CARGO_PKG_NAME"), var("CARGO_PKG_VERSION"));
    chosen(wanted, own, &linked(crates, units))
}

/// Finds the packages that a test names in its text, and that get no mutants yet.
pub(crate) fn others_that_test_names(
    test: &SourceTree,
    plan: &Plan,
    crates: &Recompiled<'_>,
    units: &[Unit],
    mutated: &BTreeSet<usize>,
) -> BTreeSet<String> {
    let names = words(test);
    let externs = plan.externs().into_iter();
    let named = externs.filter(|(name, _)| names.contains(name.as_str()));
    let artifacts: Vec<_> = named.filter_map(|(_, artifact)| artifact).collect();
    let is_named = |one: &LinkedCrate<'_>| {
        let unit = &units[one.idx];
        artifacts.iter().any(|artifact| unit.is_artifact(artifact))
    };
    let linked = linked(crates, units).into_iter();
    let others = linked.filter(|one| one.can_change && !mutated.contains(&one.idx));
    others
        .filter(is_named)
        .map(|one| one.package.to_owned())
        .collect()
}

/// Whether a test may start programs, by its words: those of std, and of libraries that find a program of the package or run its
/// examples. Where that is not seen, only linked crates are mutated.
pub(crate) fn may_start_programs(test: &SourceTree) -> bool {
    let names = words(test);
    let mut texts = test.files().map(|(_, _, text)| text);
    STARTING.iter().any(|name| names.contains(name))
        || texts.any(|text| text.contains("CARGO_BIN_EXE_"))
}

fn linked<'u>(crates: &Recompiled<'_>, units: &'u [Unit]) -> Vec<LinkedCrate<'u>> {
    let linked = units.iter().enumerate().map(|(idx, unit)| LinkedCrate {
        idx,
        package: match unit.package.is_empty() {
            true => &unit.name,
            false => &unit.package,
        },
        version: &unit.version,
        can_change: crates.can_change(idx),
        is_member: crates.is_member(idx),
    });
    linked.collect()
}

fn chosen(
    wanted: &[PackageSpec],
    own: (&str, &str),
    linked: &[LinkedCrate<'_>],
) -> Result<BTreeSet<usize>, NotMutable> {
    let mut chosen: BTreeSet<usize> = linked
        .iter()
        .filter(|one| one.can_change && one.is_member)
        .map(|one| one.idx)
        .collect();
    for spec in wanted {
        let named = linked
            .iter()
            .filter(|one| spec.names(one.package, one.version));
        let (usable, others): (Vec<&LinkedCrate<'_>>, Vec<_>) =
            named.partition(|one| one.can_change);
        if usable.is_empty() && !spec.names(own.0, own.1) {
            return Err(unusable(spec, !others.is_empty(), linked));
        }
        chosen.extend(usable.iter().map(|one| one.idx));
    }
    Ok(chosen)
}

/// Makes the error of a package in `--mutate` that cannot be mutated.
fn unusable(spec: &PackageSpec, is_linked: bool, linked: &[LinkedCrate<'_>]) -> NotMutable {
    let message = match is_linked {
        true => format!(
            "`{spec}` cannot be mutated: it is a procedural macro, or its call is not known"
        ),
        false => format!("the test links no package `{spec}`"),
    };
    let usable = linked.iter().filter(|one| one.can_change);
    NotMutable {
        message,
        usable: usable
            .map(|one| format!("{}@{}", one.package, one.version))
            .collect(),
    }
}

/// Finds the names in a program.
fn words(test: &SourceTree) -> BTreeSet<&str> {
    let files = test.files();
    let words = files.flat_map(|(_, _, text)| {
        let text: &str = text;
        let tokens = tokens(text).into_iter();
        let names = tokens.filter(|token| token.kind == TokenKind::Ident);
        names.map(move |token| &text[token.range()])
    });
    words.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINKED: [LinkedCrate<'static>; 5] = [
        linked_crate(0, "own", "0.1.0", true),
        linked_crate(1, "tables", "1.2.3", false),
        linked_crate(2, "tables", "2.0.0", false),
        linked_crate(3, "sums", "1.0.0", false),
        LinkedCrate {
            can_change: false,
            ..linked_crate(4, "derive", "1.0.0", false)
        },
    ];

    const fn linked_crate(
        idx: usize,
        package: &'static str,
        version: &'static str,
        is_member: bool,
    ) -> LinkedCrate<'static> {
        LinkedCrate {
            idx,
            package,
            version,
            can_change: true,
            is_member,
        }
    }

    fn chosen_by(wanted: &[&str]) -> Result<Vec<usize>, NotMutable> {
        let wanted: Vec<PackageSpec> = wanted.iter().map(|one| one.parse().unwrap()).collect();
        let chosen = chosen(&wanted, ("app", "0.1.0"), &LINKED)?;
        Ok(chosen.into_iter().collect())
    }

    #[test]
    fn a_test_that_may_start_a_program_is_known_by_its_words() {
        let may_start = |text: &str| {
            let root = camino::Utf8PathBuf::from("tests/a.rs");
            may_start_programs(&SourceTree::single(root, text.into()))
        };
        assert!(may_start("fn f() { std::process::Command::new(p); }"));
        assert!(may_start("fn f() { run(env!(\"CARGO_BIN_EXE_a\")); }"));
        assert!(may_start("fn f() { trycmd::TestCases::new(); }"));
        assert!(!may_start("fn f() { commander(); \"Command\"; }"));
    }

    #[test]
    fn members_and_what_is_named_are_mutated() {
        assert_eq!(chosen_by(&[]).unwrap(), [0]);
        assert_eq!(chosen_by(&["tables"]).unwrap(), [0, 1, 2]);
        assert_eq!(chosen_by(&["tables@2", "sums"]).unwrap(), [0, 2, 3]);
        assert_eq!(chosen_by(&["own"]).unwrap(), [0]);
    }

    #[test]
    fn the_package_of_the_test_is_there() {
        assert_eq!(chosen_by(&["app"]).unwrap(), [0]);
    }

    #[test]
    fn what_is_not_linked_is_refused_with_what_is() {
        let failure = chosen_by(&["tables@3"]).unwrap_err();
        assert_eq!(failure.to_string(), "the test links no package `tables@3`");
        let hint = "the test links `own@0.1.0`, `sums@1.0.0`, `tables@1.2.3`, `tables@2.0.0`";
        assert_eq!(failure.hint(), hint);
    }

    #[test]
    fn a_procedural_macro_is_refused() {
        let failure = chosen_by(&["derive"]).unwrap_err();
        assert!(
            failure.to_string().contains("procedural macro"),
            "{failure}"
        );
    }
}
