//! The real oracle behind the [`Oracle`] trait: a worker of `reduce_oracle` for each thread.

use crate::Failure;
use crate::ask::{Answer, Candidate, Flags, Oracle, Questioner};
use crate::store::Digest;
use camino::Utf8PathBuf;
use reduce_oracle::{ArgGroup, Cancel, Plan, Property, Shown, Signature, Sources, Worker};
use reduce_syntax::SourceTree;
use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, PoisonError};

/// Decides candidates with the compiler.
pub(crate) struct CompilerOracle {
    plan: Plan,
    removable: Vec<ArgGroup>,
    property: Arc<Property>,
    /// The files that candidates bring themselves.
    edited: BTreeSet<Utf8PathBuf>,
    scratch: Utf8PathBuf,
    digests: Mutex<HashMap<Flags, Digest>>,
}

struct CompilerQuestioner {
    worker: Worker,
    plan: Plan,
    removable: Vec<ArgGroup>,
    property: Arc<Property>,
    plans: HashMap<Flags, Plan>,
}

impl CompilerOracle {
    /// An oracle for candidates made from `sources`; workers have their trees below `scratch`.
    pub(crate) fn new(
        plan: Plan,
        property: Property,
        sources: &SourceTree,
        scratch: Utf8PathBuf,
    ) -> Self {
        let removable = plan.removable_args();
        let edited = sources
            .files()
            .map(|(_, path, _)| path.to_owned())
            .collect();
        let (property, digests) = (Arc::new(property), Mutex::default());
        Self {
            plan,
            removable,
            property,
            edited,
            scratch,
            digests,
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
        Ok(Box::new(CompilerQuestioner {
            worker: Worker::new(directory, &self.plan, &self.edited)?,
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
}

impl Questioner for CompilerQuestioner {
    fn ask(&mut self, candidate: &Candidate, cancel: &Cancel) -> Result<Answer, Failure> {
        let flags = &candidate.flags;
        let plan = self
            .plans
            .entry(flags.clone())
            .or_insert_with(|| without(&self.plan, &self.removable, flags));
        let answer = self
            .worker
            .ask(plan, &sources(&candidate.tree), &self.property, cancel)?;
        Ok(Answer {
            verdict: answer.verdict,
            asked_compiler: true,
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
