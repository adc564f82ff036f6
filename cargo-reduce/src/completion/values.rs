//! The values of options that depend on the user's surroundings: packages, targets, features, toolchains and files.

use crate::context::Context;
use camino::{Utf8Path, Utf8PathBuf};
use clap::{Arg, Command, ValueHint};
use clap_complete::{ArgValueCandidates, ArgValueCompleter, CompletionCandidate, PathCompleter};
use reduce_engine::{Cancel, Member, Surroundings, list_members, list_toolchains};
use std::ffi::OsString;
use std::sync::Arc;

/// The editions that rustc knows.
const EDITIONS: [&str; 4] = ["2015", "2018", "2021", "2024"];

/// Adds to the options of the command line the values that a shell may offer for them, such as the names of packages.
/// `words` are those of the user's line.
pub(super) fn with_values(command: Command, words: &[OsString], context: &Context) -> Command {
    let source = Arc::new(Source::new(words, context));
    command.mut_subcommand("reduce", |reduce| {
        let reduce = reduce.mut_args(|arg| with_value(arg, &source));
        reduce.mut_subcommand("man", |man| man.mut_args(|arg| with_value(arg, &source)))
    })
}

fn with_value(arg: Arg, source: &Arc<Source>) -> Arg {
    let names: fn(&Source) -> Vec<String> = match arg.get_id().as_str() {
        "package" => |source| source.each(|member| vec![member.name.clone()]),
        "mutate" => |source| source.each(|member| member.dependencies.clone()),
        "features" => |source| source.each(|member| member.features.clone()),
        "bin" => |source| source.each(|member| member.bins.clone()),
        "test" => |source| source.each(|member| member.tests.clone()),
        "example" => |source| source.each(|member| member.examples.clone()),
        "bench" => |source| source.each(|member| member.benches.clone()),
        "regression" => |source| source.toolchains(),
        "edition" => |_| EDITIONS.map(str::to_owned).to_vec(),
        "file_or_test" => return arg.add(rust_files(&source.user.cwd)),
        "output" | "dir" | "scratch" => return arg.value_hint(ValueHint::DirPath),
        "manifest_path" | "input" | "rustc" | "log" | "script" | "remote_certificates" => {
            return arg.value_hint(ValueHint::FilePath);
        }
        "read" => return arg.value_hint(ValueHint::AnyPath),
        _ => return arg,
    };
    let source = Arc::clone(source);
    let candidates = move || names(&source).into_iter().map(CompletionCandidate::new);
    arg.add(ArgValueCandidates::new(move || candidates().collect()))
}

/// Returns a completer that offers Rust source files, and the directories on the way to them.
fn rust_files(cwd: &Utf8Path) -> ArgValueCompleter {
    let is_rust = |path: &std::path::Path| path.extension().is_some_and(|one| one == "rs");
    ArgValueCompleter::new(PathCompleter::file().filter(is_rust).current_dir(cwd))
}

/// The surroundings from which names are offered (of packages, tests, ..), with the manifest and the package that the line names.
struct Source {
    user: Surroundings,
    /// The manifest and the package that the line names already.
    manifest: Option<Utf8PathBuf>,
    package: Option<String>,
}

impl Source {
    fn new(words: &[OsString], context: &Context) -> Self {
        // The last word is being completed, and says nothing yet.
        let before = words.split_last().map(|(_, before)| before);
        let before = before.unwrap_or_default().iter();
        let words: Vec<&str> = before.filter_map(|word| word.to_str()).collect();
        let manifest = given(&words, &["--manifest-path"]);
        let package = given(&words, &["--package", "-p"]);
        Self {
            user: Surroundings {
                cwd: context.cwd.clone(),
                vars: context.vars.clone(),
                rustc: None,
            },
            manifest: manifest.map(|path| context.absolute(path.into())),
            package: package.map(str::to_owned),
        }
    }

    /// Names of the members, each once; of the package that was chosen, if one was.
    fn each(&self, names: impl Fn(&Member) -> Vec<String>) -> Vec<String> {
        let members = self.members().unwrap_or_default();
        let is_chosen = |member: &&Member| match &self.package {
            Some(package) => member.name == *package,
            None => true,
        };
        let mut all: Vec<String> = members.iter().filter(is_chosen).flat_map(names).collect();
        all.sort();
        all.dedup();
        all
    }

    /// Returns the members of the workspace, or `None` if they cannot be found.
    fn members(&self) -> Option<Vec<Member>> {
        let cancel = Cancel::new().ok()?;
        list_members(self.manifest.as_deref(), &self.user, &cancel).ok()
    }

    /// The toolchains, as a person names them.
    fn toolchains(&self) -> Vec<String> {
        let names = list_toolchains(&self.user);
        names.iter().map(|name| without_host(name)).collect()
    }
}

/// Returns the value that the words of a command line give to an option, by any of its names.
fn given<'a>(words: &[&'a str], names: &[&str]) -> Option<&'a str> {
    let value = |pair: &[&'a str]| names.contains(&pair[0]).then_some(pair[1]);
    let apart = words.windows(2).filter_map(value);
    let joined = words.iter().filter_map(|word| word.split_once('='));
    let joined = joined.filter(|(name, _)| names.contains(name));
    apart.chain(joined.map(|(_, value)| value)).last()
}

/// Removes the name of the host from that of a toolchain: `nightly` for `nightly-x86_64-unknown-linux-gnu`.
fn without_host(toolchain: &str) -> String {
    let host = format!("-{}-", std::env::consts::ARCH);
    let name = toolchain.split_once(&host).map(|(name, _)| name);
    name.unwrap_or(toolchain).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::Cargo;
    use clap::CommandFactory;

    fn context() -> Context {
        Context {
            cwd: "/crate".into(),
            vars: [].into(),
            program: "/bin/cargo-reduce".into(),
            user_home: None,
        }
    }

    fn source(words: &[&str]) -> Source {
        let words: Vec<OsString> = words.iter().map(OsString::from).collect();
        Source::new(&words, &context())
    }

    #[test]
    fn the_package_and_the_manifest_of_the_line_are_asked_about() {
        let asked = source(&[
            "reduce",
            "-p",
            "a",
            "--manifest-path=b/Cargo.toml",
            "--test",
            "",
        ]);
        assert_eq!(asked.package.as_deref(), Some("a"));
        assert_eq!(
            asked.manifest.as_deref(),
            Some("/crate/b/Cargo.toml".into())
        );
        let asked = source(&["reduce", "--package", "a"]);
        assert_eq!((asked.package, asked.manifest), (None, None));
    }

    #[test]
    fn a_toolchain_has_the_name_that_a_person_types() {
        let long = format!("nightly-{}-unknown-linux-gnu", std::env::consts::ARCH);
        assert_eq!(without_host(&long), "nightly");
        assert_eq!(without_host("stage1"), "stage1");
    }

    #[test]
    fn each_option_with_a_path_completes_paths() {
        let mut command = with_values(Cargo::command(), &[], &context());
        command.build();
        let reduce = command.find_subcommand("reduce").unwrap();
        let path = clap::builder::ValueParser::from(clap::value_parser!(Utf8PathBuf)).type_id();
        for arg in reduce
            .get_arguments()
            .filter(|arg| arg.get_value_parser().type_id() == path)
        {
            let has_hint = arg.get_value_hint() != ValueHint::Unknown;
            let is_completed = has_hint || arg.get::<ArgValueCompleter>().is_some();
            assert!(is_completed, "{}", arg.get_id());
        }
    }
}
