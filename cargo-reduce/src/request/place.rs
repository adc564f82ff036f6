//! Chooses the place of a result if the user does not: a directory below `target/reduce` whose name
//! says what is asked for. Two different requests never have the same one, nor two that differ only
//! in case: what the words of the name leave out is in a digest at their end.

use crate::project::{Project, Subject};
use camino::Utf8PathBuf;
use reduce_engine::{
    Demands, DirectoryWord, FileInput, Input, Needed, PackageInput, PropertyOptions,
    ReductionRequest, Repeat, SearchOptions, TargetSelection,
};

/// The largest number of characters that a word has in the name of a result's directory.
const LONGEST_WORD: usize = 60;

/// Returns the directory to which the result of a request goes if the user names none.
pub(super) fn default_output(project: &Project, request: &ReductionRequest) -> Utf8PathBuf {
    let mut name = Name::default();
    name.add_program(project, &request.input);
    name.add_common_options(&request.input);
    if let Some(flag) = request.property.fidelity.flag() {
        name.add(flag);
    }
    let target = match &request.input {
        Input::Package(package) => package.target.clone(),
        Input::File(_) | Input::Captured(_) => TargetSelection::Default,
    };
    let wanted = request.property.goal.info();
    name.add_failure(&wanted.directory, &target);
    name.add_target(&target);
    if let Some(test) = &wanted.test_name {
        test.split("::").for_each(|part| name.add(part));
    }
    name.is_complete &= has_no_other_options(request);
    let name = name.with_digest(request);
    project.target_parent.join("target/reduce").join(name)
}

/// The name of a result's directory, as words between which it has full stops. No word has one, so that it is clear where
/// each ends.
#[derive(Debug)]
struct Name {
    words: Vec<String>,
    /// Whether no other request for the same project has these words.
    is_complete: bool,
}

impl Default for Name {
    fn default() -> Self {
        Self {
            words: Vec::new(),
            is_complete: true,
        }
    }
}

impl Name {
    /// Adds a word of the user's, which may have characters that a directory's name should not.
    fn add(&mut self, word: &str) {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        let safe = word.chars().take(LONGEST_WORD);
        let safe: String = safe.map(|c| if is_plain(c) { c } else { '-' }).collect();
        let has_capitals = word.chars().any(|c| c.is_ascii_uppercase());
        self.is_complete &= safe == word && !word.is_empty() && !has_capitals;
        self.words.push(safe);
    }

    /// Adds a word that leaves out some of what it stands for.
    fn add_incomplete(&mut self, word: &str) {
        self.add(word);
        self.is_complete = false;
    }

    fn add_program(&mut self, project: &Project, input: &Input) {
        if let Input::Package(PackageInput {
            package: Some(package),
            ..
        }) = input
        {
            return self.add(package);
        }
        self.add(&project.name);
        match project.subject {
            Subject::Package | Subject::Captured => {}
            Subject::Workspace => self.add("workspace"),
            Subject::File {
                beside_manifest, ..
            } => {
                self.is_complete &= project.directory == project.target_parent;
                if beside_manifest {
                    self.add("rs");
                }
            }
            Subject::StandardInput(_) => self.is_complete = false,
        }
    }

    fn add_failure(&mut self, failure: &DirectoryWord, target: &TargetSelection) {
        let has_target = *target != TargetSelection::Default;
        let is_needed = match failure.needed {
            Needed::Always => true,
            Needed::WithTarget => has_target,
            Needed::WithoutTarget => !has_target,
        };
        match is_needed {
            true if failure.is_complete => self.add(&failure.word),
            true => self.add_incomplete(&failure.word),
            false => {}
        }
    }

    fn add_target(&mut self, target: &TargetSelection) {
        match target {
            TargetSelection::Default => {}
            TargetSelection::Lib => self.add("lib"),
            TargetSelection::Doc => self.add("doc"),
            TargetSelection::Fuzz { target, .. } => self.add_incomplete(&format!("fuzz-{target}")),
            TargetSelection::Bin(name) => self.add(&format!("bin-{name}")),
            TargetSelection::Test(name) => self.add(&format!("test-{name}")),
            TargetSelection::Example(name) => self.add(&format!("example-{name}")),
            TargetSelection::Bench(name) => self.add(&format!("bench-{name}")),
            TargetSelection::Tests => self.add("tests"),
            TargetSelection::Benches => self.add("benches"),
            TargetSelection::AllTargets => self.add("all-targets"),
        }
    }

    /// Adds the options that many requests have.
    fn add_common_options(&mut self, input: &Input) {
        match input {
            Input::File(file) => self.add_options_of_file(file),
            Input::Package(package) if package.release => self.add("with-release"),
            Input::Package(_) | Input::Captured(_) => {}
        }
    }

    fn add_options_of_file(&mut self, file: &FileInput) {
        if let Some(edition) = &file.edition {
            self.add(&format!("edition-{edition}"));
        }
        if let Some(revision) = &file.revision {
            self.add(&format!("revision-{revision}"));
        }
    }

    fn with_digest(mut self, request: &ReductionRequest) -> String {
        if !self.is_complete {
            self.words.push(request.digest_of_question());
        }
        self.words.join(".")
    }
}

/// Returns whether a request has no options for the program and the failure but those that the directory's name shows.
fn has_no_other_options(request: &ReductionRequest) -> bool {
    let is_plain = match &request.input {
        Input::File(file) => *file == plain_file(file),
        Input::Package(package) => *package == plain_package(package),
        Input::Captured(captured) => captured.rustc_args.is_empty(),
    };
    is_plain
        && request.property == plain_property(&request.property)
        && request.search == SearchOptions::default()
        && request.surroundings.rustc.is_none()
}

fn plain_file(file: &FileInput) -> FileInput {
    FileInput {
        path: file.path.clone(),
        text: file.text.clone(),
        edition: file.edition.clone(),
        revision: file.revision.clone(),
        ..FileInput::default()
    }
}

fn plain_package(package: &PackageInput) -> PackageInput {
    PackageInput {
        manifest_path: package.manifest_path.clone(),
        package: package.package.clone(),
        target: package.target.clone(),
        release: package.release,
        ..PackageInput::default()
    }
}

/// Returns a property without the options that make other failures count. Those that say how long
/// and where candidates may run stay.
fn plain_property(property: &PropertyOptions) -> PropertyOptions {
    PropertyOptions {
        demands: Demands::default(),
        env: Vec::new(),
        mutate: Vec::new(),
        allow_errors: false,
        strict_valid: false,
        ignore_location: false,
        any_message: false,
        repeat: Repeat::ONCE,
        at_least: 1,
        ..property.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{output_of, virtual_output_of};

    #[track_caller]
    fn check(words: &[&str], expected: &str) {
        let directory = output_of(words);
        assert_eq!(directory.file_name(), Some(expected), "{words:?}");
    }

    /// The words stand at the beginning, and a digest behind them.
    #[track_caller]
    fn check_digest(words: &[&str], expected: &str) {
        let directory = output_of(words);
        let name = directory.file_name().unwrap();
        let (words_of_name, digest) = name.rsplit_once('.').unwrap();
        assert_eq!(words_of_name, expected, "{words:?}");
        assert!(digest.len() == 10, "{name}");
        assert!(digest.chars().all(|c| c.is_ascii_hexdigit()), "{name}");
    }

    #[test]
    fn the_crash_of_a_package_has_the_packages_own_directory() {
        check(&["--ice"], "krate");
        check(&["--ice", "-p", "tool"], "tool");
        check(&["--ice", "--jobs", "3", "--timeout", "9"], "krate");
    }

    #[test]
    fn target_and_test_are_in_the_name() {
        check(&["--lib"], "krate.lib");
        check(&["--test", "api", "sums"], "krate.test-api.sums");
        check(
            &["--lib", "orders::tests::sums"],
            "krate.lib.orders.tests.sums",
        );
        check(&["lib"], "krate.test.lib");
        check(&["--ice", "--test", "api"], "krate.ice.test-api");
        check(&["--ice", "--all-targets"], "krate.ice.all-targets");
        check(&["--tests"], "krate.tests");
    }

    #[test]
    fn how_faithful_the_result_is_stands_in_the_name() {
        check(&["--test", "api", "--free"], "krate.free.test-api");
        check(&["--test", "api", "free"], "krate.test-api.free");
        check(&["--free", "sums"], "krate.free.test.sums");
    }

    #[test]
    fn other_failures_than_crashes_are_in_the_name() {
        check(&["--run"], "krate.run");
        check(&["--error", "E0308"], "krate.error-e0308");
        check(&["--warning", "dead_code"], "krate.warning-dead_code");
        check(&["--rustdoc", "-p", "tool"], "tool.rustdoc");
    }

    #[test]
    fn what_the_words_leave_out_is_in_a_digest() {
        check_digest(&["--ice", "--all-features"], "krate");
        check_digest(&["--ice", "--", "-Zx"], "krate");
        check_digest(&["--ice", "--allow-errors"], "krate");
        check_digest(&["--ice", "--algorithm", "cdd"], "krate");
        check_digest(&["--ice", "-p", "tool@1.0.0"], "tool-1-0-0");
        check_digest(&["--run=a b"], "krate.run");
        check_digest(&["--error", "mismatched"], "krate.error");
        check_digest(&["--cargo", "test --doc"], "krate.cargo-test---doc");
    }

    #[test]
    fn edition_and_release_are_in_the_name() {
        check(&["--ice", "--release"], "krate.with-release");
        check(
            &["--ice", "crash.rs", "--edition", "2024"],
            "crash.edition-2024",
        );
        check(
            &["--ice", "crash.rs", "--revision", "next"],
            "crash.revision-next",
        );
    }

    #[test]
    fn a_file_is_told_from_a_package_and_from_files_elsewhere() {
        check(&["--ice", "crash.rs"], "crash");
        check(&["--ice", "./crash.rs"], "crash");
        check_digest(&["--ice", "a/crash.rs"], "crash");
        assert_ne!(
            output_of(&["--ice", "a/crash.rs"]),
            output_of(&["--ice", "b/crash.rs"])
        );
        let of_workspace = virtual_output_of(&["--ice"]);
        assert_eq!(of_workspace, "/workspace/target/reduce/krate.workspace");
    }

    #[test]
    fn no_two_requests_have_directories_that_differ_only_in_case() {
        let requests: [&[&str]; 14] = [
            &["--ice"],
            &["--test", "api"],
            &["--test", "API"],
            &["--test", "api", "sums"],
            &["--test", "api", "Sums"],
            &["--test", "api", "sums::a"],
            &["--test", "api", "sums-a"],
            &["--test", "api", "sums a"],
            &["--ice", "--test", "api"],
            &["--bin", "api"],
            &["--ice", "--features", "a"],
            &["--ice", "--features", "b"],
            &["--lib", "with-release"],
            &["--lib", "--release"],
        ];
        let mut names: Vec<String> = requests
            .iter()
            .map(|words| output_of(words).as_str().to_lowercase())
            .collect();
        names.sort();
        let number = names.len();
        names.dedup();
        assert_eq!(names.len(), number, "{names:?}");
    }
}
