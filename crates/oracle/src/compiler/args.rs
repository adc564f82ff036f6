//! rustc's arguments in groups: an option and its value belong together.

mod inputs;

pub(crate) use inputs::inputs;

use camino::{Utf8Path, Utf8PathBuf};
use std::collections::BTreeSet;
use std::ops::Range;

/// Options whose value may be the next argument.
const WITH_VALUE: [&str; 37] = [
    "--allow",
    "--cap-lints",
    "--cfg",
    "--check-cfg",
    "--codegen",
    "--color",
    "--crate-name",
    "--crate-type",
    "--deny",
    "--diagnostic-width",
    "--edition",
    "--emit",
    "--env-set",
    "--error-format",
    "--explain",
    "--extern",
    "--forbid",
    "--force-warn",
    "--json",
    "--out-dir",
    "--pretty",
    "--print",
    "--remap-path-prefix",
    "--remap-path-scope",
    "--sysroot",
    "--target",
    "--unpretty",
    "--warn",
    "-A",
    "-C",
    "-D",
    "-F",
    "-L",
    "-W",
    "-Z",
    "-l",
    "-o",
];
/// Options of which the compiler takes one value, so that a second one is an error or adds to it.
const SINGLE: [&str; 6] = [
    "--crate-name",
    "--crate-type",
    "--edition",
    "--emit",
    "--sysroot",
    "--target",
];
/// Short options whose value may follow at once.
const SHORT: [&str; 9] = ["-A", "-C", "-D", "-F", "-L", "-W", "-Z", "-l", "-o"];

/// An option with its value, or the name of the crate root, in a list of arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArgGroup {
    /// The group's place in [`crate::CompilerCall::args`].
    pub range: Range<usize>,
    /// The option's name: `--cfg`, `-C`, or nothing for the crate root.
    pub name: String,
    /// The option's value: `feature="std"`, `opt-level=3`; empty for a flag.
    pub value: String,
}

impl ArgGroup {
    /// Whether the group is this codegen option, such as `metadata`.
    pub(crate) fn is_codegen(&self, option: &str) -> bool {
        let name = self.value.split('=').next().unwrap_or("");
        matches!(self.name.as_str(), "-C" | "--codegen") && name.replace('_', "-") == option
    }

    /// Returns the number in `-Ztreat-err-as-bug=NUMBER`: that of the error which the compiler takes for a bug.
    pub(crate) fn error_as_bug(&self) -> Option<&str> {
        let (name, number) = self.value.split_once('=').unwrap_or((&self.value, "1"));
        (self.name == "-Z" && name.replace('_', "-") == "treat-err-as-bug").then_some(number)
    }

    /// Whether the group is the crate root.
    pub(crate) fn is_root(&self) -> bool {
        self.name.is_empty()
    }

    /// Whether the compiler takes only one value of the option.
    pub(crate) fn is_single(&self) -> bool {
        SINGLE.contains(&self.name.as_str())
    }

    /// Whether two groups are the same option with the same value.
    #[must_use]
    pub fn says_the_same_as(&self, other: &Self) -> bool {
        (&self.name, &self.value) == (&other.name, &other.value)
    }
}

/// Splits a list of arguments into groups, each of an option with its value, or of the crate root.
pub(crate) fn groups(args: &[String]) -> Vec<ArgGroup> {
    let mut groups = vec![];
    let mut at = 0;
    while at < args.len() {
        let (name, value, length) = group_at(args, at);
        groups.push(ArgGroup {
            range: at..at + length,
            name,
            value,
        });
        at += length;
    }
    groups
}

fn group_at(args: &[String], at: usize) -> (String, String, usize) {
    let arg = args[at].as_str();
    if !arg.starts_with('-') || arg == "-" {
        return (String::new(), arg.to_owned(), 1);
    }
    if WITH_VALUE.contains(&arg) {
        let value = args.get(at + 1).cloned().unwrap_or_default();
        return (arg.to_owned(), value, 2.min(args.len() - at));
    }
    if let Some((name, value)) = arg.split_once('=').filter(|_| arg.starts_with("--")) {
        return (name.to_owned(), value.to_owned(), 1);
    }
    let short = SHORT
        .iter()
        .find_map(|short| Some((short, arg.strip_prefix(short)?)));
    let (name, value) = short.map_or((arg, ""), |(name, value)| (*name, value));
    (name.to_owned(), value.to_owned(), 1)
}

/// Returns the arguments without those of the groups.
pub(crate) fn without(args: &[String], groups: &[ArgGroup]) -> Vec<String> {
    let is_left = |at: &usize| !groups.iter().any(|group| group.range.contains(at));
    (0..args.len())
        .filter(is_left)
        .map(|at| args[at].clone())
        .collect()
}

/// Appends more arguments to a list of arguments. Of an option that takes one value, the appended one counts.
pub(crate) fn with_more(args: &[String], more: &[String]) -> Vec<String> {
    let others = groups(more);
    let is_said =
        |group: &ArgGroup| group.is_single() && others.iter().any(|other| other.name == group.name);
    let replaced: Vec<_> = groups(args).into_iter().filter(is_said).collect();
    [without(args, &replaced), more.to_vec()].concat()
}

/// Returns the value of the last option of this name.
pub(crate) fn value(args: &[String], name: &str) -> Option<String> {
    groups(args)
        .into_iter()
        .rfind(|group| group.name == name)
        .map(|group| group.value)
}

/// Whether one of the options of that name has the value.
pub(crate) fn has_value(args: &[String], name: &str, value: &str) -> bool {
    let mut groups = groups(args).into_iter();
    groups.any(|group| group.name == name && group.value == value)
}

/// Returns the edition that the arguments ask for.
pub(crate) fn edition(args: &[String]) -> String {
    value(args, "--edition").unwrap_or_else(|| "2015".to_owned())
}

/// Returns the crate root, as written.
pub(crate) fn root(args: &[String]) -> Option<String> {
    groups(args)
        .into_iter()
        .find(ArgGroup::is_root)
        .map(|group| group.value)
}

/// Returns the arguments with another crate root; `None` where they name none.
pub(crate) fn with_root(args: &[String], root: &Utf8Path) -> Option<Vec<String>> {
    let group = groups(args).into_iter().find(ArgGroup::is_root)?;
    let mut args = args.to_vec();
    set_value(&mut args, &group, root.as_str());
    Some(args)
}

/// Returns the arguments without what says where output goes and how diagnostics look: that is the worker's to say. Of `--emit` only the
/// kinds stay, without `dep-info`.
pub(crate) fn without_output(args: &[String]) -> Vec<String> {
    const OUTPUT: [&str; 7] = [
        "--out-dir",
        "-o",
        "--error-format",
        "--json",
        "--diagnostic-width",
        "--color",
        "--verbose",
    ];
    let groups = groups(args);
    let is_output =
        |group: &ArgGroup| OUTPUT.contains(&group.name.as_str()) || group.is_codegen("incremental");
    let emit = emitted_kinds(&groups).join(",");
    let dropped: Vec<_> = groups
        .iter()
        .filter(|group| is_output(group))
        .cloned()
        .collect();
    let args = without(args, &dropped);
    if groups.iter().any(|group| group.name == "--emit") {
        with_emit(&args, &emit)
    } else {
        args
    }
}

/// Returns the kinds of output asked for, but `dep-info`, without their paths.
fn emitted_kinds(groups: &[ArgGroup]) -> Vec<String> {
    let emits = groups.iter().filter(|group| group.name == "--emit");
    let kinds = emits.flat_map(|group| group.value.split(','));
    let kinds = kinds.map(|kind| kind.split('=').next().unwrap_or(kind).to_owned());
    kinds.filter(|kind| kind != "dep-info").collect()
}

/// Whether a call goes as far as code generation.
pub(crate) fn generates_code(args: &[String]) -> bool {
    let groups = groups(args);
    let is_given = groups.iter().any(|group| group.name == "--emit");
    let analysis = ["metadata", "mir"];
    let kinds = emitted_kinds(&groups);
    let is_analysis = kinds.iter().all(|kind| analysis.contains(&kind.as_str()));
    !(is_given && is_analysis)
}

/// Returns the arguments with another `--emit`, where the first one was; with none if `emit` is empty.
pub(crate) fn with_emit(args: &[String], emit: &str) -> Vec<String> {
    let old: Vec<_> = groups(args)
        .into_iter()
        .filter(|group| group.name == "--emit")
        .collect();
    let at = old.first().map_or(0, |group| group.range.start);
    let mut args = without(args, &old);
    if !emit.is_empty() {
        args.insert(at, format!("--emit={emit}"));
    }
    args
}

/// Returns the arguments with all lints capped, whatever the program and its command line say of them.
pub(crate) fn with_lints_capped(args: &[String], cap: &str) -> Vec<String> {
    let caps: Vec<_> = groups(args)
        .into_iter()
        .filter(|group| group.name == "--cap-lints")
        .collect();
    let mut args = without(args, &caps);
    args.push(format!("--cap-lints={cap}"));
    args
}

/// Returns the arguments of a binary, as those of a library; `None` for anything else.
pub(crate) fn as_library(args: &[String]) -> Option<Vec<String>> {
    let groups = groups(args);
    let types: Vec<_> = groups
        .iter()
        .filter(|group| group.name == "--crate-type")
        .cloned()
        .collect();
    let is_binary = types.iter().all(|group| group.value == "bin");
    (is_binary && !is_test(args)).then(|| {
        let mut args = without(args, &types);
        args.push("--crate-type=lib".to_owned());
        args
    })
}

/// Returns the arguments with another `--out-dir`.
pub(crate) fn with_out_dir(args: &[String], directory: &Utf8Path) -> Vec<String> {
    let groups = groups(args).into_iter();
    let old: Vec<_> = groups.filter(|group| group.name == "--out-dir").collect();
    let mut args = without(args, &old);
    args.push(format!("--out-dir={directory}"));
    args
}

/// Returns the options by which the compiler prints the program in another form and makes nothing else of it. Such a call goes on
/// until it has what it prints, also with options that let it end before.
pub(crate) fn printed_forms(args: &[String]) -> Vec<ArgGroup> {
    let is_one = |group: &ArgGroup| {
        let option = group.value.split('=').next().unwrap_or_default();
        let is_unstable = group.name == "-Z" && matches!(option, "unpretty" | "pretty");
        is_unstable || matches!(group.name.as_str(), "--unpretty" | "--pretty")
    };
    groups(args).into_iter().filter(is_one).collect()
}

/// Returns the options that make a program quicker and its compilation slower.
pub(crate) fn optimisation(args: &[String]) -> Vec<ArgGroup> {
    const CODEGEN: [&str; 3] = ["opt-level", "lto", "linker-plugin-lto"];
    let is_one = |group: &ArgGroup| {
        group.name == "-O" || CODEGEN.iter().any(|option| group.is_codegen(option))
    };
    groups(args).into_iter().filter(is_one).collect()
}

/// Returns whether debug assertions and overflow checks are compiled in. Where the arguments do not say so, the level of optimisation does.
fn checks(args: &[String]) -> [bool; 2] {
    let groups = groups(args);
    let last = |option: &str| groups.iter().rfind(|group| group.is_codegen(option));
    let value = |group: &ArgGroup| {
        group
            .value
            .split_once('=')
            .map(|(_, value)| value.to_owned())
    };
    let is_on = |option: &str| {
        let value = last(option).map(|group| value(group).unwrap_or_default());
        value.map(|value| !matches!(&*value, "n" | "no" | "off" | "false"))
    };
    let level = last("opt-level").and_then(value);
    let is_optimised = level.map_or_else(
        || groups.iter().any(|group| group.name == "-O"),
        |level| level != "0",
    );
    let debug_assertions = is_on("debug-assertions").unwrap_or(!is_optimised);
    let overflow_checks = is_on("overflow-checks").unwrap_or(debug_assertions);
    [debug_assertions, overflow_checks]
}

/// Returns the arguments with the debug assertions and the overflow checks that another call has: what a program computes depends on them,
/// also in small functions of other crates, which are compiled with the one that calls them.
pub(crate) fn with_checks_of(args: &[String], original: &[String]) -> Vec<String> {
    let mut args = args.to_vec();
    for (idx, option) in ["debug-assertions", "overflow-checks"]
        .into_iter()
        .enumerate()
    {
        let wanted = checks(original)[idx];
        if checks(&args)[idx] != wanted {
            let value = if wanted { "on" } else { "off" };
            args.push(format!("-C{option}={value}"));
        }
    }
    args
}

/// Returns whether a group of arguments may decide what a program does.
pub(crate) fn decides_program(group: &ArgGroup) -> bool {
    const CODEGEN: [&str; 4] = ["metadata", "extra-filename", "embed-bitcode", "debuginfo"];
    let is_code = matches!(
        group.name.as_str(),
        "-C" | "--codegen" | "-O" | "-Z" | "--cfg" | "--edition"
    );
    is_code && !CODEGEN.iter().any(|option| group.is_codegen(option))
}

/// Returns the options that cargo adds for its own purposes and on which a crash seldom depends.
pub(crate) fn cargo_noise(args: &[String]) -> Vec<ArgGroup> {
    const CODEGEN: [&str; 8] = [
        "metadata",
        "extra-filename",
        "embed-bitcode",
        "debuginfo",
        "split-debuginfo",
        "strip",
        "codegen-units",
        "debug-assertions",
    ];
    let is_noise = |group: &ArgGroup| {
        group.name == "--check-cfg" || CODEGEN.iter().any(|option| group.is_codegen(option))
    };
    groups(args).into_iter().filter(is_noise).collect()
}

/// Returns the arguments with paths made absolute that rustc would look up in `dir`.
pub(crate) fn with_absolute_paths(args: &[String], dir: &Utf8Path) -> Vec<String> {
    let mut args = args.to_vec();
    for group in groups(&args) {
        let absolute = match group.name.as_str() {
            "--sysroot" => dir.join(&group.value).into_string(),
            "-L" | "--extern" => match group.value.split_once('=') {
                Some((kind, path)) => format!("{kind}={}", dir.join(path)),
                None if group.name == "-L" => dir.join(&group.value).into_string(),
                None => continue,
            },
            _ => continue,
        };
        set_value(&mut args, &group, &absolute);
    }
    args
}

/// Puts another value in place of an option's.
fn set_value(args: &mut [String], group: &ArgGroup, value: &str) {
    let last = &mut args[group.range.end - 1];
    let head = last.strip_suffix(&group.value).unwrap_or("");
    *last = format!("{head}{value}");
}

/// Returns the files named by `--extern NAME=PATH`.
pub(crate) fn extern_files(args: &[String]) -> Vec<Utf8PathBuf> {
    let externs = externs_with_files(args).into_iter();
    externs.filter_map(|(_, file)| file).collect()
}

/// Returns the file of an `--extern NAME=PATH`.
pub(crate) fn extern_path(group: &ArgGroup) -> Option<Utf8PathBuf> {
    let is_extern = group.name == "--extern";
    is_extern.then(|| extern_apart(&group.value).1)?
}

/// Returns the arguments that two crates must share to be linked with each other. An error is none that is looked for in a crate that is
/// linked.
pub(crate) fn compatibility(args: &[String]) -> Vec<String> {
    const CODEGEN: [&str; 4] = ["panic", "target-cpu", "target-feature", "relocation-model"];
    let is_shared = |group: &ArgGroup| match group.name.as_str() {
        "--target" | "--sysroot" => true,
        "-Z" => !group.value.starts_with("treat-err-as-bug"),
        _ => CODEGEN.iter().any(|option| group.is_codegen(option)),
    };
    let shared = groups(args).into_iter().filter(is_shared);
    shared
        .flat_map(|group| args[group.range].to_vec())
        .collect()
}

/// Returns the arguments with another edition.
pub(crate) fn with_edition(args: &[String], edition: &str) -> Vec<String> {
    let is_edition = |group: &ArgGroup| group.name == "--edition";
    let old: Vec<_> = groups(args).into_iter().filter(is_edition).collect();
    let mut args = without(args, &old);
    args.push(format!("--edition={edition}"));
    args
}

/// Returns the crates named by `--extern NAME`, `--extern NAME=PATH` and `--extern OPTIONS:NAME=PATH`.
pub(crate) fn extern_names(args: &[String]) -> BTreeSet<String> {
    externs_with_files(args)
        .into_iter()
        .map(|(name, _)| name)
        .collect()
}

/// Returns the names of the linked crates with their files, where these are named.
pub(crate) fn externs_with_files(args: &[String]) -> Vec<(String, Option<Utf8PathBuf>)> {
    let groups = groups(args).into_iter();
    let externs = groups.filter(|group| group.name == "--extern");
    externs.map(|group| extern_apart(&group.value)).collect()
}

fn extern_apart(value: &str) -> (String, Option<Utf8PathBuf>) {
    let (named, file) = value.split_once('=').unzip();
    let named = named.unwrap_or(value);
    let name = named.rsplit(':').next().unwrap_or_default();
    (name.to_owned(), file.map(Utf8PathBuf::from))
}

/// Returns the executable that a call links, if it does: `--test` makes one of any crate.
pub(crate) fn executable(args: &[String], dir: &Utf8Path) -> Option<Utf8PathBuf> {
    let groups = groups(args);
    let is_test = groups.iter().any(|group| group.name == "--test");
    let crate_type = value(args, "--crate-type").unwrap_or_else(|| "bin".to_owned());
    let links = emitted_kinds(&groups).iter().any(|kind| kind == "link");
    let extra = groups
        .iter()
        .rev()
        .find(|group| group.is_codegen("extra-filename"));
    let extra = extra.and_then(|group| group.value.split_once('='));
    let name = value(args, "--crate-name")?;
    let file = format!("{name}{}", extra.map_or("", |(_, extra)| extra));
    (links && (is_test || crate_type == "bin")).then(|| {
        dir.join(value(args, "--out-dir").unwrap_or_default())
            .join(file)
    })
}

/// Whether the crate is compiled with the test harness of the standard library.
pub(crate) fn is_test(args: &[String]) -> bool {
    groups(args).iter().any(|group| group.name == "--test")
}

/// Whether a procedural macro is compiled.
pub(crate) fn is_proc_macro(args: &[String]) -> bool {
    has_value(args, "--crate-type", "proc-macro")
}

/// Returns the directories in which dependencies of dependencies are looked for.
pub(crate) fn dependency_directories(args: &[String]) -> Vec<Utf8PathBuf> {
    let searched = groups(args).into_iter().filter(|group| group.name == "-L");
    searched
        .filter_map(|group| Some(group.value.strip_prefix("dependency=")?.into()))
        .collect()
}

/// Returns the arguments with all compiled dependencies in one directory, but for those in `tree`.
pub(crate) fn with_dependencies_in(
    args: &[String],
    directory: &Utf8Path,
    tree: &Utf8Path,
) -> Vec<String> {
    let mut args = args.to_vec();
    for group in groups(&args) {
        let is_own = |path: &str| Utf8Path::new(path).starts_with(tree);
        let place = group.value.split_once('=');
        let moved = match (group.name.as_str(), place.filter(|(_, path)| !is_own(path))) {
            ("-L", Some(("dependency", _))) => format!("dependency={directory}"),
            ("--extern", Some((name, path))) => match Utf8Path::new(path).file_name() {
                Some(file) => format!("{name}={}", directory.join(file)),
                None => continue,
            },
            _ => continue,
        };
        set_value(&mut args, &group, &moved);
    }
    args
}

/// Returns the arguments with other files for `--extern` and other directories for `-Ldependency=`, where `moved` knows of one.
pub(crate) fn with_dependencies(
    args: &[String],
    moved: &dyn Fn(&Utf8Path) -> Option<Utf8PathBuf>,
) -> Vec<String> {
    let mut args = args.to_vec();
    for group in groups(&args) {
        let is_dependency = match group.name.as_str() {
            "-L" => group.value.starts_with("dependency="),
            name => name == "--extern",
        };
        let place = group.value.split_once('=').filter(|_| is_dependency);
        let place = place.and_then(|(name, path)| Some((name, moved(Utf8Path::new(path))?)));
        if let Some((name, path)) = place {
            set_value(&mut args, &group, &format!("{name}={path}"));
        }
    }
    args
}

/// Returns the name of the crate, as rustc derives it from the root where it is not given.
pub(crate) fn crate_name(args: &[String], root: &Utf8Path) -> String {
    let stem = root.file_stem().unwrap_or("main").replace('-', "_");
    value(args, "--crate-name").unwrap_or(stem)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dependencies_move_to_one_directory() {
        let args = [
            "--extern",
            "a=/x/liba.rmeta",
            "-L",
            "dependency=/x",
            "--extern=b=/y/libb.so",
            "--extern=c=/t/libc.rmeta",
        ];
        let args: Vec<String> = args.map(str::to_owned).to_vec();
        let moved = with_dependencies_in(&args, Utf8Path::new("deps"), Utf8Path::new("/t"));
        let expected = [
            "--extern",
            "a=deps/liba.rmeta",
            "-L",
            "dependency=deps",
            "--extern=b=deps/libb.so",
            "--extern=c=/t/libc.rmeta",
        ];
        assert_eq!(moved, expected);
        assert_eq!(dependency_directories(&args), ["/x"]);
    }

    fn words(line: &str) -> Vec<String> {
        shlex::split(line).unwrap()
    }

    #[test]
    fn a_simpler_call_checks_what_the_original_does() {
        let check = |original: &str, simpler: &str, added: &str| {
            let found = with_checks_of(&words(simpler), &words(original));
            assert_eq!(found, words(&format!("{simpler} {added}")), "{original}");
        };
        check("a.rs", "a.rs", "");
        check("a.rs -C opt-level=0", "a.rs", "");
        let without = "-Cdebug-assertions=off";
        check("a.rs -C opt-level=3", "a.rs", without);
        check("a.rs -C opt-level=s", "a.rs --test", without);
        check("a.rs -O", "a.rs", without);
        check("a.rs -C opt-level=3", "a.rs -Copt-level=3", "");
        let overflow = "a.rs -C opt-level=3 -C overflow-checks=on";
        check(
            overflow,
            "a.rs -C overflow-checks=on",
            "-Cdebug-assertions=off",
        );
        check("a.rs -Copt-level=2 -Cdebug-assertions=y", "a.rs", "");
        check("a.rs -C debug_assertions=no", "a.rs", without);
        check(
            "a.rs -C overflow-checks=off",
            "a.rs -C overflow-checks=off",
            "",
        );
    }

    #[test]
    fn an_option_and_its_value_are_one_group_in_every_spelling() {
        let args = words("--cfg a --cfg=b -C opt-level=3 -Copt-level=2 -Zx -O src/lib.rs -L x -Ly");
        let groups = groups(&args);
        let seen: Vec<_> = groups
            .iter()
            .map(|g| (g.name.as_str(), g.value.as_str()))
            .collect();
        let expected = [
            ("--cfg", "a"),
            ("--cfg", "b"),
            ("-C", "opt-level=3"),
            ("-C", "opt-level=2"),
            ("-Z", "x"),
            ("-O", ""),
            ("", "src/lib.rs"),
            ("-L", "x"),
            ("-L", "y"),
        ];
        assert_eq!(seen, expected);
        assert_eq!(root(&args).unwrap(), "src/lib.rs");
    }

    #[test]
    fn where_output_goes_and_how_diagnostics_look_is_taken_out() {
        let args = words(
            "--crate-name a --edition=2021 src/lib.rs --error-format=json --json=artifacts \
             --diagnostic-width=80 --crate-type lib --emit=dep-info,metadata=x,link -C incremental=i \
             --out-dir d -o f --color always",
        );
        let expected =
            words("--crate-name a --edition=2021 src/lib.rs --crate-type lib --emit=metadata,link");
        assert_eq!(without_output(&args), expected);
    }

    #[test]
    fn errors_are_bugs_in_every_spelling() {
        let of = |line: &str| {
            let groups = groups(&words(line));
            groups[0].error_as_bug().map(str::to_owned)
        };
        assert_eq!(of("-Ztreat-err-as-bug=2"), Some("2".to_owned()));
        assert_eq!(of("-Z treat_err_as_bug"), Some("1".to_owned()));
        assert_eq!(of("-Zverbose-internals"), None);
    }

    #[test]
    fn emit_is_replaced_where_it_was() {
        assert_eq!(
            with_emit(&words("a.rs --emit x -O"), "obj"),
            words("a.rs --emit=obj -O")
        );
        assert_eq!(
            with_emit(&words("a.rs -O"), "obj"),
            words("--emit=obj a.rs -O")
        );
        assert_eq!(with_emit(&words("a.rs --emit=dep-info"), ""), words("a.rs"));
    }

    #[test]
    fn a_binary_may_become_a_library() {
        let library = Some(words("a.rs -O --crate-type=lib"));
        assert_eq!(as_library(&words("a.rs -O")), library);
        assert_eq!(as_library(&words("a.rs --crate-type bin -O")), library);
        assert_eq!(as_library(&words("a.rs --crate-type=cdylib")), None);
        assert_eq!(as_library(&words("a.rs --test")), None);
    }

    #[test]
    fn code_is_generated_unless_something_else_is_asked_for() {
        for (args, expected) in [
            ("a.rs", true),
            ("a.rs --emit=metadata,dep-info", false),
            ("a.rs --emit=metadata --emit obj", true),
            ("a.rs --emit=link", true),
        ] {
            assert_eq!(generates_code(&words(args)), expected, "{args}");
        }
    }

    #[test]
    fn lints_are_capped_once() {
        let args = words("a.rs --cap-lints warn -O --cap-lints=forbid");
        assert_eq!(
            with_lints_capped(&args, "allow"),
            words("a.rs -O --cap-lints=allow")
        );
    }

    #[test]
    fn what_cargo_adds_is_told_from_what_the_user_asked_for() {
        let args = words(
            "a.rs -C opt-level=3 -C metadata=1 -Cextra_filename=x --check-cfg 'cfg(docsrs)' -C debuginfo=2 --cfg x",
        );
        let left = without(&args, &cargo_noise(&args));
        assert_eq!(left, words("a.rs -C opt-level=3 --cfg x"));
    }

    #[test]
    fn paths_are_looked_up_in_the_users_directory() {
        let args =
            words("-L deps -Ldependency=d --extern a=liba.rlib --extern b --sysroot=s --cfg c=d");
        let absolute = with_absolute_paths(&args, Utf8Path::new("/u"));
        let expected = words(
            "-L /u/deps -Ldependency=/u/d --extern a=/u/liba.rlib --extern b --sysroot=/u/s --cfg c=d",
        );
        assert_eq!(absolute, expected);
        assert_eq!(extern_files(&absolute), ["/u/liba.rlib"]);
    }

    #[test]
    fn crates_are_named_with_and_without_their_files() {
        let args = words("--extern priv,noprelude:b=/x=y:z/libb.rlib --extern=a --extern c=");
        let file = |path: &str| Some(Utf8PathBuf::from(path));
        let expected = [
            ("b", file("/x=y:z/libb.rlib")),
            ("a", None),
            ("c", file("")),
        ];
        let expected = expected.map(|(name, file)| (name.to_owned(), file));
        assert_eq!(externs_with_files(&args), expected);
        let names = ["a", "b", "c"].map(str::to_owned);
        assert_eq!(extern_names(&args), BTreeSet::from(names));
    }

    #[test]
    fn a_procedural_macro_is_known_by_its_crate_type() {
        assert!(is_proc_macro(&words("a.rs --crate-type proc-macro")));
        assert!(is_proc_macro(&words("--crate-type=proc-macro a.rs")));
        assert!(!is_proc_macro(&words(
            "--crate-type=lib --crate-name proc-macro"
        )));
    }
}
