//! The request that cargo makes of the wrapper: `WRAPPER RUSTC ARGS..`, or `WRAPPER CLIPPY_DRIVER RUSTC ARGS..`.

use crate::compiler::args;
use crate::compiler::capture::Record;
use crate::compiler::response_file;
use crate::text::path::normal;
use camino::{Utf8Path, Utf8PathBuf};
use std::ffi::OsString;

/// The call that the wrapper is to make.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Invocation {
    /// The programs of the call, each with the next as its first argument; the last is a compiler. The chained wrapper
    /// is first.
    programs: Vec<OsString>,
    args: Vec<OsString>,
}

impl Invocation {
    /// Splits the words of a call that cargo makes into programs and arguments. `None` where there is no compiler.
    pub(super) fn new(words: Vec<OsString>, chained: Option<&str>) -> Option<Self> {
        let is_program = |word: &&OsString| {
            let text = word.to_string_lossy();
            !text.starts_with(['-', '@']) && !text.ends_with(".rs")
        };
        let n_programs = words.iter().take_while(is_program).count();
        let (programs, args) = words.split_at(n_programs);
        let chained = chained.map(OsString::from).into_iter();
        (n_programs > 0).then(|| Self {
            programs: chained.chain(programs.iter().cloned()).collect(),
            args: args.to_vec(),
        })
    }

    /// Returns the program that is started.
    pub(super) fn first(&self) -> &OsString {
        &self.programs[0]
    }

    /// Returns the arguments of the program that is started.
    pub(super) fn rest(&self) -> Vec<OsString> {
        self.programs[1..]
            .iter()
            .chain(&self.args)
            .cloned()
            .collect()
    }

    /// Returns the call as texts, if it compiles something: a question such as `-vV` is passed on, and nobody looks at
    /// it.
    pub(super) fn compilation(&self, cwd: &Utf8Path) -> Option<Compilation> {
        if self.args.iter().any(|arg| arg.to_str().is_none()) {
            return None;
        }
        // A response file is gone after the call.
        let args = response_file::expanded(&self.args, cwd);
        let programs = self
            .programs
            .iter()
            .map(|one| one.to_str().map(str::to_owned));
        let programs: Vec<String> = programs.collect::<Option<_>>()?;
        let name = args::value(&args, "--crate-name")?;
        args::value(&args, "--emit")?;
        let root = args::root(&args).filter(|root| root != "-")?;
        Some(Compilation {
            root: normal(&cwd.join(root)),
            name,
            programs,
            args,
            cwd: cwd.to_owned(),
        })
    }
}

/// A compiler call that compiles a crate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Compilation {
    pub(super) programs: Vec<String>,
    pub(super) args: Vec<String>,
    pub(super) cwd: Utf8PathBuf,
    pub(super) name: String,
    pub(super) root: Utf8PathBuf,
}

impl Compilation {
    /// Makes a compilation of a call that was kept.
    pub(super) fn of_record(record: &Record) -> Option<Self> {
        let words = std::iter::once(&record.program).chain(&record.args);
        let invocation = Invocation::new(words.map(OsString::from).collect(), None)?;
        invocation.compilation(&record.cwd)
    }

    /// Returns the compiler, and the programs before it. clippy's driver is given the name of a compiler that it does not call.
    pub(super) fn compiler(&self) -> (&str, &[String]) {
        let stem = |one: &String| Utf8Path::new(one).file_stem().map(str::to_owned);
        let is_clippy = |one: &String| stem(one).as_deref() == Some("clippy-driver");
        let at = self.programs.iter().position(is_clippy);
        let at = at.unwrap_or(self.programs.len() - 1);
        (&self.programs[at], &self.programs[..at])
    }

    /// Returns the directory of the incremental state, absolute.
    pub(super) fn incremental(&self) -> Option<Utf8PathBuf> {
        let groups = args::groups(&self.args);
        let given = groups
            .iter()
            .rfind(|group| group.is_codegen("incremental"))?;
        let (_, directory) = given.value.split_once('=')?;
        Some(normal(&self.cwd.join(directory)))
    }

    /// Returns a name that tells a crate, compiled in one way, from all others.
    pub(super) fn unit(&self) -> String {
        let groups = args::groups(&self.args);
        let metadata = groups.iter().rfind(|group| group.is_codegen("metadata"));
        let metadata = metadata
            .map(|group| group.value.as_str())
            .unwrap_or_default();
        let place = self.incremental().or(self.out_dir()).unwrap_or_default();
        let all = [self.name.as_str(), metadata, place.as_str()].join("\n");
        blake3::hash(all.as_bytes()).to_hex()[..32].to_owned()
    }

    pub(super) fn out_dir(&self) -> Option<Utf8PathBuf> {
        let given = args::value(&self.args, "--out-dir")?;
        Some(normal(&self.cwd.join(given)))
    }

    /// Returns the dep-info file, to which the compiler writes the list of the files that it has read, if the call asks for
    /// it.
    pub(super) fn dep_info(&self) -> Option<Utf8PathBuf> {
        let groups = args::groups(&self.args);
        let emits = groups.iter().filter(|group| group.name == "--emit");
        let kinds: Vec<&str> = emits.flat_map(|group| group.value.split(',')).collect();
        let named = kinds.iter().find_map(|kind| kind.strip_prefix("dep-info="));
        if let Some(path) = named {
            return Some(normal(&self.cwd.join(path)));
        }
        let extra = groups
            .iter()
            .rfind(|group| group.is_codegen("extra-filename"));
        let extra = extra.and_then(|group| group.value.split_once('='));
        let extra = extra.map_or("", |(_, extra)| extra);
        let is_listed = kinds.contains(&"dep-info");
        let file = format!("{}{extra}.d", self.name);
        is_listed.then(|| self.out_dir().map(|dir| dir.join(file)))?
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<OsString> {
        shlex::split(line)
            .unwrap()
            .into_iter()
            .map(OsString::from)
            .collect()
    }

    fn compilation(line: &str) -> Option<Compilation> {
        let invocation = Invocation::new(words(line), None).unwrap();
        invocation.compilation(Utf8Path::new("/ws"))
    }

    const ARGS: &str = "--crate-name a --edition=2024 src/lib.rs --emit=dep-info,metadata -C metadata=1 \
                        -C extra-filename=-2 --out-dir /t/deps -C incremental=/t/inc";

    #[test]
    fn a_call_is_taken_apart() {
        let call = compilation(&format!("/bin/rustc {ARGS}")).unwrap();
        assert_eq!(call.compiler(), ("/bin/rustc", &[][..]));
        assert_eq!(call.root, "/ws/src/lib.rs");
        assert_eq!(call.incremental().unwrap(), "/t/inc");
        assert_eq!(call.dep_info().unwrap(), "/t/deps/a-2.d");
    }

    #[test]
    fn clippy_is_the_compiler_and_a_chained_wrapper_comes_first() {
        let call = compilation(&format!("/bin/clippy-driver /bin/rustc {ARGS}")).unwrap();
        assert_eq!(call.compiler(), ("/bin/clippy-driver", &[][..]));
        let invocation = Invocation::new(words(&format!("rustc {ARGS}")), Some("sccache")).unwrap();
        assert_eq!(invocation.first(), "sccache");
        assert_eq!(invocation.rest()[0], "rustc");
        let call = invocation.compilation(Utf8Path::new("/ws")).unwrap();
        assert_eq!(call.compiler(), ("rustc", &["sccache".to_owned()][..]));
    }

    #[test]
    fn a_question_is_no_compilation() {
        for line in [
            "rustc -vV",
            "rustc - --crate-name ___ --print=file-names --crate-type bin",
            "rustc - --crate-name ___ --emit=metadata",
            "rustc --print cfg",
        ] {
            assert_eq!(compilation(line), None, "{line}");
        }
        assert_eq!(Invocation::new(words("-vV"), None), None);
    }

    #[test]
    fn crates_that_are_compiled_in_two_ways_are_two_units() {
        let unit = |line: &str| compilation(&format!("rustc {line}")).unwrap().unit();
        assert_eq!(unit(ARGS), unit(&ARGS.replace("2024", "2021")));
        assert_ne!(unit(ARGS), unit(&ARGS.replace("metadata=1", "metadata=2")));
        assert_ne!(unit(ARGS), unit(&ARGS.replace("/t/inc", "/u/inc")));
    }
}
