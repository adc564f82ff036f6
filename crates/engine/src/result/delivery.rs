//! The files that are delivered beside the reduced sources, so that the result crashes by itself:
//! files that the program includes, compiled dependencies. As little as shows the crash.

use crate::ask::{CompilerOracle, Crates, JobFacts};
use crate::candidate::Candidate;
use crate::failure::Failure;
use crate::output::SupportFile;
use crate::words::has_word;
use camino::{Utf8Path, Utf8PathBuf};
use reduce_oracle::{
    Cancel, FlagDifferences, Plan, STANDARD_INPUT, Shown, Signature, Sources, Tool,
    first_directory, with_fewer_settings,
};
use reduce_syntax::SourceTree;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The directory of compiled dependencies, relative to the directory of the reproducing command.
const DEPENDENCIES: &str = "deps";

/// A result with all that it needs to fail by itself: files, compiled dependencies, and the calls.
pub(crate) struct Delivery {
    /// The call as the reproducing command shows it.
    pub(crate) plan: Plan,
    /// The calls of the companions, which do not fail, as the reproducing commands show them.
    pub(crate) companions: Vec<Plan>,
    pub(crate) support: Vec<SupportFile>,
    /// The configuration of the tool that fails, if the failure needs it: the file's name, and its contents.
    pub(crate) configuration: Option<(String, String)>,
    /// The compiler's output for the result; for the input, where the result was not checked.
    pub(crate) shown: Shown,
    /// Whether the result was compiled once more, as a person would.
    pub(crate) is_checked: bool,
    /// Whether the result shows the crash that was looked for, without other errors than before.
    pub(crate) is_interesting: bool,
    /// The compiler runs that it took to find the delivery.
    pub(crate) runs: u64,
    /// The outcome of a test in its package, where candidates have another one.
    pub(crate) other_in_package: Option<OtherInPackage>,
}

/// The outcome of a test in its package, where it is another one than that of candidates.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct OtherInPackage {
    /// The failure of the test in its package; `None` where it passes.
    pub(crate) failure: Option<Signature>,
    /// The flags that only the search passes to the compiler, and those that only cargo does.
    pub(crate) flags: FlagDifferences,
}

/// Returns the files that the compiler reads beside the sources.
pub(crate) fn beside(plan: &Plan, sources: &SourceTree) -> Vec<SupportFile> {
    let is_beside = |path: &&Utf8PathBuf| sources.find(path).is_none();
    plan.inputs
        .files
        .iter()
        .filter(is_beside)
        .map(|path| SupportFile {
            from: plan.inputs.tree.join(path),
            to: path.clone(),
        })
        .collect()
}

/// Finds the smallest set of files beside the sources with which the result fails, and shows it to
/// the compiler as a person would.
///
/// # Errors
/// Where our own surroundings fail.
pub(crate) fn deliver(
    oracle: &CompilerOracle,
    best: &Candidate,
    (tool, scratch): (Tool, &Utf8Path),
    patient: &Cancel,
) -> Result<Delivery, Failure> {
    let mut runs = 0;
    let mut last = None;
    let plan = oracle.plan(&best.compile_options);
    for mut trial in trials(oracle, best)? {
        let staged = scratch.join("delivery");
        stage(
            trial.dependencies.iter().map(|path| (path, path.clone())),
            &staged,
        )?;
        stage(trial.linked_first(), &first_directory(&staged))?;
        let plan = match trial.dependencies.is_empty() {
            true => trial.plan.clone(),
            false => trial.plan.with_dependencies_in(&staged),
        };
        let shown = oracle.show(&plan, best, patient)?;
        runs += u64::from(shown.runs);
        // Companions are compiled where their own dependencies are, which do not move.
        let is_interesting = oracle.is_interesting(&best.compile_options, &shown)
            && oracle.holds_elsewhere(&trial.plan, &best.tree, patient)?;
        runs += trial.plan.run_policy.companions.len() as u64;
        let configuration = match is_interesting {
            true => {
                let shows = |plan: &Plan| {
                    let shown = oracle.show(plan, best, patient)?;
                    runs += u64::from(shown.runs);
                    Ok(oracle.is_interesting(&best.compile_options, &shown))
                };
                shorten_configuration(tool, (&mut trial.plan, &plan), shows)?
            }
            false => None,
        };
        let mut delivery = trial.delivery(&best.tree, shown, is_interesting);
        if let Some((path, text)) = configuration {
            delivery.deliver_configuration(&path, &text, scratch)?;
        }
        last = Some(Delivery { runs, ..delivery });
        if is_interesting {
            break;
        }
    }
    let mut delivery = last.expect("there is always the trial with everything");
    delivery.support.extend(standard_input(&plan, scratch)?);
    Ok(delivery)
}

/// Delivers a result that nobody has time to check, with all files that it may need.
///
/// # Errors
/// Where a directory of dependencies cannot be read.
pub(crate) fn unchecked(
    oracle: &CompilerOracle,
    best: &Candidate,
    of_input: &Shown,
    scratch: &Utf8Path,
) -> Result<Delivery, Failure> {
    let plan = oracle.plan(&best.compile_options);
    let widest = trials(oracle, best)?.into_iter().next_back();
    let widest = widest.expect("there is always the trial with everything");
    let mut delivery = widest.delivery(&best.tree, of_input.clone(), false);
    delivery.support.extend(standard_input(&plan, scratch)?);
    delivery.is_checked = false;
    Ok(delivery)
}

/// Writes the standard input of the program to a file.
fn standard_input(plan: &Plan, scratch: &Utf8Path) -> Result<Option<SupportFile>, Failure> {
    let input = plan.execution().and_then(|one| one.input.as_ref());
    let Some(input) = input else {
        return Ok(None);
    };
    let from = scratch.join(STANDARD_INPUT);
    std::fs::write(&from, input)
        .map_err(|error| Failure::io(&format!("write `{from}`"), &error))?;
    let to = STANDARD_INPUT.into();
    Ok(Some(SupportFile { from, to }))
}

impl Delivery {
    /// Puts the shortened configuration in the place of the user's own.
    fn deliver_configuration(
        &mut self,
        path: &Utf8Path,
        text: &str,
        scratch: &Utf8Path,
    ) -> Result<(), Failure> {
        let name = path.file_name().unwrap_or(path.as_str());
        let staged = scratch.join(format!("delivered-{name}"));
        std::fs::write(&staged, text)
            .map_err(|error| Failure::io(&format!("write `{staged}`"), &error))?;
        for file in self.support.iter_mut().filter(|file| file.to == path) {
            file.from.clone_from(&staged);
        }
        self.configuration = Some((name.to_owned(), text.to_owned()));
        Ok(())
    }
}

/// Leaves out settings of a tool's configuration one by one, as long as the result fails. `plan` is the plan that is
/// delivered, and `shown` the one that shows the failure now. Returns where the configuration is, and what is left of it.
fn shorten_configuration(
    tool: Tool,
    (plan, shown): (&mut Plan, &Plan),
    mut shows: impl FnMut(&Plan) -> Result<bool, Failure>,
) -> Result<Option<(Utf8PathBuf, String)>, Failure> {
    let is_configuration = |path: &&Utf8PathBuf| {
        let name = path.file_name().unwrap_or_default();
        tool.configuration_files().contains(&name)
    };
    let Some(path) = plan.inputs.files.iter().find(is_configuration).cloned() else {
        return Ok(None);
    };
    let Some(mut text) = plan.text(&path) else {
        return Ok(None);
    };
    let with = |plan: &Plan, text: &str| {
        plan.with_texts(&Sources::from([(path.clone(), Arc::from(text))]))
    };
    'shorter: loop {
        for fewer in with_fewer_settings(&text) {
            if fewer.len() < text.len() && shows(&with(shown, &fewer))? {
                text = Arc::from(fewer);
                continue 'shorter;
            }
        }
        *plan = with(plan, &text);
        return Ok(Some((path, text.to_string())));
    }
}

/// A compiler call with some of the included files and compiled dependencies, to see whether these
/// are enough.
struct Trial {
    plan: Plan,
    /// The compiled dependencies that are copied beside the sources.
    dependencies: BTreeSet<Utf8PathBuf>,
}

/// The variable that allows unstable features where the compiler refuses them.
const BOOTSTRAP: &str = "RUSTC_BOOTSTRAP";

/// Returns the calls to try, from the one with the fewest files and dependencies to the one with
/// all of them.
fn trials(oracle: &CompilerOracle, best: &Candidate) -> Result<Vec<Trial>, Failure> {
    let mut plan = oracle.plan(&best.compile_options);
    let named: BTreeSet<Utf8PathBuf> = plan.extern_files().into_iter().collect();
    let dependencies = match named.is_empty() {
        true => {
            plan = plan.without_dependency_directories();
            vec![named]
        }
        false => {
            let all = plan.dependency_files()?;
            match linked(oracle, best, &named, &all) {
                // The compiler reads what these link as well.
                linked if linked.len() > named.len() => vec![linked, all],
                _ => vec![named, all],
            }
        }
    };
    plan.inputs
        .files
        .retain(|path| !oracle.edited().contains(path));
    let mut least = plan.clone();
    let is_needed = |path: &Utf8PathBuf| is_mentioned(path, &best.tree);
    least.inputs.files.retain(is_needed);
    let mut plans = vec![least.clone(), plan];
    if least.call.env.remove(BOOTSTRAP).is_some() {
        plans.insert(0, least);
    }
    let with_dependencies = |plan: Plan| {
        dependencies.iter().map(move |dependencies| Trial {
            plan: plan.clone(),
            dependencies: dependencies.clone(),
        })
    };
    Ok(plans.into_iter().flat_map(with_dependencies).collect())
}

/// Returns those of all compiled dependencies that are linked, directly or by others, as far as it is known what they
/// link.
fn linked(
    oracle: &CompilerOracle,
    best: &Candidate,
    named: &BTreeSet<Utf8PathBuf>,
    all: &BTreeSet<Utf8PathBuf>,
) -> BTreeSet<Utf8PathBuf> {
    let units = oracle.crates().map_or(&[][..], Crates::units);
    let reachable = best.compile_options.linkage.reachable(units);
    let is_linked = |path: &&Utf8PathBuf| {
        named.contains(*path) || reachable.iter().any(|idx| units[*idx].is_artifact(path))
    };
    all.iter().filter(is_linked).cloned().collect()
}

impl Trial {
    /// Returns the files that only the first of two calls links, each with the path of the file that the second one
    /// links in its place. What is not there is what both link.
    fn linked_first(&self) -> impl Iterator<Item = (&Utf8PathBuf, Utf8PathBuf)> {
        self.dependencies.iter().filter_map(|path| {
            let there = self.plan.linked_first(path)?;
            let from = if there.is_file() { there } else { path.clone() };
            Some((path, from))
        })
    }

    /// Returns the companions' calls with their dependencies beside the sources: those that another
    /// compiler has made, or that are another version, stand apart.
    fn companions(&self, support: &mut Vec<SupportFile>) -> Vec<Plan> {
        let mut plans = self.plan.companion_plans();
        let own: BTreeSet<_> = self.plan.extern_files().into_iter().collect();
        for (n_before, plan) in plans.iter_mut().enumerate() {
            let named: BTreeSet<_> = plan.extern_files().into_iter().collect();
            let mut directory = Utf8PathBuf::from(DEPENDENCIES);
            if named != own && !named.is_empty() {
                directory = format!("{DEPENDENCIES}-{}", n_before + 1).into();
                // Files that cannot be read now will be missing for whoever gives the command.
                let all = plan.dependency_files().unwrap_or_else(|_| named.clone());
                support.extend(moved(&all, &directory));
            }
            if !named.is_empty() {
                *plan = plan.with_dependencies_in(&directory);
            }
        }
        plans
    }

    fn delivery(self, tree: &SourceTree, shown: Shown, is_interesting: bool) -> Delivery {
        let mut support = beside(&self.plan, tree);
        support.extend(moved(&self.dependencies, DEPENDENCIES.into()));
        let before = first_directory(DEPENDENCIES.into());
        let linked_first = self.linked_first().filter_map(|(named, from)| {
            let to = before.join(named.file_name()?);
            Some(SupportFile { from, to })
        });
        support.extend(linked_first.collect::<Vec<_>>());
        let companions = self.companions(&mut support);
        let plan = match self.dependencies.is_empty() {
            true => self.plan,
            false => self.plan.with_dependencies_in(Utf8Path::new(DEPENDENCIES)),
        };
        Delivery {
            plan,
            companions,
            support,
            configuration: None,
            shown,
            is_checked: true,
            is_interesting,
            other_in_package: None,
            runs: 0,
        }
    }
}

/// Returns compiled dependencies as files to be copied into a directory beside the sources.
fn moved(dependencies: &BTreeSet<Utf8PathBuf>, directory: &Utf8Path) -> Vec<SupportFile> {
    let files = dependencies.iter().filter_map(|from| {
        Some(SupportFile {
            from: from.clone(),
            to: directory.join(from.file_name()?),
        })
    });
    files.collect()
}

/// Whether a file's name, or that of the module that it may be, is a word in the sources.
fn is_mentioned(path: &Utf8Path, tree: &SourceTree) -> bool {
    let module = match path.file_name() {
        Some("mod.rs") => path.parent().and_then(Utf8Path::file_name),
        _ => path.file_stem(),
    };
    let name = match path.extension() {
        Some("rs") => module,
        _ => path.file_name(),
    };
    name.is_some_and(|name| tree.files().any(|(_, _, text)| has_word(text, name)))
}

/// Copies compiled dependencies into an empty directory, each by the name of what it stands for.
fn stage<'d>(
    dependencies: impl IntoIterator<Item = (&'d Utf8PathBuf, Utf8PathBuf)>,
    staged: &Utf8Path,
) -> Result<(), Failure> {
    if staged.exists() {
        std::fs::remove_dir_all(staged)
            .map_err(|error| Failure::io(&format!("remove `{staged}`"), &error))?;
    }
    std::fs::create_dir_all(staged)
        .map_err(|error| Failure::io(&format!("make the directory `{staged}`"), &error))?;
    for (named, from) in dependencies {
        let Some(name) = named.file_name() else {
            continue;
        };
        let to = staged.join(name);
        std::fs::copy(&from, &to)
            .map_err(|error| Failure::io(&format!("copy `{from}` to `{to}`"), &error))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    #[track_caller]
    fn check(path: &str, text: &str, expected: bool) {
        let tree = SourceTree::single(Utf8PathBuf::from("src/lib.rs"), Arc::from(text));
        assert_eq!(is_mentioned(Utf8Path::new(path), &tree), expected);
    }

    #[test]
    fn data_files_are_mentioned_by_name() {
        check("src/motto.txt", "include_str!(\"motto.txt\")", true);
        check("src/motto.txt", "fn f() {}", false);
    }

    #[test]
    fn modules_are_mentioned_by_their_identifier() {
        check("src/a.rs", "m! { mod a; }", true);
        check("src/unrelated.rs", "fn f() {}", false);
        check("t.rs", "trait Trait {} fn a_t() {}", false);
        check("src/unrelated/mod.rs", "mod unrelated;", true);
    }
}
