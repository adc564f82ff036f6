//! Reduces one input of each class. What was reduced before is not reduced again.

use super::cases::{Case, NamedLooker};
use super::directory::TriageDirectory;
use crate::args::{MessageFormat, ReduceArgs};
use crate::command::reduce::{Waited, end, reduce};
use crate::context::Context;
use crate::display::{Display, say};
use crate::error::CommandError;
use crate::exit::ExitStatus;
use reduce_engine::{Event, ExistingOutput, ReductionRequest, Summary};
use reduce_triage::{Class, Reduced, bug};
use std::collections::BTreeSet;

/// The end of the reduction of a class.
#[derive(Debug, Clone)]
pub(super) enum Outcome {
    Reduced(Box<Summary>),
    /// There can be no result, for this reason.
    Failed(String),
    /// The class was not reduced yet, or need not be.
    Open,
}

/// Reduces classes one after the other.
pub(super) struct Reductions<'a> {
    pub(super) args: &'a ReduceArgs,
    pub(super) request: &'a ReductionRequest,
    pub(super) context: &'a Context,
    pub(super) directory: &'a TriageDirectory,
    pub(super) toolchains: &'a [NamedLooker],
    pub(super) cases: &'a [Case],
}

impl Reductions<'_> {
    /// Returns what is known of a class without reducing it.
    pub(super) fn known(&self, class: &Class) -> Outcome {
        match self.directory.summary(&class.key) {
            Some(summary) => Outcome::Reduced(Box::new(summary)),
            None => match self.directory.no_result(&class.key) {
                Some(why) => Outcome::Failed(why),
                None => Outcome::Open,
            },
        }
    }

    /// Reduces the smallest input of a class; `position` says which of how many it is. Where the user stops it, the class
    /// stays open.
    ///
    /// # Errors
    /// Where our own surroundings fail, and the next reduction would fail in the same way.
    pub(super) async fn reduce(
        &self,
        class: &Class,
        position: &str,
    ) -> Result<Option<Outcome>, CommandError> {
        let case = &self.cases[class.smallest];
        let mut display = Display::new(&self.args.display, self.context);
        let name = case.inputs[0].name(&self.context.cwd);
        display.note("Reducing", &format!("{position}: {name}"));
        let request = self.request_for(class, case);
        let waited = reduce(self.args, request, self.context, &mut display).await;
        match waited {
            Ok(Waited::Finished(summary)) => {
                // For people, the table says what became of it.
                if self.args.display.message_format == MessageFormat::Json {
                    display.event(&Event::Finished(summary));
                }
            }
            Err(error) if is_about_input(&error) => {
                display.close();
                let why = error.source.to_string();
                self.directory.keep_no_result(&class.key, &why)?;
                say(
                    self.args.display.message_format,
                    "Failed",
                    &format!("{name}: {why}"),
                );
                return Ok(Some(Outcome::Failed(why)));
            }
            Err(error) if error.kind != ExitStatus::Stopped => {
                display.close();
                return Err(error);
            }
            waited => {
                end(&waited, &mut display);
                return Ok(None);
            }
        }
        display.close();
        Ok(match self.known(class) {
            Outcome::Open => None,
            done => Some(done),
        })
    }

    fn request_for(&self, class: &Class, case: &Case) -> ReductionRequest {
        let looker = &self.toolchains[case.toolchain].looker;
        ReductionRequest {
            input: case.reduced.clone(),
            surroundings: looker.surroundings().clone(),
            output: self.directory.reduction(&class.key),
            existing_output: ExistingOutput::Replace,
            ..self.request.clone()
        }
    }
}

/// Whether an error says something about the input that the next run would say too.
fn is_about_input(error: &CommandError) -> bool {
    matches!(
        error.kind,
        ExitStatus::NoCrash | ExitStatus::UnstableCrash | ExitStatus::BadInput
    )
}

impl Outcome {
    /// Returns the result as it is grouped. Without one, the bug is the one that was seen of the input.
    pub(super) fn grouped(&self, seen: &str, program: Option<String>) -> Reduced {
        match self {
            Self::Reduced(summary) => Reduced {
                bug: bug(&summary.behaviour.signature),
                program,
                tokens: summary.sizes.tokens_after,
            },
            Self::Failed(_) | Self::Open => Reduced {
                bug: seen.to_owned(),
                program: None,
                tokens: 0,
            },
        }
    }
}

/// Returns the classes that have to be reduced, as indices, the smallest first: all with an input that is not known, and of the
/// known ones those with the signature of one of these.
pub(super) fn to_reduce(classes: &[Class], cases: &[Case]) -> Vec<usize> {
    let case = |class: &Class| &cases[class.smallest];
    let is_new = |class: &Class| class.members.iter().any(|&idx| !cases[idx].is_known());
    let bugs: BTreeSet<&str> = classes
        .iter()
        .filter(|class| is_new(class))
        .map(|class| &*case(class).crashed.bug)
        .collect();
    let mut chosen: Vec<usize> = (0..classes.len())
        .filter(|&idx| bugs.contains(&*case(&classes[idx]).crashed.bug))
        .collect();
    chosen.sort_by_key(|&idx| (case(&classes[idx]).crashed.tokens, &classes[idx].key));
    chosen
}
