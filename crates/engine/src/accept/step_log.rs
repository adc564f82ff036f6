//! The log of a reduction's steps, for whoever wants to see how the result came about: when each program
//! became the best so far, by what, and what it changed in the one before it. The texts are woven into one
//! (`weave`), so that the log needs about as much memory as the first program, however many steps follow. They are woven
//! without comments, too (`readable`), for whoever reads them.

mod kept;
mod readable;
mod weave;

pub(crate) use kept::KeptSteps;
pub(crate) use weave::{Part, Woven};

use crate::candidate::{Candidate, CompileOptions};
use camino::Utf8PathBuf;
use readable::Readable;
use reduce_syntax::{Comments, SourceTree};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;
use weave::Weave;

/// The number of bytes above which only the first lines of a deleted text are kept.
const LONGEST_TEXT: usize = 16_000;
/// The largest number of bytes of deleted texts that are kept. Beyond that the oldest programs are
/// forgotten.
const MOST_BYTES: usize = 16_000_000;

/// The largest size in bytes of a program that somebody may read.
const LONGEST_READ: u64 = 1_000_000;

/// The occasion at which a program became the best so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Occasion {
    /// The program is the input.
    Input,
    /// The program is the prepared input with which the search begins: a failing test without what comes after its
    /// failure.
    Begun,
    /// The program was accepted as the step with this number.
    Accepted(u64),
    /// An interrupted job goes on from the step with this number.
    Resumed(u64),
    /// A person's edit has become the step with this number.
    Adopted(u64),
    /// The program is another form of the one before, or an earlier program again: no step.
    Form,
}

/// An entry of the log: a program that was the best so far, and what made it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LoggedState {
    pub(crate) occasion: Occasion,
    /// The name of the pass or stage that has made the program.
    pub(crate) pass: String,
    /// The size of the program in tokens.
    pub(crate) tokens: u64,
    /// The number of queries that the search had made when the program was accepted, with those whose verdict was known
    /// already, so that it is the same in a search that has all verdicts from an earlier one.
    pub(crate) queries: u64,
    /// The time from the request until the program was accepted.
    pub(crate) elapsed: Duration,
}

/// The compile options with which a program of the log was asked about, and its files.
#[derive(Debug, Clone)]
struct Setting {
    compile_options: CompileOptions,
    paths: Arc<BTreeSet<Utf8PathBuf>>,
}

/// The programs that were the best so far, one after the other.
#[derive(Debug)]
pub(crate) struct StepLog {
    states: Vec<LoggedState>,
    settings: Vec<Setting>,
    weave: Weave,
    readable: [Readable; 2],
    last: SourceTree,
}

impl StepLog {
    /// Makes a log that begins with the input, with these compile options.
    pub(crate) fn new(input: &SourceTree, compile_options: &CompileOptions) -> Self {
        let state = LoggedState {
            occasion: Occasion::Input,
            pass: String::new(),
            tokens: input.count_tokens(),
            queries: 0,
            elapsed: Duration::ZERO,
        };
        Self {
            states: vec![state],
            settings: vec![Setting {
                compile_options: compile_options.clone(),
                paths: paths_of(input),
            }],
            weave: Weave::new(input, LONGEST_TEXT),
            readable: [Comments::Absent, Comments::Doc]
                .map(|comments| Readable::new(input, comments)),
            last: input.clone(),
        }
    }

    /// Adds the program with which the search begins, if it is not the input, before any other
    /// program.
    pub(crate) fn begin(&mut self, candidate: &Candidate, elapsed: Duration) {
        let tree = &candidate.tree;
        if *tree != self.last {
            let state = LoggedState {
                occasion: Occasion::Begun,
                pass: String::new(),
                tokens: tree.count_tokens(),
                queries: 0,
                elapsed,
            };
            self.push(state, candidate);
        }
    }

    /// Adds a program to the log. A step may leave its text as it was, such as one that leaves out a flag. What
    /// has neither another text nor is a step is not added.
    pub(crate) fn push(&mut self, state: LoggedState, candidate: &Candidate) {
        let tree = &candidate.tree;
        if state.occasion == Occasion::Form && *tree == self.last {
            return;
        }
        self.weave.advance(&self.last, tree);
        self.weave.keep_below(MOST_BYTES);
        for readable in &mut self.readable {
            readable.advance(&self.last, tree);
        }
        self.states.push(state);
        self.settings.push(Setting {
            compile_options: candidate.compile_options.clone(),
            paths: self.paths_of(tree),
        });
        self.last = tree.clone();
    }

    /// Returns the paths of a program, which most programs share with the one before.
    fn paths_of(&self, tree: &SourceTree) -> Arc<BTreeSet<Utf8PathBuf>> {
        let paths = paths_of(tree);
        let before = self.settings.last().map(|setting| &setting.paths);
        before
            .filter(|before| **before == paths)
            .cloned()
            .unwrap_or(paths)
    }

    /// Returns all programs that were the best so far, from the input to the last one.
    pub(crate) fn states(&self) -> &[LoggedState] {
        &self.states
    }

    /// Returns the logged programs in the form that is written to `steps.json`, so that another
    /// search can begin with one of them.
    pub(crate) fn kept(&self) -> KeptSteps {
        let steps = self.states.iter().zip(&self.settings);
        let steps = steps.map(|(state, setting)| {
            let Setting {
                compile_options,
                paths,
            } = setting;
            (
                state.pass.as_str(),
                state.tokens,
                paths.as_ref(),
                compile_options,
            )
        });
        let root = self.last.path(self.last.root());
        KeptSteps::new(root, &self.woven(), steps)
    }

    /// Returns the texts of all logged programs, woven into one.
    fn woven(&self) -> Woven {
        self.weave.finish(&self.last)
    }

    /// Returns the texts of all logged programs, without the kinds of comments (`//`, `///`) that the last program does
    /// not have; with all where the last program is so long that nobody reads it.
    pub(crate) fn woven_for_readers(&self) -> Woven {
        if self.last.count_bytes() > LONGEST_READ {
            return self.woven();
        }
        let texts = self.last.files().map(|(_, _, text)| Comments::of(text));
        let comments = texts.max().unwrap_or(Comments::Absent);
        let readable = self
            .readable
            .iter()
            .find(|readable| readable.comments() == comments);
        readable.map_or_else(|| self.woven(), Readable::woven)
    }
}

fn paths_of(tree: &SourceTree) -> Arc<BTreeSet<Utf8PathBuf>> {
    let paths = tree.files().map(|(_, path, _)| path.to_owned());
    Arc::new(paths.collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::failure::FailureKind;
    use camino::Utf8Path;

    fn tree(text: &str) -> SourceTree {
        SourceTree::single("lib.rs".into(), Arc::from(text))
    }

    fn candidate(text: &str) -> Candidate {
        Candidate {
            tree: tree(text),
            compile_options: CompileOptions::default(),
        }
    }

    fn state(occasion: Occasion) -> LoggedState {
        LoggedState {
            occasion,
            pass: "delete_items".to_owned(),
            tokens: 1,
            queries: 1,
            elapsed: Duration::ZERO,
        }
    }

    #[test]
    fn what_the_search_begins_with_is_there_if_it_is_not_the_input() {
        let mut log = StepLog::new(&tree("a; b;"), &CompileOptions::default());
        log.begin(&candidate("a; b;"), Duration::ZERO);
        assert_eq!(log.states().len(), 1);
        log.begin(&candidate("a;"), Duration::ZERO);
        assert_eq!(log.states().len(), 2);
        assert_eq!(log.states()[1].occasion, Occasion::Begun);
    }

    #[test]
    fn a_step_that_leaves_the_text_as_it_was_is_there_and_the_same_in_another_form_is_not() {
        let mut log = StepLog::new(&tree("a; b;"), &CompileOptions::default());
        log.push(state(Occasion::Accepted(1)), &candidate("a;"));
        log.push(state(Occasion::Accepted(2)), &candidate("a;"));
        log.push(state(Occasion::Form), &candidate("a;"));
        log.push(state(Occasion::Form), &candidate("a ;"));
        assert_eq!(log.states().len(), 4);
        let texts = (0..4).map(|number| log.woven().text(number, "lib.rs".into()));
        assert_eq!(texts.collect::<Vec<_>>(), ["a; b;", "a;", "a;", "a ;"]);
    }

    #[track_caller]
    fn check_for_readers(programs: &[&str], expected: &[&str]) {
        let programs = programs.iter().map(|text| candidate(text));
        let woven = log(&programs.collect::<Vec<_>>()).woven_for_readers();
        let texts = (0..expected.len()).map(|number| woven.text(number, "lib.rs".into()));
        assert_eq!(texts.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn readers_see_no_comment_of_a_kind_that_the_last_program_has_none_of() {
        check_for_readers(
            &["/// a\n// b\na; b; // c\n", "// b\na; // c\n", "a;\n"],
            &["a; b;\n", "a;\n", "a;\n"],
        );
        check_for_readers(
            &[
                "/// a\n// b\na; b; // c\n",
                "/// a\n// b\na;\n",
                "/// a\na;\n",
            ],
            &["/// a\na; b;\n", "/// a\na;\n", "/// a\na;\n"],
        );
        check_for_readers(&["a; // b\nc;", "a; // b\n"], &["a; // b\nc;", "a; // b\n"]);
    }

    #[test]
    fn readers_see_no_comment_of_a_file_that_came_or_went() {
        let programs = [
            program(&[("lib.rs", "mod a; // a\n"), ("a.rs", "// b\nfn g() {}\n")]),
            program(&[("lib.rs", "mod a {\n// b\nfn g() {}\n}\n")]),
            program(&[("lib.rs", "mod c;\n"), ("c.rs", "// d\n fn f() {}\n")]),
            program(&[("lib.rs", "mod c;\n"), ("c.rs", "fn f() {}\n")]),
        ];
        let woven = log(&programs).woven_for_readers();
        let all = |number| ["lib.rs", "a.rs", "c.rs"].map(|path| woven.text(number, path.into()));
        assert_eq!(all(0), ["mod a;\n", "fn g() {}\n", ""]);
        assert_eq!(all(1), ["mod a {\nfn g() {}\n}\n", "", ""]);
        assert_eq!(all(2), ["mod c;\n", "", " fn f() {}\n"]);
        assert_eq!(all(3), ["mod c;\n", "", "fn f() {}\n"]);
    }

    fn program(files: &[(&str, &str)]) -> Candidate {
        let files = files
            .iter()
            .map(|(path, text)| ((*path).into(), Arc::from(*text)));
        Candidate {
            tree: SourceTree::from_files("lib.rs".into(), files).unwrap(),
            compile_options: CompileOptions::default(),
        }
    }

    fn log(programs: &[Candidate]) -> StepLog {
        let mut log = StepLog::new(&programs[0].tree, &programs[0].compile_options);
        for (number, program) in (1..).zip(&programs[1..]) {
            let state = LoggedState {
                occasion: Occasion::Accepted(number),
                pass: "delete_items".to_owned(),
                tokens: program.tree.count_tokens(),
                queries: number,
                elapsed: Duration::ZERO,
            };
            log.push(state, program);
        }
        log
    }

    #[test]
    fn each_step_that_was_kept_is_read_as_it_was() {
        let mut programs = vec![
            program(&[("lib.rs", "mod a;\nfn f() {}\n"), ("a.rs", "fn g() {}\n")]),
            program(&[("lib.rs", "mod a;\n"), ("a.rs", "fn g() {}\n")]),
            program(&[("lib.rs", "mod a;\n"), ("a.rs", "")]),
            program(&[("lib.rs", "")]),
        ];
        programs[3].compile_options.is_main = true;
        let directory = tempfile::tempdir().unwrap();
        let path = Utf8Path::from_path(directory.path()).unwrap();
        let json = serde_json::to_vec(&log(&programs).kept()).unwrap();
        std::fs::write(path.join(KeptSteps::FILE), json).unwrap();
        let steps = KeptSteps::read(path).unwrap();
        assert_eq!(steps.len(), programs.len());
        for (number, program) in programs.iter().enumerate() {
            assert_eq!(steps.program(number).as_ref(), Some(program), "{number}");
        }
        assert_eq!(steps.program(4), None);
        assert_eq!(steps.first_whole(), Some(0));
    }

    #[test]
    fn a_step_of_which_a_part_is_left_out_is_none_to_begin_with() {
        let long = format!("fn f() {{}}\n{}", "fn g() {}\n".repeat(4_000));
        let programs = [&long, "fn f() {}\n", ""].map(|text| program(&[("lib.rs", text)]));
        let steps = log(&programs).kept();
        assert_eq!(steps.program(0), None);
        assert_eq!(steps.first_whole(), Some(1));
    }

    #[test]
    fn a_directory_without_steps_is_bad_input() {
        let directory = tempfile::tempdir().unwrap();
        let path = Utf8Path::from_path(directory.path()).unwrap();
        let failure = KeptSteps::read(path).unwrap_err();
        assert_eq!(failure.kind, FailureKind::BadInput);
        std::fs::write(path.join(KeptSteps::FILE), "{").unwrap();
        assert!(KeptSteps::read(path).is_err());
    }
}
