//! The paths that a compiler call reads, by the grammar of rustc's arguments.
//!
//! A path in an argument is not always an input: `--remap-path-prefix` names directories that only
//! appear in texts, `--emit` and `--out-dir` name outputs. So only options that are known to read are
//! looked at, and of what is handed on to a linker or to LLVM only what has the form of a path.

use super::{ArgGroup, groups};
use camino::{Utf8Path, Utf8PathBuf};

/// Codegen options (`-C`) whose value is a path that is read.
const CODEGEN_PATHS: [&str; 4] = ["linker", "linker-plugin-lto", "profile-use", "dlltool"];
/// Unstable options (`-Z`) whose value is a path that is read, or several with commas between.
const UNSTABLE_PATHS: [&str; 4] = [
    "codegen-backend",
    "llvm-plugins",
    "profile-sample-use",
    "sanitizer-dataflow-abilist",
];
/// Options (`-C`, `-Z`) that are handed on to the linker.
const OF_LINKER: [&str; 4] = ["link-arg", "link-args", "pre-link-arg", "pre-link-args"];
/// The prefixes that the name of a file or directory may follow in a linker's argument.
const LINKER_PREFIXES: [&str; 13] = [
    "-L",
    "-B",
    "-R",
    "-T",
    "-isysroot",
    "-fuse-ld=",
    "--sysroot=",
    "--library-path=",
    "--script=",
    "--version-script=",
    "--dynamic-list=",
    "-rpath=",
    "--ld-path=",
];
/// Options of rustdoc whose value is a file.
const OF_RUSTDOC: [&str; 11] = [
    "--check-theme",
    "--extend-css",
    "--html-after-content",
    "--html-before-content",
    "--html-in-header",
    "--index-page",
    "--markdown-after-content",
    "--markdown-before-content",
    "--test-runtool",
    "--theme",
    "--with-examples",
];

/// Returns the absolute paths of files and directories that a call with these arguments reads.
pub(crate) fn inputs(args: &[String]) -> Vec<Utf8PathBuf> {
    let groups = groups(args);
    let paths = groups.iter().flat_map(of_group).map(Utf8PathBuf::from);
    paths.filter(|path| path.is_absolute()).collect()
}

fn of_group(group: &ArgGroup) -> Vec<&str> {
    let value = group.value.as_str();
    match group.name.as_str() {
        // The crate root; a list of more arguments; with rustdoc, what follows an unknown option.
        "" => vec![value.strip_prefix('@').unwrap_or(value)],
        "--extern" => value
            .split_once('=')
            .map(|(_, path)| path)
            .into_iter()
            .collect(),
        "-L" | "--library-path" => vec![after_kind(value)],
        "--sysroot" => vec![value],
        // A specification, not the name of a target.
        "--target" if value.ends_with(".json") => vec![value],
        "-C" | "--codegen" | "-Z" => of_option(value),
        name if OF_RUSTDOC.contains(&name) => vec![value],
        _ => vec![],
    }
}

/// Returns the path in `KIND=PATH` or `PATH`; a path may have a `=` in it.
fn after_kind(value: &str) -> &str {
    match value.split_once('=') {
        Some((kind, path)) if !kind.contains('/') => path,
        _ => value,
    }
}

/// Returns the paths in `NAME=VALUE` after `-C` or `-Z`.
fn of_option(text: &str) -> Vec<&str> {
    let Some((name, value)) = text.split_once('=') else {
        return vec![];
    };
    let name = name.replace('_', "-");
    let name = name.as_str();
    if OF_LINKER.contains(&name) {
        return value.split([' ', ',']).map(of_linker).collect();
    }
    if name == "llvm-args" {
        return value
            .split(' ')
            .filter_map(|arg| file(arg.split_once('=')?.1))
            .collect();
    }
    match CODEGEN_PATHS.contains(&name) || UNSTABLE_PATHS.contains(&name) {
        true => value.split(',').collect(),
        false => vec![],
    }
}

/// Returns a part of a linker's argument without the option before the path.
fn of_linker(part: &str) -> &str {
    let mut prefixes = LINKER_PREFIXES.iter();
    let path = prefixes.find_map(|prefix| part.strip_prefix(prefix));
    path.unwrap_or(part)
}

/// Returns the path, if it is that of a file.
fn file(path: &str) -> Option<&str> {
    Utf8Path::new(path).is_file().then_some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(line: &str, expected: &[&str]) {
        let args = shlex::split(line).unwrap();
        assert_eq!(inputs(&args), expected, "{line}");
    }

    #[test]
    fn what_rustc_reads_is_an_input_in_every_spelling() {
        check(
            "/src/main.rs -O @/src/more.txt",
            &["/src/main.rs", "/src/more.txt"],
        );
        check(
            "--extern a=/d/liba.rlib --extern=priv,noprelude:b=/d/b.so",
            &["/d/liba.rlib", "/d/b.so"],
        );
        check(
            "-L /a -Lnative=/b -L dependency=/c=d",
            &["/a", "/b", "/c=d"],
        );
        check("--sysroot=/s --target /t/my.json", &["/s", "/t/my.json"]);
        check(
            "-C linker=/l/cc -Clinker-plugin-lto=/l/plugin.so",
            &["/l/cc", "/l/plugin.so"],
        );
        check("--codegen profile_use=/p.profdata", &["/p.profdata"]);
        check(
            "-Zcodegen-backend=/b.so -Z profile-sample-use=/s.prof",
            &["/b.so", "/s.prof"],
        );
        check("--html-in-header=/h.html", &["/h.html"]);
    }

    #[test]
    fn what_a_linker_reads_is_an_input() {
        check(
            "-Clink-arg=/o/a.o -C link-args='-L/l -T/s.ld'",
            &["/o/a.o", "/l", "/s.ld"],
        );
        check(
            "-C link-arg=-Wl,-rpath,/r,--version-script=/v.map",
            &["/r", "/v.map"],
        );
        check("-Z pre-link-args=/crt0.o", &["/crt0.o"]);
    }

    #[test]
    fn a_path_that_is_only_a_text_is_no_input() {
        for line in [
            "--remap-path-prefix=/root=/x",
            "--remap-path-prefix /root=/x",
            "-Zremap-cwd-prefix=/root",
            "-Z simulate-remapped-rust-src-base=/root",
            "-C link-arg=-fdebug-prefix-map=/root=/x",
            "-C link-arg=-ffile-prefix-map=/root=/x",
            "-C llvm-args=-debug-dir=/root",
            "--cfg 'home=\"/root\"'",
            "--check-cfg 'cfg(home, values(\"/root\"))'",
            "--env-set HOME=/root",
            "-C metadata=/root -C extra-filename=/root",
            "-A /root",
            "--crate-name /root",
            "--emit=link=/home/a",
            "--out-dir /home -o /home/b",
            "-C incremental=/root -C profile-generate=/root",
            "-Z self-profile=/root -Zdump-mir-dir=/root",
            "-l static=/root",
            "--target x86_64-unknown-linux-gnu --extern std -C opt-level=3 -O",
        ] {
            check(line, &[]);
        }
    }

    #[test]
    fn a_relative_path_is_below_the_tree_and_needs_no_rule() {
        check("src/main.rs -L deps --extern a=target/liba.rlib", &[]);
    }
}
