//! The real oracle behind the [`Oracle`] trait: a worker of `reduce_oracle` for each thread.

use crate::Failure;
use crate::ask::{Answer, Candidate, Effort, Flags, Oracle, Questioner};
use crate::store::Digest;
use crate::summary::Stage;
use camino::Utf8PathBuf;
use reduce_oracle::{
    ArgGroup, Cancel, Ending, Plan, Property, Rung, Shown, Signature, Sources, WarmCompiler, Worker,
};
use reduce_syntax::SourceTree;
use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// Decides candidates with the compiler.
pub(crate) struct CompilerOracle {
    plan: Plan,
    removable: Vec<ArgGroup>,
    property: Arc<Property>,
    /// The files that candidates bring themselves.
    edited: BTreeSet<Utf8PathBuf>,
    scratch: Utf8PathBuf,
    digests: Mutex<HashMap<Flags, Digest>>,
    warm: Option<WarmCompiler>,
    /// See [`Oracle::outside_names`].
    outside_names: Option<Arc<BTreeSet<String>>>,
}

struct CompilerQuestioner {
    worker: Worker,
    plan: Plan,
    removable: Vec<ArgGroup>,
    property: Arc<Property>,
    plans: HashMap<Flags, Plan>,
}

impl CompilerOracle {
    /// An oracle for candidates made from `sources`; workers have their trees below `scratch`, and
    /// ask the warm compiler if there is one.
    pub(crate) fn new(
        plan: Plan,
        property: Property,
        sources: &SourceTree,
        scratch: Utf8PathBuf,
        warm: Option<WarmCompiler>,
    ) -> Self {
        let removable = plan.removable_args();
        let edited = sources
            .files()
            .map(|(_, path, _)| path.to_owned())
            .collect();
        let outside_names =
            crashes_after_resolution(&plan, &property).then(|| Arc::new(plan.extern_names()));
        let (property, digests) = (Arc::new(property), Mutex::default());
        Self {
            plan,
            removable,
            property,
            edited,
            scratch,
            digests,
            warm,
            outside_names,
        }
    }

    /// How many groups of flags may be left out.
    pub(crate) fn removable_flags(&self) -> usize {
        self.removable.len()
    }

    /// The plan with some flags left out.
    pub(crate) fn plan(&self, flags: &Flags) -> Plan {
        without(&self.plan, &self.removable, flags)
    }

    /// The files that candidates bring themselves, if they still have them.
    pub(crate) fn edited(&self) -> &BTreeSet<Utf8PathBuf> {
        &self.edited
    }

    /// Whether the compiler is loaded once and forked.
    pub(crate) fn is_warm(&self) -> bool {
        self.warm.is_some()
    }

    /// How far queries let the compiler go.
    pub(crate) fn ladder(&self) -> &'static str {
        self.plan.rung.map_or("full", Rung::name)
    }

    /// The crash that is looked for.
    pub(crate) fn signature(&self) -> &Signature {
        &self.property.signature
    }

    /// Whether what the compiler prints is the crash that is looked for, with no error that
    /// candidates may not have.
    pub(crate) fn is_interesting(&self, shown: &Shown) -> bool {
        let property = &self.property;
        let is_same = |seen| {
            property
                .signature
                .is_same_bug(seen, property.ignore_location)
        };
        let adds_none = shown.errors.is_subset(&property.allowed_errors);
        shown.signature.as_ref().is_some_and(is_same) && (adds_none || property.allow_errors)
    }

    /// Compiles a program as a person would see it.
    ///
    /// # Errors
    /// Where our own surroundings fail.
    pub(crate) fn show(
        &self,
        plan: &Plan,
        tree: &SourceTree,
        cancel: &Cancel,
    ) -> Result<Shown, Failure> {
        let mut worker = Worker::new(self.scratch.join("show"), plan, &self.edited)?;
        Ok(worker.show(plan, &sources(tree), cancel)?)
    }
}

impl Oracle for CompilerOracle {
    fn questioner(&self, worker: usize) -> Result<Box<dyn Questioner>, Failure> {
        let directory = self.scratch.join(format!("worker-{worker}"));
        let mut worker = Worker::new(directory, &self.plan, &self.edited)?;
        if let Some(compiler) = &self.warm {
            worker.warm_up(compiler);
        }
        Ok(Box::new(CompilerQuestioner {
            worker,
            plan: self.plan.clone(),
            removable: self.removable.clone(),
            property: self.property.clone(),
            plans: HashMap::new(),
        }))
    }

    fn digest(&self, flags: &Flags) -> Digest {
        let mut digests = self.digests.lock().unwrap_or_else(PoisonError::into_inner);
        *digests.entry(flags.clone()).or_insert_with(|| {
            let mut hasher = blake3::Hasher::new();
            hasher.update(&self.plan(flags).digest(&self.edited));
            hasher.update(&self.property.digest());
            *hasher.finalize().as_bytes()
        })
    }

    fn outside_names(&self) -> Option<Arc<BTreeSet<String>>> {
        self.outside_names.clone()
    }
}

/// Whether all errors of a candidate that come from names are new ones that decide: the crash comes
/// after the resolution of names, and without an error before it.
fn crashes_after_resolution(plan: &Plan, property: &Property) -> bool {
    let is_early = matches!(plan.rung, Some(Rung::Parse | Rung::Resolve));
    !is_early && !property.allow_errors && property.allowed_errors.is_empty()
}

impl Questioner for CompilerQuestioner {
    fn ask(&mut self, candidate: &Candidate, cancel: &Cancel) -> Result<Answer, Failure> {
        let flags = &candidate.flags;
        let plan = self
            .plans
            .entry(flags.clone())
            .or_insert_with(|| without(&self.plan, &self.removable, flags));
        let started = Instant::now();
        let answer = self
            .worker
            .ask(plan, &sources(&candidate.tree), &self.property, cancel)?;
        Ok(Answer {
            verdict: answer.verdict,
            stage: match answer.ending {
                Ending::Decided => Stage::NewError,
                Ending::TimedOut => Stage::Deadline,
                _ => Stage::End,
            },
            effort: Effort {
                wall: answer.duration,
                cpu: answer.cpu,
                peak_memory_bytes: answer.peak_memory_bytes,
                overhead: started.elapsed().saturating_sub(answer.duration),
            },
        })
    }
}

fn without(plan: &Plan, removable: &[ArgGroup], flags: &Flags) -> Plan {
    let left_out: Vec<ArgGroup> = flags
        .left_out
        .iter()
        .map(|&idx| removable[idx].clone())
        .collect();
    plan.without_args(&left_out)
}

fn sources(tree: &SourceTree) -> Sources {
    tree.files()
        .map(|(_, path, text)| (path.to_owned(), text.clone()))
        .collect()
}
