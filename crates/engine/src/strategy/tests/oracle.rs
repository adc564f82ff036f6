//! An oracle that is a closure, as slow as a test wants it.

use crate::answer::{Answer, Timing};
use crate::ask::Crates;
use crate::ask::{CompilerTools, JobFacts, JudgedAnew, Oracle, Questioner, Told, expecting};
use crate::candidate::{Candidate, CompileOptions};
use crate::decider::Decider;
use crate::failure::Failure;
use crate::store::Digest;
use reduce_gather::Edition;
use reduce_model::{CompilerNames, HirLines, Lack, Position, ThirLines};
use reduce_oracle::{Cancel, Comparison, Expectation, Late, TimeSpent, Verdict};
use reduce_passes::{Carved, Carving};
use reduce_syntax::{Edit, EditSet};
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

type Property = dyn Fn(&Candidate) -> Verdict + Send + Sync;
/// From a text to another, where that is possible.
type Printer = dyn Fn(&str) -> Option<String> + Send + Sync;

/// The printouts of a text by a scripted compiler: definitions, and bodies.
type CallPrinter = dyn Fn(&str) -> Option<[String; 2]> + Send + Sync;

/// The comparison by which a program fails with a scripted good version.
type Comparer = dyn Fn(&str) -> Option<Comparison> + Send + Sync;

/// The errors of a text by a scripted compiler.
type Teller = dyn Fn(&str) -> Option<Vec<Lack>> + Send + Sync;

/// The places of dead names in a text, and those of errors, by a scripted compiler.
type Linter = dyn Fn(&str) -> [Vec<usize>; 2] + Send + Sync;

/// The blocks of a text that no run enters.
type Coverage = dyn Fn(&str) -> Vec<Range<usize>> + Send + Sync;

/// The judgement about a test that was written anew.
type Judge = dyn Fn(&Candidate) -> Option<JudgedAnew> + Send + Sync;

/// The judgement about a smaller program.
type AgainJudge = dyn Fn(&Candidate) -> Option<Candidate> + Send + Sync;

/// The CPU time that a candidate takes.
type Duty = dyn Fn(&Candidate) -> Duration + Send + Sync;

/// An oracle that answers with a closure.
pub(super) struct ClosureOracle {
    property: Arc<Property>,
    asked: Arc<AtomicU64>,
    /// The largest number of rounds of work that precede an answer.
    slowness: u64,
    allowed_errors: BTreeSet<String>,
    expand: Box<Printer>,
    format: Box<Printer>,
    names: Box<Printer>,
    errors: Box<Teller>,
    calls: Box<CallPrinter>,
    crates: Option<Crates>,
    test: Option<String>,
    cpu: Option<Arc<Duty>>,
    compare: Option<Box<Comparer>>,
    lint: Option<Box<Linter>>,
    unentered: Box<Coverage>,
    carved: Vec<&'static str>,
    judge: Option<Box<Judge>>,
    judge_again: Box<AgainJudge>,
    edition: &'static str,
    ignores_lone_names: bool,
}

struct ClosureQuestioner {
    property: Arc<Property>,
    asked: Arc<AtomicU64>,
    slowness: u64,
    cpu: Option<Arc<Duty>>,
}

impl ClosureOracle {
    pub(super) fn new(property: impl Fn(&Candidate) -> Verdict + Send + Sync + 'static) -> Self {
        Self {
            property: Arc::new(property),
            asked: Arc::default(),
            slowness: 0,
            allowed_errors: BTreeSet::new(),
            expand: Box::new(|_| None),
            format: Box::new(|_| None),
            names: Box::new(|_| None),
            errors: Box::new(|_| None),
            calls: Box::new(|_| None),
            crates: None,
            test: None,
            cpu: None,
            compare: None,
            lint: None,
            unentered: Box::new(|_| Vec::new()),
            carved: Vec::new(),
            judge: None,
            judge_again: Box::new(|_| None),
            edition: "2021",
            ignores_lone_names: false,
        }
    }

    /// Adds errors that the baseline has.
    pub(super) fn allowing(self, errors: &[&str]) -> Self {
        let allowed_errors = errors.iter().map(|error| (*error).to_owned()).collect();
        Self {
            allowed_errors,
            ..self
        }
    }

    /// Adds crates that the program may be linked with.
    pub(super) fn linking(self, crates: Crates) -> Self {
        let crates = Some(crates);
        Self { crates, ..self }
    }

    /// Makes the oracle that of a failing test of this name.
    pub(super) fn testing(self, test: &str) -> Self {
        let test = Some(test.to_owned());
        Self { test, ..self }
    }

    /// Adds a guard that judges smaller programs again.
    pub(super) fn judging_again(
        self,
        judge_again: impl Fn(&Candidate) -> Option<Candidate> + Send + Sync + 'static,
    ) -> Self {
        let judge_again = Box::new(judge_again);
        Self {
            judge_again,
            ..self
        }
    }

    /// Adds a compiler that expands macros: from the root's text to that of the program.
    pub(super) fn expanding(
        self,
        expand: impl Fn(&str) -> Option<String> + Send + Sync + 'static,
    ) -> Self {
        let expand = Box::new(expand);
        Self { expand, ..self }
    }

    /// Adds a compiler that prints what names mean: from the root's text to what `-Zunpretty=hir-tree` prints.
    pub(super) fn naming(
        self,
        names: impl Fn(&str) -> Option<String> + Send + Sync + 'static,
    ) -> Self {
        let names = Box::new(names);
        Self { names, ..self }
    }

    /// Adds a compiler that says which errors a text has.
    pub(super) fn saying_errors(
        self,
        errors: impl Fn(&str) -> Option<Vec<Lack>> + Send + Sync + 'static,
    ) -> Self {
        let errors = Box::new(errors);
        Self { errors, ..self }
    }

    /// Adds a compiler that prints which functions bodies call: from the root's text to what `-Zunpretty=hir-tree` prints,
    /// and `-Zunpretty=thir-flat`.
    pub(super) fn printing_calls(
        self,
        calls: impl Fn(&str) -> Option<[String; 2]> + Send + Sync + 'static,
    ) -> Self {
        let calls = Box::new(calls);
        Self { calls, ..self }
    }

    /// Adds a good version, by which a program fails so.
    pub(super) fn comparing(
        self,
        compare: impl Fn(&str) -> Option<Comparison> + Send + Sync + 'static,
    ) -> Self {
        let compare: Option<Box<Comparer>> = Some(Box::new(compare));
        Self { compare, ..self }
    }

    /// Adds runs that do not enter these blocks.
    pub(super) fn entering_all_but(
        self,
        unentered: impl Fn(&str) -> Vec<Range<usize>> + Send + Sync + 'static,
    ) -> Self {
        Self {
            unentered: Box::new(unentered),
            ..self
        }
    }

    /// Makes the oracle one of programs that are run, with a compiler that says where dead names
    /// and errors are.
    pub(super) fn linting(
        self,
        lint: impl Fn(&str) -> [Vec<usize>; 2] + Send + Sync + 'static,
    ) -> Self {
        let lint: Option<Box<Linter>> = Some(Box::new(lint));
        Self { lint, ..self }
    }

    /// Makes verdicts independent of names that stand once.
    pub(super) fn ignoring_lone_names(self) -> Self {
        Self {
            ignores_lone_names: true,
            ..self
        }
    }

    /// Makes the oracle that of a program of this edition.
    pub(super) fn in_edition(self, edition: &'static str) -> Self {
        Self { edition, ..self }
    }

    /// Adds a formatter.
    pub(super) fn formatting(
        self,
        format: impl Fn(&str) -> Option<String> + Send + Sync + 'static,
    ) -> Self {
        let format = Box::new(format);
        Self { format, ..self }
    }

    /// Has the test be written anew in these forms, which are judged like this.
    pub(super) fn carving(
        self,
        forms: &[&'static str],
        judge: impl Fn(&Candidate) -> Option<JudgedAnew> + Send + Sync + 'static,
    ) -> Self {
        let judge: Option<Box<Judge>> = Some(Box::new(judge));
        let carved = forms.to_vec();
        Self {
            carved,
            judge,
            ..self
        }
    }

    /// Has each candidate take so much CPU time, and stops it when that is too much.
    pub(super) fn taking(
        self,
        cpu: impl Fn(&Candidate) -> Duration + Send + Sync + 'static,
    ) -> Self {
        let cpu: Option<Arc<Duty>> = Some(Arc::new(cpu));
        Self { cpu, ..self }
    }

    /// Has each answer take its own time, which depends on the candidate alone.
    pub(super) fn slow(self) -> Self {
        let slowness = 1 << 17;
        Self { slowness, ..self }
    }

    fn linted(&self, candidate: &Candidate, which: usize) -> Option<Vec<Position>> {
        let root = candidate.tree.root();
        let lint = self.lint.as_ref()?;
        let places = &lint(candidate.tree.text(root))[which];
        let positions = places.iter().map(|&at| Position::new(root, at));
        Some(positions.collect())
    }

    /// Questions that were put to the closure so far.
    pub(super) fn asked(&self) -> u64 {
        self.asked.load(Ordering::SeqCst)
    }
}

impl Oracle for ClosureOracle {
    fn questioner(&self, _worker: usize) -> Result<Box<dyn Questioner>, Failure> {
        Ok(Box::new(ClosureQuestioner {
            property: self.property.clone(),
            asked: self.asked.clone(),
            slowness: self.slowness,
            cpu: self.cpu.clone(),
        }))
    }

    fn usual(&self) -> Option<TimeSpent> {
        self.cpu.as_ref().map(|_| TimeSpent::default())
    }

    fn digest(&self, compile_options: &CompileOptions) -> Digest {
        *blake3::hash(format!("{compile_options:?}").as_bytes()).as_bytes()
    }
}

impl JobFacts for ClosureOracle {
    fn allowed_errors(&self) -> BTreeSet<String> {
        self.allowed_errors.clone()
    }

    fn test(&self) -> Option<String> {
        self.test.clone()
    }

    fn crates(&self) -> Option<&Crates> {
        self.crates.as_ref()
    }

    fn edition(&self, compile_options: &CompileOptions) -> Option<Edition> {
        let edition = compile_options.linkage.edition.as_deref();
        edition.unwrap_or(self.edition).parse().ok()
    }

    fn ignores_lone_names(&self) -> bool {
        self.ignores_lone_names
    }

    fn runs_programs(&self) -> bool {
        self.lint.is_some()
    }

    fn knows_right_values(&self) -> bool {
        self.compare.is_some()
    }
}

impl CompilerTools for ClosureOracle {
    fn expand(&self, candidate: &Candidate, _cancel: &Cancel) -> Result<Option<String>, Failure> {
        let tree = &candidate.tree;
        Ok((self.expand)(tree.text(tree.root())))
    }

    fn names(&self, candidate: &Candidate, _cancel: &Cancel) -> Result<CompilerNames, Failure> {
        let tree = &candidate.tree;
        let printed = (self.names)(tree.text(tree.root())).unwrap_or_default();
        let mut lines = HirLines::default();
        printed.lines().for_each(|line| lines.read(line));
        Ok(lines.names(|path| tree.find(path.as_ref())))
    }

    fn errors(&self, candidate: &Candidate, _cancel: &Cancel) -> Result<Option<Told>, Failure> {
        let tree = &candidate.tree;
        let errors = (self.errors)(tree.text(tree.root()));
        Ok(errors.map(|errors| Told {
            errors,
            ..Told::default()
        }))
    }

    fn calls(&self, candidate: &Candidate, _cancel: &Cancel) -> Result<CompilerNames, Failure> {
        let tree = &candidate.tree;
        let Some([definitions, bodies]) = (self.calls)(tree.text(tree.root())) else {
            return Ok(CompilerNames::default());
        };
        let (mut of_definitions, mut of_bodies) = (HirLines::default(), ThirLines::default());
        definitions
            .lines()
            .for_each(|line| of_definitions.read(line));
        bodies.lines().for_each(|line| of_bodies.read(line));
        let names = of_definitions.names(|path| tree.find(path.as_ref()));
        Ok(names.with_bodies(of_bodies))
    }

    fn carved(&self, candidate: &Candidate, _: &Cancel) -> Result<Carving, Failure> {
        let forms = self.carved.iter().map(|text| {
            let mut tree = candidate.tree.clone();
            tree.set_text(tree.root(), Arc::from(*text));
            Carved {
                tree,
                n_calls: 1,
                keeps_branches: true,
                expects_anew: text.starts_with("fn anew"),
            }
        });
        Ok(Carving {
            forms: forms.collect(),
            obstacle: None,
        })
    }

    fn expecting_anew(
        &self,
        candidate: &Candidate,
        _cancel: &Cancel,
    ) -> Result<Option<JudgedAnew>, Failure> {
        let tree = &candidate.tree;
        let compare = self.compare.as_ref();
        let failed = compare.and_then(|compare| compare(tree.text(tree.root())));
        let expected = failed.and_then(|failed| expecting(tree, &failed));
        let expected = candidate.with_tree(expected.unwrap_or_else(|| tree.clone()));
        match &self.judge {
            Some(judge) => Ok(judge(&expected)),
            None => Ok(Some(JudgedAnew::as_it_is(&expected))),
        }
    }

    fn judged_anew(
        &self,
        candidate: &Candidate,
        _: &Cancel,
    ) -> Result<Option<JudgedAnew>, Failure> {
        Ok(self.judge.as_ref().and_then(|judge| judge(candidate)))
    }

    fn judged_again(&self, smaller: &Candidate, _: &Cancel) -> Result<Option<Candidate>, Failure> {
        Ok((self.judge_again)(smaller))
    }

    fn unentered(&self, candidate: &Candidate, _: &Cancel) -> Result<Vec<EditSet>, Failure> {
        let root = candidate.tree.root();
        let unentered = (self.unentered)(candidate.tree.text(root)).into_iter();
        let changes = unentered.map(|bytes| {
            let mut edits = EditSet::new();
            edits.add(Edit::replace(root, &bytes, "{ loop {} }"));
            edits
        });
        Ok(changes.collect())
    }

    fn dead_names(&self, candidate: &Candidate, _: &Cancel) -> Result<Vec<Position>, Failure> {
        Ok(self.linted(candidate, 0).unwrap_or_default())
    }

    fn error_places(
        &self,
        candidate: &Candidate,
        _: &Cancel,
    ) -> Result<Option<Vec<Position>>, Failure> {
        Ok(self.linted(candidate, 1))
    }

    fn format(&self, text: &str, _cancel: &Cancel) -> Result<Option<String>, Failure> {
        Ok((self.format)(text))
    }
}

impl Questioner for ClosureQuestioner {
    fn ask(
        &mut self,
        candidate: &Candidate,
        expectation: Expectation,
        cancel: &Cancel,
    ) -> Result<Answer, Failure> {
        self.asked.fetch_add(1, Ordering::SeqCst);
        let verdict = match self.dawdle(candidate, cancel) {
            true => (self.property)(candidate),
            false => Verdict::Cancelled,
        };
        let spent = TimeSpent {
            compiling: self
                .cpu
                .as_ref()
                .map_or(Duration::ZERO, |cpu| cpu(candidate)),
            ..TimeSpent::default()
        };
        let budget = expectation.budget(TimeSpent::default());
        let is_late = spent.compiling > budget.compiling && verdict != Verdict::Cancelled;
        let (verdict, stage) = match is_late {
            true => (Verdict::TimedOut, Decider::Deadline),
            false => (verdict, Decider::End),
        };
        Ok(Answer {
            timing: Timing {
                late: is_late.then_some(Late::Cpu),
                spent,
                expectation,
                is_asked_again: false,
            },
            ..Answer::free(verdict, stage)
        })
    }
}

impl ClosureQuestioner {
    /// Works as long as the candidate's digest says; `false` if that was cancelled.
    fn dawdle(&self, candidate: &Candidate, cancel: &Cancel) -> bool {
        let [first, second, ..] = candidate.tree.digest();
        // A few are very slow, most are fast.
        let share = u64::from(first) * u64::from(first) * u64::from(second % 8);
        let rounds = self.slowness * share / (255 * 255 * 7);
        (0..rounds).all(|round| {
            std::hint::black_box(round);
            !cancel.is_cancelled()
        })
    }
}
