//! Checks that crates from the registry that the lock file pins compile with switches, once the few
//! mutants that do not are dropped, and that nearly all mutants stay.

#[path = "support/compiler.rs"]
mod compiler;
#[path = "../../../tests/support/locked.rs"]
mod locked;

use camino::{Utf8Path, Utf8PathBuf};
use cargo_metadata::{Metadata, Package, TargetKind};
use compiler::Workbench;
use locked::metadata;
use reduce_gather::collect_sources;
use reduce_mutants::{ErrorPlace, Instrumented, Mutant, Options, instrument};
use reduce_syntax::SourceTree;
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::time::{Duration, Instant};

/// Crates without dependencies, with the features that they are compiled with.
const CRATES: [(&str, &[&str]); 6] = [
    ("arrayvec", &["std"]),
    ("bytes", &["std"]),
    ("fastrand", &["std", "alloc"]),
    ("heck", &[]),
    ("semver", &["std"]),
    ("smallvec", &[]),
];

/// The most calls of the compiler until everything compiles.
const MOST_ROUNDS: usize = 8;

#[test]
fn nearly_all_mutants_of_real_crates_compile() {
    let metadata = metadata();
    for (name, features) in CRATES {
        let package = package(&metadata, name);
        let measured = measured(package, features);
        println!("{name}: {}", measured.line());
        println!("{}", measured.dropped.join("\n"));
        assert!(
            measured.n_rounds <= MOST_ROUNDS,
            "{name}: {}",
            measured.line()
        );
        assert!(
            10 * measured.n_left >= 9 * measured.n_mutants,
            "{name}: {}",
            measured.line()
        );
    }
}

/// The measurements of one crate.
struct Measured {
    n_lines: usize,
    n_mutants: usize,
    n_left: usize,
    dropped: Vec<String>,
    n_rounds: usize,
    /// The size of the text with switches as a multiple of the original.
    growth: f64,
    plain: Duration,
    switched: Duration,
}

impl Measured {
    fn line(&self) -> String {
        format!(
            "{} lines, {} mutants, {} left after {} rounds, {:.1} times the bytes, {:?} instead of {:?}",
            self.n_lines,
            self.n_mutants,
            self.n_left,
            self.n_rounds,
            self.growth,
            self.switched,
            self.plain
        )
    }
}

fn measured(package: &Package, features: &[&str]) -> Measured {
    let library = Library::of(package, features);
    let sources = &library.sources;
    let (errors, plain) = library.compile(sources);
    assert_eq!(errors, [], "{} compiles as it is", package.name);
    let first = instrument(sources, &Options::default());
    let (mut n_rounds, mut switched) = (0, Duration::ZERO);
    let compile = |sources: &SourceTree| {
        let (errors, time) = library.compile(sources);
        (n_rounds, switched) = (n_rounds + 1, time);
        Ok::<_, Infallible>(errors)
    };
    let Ok(left) = first.clone().drop_broken(compile);
    let code = sources.files().map(|(_, _, text)| text.lines());
    let is_code = |line: &&str| !line.trim().is_empty() && !line.trim().starts_with("//");
    Measured {
        n_lines: code.map(|lines| lines.filter(is_code).count()).sum(),
        n_mutants: first.mutants().len(),
        n_left: left.mutants().len(),
        dropped: dropped(&first, &left),
        n_rounds,
        growth: left.sources().count_bytes() as f64 / sources.count_bytes() as f64,
        plain,
        switched,
    }
}

/// The mutants that do not compile, with their places.
fn dropped(first: &Instrumented, left: &Instrumented) -> Vec<String> {
    let dropped = first
        .mutants()
        .iter()
        .filter(|one| left.mutant(one.id).is_none());
    let line = |one: &Mutant| {
        let path = first.sources().path(one.file);
        format!(
            "{path}:{}: `{}` -> `{}`",
            one.line, one.original, one.mutated
        )
    };
    dropped.map(line).collect()
}

/// A library, and how it is compiled.
struct Library {
    sources: SourceTree,
    arguments: Vec<String>,
    bench: Workbench,
}

impl Library {
    fn of(package: &Package, features: &[&str]) -> Self {
        let is_library = |kind: &TargetKind| *kind == TargetKind::Lib;
        let target = package
            .targets
            .iter()
            .find(|target| target.kind.iter().any(is_library));
        let target = target.expect("the package is a library");
        let directory = target.src_path.parent().expect("a file is in a directory");
        let root = Utf8PathBuf::from(target.src_path.file_name().expect("a root is a file"));
        let read =
            |path: &Utf8Path| Some(std::fs::read_to_string(directory.join(path)).ok()?.into());
        let features = features
            .iter()
            .flat_map(|one| ["--cfg".to_owned(), format!("feature=\"{one}\"")]);
        let mut arguments = vec![
            "--crate-type=lib".to_owned(),
            format!("--edition={}", target.edition),
            format!("--crate-name={}", target.name.replace('-', "_")),
            "--cap-lints=allow".to_owned(),
            "--error-format=json".to_owned(),
        ];
        arguments.extend(features);
        Self {
            sources: collect_sources(&root, &read).expect("the root can be read"),
            arguments,
            bench: Workbench::new(),
        }
    }

    /// Compiles the library; returns the places of the errors, and the time that the compiler took.
    fn compile(&self, sources: &SourceTree) -> (Vec<ErrorPlace>, Duration) {
        let root = self.bench.write("sources", sources);
        let arguments: Vec<&str> = self.arguments.iter().map(String::as_str).collect();
        let started = Instant::now();
        let output = self.bench.rustc(&root, &arguments);
        let time = started.elapsed();
        let stderr = String::from_utf8_lossy(&output.stderr);
        let directory = root.parent().expect("a file is in a directory");
        let place = |line: &str| error_place(line, directory, sources);
        (stderr.lines().filter_map(place).collect(), time)
    }
}

/// The place of a message of the compiler, if that is an error. The last error only counts the others.
fn error_place(line: &str, directory: &Utf8Path, sources: &SourceTree) -> Option<ErrorPlace> {
    let message: cargo_metadata::diagnostic::Diagnostic = serde_json::from_str(line).ok()?;
    let is_error = message.level == cargo_metadata::diagnostic::DiagnosticLevel::Error;
    if !is_error || message.message.starts_with("aborting due to") {
        return None;
    }
    let at = |span: &cargo_metadata::diagnostic::DiagnosticSpan| {
        let path = Utf8Path::new(&span.file_name)
            .strip_prefix(directory)
            .ok()?;
        let file = sources.find(path)?;
        Some(ErrorPlace::At(
            file,
            span.byte_start as usize..span.byte_end as usize,
        ))
    };
    let primary = message.spans.iter().find(|span| span.is_primary);
    Some(primary.and_then(at).unwrap_or(ErrorPlace::Unknown))
}

fn package<'m>(metadata: &'m Metadata, name: &str) -> &'m Package {
    let versions = metadata
        .packages
        .iter()
        .filter(|package| package.name == name);
    let by_version: BTreeMap<_, _> = versions.map(|one| (&one.version, one)).collect();
    by_version
        .into_values()
        .next_back()
        .expect("the lock file pins it")
}
