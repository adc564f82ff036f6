//! The check of a candidate before the compiler is asked: its changed files parse, and no name in them is lost.

use crate::answer::Answer;
use crate::candidate::Candidate;
use crate::decider::Decider;
use reduce_model::{Inspection, Outside, ResolvedNames};
use reduce_oracle::Verdict;
use reduce_syntax::{SourceTree, is_parsable};
use std::sync::{Arc, OnceLock};

/// The check of a candidate before the compiler is asked.
pub(crate) enum Check {
    /// Only the syntax is checked: these texts must parse, which are those that differ from the
    /// last accepted program.
    Syntax(Vec<Arc<str>>),
    /// Syntax and names are checked: files that differ from the accepted program must parse, and
    /// have no unresolved name and no call with a wrong number of arguments.
    Names(Accepted),
}

/// The last accepted program, in which all names are resolved, and what is known of its names.
#[derive(Debug, Clone)]
pub(crate) struct Accepted {
    pub(crate) tree: SourceTree,
    pub(crate) outside: Arc<Outside>,
    /// The state's names, read by the first worker that needs them.
    pub(crate) names: Arc<OnceLock<ResolvedNames>>,
}

impl Check {
    /// Returns the answer that refuses a candidate which fails the check; `None` if a compiler has
    /// to be asked.
    pub(crate) fn refusal(&self, candidate: &Candidate) -> Option<Answer> {
        let rejected = |decider| Answer::free(Verdict::Rejected, decider);
        match self.inspect(candidate) {
            Inspection::Plausible => None,
            Inspection::Unparsable => {
                let reason = "a file does not parse that could be parsed before";
                Some(rejected(Decider::Syntax).because(reason))
            }
            Inspection::Unresolved(name) => {
                let reason = format!("the name `{name}` has no definition");
                Some(rejected(Decider::Names).because(reason))
            }
            Inspection::Miscalled(name) => {
                let reason = format!("`{name}` is called with a wrong number of arguments");
                Some(rejected(Decider::Names).because(reason))
            }
        }
    }

    /// Inspects whether a candidate's changed files parse, no name in it is certainly unresolved, and
    /// no call is certainly wrong.
    pub(crate) fn inspect(&self, candidate: &Candidate) -> Inspection {
        match self {
            Self::Syntax(texts) => match texts.iter().all(|text| is_parsable(text)) {
                true => Inspection::Plausible,
                false => Inspection::Unparsable,
            },
            Self::Names(accepted) => {
                let read = || ResolvedNames::new(&accepted.tree, &accepted.outside);
                let names = accepted.names.get_or_init(read);
                names.inspect(&candidate.tree)
            }
        }
    }
}
