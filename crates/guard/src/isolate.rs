//! Isolates the failing assertion of a test: code that cannot flow into it goes before mutants are chosen, as under
//! most of them the test would fail before it gets there. Then that assertion is narrowed to a part of what it
//! compares, and what cannot flow into this part goes too.
//!
//! See docs/decisions/failing-tests.md.

use crate::error::GuardError;
use crate::trial::{Isolated, Trial};
use camino::Utf8Path;
use reduce_algorithms::{Ddmin, minimize};
use reduce_oracle::{Came, Harness, OriginalRun, Signature, TimeSpent, Worker};
use reduce_passes::{
    ExpectedLiterals, FailedAt, FailedComparison, Isolation, Program, asserted_literals,
    borrowing_loops, borrowing_reads, borrowing_statements, cases, computes_expected_value,
    direct_mains, expected_literals, is_asserting_call, is_unwrapping, narrowings, passing_checks,
    printing_statements, reading_statements, unrelated_statements, without_borrows,
    without_other_tests, without_track_caller, without_words, written_lists,
};
use reduce_syntax::{EditSet, SourceTree};

/// The largest number of programs that are compiled to isolate a test.
const MOST_COMPILED: u64 = 60;
/// The largest number of functions that `main` is tried to call in place of a harness.
const MOST_MAINS: usize = 12;

/// A failure of the test, as it is compared and with its place.
#[derive(Debug, Clone)]
pub(crate) struct Failing {
    /// The failure with its place in the source.
    at: Signature,
    /// The failure without the parts that are not compared.
    compared: Signature,
}

impl Failing {
    pub(crate) fn of(run: OriginalRun) -> Option<Self> {
        match (run.came, run.compared) {
            (Came::Fails(at), Came::Fails(compared)) => Some(Self {
                at: *at,
                compared: *compared,
            }),
            _ => None,
        }
    }

    /// Returns the place where the test failed, if that is known.
    fn place(&self) -> Option<FailedAt<'_>> {
        let (line, column) = self.at.position?;
        Some(FailedAt {
            path: self.at.file.as_deref()?,
            line: usize::try_from(line).ok()?,
            column: usize::try_from(column).ok()?,
        })
    }

    /// Returns the comparison that the test's assertion has made.
    pub(crate) fn comparison(&self) -> Option<FailedComparison<'_>> {
        let [left, right] = self.compared.compared()?;
        let at = self.place()?;
        Some(FailedComparison { at, left, right })
    }

    /// Returns the text of the line of a program in which the test failed.
    fn line<'t>(&self, tree: &'t SourceTree) -> Option<&'t str> {
        let place = self.place()?;
        let mut files = tree.files();
        let (_, _, text) = files.find(|(_, path, _)| path.ends_with(place.path))?;
        Some(text.lines().nth(place.line.checked_sub(1)?)?.trim())
    }
}

/// A function that finds parts of a test that may go.
type FindParts = for<'p> fn(&'p Program, Option<&FailedAt<'_>>, &str) -> Vec<Isolation<'p>>;

/// The functions that find parts of a test that may go, in the order in which they are tried.
const PARTS: [FindParts; 6] = [
    |program, failed, _| failed.map_or_else(Vec::new, |failed| borrowing_loops(program, failed)),
    |program, failed, _| failed.map_or_else(Vec::new, |failed| cases(program, failed)),
    |program, failed, _| single(failed, |failed| unrelated_statements(program, failed)),
    |program, failed, _| single(failed, |failed| borrowing_statements(program, failed)),
    |program, failed, _| single(failed, |failed| printing_statements(program, failed)),
    |program, failed, test| vec![passing_checks(program, failed, test)],
];

/// The functions that find further parts, where statements that only read change nothing.
const READING: [FindParts; 2] = [
    |program, failed, _| single(failed, |failed| borrowing_reads(program, failed)),
    |program, failed, _| single(failed, |failed| reading_statements(program, failed)),
];

/// Returns the list of parts that `find` finds for the failing place; nothing where the place is
/// not known.
fn single<'p>(
    failed: Option<&FailedAt<'_>>,
    find: impl FnOnce(&FailedAt<'_>) -> Isolation<'p>,
) -> Vec<Isolation<'p>> {
    failed.map(find).into_iter().collect()
}

impl Trial<'_> {
    /// Removes the code that the failure does not need and cannot depend on, and makes its assertion say less if `narrows`
    /// says so. The worker holds the original, compiled in the time `compiling`, and then any program.
    pub(crate) fn isolate(
        &self,
        worker: &mut Worker,
        compiling: TimeSpent,
        narrows: bool,
    ) -> Result<Isolated, GuardError> {
        let mut isolating = Isolating {
            trial: self,
            worker,
            best: self.original.clone(),
            held: Some(compiling),
            runs: 0,
        };
        let Some(mut failing) = isolating.run()? else {
            return Ok(Isolated::whole(self.original, compiling));
        };
        // A program that is compiled again and again should be small.
        if let Some(alone) = isolating.leave_out_tests(&failing)? {
            failing = alone;
        }
        if let Some(placed) = isolating.tell_place(&failing)? {
            failing = placed;
        }
        // Each loop around the assertion gets a list of its own.
        if let Some(written) = isolating.change(&failing, written_lists)? {
            failing = written;
        }
        let (mut changed, mut is_narrowed) = (None, false);
        if let Some(direct) = isolating.leave_harness(&failing)? {
            changed = Some(direct.compared.clone());
            failing = direct;
        }
        failing = isolating.shorten_all(failing)?;
        if narrows && self.values_count(&failing, &Program::new(&isolating.best)) {
            let mut says_less = false;
            if let Some(plain) = isolating.leave_out_words(&failing)? {
                changed = Some(plain.compared.clone());
                says_less = true;
                failing = plain;
            }
            while let Some(narrower) = isolating.narrow(&failing)? {
                changed = Some(narrower.compared.clone());
                is_narrowed = true;
                failing = narrower;
            }
            if says_less || is_narrowed {
                failing = isolating.shorten_all(failing)?;
            }
        }
        let program = Program::new(&isolating.best);
        Ok(Isolated {
            literals: self.literals(&failing, &program),
            unwraps: failing
                .place()
                .is_some_and(|place| is_unwrapping(&program, &place)),
            values_count: self.own.is_all || self.values_count(&failing, &program),
            changed,
            is_narrowed,
            tree: isolating.best,
            held: isolating.held,
            runs: isolating.runs,
        })
    }

    /// Returns the literals that have to stay in the test.
    fn literals(&self, failing: &Failing, program: &Program) -> ExpectedLiterals {
        let Some(place) = failing.place() else {
            return ExpectedLiterals::default();
        };
        let is_own = self.own.files.contains(Utf8Path::new(place.path));
        let is_beside = !is_own && self.own.says_expectation(&failing.at);
        // A function with `#[track_caller]` fails where it is called.
        match is_beside || is_asserting_call(program, &place) {
            true => asserted_literals(program, self.test()),
            false => expected_literals(program, &place),
        }
    }

    /// Whether the values of a failure are compared, as the test has one right answer. A panic in the code under
    /// test is wrong whatever the input; and what is expected may be computed from the same input.
    fn values_count(&self, failing: &Failing, program: &Program) -> bool {
        let Some(place) = failing.place() else {
            return true;
        };
        self.own.says_expectation(&failing.at) && !computes_expected_value(program, &place)
    }

    /// Returns the name of the test, without its modules.
    fn test(&self) -> &str {
        let execution = self.plan.execution();
        match execution.map(|execution| &execution.harness) {
            Some(Harness::Libtest { test }) => test.rsplit("::").next().unwrap_or(test),
            _ => "main",
        }
    }
}

struct Isolating<'i> {
    trial: &'i Trial<'i>,
    worker: &'i mut Worker,
    best: SourceTree,
    /// The time that it took to compile the best so far, if the worker holds its program.
    held: Option<TimeSpent>,
    runs: u64,
}

impl Isolating<'_> {
    /// Removes all parts of the test that can go. Returns how the test then fails.
    fn shorten_all(&mut self, mut failing: Failing) -> Result<Failing, GuardError> {
        let reading = READING.into_iter().filter(|_| self.trial.only_reads);
        for parts in PARTS.into_iter().chain(reading) {
            failing = self.shorten(failing, parts)?;
        }
        // The borrows have told which loops change nothing.
        let unborrowed = self.change(&failing, without_borrows)?;
        Ok(unborrowed.unwrap_or(failing))
    }

    /// Removes what can go of the lists of parts that `parts` finds. Returns how the test then
    /// fails.
    fn shorten(&mut self, mut failing: Failing, parts: FindParts) -> Result<Failing, GuardError> {
        // Once a list is shorter the places of the others are no longer true: they are found again.
        let mut n_done = 0;
        loop {
            let before = self.best.clone();
            let program = Program::new(&before);
            let lists = parts(&program, failing.place().as_ref(), self.trial.test());
            let mut shorter = None;
            while let (None, Some(list)) = (&shorter, lists.get(n_done)) {
                shorter = self.shorten_list(&failing, list)?;
                n_done += usize::from(shorter.is_none());
            }
            match shorter {
                Some(shorter) => failing = shorter,
                None => return Ok(failing),
            }
        }
    }

    /// Removes what can go of a list of parts; `None` if nothing can.
    fn shorten_list(
        &mut self,
        failing: &Failing,
        list: &Isolation<'_>,
    ) -> Result<Option<Failing>, GuardError> {
        let mut shorter = None;
        let mut failure = None;
        let before = self.best.clone();
        let mut without = |isolating: &mut Self, gone: &[usize]| {
            let edits = list.without(gone.iter().copied());
            let tree = edits.map(|edits| edits.apply(&before));
            let failing = tree.map(|tree| isolating.try_without(failing, &before, tree));
            match failing.transpose() {
                Ok(Some(Some(fails))) => {
                    shorter = Some(fails);
                    true
                }
                Ok(_) => false,
                Err(error) => {
                    failure = Some(error);
                    false
                }
            }
        };
        let all: Vec<usize> = (0..list.len()).collect();
        if !list.is_empty() && !without(self, &all) {
            minimize(&mut Ddmin::new(list.len()), |subset| {
                let gone: Vec<usize> = subset.removed().collect();
                without(self, &gone)
            });
        }
        match failure {
            Some(failure) => Err(failure),
            None => Ok(shorter),
        }
    }

    /// Lets an assertion in a function that reports its caller's place report its own place.
    fn tell_place(&mut self, failing: &Failing) -> Result<Option<Failing>, GuardError> {
        let program = Program::new(&self.best);
        let tree = without_track_caller(&program).map(|edits| edits.apply(program.sources()));
        let is_same = |fails: &Failing| failing.compared.is_same_bug(&fails.compared, false);
        tree.map_or(Ok(None), |tree| self.try_program(tree, is_same))
    }

    /// Removes all other tests from the program.
    fn leave_out_tests(&mut self, failing: &Failing) -> Result<Option<Failing>, GuardError> {
        let before = self.best.clone();
        let program = Program::new(&before);
        let edits = without_other_tests(&program, self.trial.test());
        let tree = edits.map(|edits| edits.apply(&before));
        tree.map_or(Ok(None), |tree| self.try_without(failing, &before, tree))
    }

    /// Has `main` call the failing function by itself, where a harness of the user's own catches
    /// the panic.
    fn leave_harness(&mut self, failing: &Failing) -> Result<Option<Failing>, GuardError> {
        let before = self.best.clone();
        let program = Program::new(&before);
        let place = failing
            .place()
            .filter(|_| failing.compared.has_caught_panic());
        let mains = place.map(|place| direct_mains(&program, &place));
        for edits in mains.into_iter().flatten().take(MOST_MAINS) {
            let is_caught = |fails: &Failing| failing.compared.is_caught(&fails.compared);
            let direct = self.try_program(edits.apply(&before), is_caught)?;
            if direct.is_some() {
                return Ok(direct);
            }
        }
        Ok(None)
    }

    /// Changes the program around the assertion that fails. `None` where there is nothing to change, or it then fails otherwise.
    fn change(
        &mut self,
        failing: &Failing,
        edits: impl FnOnce(&Program, &FailedAt<'_>) -> Option<EditSet>,
    ) -> Result<Option<Failing>, GuardError> {
        let before = self.best.clone();
        let program = Program::new(&before);
        let edits = failing.place().and_then(|place| edits(&program, &place));
        let tree = edits.map(|edits| edits.apply(&before));
        tree.map_or(Ok(None), |tree| self.try_without(failing, &before, tree))
    }

    /// Removes the text of a message from the assertion that fails.
    fn leave_out_words(&mut self, failing: &Failing) -> Result<Option<Failing>, GuardError> {
        let program = Program::new(&self.best);
        let edits = failing
            .place()
            .and_then(|place| without_words(&program, &place));
        let Some((edits, expected)) = edits.zip(failing.compared.without_words()) else {
            return Ok(None);
        };
        let is_this = |fails: &Failing| fails.compared.is_same_bug(&expected, false);
        self.try_program(edits.apply(program.sources()), is_this)
    }

    /// Narrows the assertion that fails to the first part of the compared values on which it fails too. `None`
    /// where there is none.
    fn narrow(&mut self, failing: &Failing) -> Result<Option<Failing>, GuardError> {
        let program = Program::new(&self.best);
        let comparison = failing.comparison();
        let narrowings = comparison.map(|comparison| narrowings(&program, &comparison));
        for narrowing in narrowings.into_iter().flatten() {
            let values = [&*narrowing.left, &*narrowing.right];
            let Some(expected) = failing.compared.comparing(values) else {
                continue;
            };
            let tree = narrowing.edits.apply(program.sources());
            let is_this = |fails: &Failing| fails.compared.is_same_bug(&expected, false);
            let narrower = self.try_program(tree, is_this)?;
            if narrower.is_some() {
                return Ok(narrower);
            }
        }
        Ok(None)
    }

    /// Makes a program the best so far if it fails as the one before it.
    fn try_without(
        &mut self,
        failing: &Failing,
        before: &SourceTree,
        tree: SourceTree,
    ) -> Result<Option<Failing>, GuardError> {
        // A failing assertion without values has to be the same one, which its line tells.
        let lines = (failing.line(before), tree.clone());
        self.try_program(tree, |fails| {
            let is_same = failing.compared.is_same_bug(&fails.compared, false);
            is_same && lines.0 == fails.line(&lines.1)
        })
    }

    /// Makes a program the best so far if it compiles and its failure is the wanted one.
    fn try_program(
        &mut self,
        tree: SourceTree,
        is_wanted: impl Fn(&Failing) -> bool,
    ) -> Result<Option<Failing>, GuardError> {
        if self.runs >= MOST_COMPILED {
            return Ok(None);
        }
        self.runs += 1;
        let Trial { context, plan, .. } = self.trial;
        let compiled = self
            .worker
            .compile_original(plan, &tree.to_files(), context.cancel)?;
        self.held = None;
        if compiled.is_none() {
            return Ok(None);
        }
        let fails = self.run()?.filter(is_wanted);
        if fails.is_some() {
            self.best = tree;
            self.held = compiled;
        }
        Ok(fails)
    }

    /// Runs the program that the worker has compiled, and returns its failure.
    fn run(&mut self) -> Result<Option<Failing>, GuardError> {
        let Trial {
            context, plan, own, ..
        } = self.trial;
        let (run, _) = self
            .worker
            .run_original(plan, None, None, own, context.cancel)?;
        Ok(Failing::of(run))
    }
}
