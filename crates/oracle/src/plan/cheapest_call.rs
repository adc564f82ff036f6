//! The cheaper calls: calls of the compiler that go less far than the plan's, the cheapest first.

use crate::compiler::args::{generates_code, printed_forms, with_emit};
use crate::compiler::toolchain::release;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The point up to which a query lets the compiler go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CheapestCall {
    /// Up to the end of parsing: `-Zparse-crate-root-only`.
    Parse,
    /// Up to the end of name resolution: `--emit=dep-info`.
    Resolve,
    /// Up to machine code, which is not generated: `-Zno-codegen`.
    Analyse,
    /// Up to one object file, generated in one unit and not linked.
    Object,
}

impl CheapestCall {
    /// Returns the cheaper calls below a call that the compiler takes, the cheapest first. Flags of `-Z` are for compilers
    /// that take them. A call that prints the program has none: it goes as far as that needs on each of them, and less far
    /// once it does not print.
    pub(crate) fn below(args: &[String], takes_unstable: bool) -> Vec<Self> {
        if !printed_forms(args).is_empty() {
            return vec![];
        }
        let generates_code = generates_code(args);
        let all = [Self::Parse, Self::Resolve, Self::Analyse, Self::Object];
        let is_below = |cheapest_call: &Self| match cheapest_call {
            Self::Parse => takes_unstable,
            Self::Resolve => true,
            Self::Analyse => takes_unstable && generates_code,
            Self::Object => generates_code,
        };
        all.into_iter()
            .filter(is_below)
            .filter(|cheapest_call| cheapest_call.args(args) != args)
            .collect()
    }

    /// Returns the name of a cheaper call in statistics, such as `parse`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Parse => "parse",
            Self::Resolve => "resolve",
            Self::Analyse => "analyse",
            Self::Object => "object",
        }
    }

    /// Returns the arguments of a cheaper call, made from those of the plan's call.
    pub(crate) fn args(self, args: &[String]) -> Vec<String> {
        let mut changed = match self {
            Self::Parse | Self::Analyse => args.to_vec(),
            Self::Resolve => with_emit(args, "dep-info"),
            Self::Object => with_emit(args, "obj"),
        };
        let flag = match self {
            Self::Parse => Some("-Zparse-crate-root-only"),
            Self::Resolve => None,
            Self::Analyse => Some("-Zno-codegen"),
            Self::Object => Some("-Ccodegen-units=1"),
        };
        changed.extend(flag.map(str::to_owned));
        changed
    }
}

/// Whether a compiler takes `-Z` flags: a nightly, or one that was told to behave as one.
pub(crate) fn takes_unstable(verbose_version: &str, env: &BTreeMap<String, String>) -> bool {
    let is_unstable = |release: &str| release.contains("-nightly") || release.contains("-dev");
    release(verbose_version).is_some_and(is_unstable)
        || env
            .get("RUSTC_BOOTSTRAP")
            .is_some_and(|value| value != "0" && value != "-1")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<String> {
        shlex::split(line).unwrap()
    }

    #[test]
    fn what_stops_before_code_generation_has_two_rungs_below_it() {
        let args = words("a.rs --emit=metadata");
        assert_eq!(
            CheapestCall::below(&args, true),
            [CheapestCall::Parse, CheapestCall::Resolve]
        );
        assert_eq!(CheapestCall::below(&args, false), [CheapestCall::Resolve]);
    }

    #[test]
    fn what_generates_code_has_more() {
        let args = words("a.rs --emit=link -O");
        let below = CheapestCall::below(&args, true);
        assert_eq!(
            below,
            [
                CheapestCall::Parse,
                CheapestCall::Resolve,
                CheapestCall::Analyse,
                CheapestCall::Object
            ]
        );
        let calls: Vec<_> = below
            .iter()
            .map(|cheapest_call| cheapest_call.args(&args).join(" "))
            .collect();
        let expected = [
            "a.rs --emit=link -O -Zparse-crate-root-only",
            "a.rs --emit=dep-info -O",
            "a.rs --emit=link -O -Zno-codegen",
            "a.rs --emit=obj -O -Ccodegen-units=1",
        ];
        assert_eq!(calls, expected);
    }

    #[test]
    fn a_call_that_prints_the_program_has_no_rung_below_it() {
        for printing in ["-Zunpretty=hir", "-Z unpretty=mir", "--pretty expanded"] {
            let args = words(&format!("a.rs --emit=metadata {printing}"));
            assert_eq!(CheapestCall::below(&args, true), [], "{printing}");
        }
    }

    #[test]
    fn a_nightly_and_a_compiler_that_is_told_so_take_unstable_flags() {
        let none = BTreeMap::new();
        let told = |value: &str| BTreeMap::from([("RUSTC_BOOTSTRAP".to_owned(), value.to_owned())]);
        let (stable, nightly) = ("rustc 1.95.0\nrelease: 1.95.0\n", "release: 1.97.0-nightly");
        assert!(takes_unstable(nightly, &none));
        assert!(!takes_unstable(stable, &none));
        assert!(takes_unstable(stable, &told("1")));
        assert!(!takes_unstable(stable, &told("0")));
    }
}
