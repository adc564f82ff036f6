//! Tests of the worker threads: the candidates that they reject by themselves, and those that they
//! ask about.

use super::*;
use crate::answer::Answer;
use crate::ask::{Asking, CompilerTools, JobFacts, Questioner};
use crate::candidate::Candidate;
use crate::candidate::CompileOptions;
use crate::decider::Decider;
use crate::screen::{Accepted, Check};
use crate::store::Digest;
use crate::turns::Work;
use crate::turns::{AlwaysItsTurn, WorkerPermit};
use camino::Utf8PathBuf;
use reduce_oracle::{Expectation, Late, Verdict};
use reduce_syntax::SourceTree;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

fn turns() -> Arc<dyn Turns> {
    Arc::new(AlwaysItsTurn)
}

/// Finds all candidates interesting, and counts the questions.
#[derive(Clone, Default)]
struct Counting(Arc<AtomicUsize>);

impl Oracle for Counting {
    fn questioner(&self, _worker: usize) -> Result<Box<dyn Questioner>, Failure> {
        Ok(Box::new(self.clone()))
    }

    fn digest(&self, _compile_options: &CompileOptions) -> Digest {
        [0; 32]
    }
}

impl JobFacts for Counting {}

impl CompilerTools for Counting {}

impl Questioner for Counting {
    fn ask(
        &mut self,
        _candidate: &Candidate,
        _expectation: Expectation,
        _cancel: &Cancel,
    ) -> Result<Answer, Failure> {
        self.0.fetch_add(1, Ordering::Relaxed);
        Ok(Answer::free(Verdict::Interesting, Decider::End))
    }
}

/// Returns the answer to a candidate, and how often somebody was asked.
fn answer_to(before: &str, after: &str, decides: bool) -> (Answer, usize) {
    let mut tree = SourceTree::single(Utf8PathBuf::from("lib.rs"), Arc::from(before));
    let check = match decides {
        true => Check::Names(Accepted {
            tree: tree.clone(),
            outside: Arc::default(),
            names: Arc::default(),
        }),
        false => Check::Syntax(vec![Arc::from(after)]),
    };
    tree.set_text(tree.root(), Arc::from(after));
    let question = Question {
        id: QuestionId(1),
        candidate: Candidate {
            tree,
            compile_options: CompileOptions::default(),
        },
        check,
        expectation: Expectation::default(),
        asking: Asking::Once,
        cancel: Cancel::new().unwrap(),
    };
    let oracle = Counting::default();
    let reply = std::thread::scope(|scope| {
        let pool = Pool::start(scope, &oracle, 1, &turns()).unwrap();
        pool.submit(question);
        pool.wait().unwrap()
    });
    (reply.answer.unwrap(), oracle.0.load(Ordering::Relaxed))
}

fn check(before: &str, after: &str, decides: bool, verdict: &Verdict, n_asked: usize) {
    let (answer, asked) = answer_to(before, after, decides);
    assert_eq!((&answer.verdict, asked), (verdict, n_asked), "{after}");
    assert_eq!(answer.decider == Decider::End, n_asked > 0, "{after}");
}

#[test]
fn a_candidate_that_leaves_a_name_unresolved_is_not_asked_about() {
    let before = "struct S; fn f(_: S) {}";
    check(before, "fn f(_: S) {}", true, &Verdict::Rejected, 0);
    check(before, "fn f() {}", true, &Verdict::Interesting, 1);
}

#[test]
fn unresolved_names_are_left_to_the_compiler_where_they_do_not_decide() {
    let before = "struct S; fn f(_: S) {}";
    check(before, "fn f(_: S) {}", false, &Verdict::Interesting, 1);
}

#[test]
fn a_candidate_that_does_not_parse_is_not_asked_about() {
    for decides in [true, false] {
        check("fn f() {}", "fn f( {}", decides, &Verdict::Rejected, 0);
    }
}

/// Runs out of time at first, and notes what it was asked with.
#[derive(Clone, Default)]
struct LateAtFirst {
    late: Option<Late>,
    asked: Arc<Mutex<Vec<Expectation>>>,
}

impl Oracle for LateAtFirst {
    fn questioner(&self, _worker: usize) -> Result<Box<dyn Questioner>, Failure> {
        Ok(Box::new(self.clone()))
    }

    fn digest(&self, _compile_options: &CompileOptions) -> Digest {
        [0; 32]
    }
}

impl JobFacts for LateAtFirst {}

impl CompilerTools for LateAtFirst {}

impl Questioner for LateAtFirst {
    fn ask(
        &mut self,
        _candidate: &Candidate,
        expectation: Expectation,
        _cancel: &Cancel,
    ) -> Result<Answer, Failure> {
        let mut asked = self.asked.lock().unwrap();
        asked.push(expectation);
        let mut answer = match asked.len() {
            1 => Answer::free(Verdict::TimedOut, Decider::Deadline),
            _ => Answer::free(Verdict::Interesting, Decider::End),
        };
        answer.timing.late = self.late.filter(|_| asked.len() == 1);
        Ok(answer)
    }
}

#[track_caller]
fn check_late(late: Late, times: u32, asking: Asking, is_asked_again: bool) {
    let expectation = Expectation { usual: None, times };
    let oracle = LateAtFirst {
        late: Some(late),
        ..LateAtFirst::default()
    };
    let tree = SourceTree::single(Utf8PathBuf::from("lib.rs"), Arc::from(""));
    let question = Question {
        id: QuestionId(1),
        candidate: Candidate {
            tree,
            compile_options: CompileOptions::default(),
        },
        check: Check::Syntax(vec![]),
        expectation,
        asking,
        cancel: Cancel::new().unwrap(),
    };
    let reply = std::thread::scope(|scope| {
        let pool = Pool::start(scope, &oracle, 2, &turns()).unwrap();
        pool.submit(question);
        pool.wait().unwrap()
    });
    let answer = reply.answer.unwrap();
    assert_eq!(answer.timing.is_asked_again, is_asked_again, "{late:?}");
    let expected = match is_asked_again {
        true => vec![expectation, expectation.again()],
        false => vec![expectation],
    };
    assert_eq!(*oracle.asked.lock().unwrap(), expected, "{late:?}");
}

#[test]
fn what_the_machine_did_not_get_to_is_asked_again_with_more_time() {
    check_late(Late::Wall, 1, Asking::Twice, true);
    check_late(Late::Wall, 1, Asking::Once, false);
}

#[test]
fn what_is_larger_is_asked_again_where_its_cpu_time_was_not_enough() {
    check_late(Late::Cpu, 2, Asking::Twice, true);
    check_late(Late::Cpu, 1, Asking::Twice, false);
}

#[test]
fn what_slept_for_too_long_is_not_asked_again() {
    check_late(Late::Asleep, 2, Asking::Twice, false);
}

/// Two turns at a time; none once it is closed.
#[derive(Debug, Default)]
struct TwoAtATime {
    running: Arc<AtomicUsize>,
    given: AtomicUsize,
    is_closed: bool,
}

impl Turns for TwoAtATime {
    fn wait(&self, work: Work, _cancel: &Cancel) -> Option<WorkerPermit> {
        assert_eq!(work, Work::Query);
        if self.is_closed {
            return None;
        }
        while self.running.fetch_add(1, Ordering::SeqCst) >= 2 {
            self.running.fetch_sub(1, Ordering::SeqCst);
            std::thread::yield_now();
        }
        self.given.fetch_add(1, Ordering::SeqCst);
        let running = Arc::clone(&self.running);
        Some(WorkerPermit::ending_with(move || {
            running.fetch_sub(1, Ordering::SeqCst);
        }))
    }
}

/// Returns the verdicts of so many candidates, by four workers that take these turns, and how often somebody
/// was asked.
fn verdicts_in(turns: &Arc<TwoAtATime>, candidates: u64) -> (Vec<Verdict>, usize) {
    let oracle = Counting::default();
    let shared: Arc<dyn Turns> = Arc::<TwoAtATime>::clone(turns);
    let verdicts = std::thread::scope(|scope| {
        let pool = Pool::start(scope, &oracle, 4, &shared).unwrap();
        for number in 0..candidates {
            pool.submit(Question {
                id: QuestionId(number),
                candidate: Candidate {
                    tree: SourceTree::single(Utf8PathBuf::from("lib.rs"), Arc::from("")),
                    compile_options: CompileOptions::default(),
                },
                check: Check::Syntax(vec![]),
                expectation: Expectation::default(),
                asking: Asking::Once,
                cancel: Cancel::new().unwrap(),
            });
        }
        let replies = (0..candidates).map(|_| pool.wait().unwrap());
        replies.map(|reply| reply.answer.unwrap().verdict).collect()
    });
    (verdicts, oracle.0.load(Ordering::Relaxed))
}

#[test]
fn each_question_is_asked_in_a_turn_of_its_own_which_ends() {
    let turns = Arc::new(TwoAtATime::default());
    let (verdicts, asked) = verdicts_in(&turns, 50);
    assert_eq!((verdicts.len(), asked), (50, 50));
    assert!(verdicts.iter().all(Verdict::is_interesting));
    assert_eq!(turns.given.load(Ordering::SeqCst), 50);
    assert_eq!(turns.running.load(Ordering::SeqCst), 0);
}

#[test]
fn without_a_turn_nobody_is_asked() {
    let turns = Arc::new(TwoAtATime {
        is_closed: true,
        ..TwoAtATime::default()
    });
    let (verdicts, asked) = verdicts_in(&turns, 3);
    assert_eq!((verdicts, asked), (vec![Verdict::Cancelled; 3], 0));
}

/// Is asked by a server and here, and notes where. Its answers here can be held back.
#[derive(Clone, Default)]
struct TwoPlaces {
    asked: Arc<Mutex<Vec<&'static str>>>,
    /// The server's answer about the program that the search begins with; then it always has an answer.
    begin: Option<Verdict>,
    /// Held while somebody asks here.
    here: Arc<Mutex<()>>,
}

impl TwoPlaces {
    fn note(&self, place: &'static str) {
        self.asked.lock().unwrap().push(place);
    }

    fn asked(&self, place: &str) -> usize {
        let asked = self.asked.lock().unwrap();
        asked.iter().filter(|one| **one == place).count()
    }
}

impl Oracle for TwoPlaces {
    fn questioner(&self, _worker: usize) -> Result<Box<dyn Questioner>, Failure> {
        Ok(Box::new(self.clone()))
    }

    fn digest(&self, _compile_options: &CompileOptions) -> Digest {
        [0; 32]
    }
}

impl JobFacts for TwoPlaces {}

impl CompilerTools for TwoPlaces {}

impl Questioner for TwoPlaces {
    fn ask(&mut self, _: &Candidate, _: Expectation, _: &Cancel) -> Result<Answer, Failure> {
        let _held = self.here.lock().unwrap();
        self.note("here");
        Ok(Answer::free(Verdict::Interesting, Decider::End))
    }

    fn ask_remotely(
        &mut self,
        candidate: &Candidate,
        _: Expectation,
        _: &Cancel,
    ) -> Result<Option<Answer>, Failure> {
        let text = candidate.tree.text(candidate.tree.root());
        if text == "begin" {
            self.note("begin");
            let verdict = self.begin.clone();
            return Ok(verdict.map(|verdict| Answer::free(verdict, Decider::End)));
        }
        self.note("server");
        let is_certain = text != "uncertain";
        Ok(is_certain.then(|| Answer::free(Verdict::Compiles, Decider::End)))
    }
}

fn of_text(text: &str) -> Candidate {
    Candidate {
        tree: SourceTree::single(Utf8PathBuf::from("lib.rs"), Arc::from(text)),
        compile_options: CompileOptions::default(),
    }
}

fn question(number: u64, text: &str, asking: Asking) -> Question {
    Question {
        id: QuestionId(number),
        candidate: of_text(text),
        check: Check::Syntax(vec![]),
        expectation: Expectation::default(),
        asking,
        cancel: Cancel::new().unwrap(),
    }
}

/// Returns the verdicts of some questions while the only worker here is busy with another one, and what
/// was said.
fn asked_of_server(
    oracle: &TwoPlaces,
    questions: Vec<Question>,
    waits_here: bool,
) -> (Vec<Verdict>, Vec<String>, crate::figures::RemoteFigures) {
    let said = Mutex::new(Vec::new());
    let emit = |event| {
        if let crate::event::Event::Warning { message } = event {
            said.lock().unwrap().push(message);
        }
    };
    let remote = RemoteWorkers::new(2, None, of_text("begin"), &emit);
    let n_questions = questions.len();
    let verdicts = std::thread::scope(|scope| {
        let held = waits_here.then(|| oracle.here.lock().unwrap());
        let pool = Pool::start_with(
            scope,
            oracle,
            (1, Some(&remote)),
            (&turns(), &Live::default()),
        )
        .unwrap();
        if held.is_some() {
            pool.wait_for_idle(1);
            pool.submit(question(1000, "held", Asking::Once));
            pool.wait_until_busy();
        }
        questions.into_iter().for_each(|one| pool.submit(one));
        let mut replies = Vec::new();
        if let Some(held) = held {
            // Questions that the server has no answer to have to wait, too.
            while replies.is_empty() && oracle.asked("server") + oracle.asked("begin") == 0 {
                std::thread::yield_now();
            }
            drop(held);
            replies.extend((0..=n_questions).map(|_| pool.wait().unwrap()));
        } else {
            replies.extend((0..n_questions).map(|_| pool.wait().unwrap()));
        }
        replies.retain(|reply| reply.id != QuestionId(1000));
        replies.sort_by_key(|reply| reply.id);
        let answers = replies.into_iter().map(|reply| reply.answer.unwrap());
        answers.map(|answer| answer.verdict).collect()
    });
    let figures = remote.figures();
    (verdicts, said.into_inner().unwrap(), figures)
}

#[test]
fn a_server_that_sees_the_failure_answers_while_all_are_busy_here() {
    let oracle = TwoPlaces {
        begin: Some(Verdict::Interesting),
        ..TwoPlaces::default()
    };
    let questions = vec![question(0, "fn f() {}", Asking::Once)];
    let (verdicts, said, figures) = asked_of_server(&oracle, questions, true);
    assert_eq!((verdicts, said.len()), (vec![Verdict::Compiles], 0));
    assert_eq!((figures.answered, figures.asked_here), (1, 0));
    assert_eq!((oracle.asked("begin"), oracle.asked("here")), (1, 1));
}

#[test]
fn a_server_that_does_not_see_the_failure_is_not_asked() {
    for begin in [Some(Verdict::Rejected), None] {
        let oracle = TwoPlaces {
            begin,
            ..TwoPlaces::default()
        };
        let questions = vec![question(0, "fn f() {}", Asking::Once)];
        let (verdicts, said, figures) = asked_of_server(&oracle, questions, true);
        assert_eq!(verdicts, [Verdict::Interesting]);
        assert_eq!((figures.answered, oracle.asked("server")), (0, 0));
        assert!(
            said.len() == 1 && said[0].contains("is not asked"),
            "{said:?}"
        );
    }
}

#[test]
fn what_a_server_is_not_certain_of_is_asked_here() {
    let oracle = TwoPlaces {
        begin: Some(Verdict::Interesting),
        ..TwoPlaces::default()
    };
    let questions = (0..20).map(|number| question(number, "uncertain", Asking::Once));
    let (verdicts, said, figures) = asked_of_server(&oracle, questions.collect(), true);
    assert_eq!(verdicts, vec![Verdict::Interesting; 20]);
    assert_eq!((figures.answered, said.len()), (0, 0));
    assert_eq!(figures.asked_here, oracle.asked("server") as u64);
}

#[test]
fn what_ran_out_of_time_is_asked_again_here() {
    let oracle = TwoPlaces {
        begin: Some(Verdict::Interesting),
        ..TwoPlaces::default()
    };
    let questions = (0..20).map(|number| question(number, "fn f() {}", Asking::Again));
    let (verdicts, ..) = asked_of_server(&oracle, questions.collect(), false);
    assert_eq!(verdicts, vec![Verdict::Interesting; 20]);
    assert_eq!((oracle.asked("server"), oracle.asked("here")), (0, 20));
}

#[test]
fn a_server_is_asked_nothing_that_somebody_here_is_free_for() {
    let oracle = TwoPlaces {
        begin: Some(Verdict::Interesting),
        ..TwoPlaces::default()
    };
    let remote = RemoteWorkers::new(3, None, of_text("begin"), &|_| {});
    std::thread::scope(|scope| {
        let pool = Pool::start_with(
            scope,
            &oracle,
            (1, Some(&remote)),
            (&turns(), &Live::default()),
        )
        .unwrap();
        pool.wait_for_idle(1);
        for number in 0..50 {
            pool.submit(question(number, "fn f() {}", Asking::Once));
            pool.wait().unwrap();
            pool.wait_for_idle(1);
        }
    });
    assert_eq!((oracle.asked("here"), oracle.asked("begin")), (50, 0));
}
