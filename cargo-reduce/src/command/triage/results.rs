//! The results of a triage: groups of cases, as they are written and shown.

use super::cases::{Case, NamedLooker};
use super::directory::TriageDirectory;
use super::inputs::TriageInput;
use super::reductions::Outcome;
use crate::error::CommandError;
use camino::{Utf8Path, Utf8PathBuf};
use reduce_engine::{Summary, html_page};
use reduce_triage::{
    Class, Confirmed, Group, GroupRecord, KnownRecord, Member, Other, ReducedRecord,
    TRIAGE_VERSION, ToolchainRecord, Triage, counted, group_records, groups, page_body,
};
use std::collections::BTreeSet;

/// The start of the line in one of rustc's tests that names its bug.
const KNOWN_BUG: &str = "//@ known-bug:";

/// All that a triage has found out.
pub(super) struct TriageResults<'a> {
    pub(super) cases: &'a [Case],
    pub(super) others: &'a [(TriageInput, String)],
    pub(super) classes: &'a [Class],
    /// The classes that have to be reduced, as indices, in the order in which they are.
    pub(super) chosen: Vec<usize>,
    /// The end of each class's reduction.
    pub(super) outcomes: Vec<Outcome>,
    pub(super) toolchains: &'a [NamedLooker],
    pub(super) refused: Vec<(Utf8PathBuf, String)>,
    pub(super) cwd: &'a Utf8Path,
    pub(super) directory: &'a TriageDirectory,
}

impl TriageResults<'_> {
    /// Makes the record of what was found.
    pub(super) fn record(&self) -> Triage {
        // A package of which the reduction says that it does not crash is in no group.
        let grouped: Vec<usize> = (0..self.classes.len())
            .filter(|&class| self.is_crash(class))
            .collect();
        let reduced: Vec<_> = grouped
            .iter()
            .map(|&class| {
                let seen = &self.cases[self.classes[class].smallest].crashed.bug;
                self.outcomes[class].grouped(seen, self.program(class))
            })
            .collect();
        let n_members = |idx: usize| self.new_inputs(grouped[idx]).count();
        let mut groups = groups(&reduced, &n_members);
        let known: Vec<Group> = groups
            .extract_if(.., |group| {
                group.classes.iter().all(|&idx| n_members(idx) == 0)
            })
            .collect();
        Triage {
            version: TRIAGE_VERSION,
            is_complete: self.open().is_empty(),
            toolchains: self.toolchains.iter().map(toolchain).collect(),
            groups: group_records(&groups, &mut |group| {
                let near = known.iter().filter(|near| near.bug == group.bug);
                let near = near.flat_map(|near| &near.classes);
                GroupRecord {
                    possibly_known: self.known_in(near.map(|&idx| grouped[idx])),
                    ..self.group(group, &grouped)
                }
            }),
            others: self.other_records(),
        }
    }

    /// Returns the classes that are still to be reduced.
    pub(super) fn open(&self) -> Vec<usize> {
        let chosen = self.chosen.iter().copied();
        chosen
            .filter(|&class| matches!(self.outcomes[class], Outcome::Open))
            .collect()
    }

    fn is_crash(&self, class: usize) -> bool {
        let case = &self.cases[self.classes[class].smallest];
        let is_package = case.inputs[0].is_package();
        !(is_package && matches!(self.outcomes[class], Outcome::Failed(_)))
    }

    /// The inputs of a class that are not known, each with its case.
    fn new_inputs(&self, class: usize) -> impl Iterator<Item = (usize, &TriageInput)> {
        let members = self.classes[class].members.iter();
        let inputs =
            members.flat_map(|&idx| self.cases[idx].inputs.iter().map(move |one| (idx, one)));
        inputs.filter(|(_, input)| !input.is_known)
    }

    fn known_in(&self, classes: impl Iterator<Item = usize>) -> Vec<KnownRecord> {
        let members = classes.flat_map(|class| &self.classes[class].members);
        let inputs = members.flat_map(|&idx| &self.cases[idx].inputs);
        let known: BTreeSet<&TriageInput> = inputs.filter(|input| input.is_known).collect();
        let records = known.into_iter().map(|input| KnownRecord {
            file: input.name(self.cwd),
            bug: named_bug(&input.path),
        });
        records.collect()
    }

    fn group(&self, group: &Group, grouped: &[usize]) -> GroupRecord {
        let classes: Vec<usize> = group.classes.iter().map(|&idx| grouped[idx]).collect();
        let first = classes[0];
        let mut members: Vec<Member> = classes
            .iter()
            .flat_map(|&class| self.members(class))
            .collect();
        members.sort_by(|one, other| one.input.cmp(&other.input));
        let cases = classes
            .iter()
            .flat_map(|&class| &self.classes[class].members);
        let shown: BTreeSet<&str> = cases
            .flat_map(|&idx| &self.cases[idx].shown_by)
            .map(String::as_str)
            .collect();
        let names = self.toolchains.iter().map(|toolchain| &toolchain.name);
        let (reduced, failed) = match &self.outcomes[first] {
            Outcome::Reduced(summary) => (Some(self.reduced(first, summary)), None),
            Outcome::Failed(why) => (None, Some(why.clone())),
            Outcome::Open => (None, None),
        };
        GroupRecord {
            number: 0,
            signature: group.bug.clone(),
            toolchains: names
                .filter(|name| shown.contains(name.as_str()))
                .cloned()
                .collect(),
            reduced,
            failed,
            members,
            known: self.known_in(classes.iter().copied()),
            possibly_known: Vec::new(),
            possibly_same_as: Vec::new(),
        }
    }

    fn members(&self, class: usize) -> Vec<Member> {
        let is_reduced = matches!(self.outcomes[class], Outcome::Reduced(_));
        let members = self.new_inputs(class).map(|(idx, input)| {
            let case = &self.cases[idx];
            let confirmed = match (is_reduced, idx == self.classes[class].smallest) {
                _ if case.inputs[0] != *input => Confirmed::Content,
                (false, _) => Confirmed::Signature,
                (true, true) => Confirmed::Reduction,
                (true, false) => Confirmed::Core,
            };
            Member {
                input: input.name(self.cwd),
                tokens: case.tokens,
                core_tokens: case.core_tokens,
                confirmed,
            }
        });
        members.collect()
    }

    fn reduced(&self, class: usize, summary: &Summary) -> ReducedRecord {
        let below = Utf8PathBuf::from("reductions").join(&self.classes[class].key);
        ReducedRecord {
            program: self.program(class),
            tokens: summary.sizes.tokens_after,
            result: below.join(summary.delivered.result.file_name().unwrap_or_default()),
            report: below.join("report.html"),
            directory: below,
            from: self.cases[self.classes[class].smallest].inputs[0].name(self.cwd),
        }
    }

    /// Returns the text of a class's result, if there is one and it is one file.
    fn program(&self, class: usize) -> Option<String> {
        let Outcome::Reduced(summary) = &self.outcomes[class] else {
            return None;
        };
        // The directory may have been moved since.
        let directory = self.directory.reduction(&self.classes[class].key);
        let file = directory.join(summary.delivered.result.file_name()?);
        std::fs::read_to_string(file).ok()
    }

    fn other_records(&self) -> Vec<Other> {
        let of_looks = self
            .others
            .iter()
            .filter(|(input, _)| !input.is_known)
            .map(|(input, reason)| (input.name(self.cwd), reason.clone()));
        let failed = (0..self.classes.len()).filter(|&class| !self.is_crash(class));
        let of_packages = failed.flat_map(|class| {
            let Outcome::Failed(why) = &self.outcomes[class] else {
                return Vec::new();
            };
            let inputs = self.new_inputs(class);
            inputs
                .map(|(_, input)| (input.name(self.cwd), why.clone()))
                .collect()
        });
        let refused = self.refused.iter().map(|(path, reason)| {
            let name = path.strip_prefix(self.cwd).unwrap_or(path);
            (name.to_string(), reason.clone())
        });
        let all: BTreeSet<(String, String)> = of_looks.chain(of_packages).chain(refused).collect();
        let records = all
            .into_iter()
            .map(|(input, reason)| Other { input, reason });
        records.collect()
    }
}

fn toolchain(named: &NamedLooker) -> ToolchainRecord {
    ToolchainRecord {
        name: named.name.clone(),
        version: named.looker.compiler().version().to_owned(),
    }
}

/// Returns the bug that a test of rustc's own names in a line.
fn named_bug(path: &Utf8Path) -> Option<String> {
    let text = std::fs::read_to_string(path).ok()?;
    let mut lines = text.lines();
    let line = lines.find_map(|line| line.trim().strip_prefix(KNOWN_BUG))?;
    Some(line.trim().to_owned())
}

/// Writes `triage.json` and `triage.html`.
pub(super) fn write(directory: &TriageDirectory, triage: &Triage) -> Result<(), CommandError> {
    let json = serde_json::to_string_pretty(triage).expect("all keys are strings");
    directory.write("triage.json", &(json + "\n"))?;
    let title = format!(
        "Triage: {}",
        counted(triage.groups.len(), "group", "groups")
    );
    directory.write("triage.html", &html_page(&title, &page_body(triage)))
}
