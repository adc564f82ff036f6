//! The figures of a search, with a closure in place of the compiler.

use super::Proposals;
use crate::answer::Answer;
use crate::ask::Pool;
use crate::ask::{CompilerTools, JobFacts, Oracle, Questioner, Refusals, Side};
use crate::candidate::{Candidate, CompileOptions};
use crate::control::Control;
use crate::decider::Decider;
use crate::failure::Failure;
use crate::figures::KindStatistics;
use crate::output::OutputDirectory;
use crate::propose::Together;
use crate::request::{Budget, Stage};
use crate::session::{Figures, Session, Tools, run_wide};
use crate::store::{Digest, Kept, MemoryStore, Store};
use camino::{Utf8Path, Utf8PathBuf};
use reduce_algorithms::{Replacement, Tmin};
use reduce_oracle::{Cancel, Expectation, Verdict};
use reduce_syntax::SourceTree;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

const JOB: Digest = [3; 32];

/// The number of functions in a program, of which those are needed whose number can be divided by
/// 3.
const FUNCTIONS: usize = 8;

struct EveryThird;

impl Oracle for EveryThird {
    fn questioner(&self, _worker: usize) -> Result<Box<dyn Questioner>, Failure> {
        Ok(Box::new(Self))
    }

    fn digest(&self, _compile_options: &CompileOptions) -> Digest {
        [0; 32]
    }
}

impl JobFacts for EveryThird {}

impl CompilerTools for EveryThird {}

impl Questioner for EveryThird {
    fn ask(
        &mut self,
        candidate: &Candidate,
        _expectation: Expectation,
        _cancel: &Cancel,
    ) -> Result<Answer, Failure> {
        let text = candidate.tree.text(candidate.tree.root());
        let mut needed = (0..FUNCTIONS).step_by(3);
        let verdict = match needed.all(|number| text.contains(&function(number))) {
            true => Verdict::Interesting,
            false => Verdict::Compiles,
        };
        Ok(Answer::free(verdict, Decider::End))
    }
}

fn function(number: usize) -> String {
    format!("fn f{number}() {{}}\n")
}

fn program(is_kept: impl Fn(usize) -> bool) -> Candidate {
    let text: String = (0..FUNCTIONS)
        .filter(|n| is_kept(*n))
        .map(function)
        .collect();
    let files = [(Utf8PathBuf::from("lib.rs"), Arc::from(text))];
    Candidate {
        tree: SourceTree::from_files(Utf8Path::new("lib.rs"), files).unwrap(),
        compile_options: CompileOptions::default(),
    }
}

/// Takes the functions out one by one; the even ones are another kind than the odd ones.
struct OneByOne {
    gone: Vec<usize>,
}

impl Proposals<Replacement> for OneByOne {
    fn candidate(&self, proposal: &Replacement) -> Candidate {
        program(|number| number != proposal.element && !self.gone.contains(&number))
    }

    fn kind(&self, proposal: &Replacement) -> &'static str {
        ["even", "odd"][proposal.element % 2]
    }

    fn accepted(&mut self, proposal: &Replacement, _program: &Candidate) {
        self.gone.push(proposal.element);
    }
}

impl Together<Replacement> for OneByOne {
    fn together(&self, proposals: &[Replacement]) -> Candidate {
        let is_gone = |number: usize| proposals.iter().any(|one| one.element == number);
        program(|number| !is_gone(number) && !self.gone.contains(&number))
    }

    fn accepted_together(&mut self, proposals: &[Replacement], _program: &Candidate) {
        self.gone.extend(proposals.iter().map(|one| one.element));
    }
}

fn figures(jobs: usize, store: Option<&dyn Store>) -> Figures {
    figures_of(&EveryThird, jobs, store)
}

fn figures_of(oracle: &dyn Oracle, jobs: usize, store: Option<&dyn Store>) -> Figures {
    figures_within(oracle, jobs, store, Budget::default())
}

fn figures_within(
    oracle: &dyn Oracle,
    jobs: usize,
    store: Option<&dyn Store>,
    budget: Budget,
) -> Figures {
    let temporary = tempfile::tempdir().unwrap();
    let path = Utf8Path::from_path(temporary.path()).unwrap();
    let output = OutputDirectory::open(path, &JOB).unwrap();
    let control = Control::alone().unwrap();
    let cancel = control.cancel.clone();
    std::thread::scope(|scope| {
        let pool = Pool::start(scope, oracle, jobs, &control.turns).unwrap();
        let tools = Tools {
            watch: &crate::watch::Blind,
            oracle,
            kept: Kept::new(store, &output, JOB, &|_| {}),
            emit: &|_| {},
            control: &control,
            cancel: &cancel,
            budget,
            output: &output,
            jobs,
            width: 1,
            started: crate::clock::Clock::start(&crate::Pauses::default()),
        };
        let mut session = Session::new(tools, pool, program(|_| true), 100);
        session.start_stage(Stage::VerifyMinimal, 1);
        let proposals = OneByOne { gone: vec![] };
        run_wide(&mut session, Tmin::new(vec![1; FUNCTIONS]), proposals).unwrap();
        session.ledger.figures().clone()
    })
}

fn kind(kind: &str, queries: u64, accepted: u64) -> KindStatistics {
    let kind = kind.to_owned();
    KindStatistics {
        kind,
        queries,
        accepted,
    }
}

#[test]
fn queries_are_counted_by_kind() {
    let figures = figures(1, None);
    // Each of 0 to 7 is tried; 0, 3 and 6, which are needed, once more when all others are gone.
    assert_eq!(figures.kinds, [kind("even", 6, 2), kind("odd", 5, 3)]);
    assert_eq!((figures.queries, figures.steps), (11, 5));
}

#[test]
fn the_kinds_do_not_depend_on_the_number_of_workers() {
    assert_eq!(figures(4, None).kinds, figures(1, None).kinds);
}

#[test]
fn what_an_earlier_run_has_answered_is_no_query_of_any_kind() {
    let store = MemoryStore::default();
    let first = figures(1, Some(&store));
    let second = figures(1, Some(&store));
    assert!(first.queries > 0);
    assert_eq!((second.queries, second.kinds), (0, vec![]));
}

/// A compiler that is replaced while it answers the fourth question. The one in its place crashes on everything, or cannot
/// be started.
#[derive(Clone)]
struct Replaced {
    asked: Arc<AtomicUsize>,
    can_start: bool,
}

impl Replaced {
    const BEFORE: usize = 3;

    fn new(can_start: bool) -> Self {
        let asked = Arc::default();
        Self { asked, can_start }
    }
}

impl Oracle for Replaced {
    fn questioner(&self, _worker: usize) -> Result<Box<dyn Questioner>, Failure> {
        Ok(Box::new(self.clone()))
    }

    fn digest(&self, _compile_options: &CompileOptions) -> Digest {
        [0; 32]
    }

    fn has_changed(&self) -> bool {
        self.asked.load(Ordering::SeqCst) > Self::BEFORE
    }
}

impl JobFacts for Replaced {}

impl CompilerTools for Replaced {}

impl Questioner for Replaced {
    fn ask(
        &mut self,
        candidate: &Candidate,
        expectation: Expectation,
        cancel: &Cancel,
    ) -> Result<Answer, Failure> {
        if self.asked.fetch_add(1, Ordering::SeqCst) < Self::BEFORE {
            return EveryThird.ask(candidate, expectation, cancel);
        }
        match self.can_start {
            true => Ok(Answer::free(Verdict::Interesting, Decider::End)),
            false => Err(Failure::environment("failed to start the compiler")),
        }
    }
}

#[test]
fn no_verdict_of_a_compiler_that_was_replaced_is_used_or_kept() {
    for can_start in [true, false] {
        let store = MemoryStore::default();
        let replaced = Replaced::new(can_start);
        let stopped = figures_of(&replaced, 1, Some(&store));
        assert_eq!((stopped.queries, stopped.steps), (3, 2));
        assert_eq!(replaced.asked.load(Ordering::SeqCst), Replaced::BEFORE + 1);
        let whole = figures(1, Some(&store));
        assert_eq!((whole.queries, whole.cache_hits, whole.steps), (8, 3, 5));
    }
}

/// Needs the functions from 2 on; without one of them that is odd a program does not compile, which is seen beside others.
struct FromTwo {
    has_joint_compilations: bool,
    /// Whether joint compilations tell what is interesting too.
    accepts: bool,
}

impl FromTwo {
    fn lacks(candidate: &Candidate, mut numbers: impl Iterator<Item = usize>) -> bool {
        let text = candidate.tree.text(candidate.tree.root());
        numbers.any(|number| !text.contains(&function(number)))
    }
}

impl Oracle for FromTwo {
    fn questioner(&self, _worker: usize) -> Result<Box<dyn Questioner>, Failure> {
        Ok(Box::new(Self { ..*self }))
    }

    fn digest(&self, _compile_options: &CompileOptions) -> Digest {
        [0; 32]
    }

    fn accepts_jointly(&self, _compile_options: &CompileOptions) -> bool {
        self.accepts
    }

    fn refused_jointly(
        &self,
        _base: &Candidate,
        candidates: &[&Candidate],
        _side: Side,
        _cancel: &Cancel,
    ) -> Result<Refusals, Failure> {
        let odd = || (3..FUNCTIONS).step_by(2);
        let faulty = (0..candidates.len()).filter(|idx| Self::lacks(candidates[*idx], odd()));
        let all = 0..candidates.len();
        let interesting = all.filter(|idx| !Self::lacks(candidates[*idx], 2..FUNCTIONS));
        Ok(match self.has_joint_compilations {
            true => Refusals {
                candidates: faulty.map(|idx| (idx, Verdict::Compiles)).collect(),
                accepted: interesting.filter(|_| self.accepts).collect(),
                is_sound: true,
                compiler_runs: 1,
                ..Refusals::default()
            },
            false => Refusals::default(),
        })
    }
}

impl JobFacts for FromTwo {}

impl CompilerTools for FromTwo {}

impl Questioner for FromTwo {
    fn ask(
        &mut self,
        candidate: &Candidate,
        _expectation: Expectation,
        _cancel: &Cancel,
    ) -> Result<Answer, Failure> {
        let verdict = match Self::lacks(candidate, 2..FUNCTIONS) {
            true => Verdict::Compiles,
            false => Verdict::Interesting,
        };
        Ok(Answer::free(verdict, Decider::End))
    }
}

fn figures_from_two(has_joint_compilations: bool, jobs: usize) -> Figures {
    let oracle = FromTwo {
        has_joint_compilations,
        accepts: false,
    };
    figures_of(&oracle, jobs, None)
}

#[test]
fn candidates_with_errors_are_decided_together() {
    let (alone, together) = (figures_from_two(false, 1), figures_from_two(true, 1));
    assert_eq!(alone.kinds, [kind("even", 4, 1), kind("odd", 4, 1)]);
    // 0, 1 and 2 one by one, and of the others only those that have no error.
    let joint = kind("joint compilation", 1, 0);
    assert_eq!(
        together.kinds,
        [kind("even", 4, 1), kind("odd", 1, 1), joint]
    );
    assert_eq!(together.steps, alone.steps);
}

#[test]
fn what_a_joint_compilation_accepts_is_combined_by_one_query() {
    let told = |jobs| {
        let oracle = FromTwo {
            has_joint_compilations: true,
            accepts: true,
        };
        figures_of(&oracle, jobs, None)
    };
    let (alone, together) = (figures_from_two(false, 1), told(1));
    // 0 and 1 go by one step.
    assert_eq!((alone.steps, together.steps), (2, 1));
    let accepting = together.kinds.iter().filter(|kind| kind.accepted > 0);
    let accepting: Vec<_> = accepting.cloned().collect();
    assert_eq!(accepting, [kind("combined", 1, 1)]);
    assert_eq!(told(4).kinds, together.kinds);
}

#[test]
fn joint_compilations_do_not_depend_on_the_number_of_workers() {
    assert_eq!(
        figures_from_two(true, 4).kinds,
        figures_from_two(true, 1).kinds
    );
}

/// Returns the queries and steps of a search that may use so many queries.
fn within(oracle: &dyn Oracle, jobs: usize, queries: u64) -> (u64, u64) {
    let budget = Budget {
        queries: Some(queries),
        ..Budget::default()
    };
    let figures = figures_within(oracle, jobs, None, budget);
    (figures.queries, figures.steps)
}

#[test]
fn a_budget_of_queries_is_used_to_the_last_one_whatever_the_number_of_workers() {
    let joint = FromTwo {
        has_joint_compilations: true,
        accepts: false,
    };
    for oracle in [&EveryThird as &dyn Oracle, &joint] {
        let all = figures_of(oracle, 1, None);
        for most in (1..=all.queries).chain([10, 30, 50, 100]) {
            let one = within(oracle, 1, most);
            assert!(one.0 <= most, "{one:?} within {most}");
            for jobs in 2..6 {
                assert_eq!(within(oracle, jobs, most), one, "{jobs} workers, {most}");
            }
        }
        assert_eq!(within(oracle, 3, 5), (5, within(oracle, 1, 5).1));
        assert_eq!(within(oracle, 3, 100), (all.queries, all.steps));
    }
}
