//! Reads the output directory of a reduction, as a user finds it.

use super::schema::fits_the_schema;
use super::{Finished, Running, World, read_tree};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// A finished reduction. What it holds was read at once and outlives the directory.
#[derive(Debug)]
pub(crate) struct Reduction {
    output: PathBuf,
    summary: Value,
    code: String,
    report: String,
    page: String,
}

/// The sections that each page has, whatever was reduced.
const SECTIONS: [&str; 7] = [
    "report",
    "steps",
    "curve",
    "passes",
    "queries",
    "as-markdown",
    "time",
];

impl Reduction {
    /// Reads `reduction.json` of an output directory.
    ///
    /// # Panics
    /// Where it is not there, or is not as its schema says.
    #[track_caller]
    pub(crate) fn read(output: &Path) -> Self {
        let path = output.join("reduction.json");
        let text = std::fs::read_to_string(&path);
        let text = text.unwrap_or_else(|error| panic!("`{}`: {error}", path.display()));
        let summary: Value = serde_json::from_str(&text).expect("`reduction.json` is JSON");
        fits_the_schema(&summary);
        let read = |name: &str| {
            let text = std::fs::read_to_string(output.join(name));
            text.unwrap_or_else(|error| panic!("`{name}`: {error}"))
        };
        let reduction = Self {
            output: output.to_owned(),
            summary,
            code: code_in(output),
            report: read("report.md"),
            page: read("report.html"),
        };
        for id in SECTIONS {
            reduction.section(id);
        }
        reduction.steps();
        reduction
    }

    /// The whole content of `reduction.json`.
    pub(crate) fn summary(&self) -> &Value {
        &self.summary
    }

    /// A number of `reduction.json`.
    #[track_caller]
    pub(crate) fn number(&self, field: &str) -> u64 {
        let number = self.summary[field].as_u64();
        number.unwrap_or_else(|| panic!("`{field}` is not a number in\n{:#}", self.summary))
    }

    /// The reduced sources, one after the other, as a text that can be compared.
    pub(crate) fn code(&self) -> &str {
        &self.code
    }

    /// The text of `report.md`.
    pub(crate) fn report(&self) -> &str {
        &self.report
    }

    /// The text of `report.html`.
    pub(crate) fn page(&self) -> &str {
        &self.page
    }

    /// The text of a section of the page.
    #[track_caller]
    pub(crate) fn section(&self, id: &str) -> &str {
        self.between(&format!("<section id=\"{id}\">"), "</section>")
    }

    /// The steps that the page's slider shows, as data.
    #[track_caller]
    pub(crate) fn steps(&self) -> Value {
        let data = self.between(
            "<script type=\"application/json\" id=\"data\">",
            "</script>",
        );
        serde_json::from_str(data).expect("the data are JSON")
    }

    #[track_caller]
    fn between(&self, start: &str, end: &str) -> &str {
        let rest = self.page.split_once(start).map(|(_, rest)| rest);
        let text = rest.and_then(|rest| rest.split_once(end));
        let (text, _) = text.unwrap_or_else(|| panic!("no `{start}` in\n{}", self.page));
        text
    }

    /// The program of the last step, as the page's slider shows it.
    #[track_caller]
    pub(crate) fn last_program(&self) -> String {
        let steps = self.steps();
        let files = steps["files"].as_array().expect("there are files");
        let parts = files.iter().flat_map(|file| file["parts"].as_array());
        let stay = parts.flatten().filter(|part| part[1] == 0);
        stay.filter_map(|part| part[2].as_str()).collect()
    }

    /// Whether the result is one file that needs no other.
    pub(crate) fn is_single_file(&self) -> bool {
        let result = self.summary["result"].as_str();
        result.is_some_and(|result| result.ends_with("reduced.rs"))
    }

    /// Runs the command of `reduction.json` where it is meant to be run: in `reduced/`, or beside
    /// `reduced.rs`.
    pub(crate) fn reproduce(&self, world: &World) -> Finished {
        self.reproduce_with(world, |_| ())
    }

    /// Runs the command of `reduction.json` with a change of the environment.
    pub(crate) fn reproduce_with(
        &self,
        world: &World,
        change: impl FnOnce(&mut std::process::Command),
    ) -> Finished {
        let line = self.summary["reproduce"]
            .as_str()
            .expect("`reproduce` is a string");
        self.run_with(world, line, change)
    }

    /// Runs another command where the result's command is meant to be run.
    pub(crate) fn run(&self, world: &World, line: &str) -> Finished {
        self.run_with(world, line, |_| ())
    }

    fn run_with(
        &self,
        world: &World,
        line: &str,
        change: impl FnOnce(&mut std::process::Command),
    ) -> Finished {
        let directory = self.output.join("reduced");
        let directory = if directory.is_dir() {
            &directory
        } else {
            &self.output
        };
        let mut shell = world.command("sh");
        shell.args(["-c", line]).current_dir(directory);
        change(&mut shell);
        Running::start(shell).finish()
    }
}

/// Checks that the result still crashes, as a user would see it, with these texts in the output.
#[track_caller]
pub(crate) fn reproduces_with(reduction: &Reduction, world: &World, crash: &[&str]) {
    let finished = reduction.reproduce(world);
    assert!(finished.is_crash(), "the result does not crash\n{finished}");
    for text in crash {
        assert!(
            finished.stderr().contains(text),
            "no `{text}` in\n{finished}"
        );
    }
}

#[track_caller]
fn code_in(output: &Path) -> String {
    let single = output.join("reduced.rs");
    if single.is_file() {
        return std::fs::read_to_string(single).expect("`reduced.rs` is UTF-8");
    }
    let files = read_tree(&output.join("reduced"));
    let files = files
        .iter()
        .filter(|(path, _)| path.extension().is_some_and(|e| e == "rs"));
    let texts = files.map(|(_, bytes)| String::from_utf8(bytes.clone()).expect("it is UTF-8"));
    texts.collect()
}

/// The only result below the target directory of this package.
pub(crate) fn only_result_in(directory: &std::path::Path) -> std::path::PathBuf {
    let results = std::fs::read_dir(directory.join("target/reduce")).expect("there is a result");
    let results: Vec<_> = results
        .map(|entry| entry.expect("it can be read"))
        .collect();
    assert_eq!(results.len(), 1, "{results:?}");
    results[0].path()
}
