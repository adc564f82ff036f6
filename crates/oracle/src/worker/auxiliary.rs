//! Compiles auxiliary crates, the crates whose text is edited beside that of the crashing crate. They are compiled
//! before it, each only when its text or that of what it links has changed.

use super::confined::ProcessSort;
use super::place::Compiled;
use super::query::Query;
use crate::error::OracleError;
use crate::evidence::crash::Observation;
use crate::evidence::property::Property;
use crate::evidence::verdict::Verdict;
use crate::plan::auxiliary::AuxiliaryCall;
use crate::system::budget::TimeSpent;
use crate::system::files;
use crate::system::process::{Ending, Invocation, Outcome};
use crate::system::room::check_room;
use camino::Utf8Path;

/// Returns the verdict about a candidate of which an auxiliary crate does not compile.
pub(super) fn verdict(failed: &Outcome, property: &Property) -> Verdict {
    match property.judge(&Observation::of(failed)) {
        // The crash is looked for in another crate.
        Verdict::Interesting | Verdict::Compiles => Verdict::Rejected,
        verdict => verdict,
    }
}

impl Query<'_> {
    /// Compiles the auxiliary crates whose compiled form does not match the texts in the tree. Returns how the first
    /// ended that fails.
    pub(super) fn compile_auxiliaries(&mut self) -> Result<Option<Outcome>, OracleError> {
        for call in &self.plan.inputs.auxiliaries {
            let made_from = self.digest_of(call);
            let known = self.place.compiled.get(&call.compiled);
            if let Some(known) = known.filter(|known| known.made_from == made_from) {
                // As if this worker had compiled it now: its time bounds that of others.
                let spent = known.spent;
                self.note(spent);
                continue;
            }
            self.place.compiled.remove(&call.compiled);
            let outcome = self.compile_auxiliary(call)?;
            if outcome.ending != Ending::Exited(0) {
                return Ok(Some(outcome));
            }
            let spent = TimeSpent {
                compiling: outcome.cpu,
                asleep: outcome.asleep,
                ..TimeSpent::default()
            };
            self.note(spent);
            let compiled = Compiled { made_from, spent };
            self.place.compiled.insert(call.compiled.clone(), compiled);
        }
        Ok(None)
    }

    /// Returns a digest of all that a compiled auxiliary crate depends on.
    fn digest_of(&self, call: &AuxiliaryCall) -> [u8; 32] {
        let mut hasher = blake3::Hasher::new();
        let text = self.place.written.get(&call.file).map_or("", |text| text);
        let args = call.args.iter().map(String::as_str);
        for part in args.chain([text]) {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part.as_bytes());
        }
        for linked in &call.links {
            let of_file = self
                .plan
                .inputs
                .auxiliaries
                .iter()
                .find(|one| one.file == *linked);
            let digest = of_file.and_then(|one| self.place.compiled.get(&one.compiled));
            hasher.update(digest.map_or(&[], |one| one.made_from.as_slice()));
        }
        *hasher.finalize().as_bytes()
    }

    fn compile_auxiliary(&self, call: &AuxiliaryCall) -> Result<Outcome, OracleError> {
        let compiled = self.place.tree.join(&call.compiled);
        files::make_dir(compiled.parent().unwrap_or(Utf8Path::new("")))?;
        let mut args: Vec<String> = call.args.iter().map(|arg| self.here(arg)).collect();
        args.extend(["-o".to_owned(), compiled.into_string()]);
        args.push("--error-format=json".to_owned());
        let invocation = Invocation {
            program: &self.plan.call.compiler.path,
            args: &args,
            env: &self.env(),
            dir: &self.place.tree,
            bounds: self.bounds(),
            confinement: None,
        };
        let outcome = self.run(&invocation, ProcessSort::Compiler)?;
        check_room(&self.place.temporary, &outcome)?;
        files::empty(&self.place.temporary)?;
        Ok(outcome)
    }
}
