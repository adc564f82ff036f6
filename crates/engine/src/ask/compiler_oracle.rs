//! The oracle that decides candidates by the compiler: it makes a worker of `reduce_oracle` for
//! each thread.

mod final_checks;
mod joint;
mod tools;
mod values;
mod with_options;

use super::crates::Crates;
use super::criteria::{Criteria, asked};
use super::job_facts::JobFacts;
use super::oracle::{Oracle, Questioner, Refusals, Side};
use super::questioner::CompilerQuestioner;
use super::right_values::RightValues;
use super::workshop::Workshop;
use crate::candidate::{Candidate, CompileOptions};
use crate::failure::Failure;
use crate::propose::RemovableFlags;
use crate::screen::names_of_rest;
use crate::store::Digest;
use crate::turns::Work;
use camino::Utf8PathBuf;
use joint::JointWorkers;
use reduce_gather::Edition;
use reduce_guard::Guard;
use reduce_model::{CompilerNames, Outside};
use reduce_oracle::{
    ArgGroup, Cancel, Change, CheapestCall, Executor, Harness, Linted, OracleError, PinnedInputs,
    Plan, Property, Sample, Signature, Stability, TimeSpent, UndefinedBehaviour, Variants,
    WarmCompiler, Worker,
};
use reduce_syntax::SourceTree;
use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex};
use tools::LastAnswer;
use with_options::WithOptions;

/// The oracle that decides candidates by the compiler.
pub(crate) struct CompilerOracle {
    criteria: Criteria,
    workshop: Workshop,
    pinned_inputs: PinnedInputs,
    /// The names in the files of the crate that are not edited, where only a part of the crate is
    /// edited.
    names_of_rest: BTreeSet<String>,
    with_options: Mutex<HashMap<CompileOptions, Arc<WithOptions>>>,
    right_values: RightValues,
    joint: JointWorkers,
    /// The names in the last program whose names the compiler has printed: of a large crate that takes seconds.
    printed: LastAnswer<CompilerNames>,
    /// The names in the last program of which the compiler was asked for the calls in its bodies too.
    printed_with_calls: LastAnswer<CompilerNames>,
    linted: LastAnswer<Linted>,
}

impl CompilerOracle {
    /// Makes an oracle for candidates made from `sources`; workers have their trees below
    /// `scratch`, and ask the warm compiler if there is one.
    pub(crate) fn new(
        plan: Plan,
        crates: Crates,
        property: Property,
        sources: &SourceTree,
        scratch: Utf8PathBuf,
        warm: Option<WarmCompiler>,
    ) -> Self {
        let edited: BTreeSet<Utf8PathBuf> = sources
            .files()
            .map(|(_, path, _)| path.to_owned())
            .collect();
        Self {
            names_of_rest: names_of_rest(&plan, &edited),
            pinned_inputs: PinnedInputs::of(&plan),
            criteria: Criteria::new(plan, crates, property, sources),
            workshop: Workshop {
                scratch,
                edited,
                warm,
                executor: Executor::local(),
            },
            with_options: Mutex::default(),
            right_values: RightValues::default(),
            joint: JointWorkers::default(),
            printed: LastAnswer::default(),
            printed_with_calls: LastAnswer::default(),
            linted: LastAnswer::default(),
        }
    }

    /// Has the processes of queries run by this executor, such as a launcher for other machines.
    pub(crate) fn run_by(mut self, executor: Executor) -> Self {
        self.workshop.executor = executor;
        self
    }

    /// Adds a guard of a failing test, whose demands candidates must meet too.
    pub(crate) fn guarded(mut self, guard: Arc<dyn Guard>) -> Self {
        let literals = guard.findings().literals.clone();
        let criteria = &mut self.criteria;
        criteria.prefilter = Arc::new(criteria.prefilter.with_literals(literals));
        criteria.guard = Some(guard);
        self
    }

    /// Allows a test that is linked with the code under test no `loop {}` that the original does not have.
    pub(crate) fn without_new_loops(mut self, original: &SourceTree) -> Self {
        let criteria = &mut self.criteria;
        criteria.prefilter = Arc::new(criteria.prefilter.without_new_loops(original));
        self
    }

    /// Whether the guard demands that marked points of the code under test stay in candidates.
    fn keeps_points(&self) -> bool {
        let guard = self.criteria.guard.as_ref();
        guard.is_some_and(|guard| guard.points().is_some())
    }

    /// Returns the compiler flags that may be left out, and those of only one of two calls that may
    /// be given to both.
    pub(crate) fn removable_flags(&self) -> RemovableFlags {
        let flags = self.criteria.plan.flags_of_one_call();
        let n_own = self.criteria.removable.len();
        let n_first = flags.n_first();
        let of_second = flags.groups_of_second();
        let known = |group: &ArgGroup| {
            let mut own = self.criteria.removable.iter();
            own.position(|one| one.says_the_same_as(group))
        };
        let of_first = (n_own..n_own + n_first).map(Some);
        RemovableFlags {
            groups: n_own + n_first,
            of_one_call: of_first.chain(of_second.iter().map(known)).collect(),
        }
    }

    /// Returns the paths of the files that are edited, and that candidates bring with them.
    pub(crate) fn edited(&self) -> &BTreeSet<Utf8PathBuf> {
        &self.workshop.edited
    }

    /// Whether the compiler that answers queries is loaded once and forked.
    pub(crate) fn is_warm(&self) -> bool {
        self.workshop.warm.is_some() && self.workshop.executor.is_local()
    }

    /// Returns the reason why no server can be asked, if none can.
    pub(crate) fn asked_here_alone(&self) -> Option<&'static str> {
        match self.criteria.plan.may_be_asked_remotely() {
            true => None,
            false => Some(
                "commands, two calls that share a state, and what is measured by time or memory are asked about here",
            ),
        }
    }

    /// Whether the failure has to show in each run. What costs too much is measured instead, and what is
    /// asked several times need not.
    pub(crate) fn must_be_stable(&self) -> bool {
        !self.may_pass() && !self.criteria.plan.is_measured() && !self.criteria.plan.is_hang()
    }

    /// Returns what has changed since the job began of the files that verdicts depend on, such as
    /// the compiler; `None` if nothing has.
    pub(crate) fn change(&self) -> Option<Change> {
        self.pinned_inputs.change()
    }

    /// Checks that the files that verdicts depend on, such as the compiler, are as they were when
    /// the job began.
    ///
    /// # Errors
    /// Where it is not.
    pub(crate) fn unless_changed(&self) -> Result<(), Failure> {
        let change = self.change();
        change.map_or(Ok(()), |change| Err(Failure::changed(&change)))
    }

    /// Whether the failure may be missing in some runs.
    pub(crate) fn may_pass(&self) -> bool {
        self.criteria.plan.run_policy.repeat > 1
    }

    /// Makes a worker in a scratch directory of its own for a question that is no part of the search, and the plan for
    /// the candidate.
    pub(super) fn aside(
        &self,
        directory: &str,
        candidate: &Candidate,
    ) -> Result<(Plan, Worker), Failure> {
        let plan = self.plan(&candidate.compile_options);
        let worker = self.workshop.worker(directory, &plan)?;
        Ok((plan, worker))
    }

    /// Makes the error which says that the input failed in only some of its runs, `before` and
    /// during the search.
    pub(crate) fn unstable(&self, stability: Stability, before: Sample) -> OracleError {
        OracleError::Unstable {
            command: self.criteria.plan.command(&self.criteria.plan.call.root),
            crashed: before.failed + stability.failed,
            runs: before.runs + stability.runs,
            signatures: vec![self.criteria.property.signature.clone()],
        }
    }

    /// Returns the name of the stage up to which queries let the compiler go.
    pub(crate) fn cheapest_call(&self) -> &'static str {
        self.criteria
            .plan
            .run_policy
            .cheapest_call
            .map_or("full", CheapestCall::name)
    }

    /// Returns whether a command is run in place of a compiler, so that nobody looks at errors.
    pub(crate) fn runs_command(&self) -> bool {
        self.criteria.plan.runs_command()
    }

    /// Returns the signature of the failure that candidates with these compile options have.
    pub(crate) fn signature(&self, compile_options: &CompileOptions) -> Signature {
        self.criteria.signature(compile_options)
    }

    /// Whether a run that has failed in these ways shows the failure that candidates with these compile options have.
    pub(crate) fn show_same_failure(
        &self,
        compile_options: &CompileOptions,
        seen: &[Signature],
    ) -> bool {
        self.criteria.property(compile_options).is_shown_by(seen)
    }

    /// Whether an error of the compiler is the failure that is reduced.
    pub(crate) fn looks_for(&self, error: &str) -> bool {
        self.criteria.property.looks_for(error)
    }
}

impl Oracle for CompilerOracle {
    fn questioner(&self, worker: usize) -> Result<Box<dyn Questioner>, Failure> {
        let criteria = &self.criteria;
        // Files of the test's own crate may have switches.
        let (plan, _) = asked(
            (&criteria.plan, &criteria.property),
            criteria.runs_of_original(),
        );
        let executor = &self.workshop.executor;
        let mut worker = self
            .workshop
            .warm_worker(&format!("worker-{worker}"), &plan)?;
        worker.run_by(executor);
        Ok(Box::new(CompilerQuestioner {
            worker,
            criteria: criteria.clone(),
            asked: HashMap::new(),
            work: match executor.is_local() {
                true => Work::Query,
                false => Work::QueryElsewhere,
            },
        }))
    }

    fn digest(&self, compile_options: &CompileOptions) -> Digest {
        self.with_options(compile_options).digest
    }

    fn take_notice(&self) -> Option<String> {
        self.workshop.executor.take_notice()
    }

    fn has_changed(&self) -> bool {
        self.change().is_some()
    }

    fn usual(&self) -> Option<TimeSpent> {
        let limits = &self.criteria.plan.run_policy.limits;
        // A candidate that is slower than the input is stopped as something else, however much time
        // there is.
        let is_slow = self.criteria.plan.bounds_cpu_time();
        let is_derived = limits.deadline.is_none() && !is_slow;
        let guarded = self.criteria.runs_of_original().map(Variants::usual);
        guarded.or(limits.usual).filter(|_| is_derived)
    }

    /// Returns the names from outside only where every error about a name is a new one, which decides: the crash comes
    /// after the resolution of names, and without an error before it.
    fn outside(&self, compile_options: &CompileOptions) -> Option<Arc<Outside>> {
        let is_early = matches!(
            self.criteria.plan.run_policy.cheapest_call,
            Some(CheapestCall::Parse | CheapestCall::Resolve)
        );
        let property = &self.criteria.property;
        let mut allowed = property
            .allowed_errors
            .difference(&compile_options.forbidden);
        let is_later = |error: &String| property.looks_for(error) && comes_after_names(error);
        let allows_none = allowed.all(is_later);
        // A command may make anything of an error, and rustdoc reports no errors in bodies.
        let is_compiler =
            !self.criteria.plan.runs_command() && !self.criteria.plan.call.compiler.is_rustdoc();
        let is_certain = is_compiler && !is_early && !property.allow_errors && allows_none;
        is_certain.then(|| self.with_options(compile_options).outside.clone())
    }

    fn compiles_jointly(&self, compile_options: &CompileOptions) -> bool {
        self.may_compile_jointly(compile_options)
    }

    fn accepts_jointly(&self, compile_options: &CompileOptions) -> bool {
        self.may_accept_jointly(compile_options)
    }

    fn refused_jointly(
        &self,
        base: &Candidate,
        candidates: &[&Candidate],
        side: Side,
        cancel: &Cancel,
    ) -> Result<Refusals, Failure> {
        self.joint_refusals(base, candidates, side, cancel)
    }
}

impl JobFacts for CompilerOracle {
    fn misses_undefined_behaviour(&self) -> bool {
        let told = self.criteria.plan.undefined_behaviour();
        matches!(told, Some(UndefinedBehaviour::Unchecked(_)))
    }

    fn runs_programs(&self) -> bool {
        self.criteria.plan.execution().is_some()
    }

    fn permits_other_causes(&self) -> bool {
        let guard = self.criteria.guard(&CompileOptions::default());
        self.runs_programs() && guard.is_some_and(Guard::permits_other_causes)
    }

    fn arguments(&self, compile_options: &CompileOptions) -> Vec<String> {
        let plan = &self.with_options(compile_options).plan;
        let tree = format!("{}/", plan.inputs.tree);
        let args = plan.call.args.iter();
        args.map(|arg| arg.replace(&tree, "")).collect()
    }

    fn ignores_lone_names(&self) -> bool {
        let is_compiler =
            !self.criteria.plan.runs_command() && !self.criteria.plan.call.compiler.is_rustdoc();
        is_compiler && !self.runs_programs() && self.criteria.property.signature.is_of_compiler()
    }

    fn test(&self) -> Option<String> {
        match &self.criteria.plan.execution()?.harness {
            Harness::Libtest { test } => Some(test.clone()),
            Harness::None => None,
        }
    }

    fn crates(&self) -> Option<&Crates> {
        Some(&self.criteria.crates)
    }

    fn edition(&self, compile_options: &CompileOptions) -> Option<Edition> {
        self.with_options(compile_options)
            .plan
            .call
            .edition
            .parse()
            .ok()
    }

    fn allowed_errors(&self) -> BTreeSet<String> {
        let is_beside = |error: &&String| !self.criteria.property.looks_for(error);
        let allowed = self.criteria.property.allowed_errors.iter();
        allowed.filter(is_beside).cloned().collect()
    }

    fn has_good_version(&self) -> bool {
        let mut companions = self.criteria.plan.run_policy.companions.iter();
        companions.any(|companion| companion.version.is_some())
    }

    fn knows_right_values(&self) -> bool {
        let guard = self.criteria.guard(&CompileOptions::default());
        self.has_good_version() || guard.is_some_and(Guard::knows_right_values)
    }
}

/// Whether an error code, such as `E0308`, is about types or borrows, so that no missing name
/// causes it.
fn comes_after_names(error: &str) -> bool {
    const CODES: [&str; 27] = [
        "E0106", "E0119", "E0200", "E0277", "E0282", "E0283", "E0308", "E0369", "E0373", "E0381",
        "E0382", "E0384", "E0499", "E0502", "E0503", "E0505", "E0506", "E0507", "E0515", "E0594",
        "E0596", "E0597", "E0614", "E0618", "E0621", "E0700", "E0716",
    ];
    CODES.contains(&error)
}
