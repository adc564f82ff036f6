//! The `cfg`s that hold in a call: the compiler's own, which depend on target and code generation,
//! and those of the command line.
//!
//! Crates differ in the latter mostly, so that one run of the compiler serves for many of them.

use crate::compiler::args::{self, ArgGroup};
use std::collections::BTreeSet;

/// Codegen options on which no `cfg` depends and that differ from crate to crate.
const IRRELEVANT: [&str; 15] = [
    "codegen-units",
    "debuginfo",
    "embed-bitcode",
    "extra-filename",
    "incremental",
    "link-arg",
    "link-args",
    "linker",
    "linker-flavor",
    "metadata",
    "prefer-dynamic",
    "rpath",
    "save-temps",
    "split-debuginfo",
    "strip",
];

/// Returns the arguments on which the compiler's own `cfg`s depend.
pub(crate) fn deciding_args(args: &[String]) -> Vec<String> {
    let groups = args::groups(args).into_iter().filter(decides);
    groups
        .flat_map(|group| args[group.range].iter().cloned())
        .collect()
}

/// Removes the unstable arguments, which not every compiler takes.
pub(crate) fn without_unstable(args: &[String]) -> Vec<String> {
    let is_unstable = |group: &ArgGroup| group.name == "-Z";
    let unstable: Vec<_> = args::groups(args).into_iter().filter(is_unstable).collect();
    args::without(args, &unstable)
}

/// Joins what the compiler printed with the `--cfg`s of a call, each once and in order.
pub(crate) fn lines(printed: &str, args: &[String]) -> Vec<String> {
    let groups = args::groups(args).into_iter();
    let given = groups.filter(|group| group.name == "--cfg");
    let given = given.map(|group| as_printed(&group.value));
    let printed = printed.lines().map(str::to_owned);
    let all: BTreeSet<_> = printed.chain(given).collect();
    all.into_iter().filter(|line| !line.is_empty()).collect()
}

fn decides(group: &ArgGroup) -> bool {
    match group.name.as_str() {
        "--sysroot" | "--target" | "--test" | "-O" | "-Z" => true,
        "-C" | "--codegen" => !IRRELEVANT.iter().any(|option| group.is_codegen(option)),
        "--crate-type" => group.value == "proc-macro",
        _ => false,
    }
}

/// Returns `a = "b"` as `a="b"`.
fn as_printed(cfg: &str) -> String {
    match cfg.split_once('=') {
        Some((name, value)) => format!("{}={}", name.trim(), value.trim()),
        None => cfg.trim().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<String> {
        shlex::split(line).unwrap()
    }

    #[test]
    fn only_what_decides_cfgs_is_asked_about() {
        let check = |args: &str, expected: &str| {
            assert_eq!(deciding_args(&words(args)), words(expected), "{args}");
        };
        check("--crate-name a --edition=2021 a.rs -L x --extern b", "");
        check("--cfg x --check-cfg 'cfg(x)' --cap-lints allow", "");
        check(
            "-C metadata=1 -Cextra_filename=2 -C link-arg=x -C opt-level=3 -Cpanic=abort",
            "-C opt-level=3 -Cpanic=abort",
        );
        check(
            "-C debuginfo=2 -C debug-assertions=on",
            "-C debug-assertions=on",
        );
        check("--target t a.rs --sysroot=s", "--target t --sysroot=s");
        check("--crate-type lib --test -O", "--test -O");
        check("--crate-type proc-macro -Zx", "--crate-type proc-macro -Zx");
        assert_eq!(without_unstable(&words("-Zx -O -Z y")), words("-O"));
    }

    #[test]
    fn what_is_given_is_put_among_what_is_printed() {
        let printed = "unix\ntarget_os=\"linux\"\n\npanic=\"unwind\"\n";
        let args = words("--cfg 'feature = \"std\"' --cfg=zed --cfg unix a.rs");
        let expected = [
            "feature=\"std\"",
            "panic=\"unwind\"",
            "target_os=\"linux\"",
            "unix",
            "zed",
        ];
        assert_eq!(lines(printed, &args), expected);
        assert!(lines("", &[]).is_empty());
    }
}
