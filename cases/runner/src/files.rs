//! Reduces a directory of single files that crash the compiler, as `list.tsv` in it says, and makes a table of all. Each result must
//! crash at the same place in the compiler, and must not have errors if the input has none.

use crate::process::Run;
use crate::reduction::{FIXED, Surroundings, last_error};
use crate::uses::Uses;
use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::fmt::{self, Write};
use std::fs;
use std::path::Path;
use std::time::Duration;

/// How long a single file may be compiled.
const LONGEST: Duration = Duration::from_secs(90);

/// How each file is compiled, besides what it emits.
const FLAGS: [&str; 2] = ["--edition=2021", "--crate-type=lib"];

/// What stands before a place in the compiler, and how such a place begins.
const PLACES: [&str; 3] = ["panicked at ", "delayed at ", "internal compiler error: "];
const ROOTS: [&str; 2] = ["compiler/", "library/"];

/// How the lines begin that a crash itself makes errors.
const OF_CRASHES: [&str; 4] = [
    "error: internal compiler error",
    "error: the compiler unexpectedly panicked",
    "error: aborting due to",
    "error: rustc interrupted by",
];

/// What became of a file.
struct Row {
    name: String,
    before: u64,
    after: u64,
    in_islands: u64,
    queries: u64,
    cpu: f64,
    /// Whether the compiler reports errors besides the crash, of the input and of the result.
    has_errors: [bool; 2],
    /// Whether the result crashes where the input does.
    is_same: bool,
}

/// Goes through the files with one of these names in theirs. Gives back whether each result is right.
pub fn run(directory: &Path, names: &[String], surroundings: &Surroundings) -> Result<bool> {
    let list = fs::read_to_string(directory.join("list.tsv"))
        .with_context(|| format!("no `list.tsv` in `{}`", directory.display()))?;
    let mut rows = Vec::new();
    let mut uses = Uses::default();
    for line in list.lines().skip(1) {
        let mut fields = line.split('\t');
        let (Some(file), Some(emit)) = (fields.next(), fields.next()) else {
            bail!("`{line}` in `list.tsv` has no file and no `--emit`");
        };
        let is_named = names.iter().any(|name| file.contains(name.as_str()));
        if is_named || names.is_empty() {
            let row = reduce(directory, (file, emit), surroundings, &mut uses)
                .with_context(|| format!("`{file}` was not reduced"))?;
            println!("{row}");
            rows.push(row);
        }
    }
    println!("\n{}\n\n{}", table(&rows), uses.table("files"));
    Ok(rows.iter().all(|row| row.is_same && !row.is_less_clean()))
}

/// Reduces a file, and adds which passes were of use.
fn reduce(
    directory: &Path,
    (file, emit): (&str, &str),
    surroundings: &Surroundings,
    uses: &mut Uses,
) -> Result<Row> {
    let input = directory.join(file).canonicalize()?;
    let name = file.trim_end_matches(".rs");
    let output = surroundings.work.join(name);
    let emit = format!("--emit={emit}");
    let mut arguments = vec!["reduce".to_owned(), input.display().to_string()];
    arguments.push("--ice".to_owned());
    arguments.extend(FIXED.map(str::to_owned));
    arguments.extend([output.display().to_string(), "--".to_owned()]);
    arguments.extend(FLAGS.map(str::to_owned));
    arguments.push(emit.clone());
    let ended = Run::program(&surroundings.cargo_reduce, &surroundings.work)
        .arguments(&arguments)
        .variable("RUSTC_BOOTSTRAP", Path::new("1"))
        .variable("CARGO_REDUCE_HOME", &surroundings.work.join("home"))
        .run(surroundings.longest)?;
    if !ended.is_success && !ended.is_late {
        bail!("`cargo-reduce` failed: {}", last_error(&ended.stderr));
    }
    let json = fs::read_to_string(output.join("reduction.json")).context("there is no result")?;
    let json: Value = serde_json::from_str(&json)?;
    uses.add(&json);
    let number = |key: &str| json[key].as_u64().with_context(|| format!("no `{key}`"));
    let text = |key: &str| json[key].as_str().with_context(|| format!("no `{key}`"));
    let scratch = surroundings.work.join("compiled");
    fs::create_dir_all(&scratch)?;
    let mut compiled = vec![input.display().to_string(), emit];
    compiled.extend(FLAGS.map(str::to_owned));
    let of_input = Run::program(Path::new("rustc"), &scratch)
        .arguments(&compiled)
        .variable("RUSTC_BOOTSTRAP", Path::new("1"))
        .run(LONGEST)?;
    let of_result = Run::program(Path::new("sh"), &output)
        .arguments(&["-c", text("reproduce")?])
        .run(LONGEST)?;
    let place = place(&of_input.stderr);
    Ok(Row {
        name: name.to_owned(),
        before: number("tokens_before")?,
        after: number("tokens_after")?,
        in_islands: json["tokens_in_islands"].as_u64().unwrap_or_default(),
        queries: number("queries")?,
        cpu: json["compiler_cpu_seconds"].as_f64().unwrap_or_default(),
        has_errors: [
            has_errors(&of_input.stderr),
            !json["clean"].as_bool().unwrap_or_default(),
        ],
        is_same: place.is_some() && place == self::place(&of_result.stderr),
    })
}

/// The place in the compiler that a message names first, such as `compiler/rustc_span/src/lib.rs:1:2`.
fn place(printed: &str) -> Option<&str> {
    let mut lines = printed.lines();
    lines.find_map(|line| {
        let after = PLACES.iter().find_map(|before| line.split_once(before));
        let place = after?.1.split_whitespace().next()?;
        let start = ROOTS.iter().find_map(|root| place.find(root))?;
        Some(place[start..].trim_end_matches(':'))
    })
}

/// Whether a compiler that crashed reported an error before.
fn has_errors(printed: &str) -> bool {
    printed.lines().any(|line| {
        let is_error = line.starts_with("error[") || line.starts_with("error: ");
        is_error && !OF_CRASHES.iter().any(|end| line.starts_with(end))
    })
}

impl Row {
    /// Whether the result has errors, and the input has none.
    fn is_less_clean(&self) -> bool {
        self.has_errors == [false, true]
    }

    fn ratio(&self) -> f64 {
        self.after as f64 / self.before.max(1) as f64
    }
}

impl fmt::Display for Row {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_same = if self.is_same { "the same" } else { "ANOTHER" };
        let is_clean = match self.has_errors {
            [_, false] => "yes",
            [true, true] => "no, nor was the input",
            [false, true] => "NO",
        };
        write!(
            formatter,
            "| {} | {} | {} | {} | {:.2} | {} | {:.1} | {is_clean} | {is_same} |",
            self.name,
            self.before,
            self.in_islands,
            self.after,
            self.ratio(),
            self.queries,
            self.cpu
        )
    }
}

fn table(rows: &[Row]) -> String {
    let mut table = String::from(
        "| file | tokens before | in islands | after | ratio | queries | CPU seconds | clean | crash |\n\
         |---|---:|---:|---:|---:|---:|---:|---|---|\n",
    );
    for row in rows {
        writeln!(table, "{row}").expect("a string takes what is written");
    }
    let logarithms: f64 = rows.iter().map(|row| row.ratio().ln()).sum();
    let mean = (logarithms / rows.len().max(1) as f64).exp();
    let queries: u64 = rows.iter().map(|row| row.queries).sum();
    let files = rows.len();
    write!(
        table,
        "\n{files} files, {queries} queries; the geometric mean of after/before is {mean:.3}."
    )
    .expect("a string takes what is written");
    table
}

#[cfg(test)]
mod tests {
    use super::{has_errors, place};

    #[test]
    fn the_place_of_a_crash_is_in_the_compiler() {
        let panic = "thread 'rustc' (1) panicked at /rustc-dev/abc/compiler/rustc_span/src/lib.rs:1:2:\nmessage";
        assert_eq!(place(panic), Some("compiler/rustc_span/src/lib.rs:1:2"));
        let bug = "error: internal compiler error: compiler/rustc_middle/src/ty/fold.rs:3:4: no";
        assert_eq!(place(bug), Some("compiler/rustc_middle/src/ty/fold.rs:3:4"));
        let delayed = "error: internal compiler error: `x` is gone\n = note: delayed at compiler/a.rs:5:6 - disabled backtrace";
        assert_eq!(place(delayed), Some("compiler/a.rs:5:6"));
        assert_eq!(place("error: internal compiler error: `x` is gone"), None);
    }
    #[test]
    fn a_crash_alone_is_no_error() {
        let crash = "warning: w\nerror: internal compiler error: a\n\nerror: aborting due to 1 previous error";
        assert!(!has_errors(crash));
        assert!(has_errors(&format!("error: missing `;`\n{crash}")));
        assert!(has_errors(&format!(
            "error[E0308]: mismatched types\n{crash}"
        )));
    }
}
