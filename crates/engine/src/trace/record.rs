//! The lines of the log of candidates.

use super::changes::describe_changes;
use super::listener::tell;
use crate::answer::in_words;
use crate::candidate::{Candidate, CompileOptions};
use crate::decider::Decider;
use crate::request::Stage;
use reduce_model::Lack;
use reduce_oracle::{Late, Verdict, escape};

/// Logs that a stage begins.
pub(crate) fn begin_stage(stage: Stage, round: u32, tokens: u64) {
    tell(|| format!("stage {stage}, round {round}, at {tokens} tokens"));
}

/// Logs the number of edits that are not tried in this round.
pub(crate) fn left_out(count: usize) {
    if count > 0 {
        tell(|| format!("left out: {count} edits that failed in an earlier round"));
    }
}

/// Logs what the compiler misses in a slice of so many tokens.
pub(crate) fn grows(tokens: u64, lacks: &[Lack]) {
    tell(|| format!("slice of {tokens} tokens: {}", missed(lacks)));
}

fn missed(lacks: &[Lack]) -> String {
    let lines: Vec<String> = lacks.iter().map(in_a_line).collect();
    match lines.is_empty() {
        true => "the compiler misses nothing".to_owned(),
        false => format!("the compiler misses: {}", lines.join("; ")),
    }
}

/// Writes the code and the first line of an error of the compiler on one line.
fn in_a_line(lack: &Lack) -> String {
    let first = lack.message.lines().next().unwrap_or_default();
    escape::line(format!("{} {first}", lack.code).trim_start()).into_owned()
}

/// The proposer of a candidate: its search, and its number there.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Proposer {
    /// The number of the search in the reduction; 0 where there was none.
    pub(crate) search: u64,
    /// The number of the candidate in its search.
    pub(crate) ticket: u64,
}

/// A candidate whose verdict the search uses.
pub(crate) struct Record<'c> {
    pub(crate) stage: Stage,
    pub(crate) round: u32,
    pub(crate) proposer: Proposer,
    /// The sort of change that the candidate makes to the program, as a word or two.
    pub(crate) kind: &'c str,
    /// Whether accepted candidates may not last, because the search is on trial.
    pub(crate) is_on_detour: bool,
    /// The best so far before the candidate.
    pub(crate) before: &'c Candidate,
    pub(crate) candidate: &'c Candidate,
    pub(crate) decision: Decision<'c>,
}

/// The decision about a candidate: its decider, verdict and reason.
pub(crate) struct Decision<'c> {
    pub(crate) decider: Decider,
    /// The verdict on the candidate; absent where nobody was asked.
    pub(crate) verdict: Option<&'c Verdict>,
    /// The time limit that was exceeded, where that is the verdict.
    pub(crate) late: Option<Late>,
    /// The reason in words, where it says more than the verdict.
    pub(crate) reason: Option<&'c str>,
}

impl Record<'_> {
    /// Writes the line about the candidate into the log.
    pub(crate) fn tell(&self) {
        let Self {
            stage,
            round,
            proposer: Proposer { search, ticket },
            kind,
            ..
        } = self;
        let is_interesting = |verdict: &Verdict| verdict.is_interesting();
        let is_accepted = self.decision.verdict.is_some_and(is_interesting);
        let outcome = match (is_accepted, self.is_on_detour) {
            (true, false) => "accepted",
            (true, true) => "accepted on trial",
            (false, _) => "rejected",
        };
        let tokens = self.candidate.tree.count_tokens();
        let best = self.before.tree.count_tokens();
        let (decider, why) = (self.decision.decider.name(), self.decision.why());
        let changes = self.changes();
        tell(|| {
            format!(
                "{outcome} ({decider}: {why}); stage {stage}, round {round}, search {search}, \
                 ticket {ticket}, {kind}; {best} to {tokens} tokens; {changes}"
            )
        });
    }

    fn changes(&self) -> String {
        let texts = describe_changes(&self.before.tree, &self.candidate.tree);
        let compile_options = describe_options(
            &self.before.compile_options,
            &self.candidate.compile_options,
        );
        let parts: Vec<String> = texts.into_iter().chain(compile_options).collect();
        match parts.is_empty() {
            true => "nothing changes".to_owned(),
            false => parts.join("; "),
        }
    }
}

impl Decision<'_> {
    /// Returns the reason for the decision, on one line.
    fn why(&self) -> String {
        let why = match (self.reason, self.verdict, self.late) {
            (Some(reason), ..) => reason.to_owned(),
            (None, Some(Verdict::TimedOut), Some(late)) => out_of(late).to_owned(),
            (None, Some(verdict), _) => in_words(verdict),
            (None, None, _) => "it is not simpler than the best so far".to_owned(),
        };
        escape::line(&why).into_owned()
    }
}

fn out_of(late: Late) -> &'static str {
    match late {
        Late::Cpu => "it ran out of CPU time",
        Late::Asleep => "it was asleep for too long",
        Late::Wall => "it ran out of wall time",
    }
}

/// Describes the changes of the compile options with which a program is asked about.
fn describe_options(before: &CompileOptions, after: &CompileOptions) -> Vec<String> {
    let mut parts = Vec::new();
    if before.left_out != after.left_out {
        parts.push(format!("leaves out the flags {:?}", after.left_out));
    }
    if before.shared != after.shared {
        parts.push(format!("gives both calls the flags {:?}", after.shared));
    }
    if before.forbidden != after.forbidden {
        parts.push(format!("forbids the errors {:?}", after.forbidden));
    }
    if before.is_main != after.is_main {
        parts.push("the test is its `main`".to_owned());
    }
    if before.linkage != after.linkage {
        let names: Vec<&String> = after.linkage.externs.keys().collect();
        parts.push(format!("is linked with {names:?}"));
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(verdict: Option<&Verdict>, late: Option<Late>, reason: Option<&str>, expected: &str) {
        let decision = Decision {
            decider: Decider::End,
            verdict,
            late,
            reason,
        };
        assert_eq!(decision.why(), expected);
    }

    #[test]
    fn what_a_slice_lacks_is_one_line() {
        let lack = |code: &str, message: &str| Lack {
            code: code.to_owned(),
            message: message.to_owned(),
            ..Lack::default()
        };
        let lacks = [
            lack("E0425", "cannot find `a`\nmore"),
            lack("", "expected b"),
        ];
        assert_eq!(
            missed(&lacks),
            "the compiler misses: E0425 cannot find `a`; expected b"
        );
        assert_eq!(missed(&[]), "the compiler misses nothing");
    }

    #[test]
    fn the_reason_says_more_than_the_verdict() {
        let rejected = Some(&Verdict::Rejected);
        check(
            rejected,
            None,
            None,
            "the compiler rejects it without a crash",
        );
        let name = "the name `f` has no definition";
        check(rejected, None, Some(name), name);
        let error = Verdict::AddsError("E0308".to_owned());
        check(
            Some(&error),
            None,
            None,
            "it has an error that was not there: `E0308`",
        );
        let late = Some(&Verdict::TimedOut);
        check(late, Some(Late::Cpu), None, "it ran out of CPU time");
        check(None, None, None, "it is not simpler than the best so far");
    }

    #[test]
    fn what_others_wrote_stays_on_one_line() {
        let error = Verdict::AddsError("a\nb\u{1b}[2J".to_owned());
        let decision = Decision {
            decider: Decider::NewError,
            verdict: Some(&error),
            late: None,
            reason: None,
        };
        let why = decision.why();
        assert!(!why.contains(['\n', '\u{1b}']), "{why}");
    }
}
