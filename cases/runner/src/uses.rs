//! The table of uses: how many edits of each pass and stage were accepted, and in how many reductions. It is made of the
//! `reduction.json` of any reductions, so that it can be made again of the results of earlier calls.

use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The directories, from a work directory on, below which a result may lie: `CASE/result` or `CASE.result`.
const DEEPEST: usize = 2;

/// The uses of each pass in some reductions.
#[derive(Debug, Default)]
pub struct Uses {
    /// A name, its accepted edits, and the number of reductions that have one.
    passes: BTreeMap<String, [u64; 2]>,
    n_reductions: usize,
}

impl Uses {
    /// Adds what `passes` in a `reduction.json` says. A pass that was tried and never accepted has a place too.
    pub fn add(&mut self, json: &Value) {
        self.n_reductions += 1;
        for one in json["passes"].as_array().into_iter().flatten() {
            let (Some(name), Some(accepted)) = (one["pass"].as_str(), one["accepted"].as_u64())
            else {
                continue;
            };
            let [edits, reductions] = self.passes.entry(name.to_owned()).or_default();
            *edits += accepted;
            *reductions += u64::from(accepted > 0);
        }
    }

    fn add_all(&mut self, others: &Self) {
        self.n_reductions += others.n_reductions;
        for (name, [edits, reductions]) in &others.passes {
            let sums = self.passes.entry(name.clone()).or_default();
            sums[0] += edits;
            sums[1] += reductions;
        }
    }

    /// The passes, those with the most accepted edits first.
    fn sorted(&self) -> Vec<(&str, [u64; 2])> {
        let passes = self.passes.iter();
        let mut sorted: Vec<_> = passes.map(|(name, sums)| (name.as_str(), *sums)).collect();
        sorted.sort_by_key(|&(name, [edits, reductions])| {
            (Reverse(edits), Reverse(reductions), name)
        });
        sorted
    }

    /// The passes with an accepted edit as a table of Markdown; `noun` names what was reduced.
    pub fn table(&self, noun: &str) -> String {
        let used = self
            .sorted()
            .into_iter()
            .filter(|(_, [edits, _])| *edits > 0);
        let lines = used
            .map(|(name, [edits, reductions])| format!("\n| {name} | {edits} | {reductions} |"));
        let lines: String = lines.collect();
        format!("| pass | accepted edits | in {noun} |\n|---|---:|---:|{lines}")
    }
}

/// Prints the table of the results in work directories: the sums, and in how many reductions of each directory a pass was of
/// use. Those that were tried in vain come last.
pub fn run(directories: &[String]) -> Result<()> {
    let mut columns = Vec::new();
    for directory in directories {
        let directory = Path::new(directory);
        let name = directory
            .file_name()
            .context("a work directory has a name")?;
        let mut uses = Uses::default();
        for result in results(directory, DEEPEST)? {
            let json = fs::read_to_string(&result)?;
            let json = serde_json::from_str(&json).with_context(|| result.display().to_string())?;
            uses.add(&json);
        }
        columns.push((name.to_string_lossy().into_owned(), uses));
    }
    if columns.is_empty() {
        bail!("`--uses` needs work directories");
    }
    println!("{}", by_directory(&columns));
    Ok(())
}

/// The files `reduction.json` in a directory and those below it, without those in a workspace that is reduced.
fn results(directory: &Path, deepest: usize) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let entries = fs::read_dir(directory).with_context(|| directory.display().to_string())?;
    for entry in entries {
        let path = entry?.path();
        if path.is_dir() && deepest > 0 {
            found.extend(results(&path, deepest - 1)?);
        } else if path.ends_with("reduction.json") {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

fn by_directory(columns: &[(String, Uses)]) -> String {
    let mut sum = Uses::default();
    columns.iter().for_each(|(_, uses)| sum.add_all(uses));
    let heads: String = columns
        .iter()
        .map(|(name, uses)| format!(" {name}, of {} |", uses.n_reductions))
        .collect();
    let rules = "---:|".repeat(columns.len());
    let mut table = format!(
        "| pass | accepted edits | in reductions, of {} |{heads}\n|---|---:|---:|{rules}",
        sum.n_reductions
    );
    for (pass, [edits, reductions]) in sum.sorted() {
        table += &format!("\n| {pass} | {edits} | {reductions} |");
        for (_, uses) in columns {
            let [_, reductions] = uses.passes.get(pass).copied().unwrap_or_default();
            table += &format!(" {reductions} |");
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn uses(accepted: &[&[(&str, u64)]]) -> Uses {
        let mut uses = Uses::default();
        for reduction in accepted {
            let passes = reduction.iter();
            let passes: Vec<Value> = passes
                .map(|(pass, accepted)| json!({"pass": pass, "accepted": accepted}))
                .collect();
            uses.add(&json!({"passes": passes}));
        }
        uses
    }

    #[test]
    fn passes_without_an_accepted_edit_are_left_out() {
        let uses = uses(&[&[("a", 2), ("b", 0)], &[("c", 3), ("a", 2)]]);
        let table = uses.table("files");
        let lines: Vec<&str> = table.lines().skip(2).collect();
        assert_eq!(lines, ["| a | 4 | 2 |", "| c | 3 | 1 |"]);
    }

    #[test]
    fn each_directory_has_its_column() {
        let columns = [
            ("default".to_owned(), uses(&[&[("a", 1), ("b", 0)]])),
            ("crashes".to_owned(), uses(&[&[("a", 2)], &[("c", 1)]])),
        ];
        let table = by_directory(&columns);
        let lines: Vec<&str> = table.lines().collect();
        assert_eq!(
            lines,
            [
                "| pass | accepted edits | in reductions, of 3 | default, of 1 | crashes, of 2 |",
                "|---|---:|---:|---:|---:|",
                "| a | 3 | 2 | 1 | 1 |",
                "| c | 1 | 1 | 0 | 1 |",
                "| b | 0 | 0 | 0 | 0 |",
            ]
        );
    }
}
