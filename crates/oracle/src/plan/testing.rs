//! A plan for tests, of a call with flags and variables of all kinds.

use super::Plan;
use crate::compiler::toolchain::Compiler;
use std::collections::{BTreeMap, BTreeSet};

/// Makes the plan of a crate with two files in a directory.
pub(crate) fn plan(tree: &str) -> Plan {
    let compiler = Compiler {
        path: "/t/bin/rustc".into(),
        command: "rustc +nightly".to_owned(),
        verbose_version: "rustc 1.95.0\n".to_owned(),
        identity: [7; 32],
        sysroot: None,
    };
    let args = [
        "--crate-name=a",
        "--cfg",
        "feature=\"x\"",
        "-O",
        "src/lib.rs",
        "--emit=obj",
    ];
    let env = [("CARGO_MANIFEST_DIR", tree), ("RUSTC_BOOTSTRAP", "1")];
    let mut plan = Plan::of_root(compiler, tree.into(), "src/lib.rs");
    plan.call.args = args.map(str::to_owned).to_vec();
    plan.call.env = env
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .into();
    plan.call.crate_name = "a".to_owned();
    plan.inputs.files = BTreeSet::from(["src/lib.rs".into(), "data.txt".into()]);
    plan.inputs.contents =
        BTreeMap::from([("src/lib.rs".into(), [1; 32]), ("data.txt".into(), [2; 32])]);
    plan
}
