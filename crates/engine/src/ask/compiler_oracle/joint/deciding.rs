//! The rule by which errors decide about candidates in a joint compilation, and the cases in which they do: the failure
//! comes after all errors, is an error, or is a crash.

use reduce_oracle::{CrashKind, Extent, Plan, Property, ReportedError};
use std::collections::{BTreeMap, BTreeSet};

/// The rule by which errors decide about candidates that are compiled together.
pub(super) struct Deciding {
    /// The plan by which the candidates are compiled.
    pub(super) plan: Plan,
    pub(super) property: Property,
    /// Whether the compiler normally treats the first error as a bug (`-Z treat-err-as-bug`), and
    /// the plan here has it report errors.
    is_as_bug: bool,
}

impl Deciding {
    /// Derives the rule for candidates of this plan; `None` where errors do not decide about them, or not alone.
    pub(super) fn of(plan: &Plan, property: Property) -> Option<Self> {
        let is_compiler = !plan.runs_command() && !plan.call.compiler.is_rustdoc();
        let signature = &property.signature;
        let is_reported = signature.kind == CrashKind::Diagnostic || signature.is_of_compiler();
        let is_told = plan.execution().is_some() || is_reported;
        let is_timed = plan.is_measured() || (plan.is_hang() && plan.execution().is_none());
        if !is_compiler || property.allow_errors || !is_told || is_timed {
            return None;
        }
        let reported = plan.with_errors_reported();
        let is_as_bug = reported.is_some();
        Some(Self {
            plan: reported.unwrap_or_else(|| plan.clone()),
            property,
            is_as_bug,
        })
    }

    /// Whether an error is looked for, and not a failure that comes after errors.
    pub(super) fn looks_for_error(&self) -> bool {
        let is_reported = self.property.signature.kind == CrashKind::Diagnostic;
        self.plan.execution().is_none() && (is_reported || self.is_as_bug)
    }

    /// Whether a joint compilation only finds errors, and not the failure itself, which comes after
    /// them.
    pub(super) fn tells_errors_alone(&self) -> bool {
        self.plan.execution().is_none() && !self.looks_for_error()
    }

    /// Returns how far candidates are compiled for their errors. An error that is taken for a bug may show
    /// after the others.
    pub(super) fn extent(&self) -> Extent {
        match self.is_as_bug {
            true => Extent::Query,
            false => Extent::Metadata,
        }
    }

    /// Whether an error is the failure that is reduced.
    pub(super) fn looks_for(&self, error: &ReportedError) -> bool {
        looks_for(&self.property, self.is_as_bug, error)
    }

    /// Finds the modules of a joint crate that have an error which they must not have, each with
    /// the first such error.
    pub(super) fn forbidden(&self, errors: &[(usize, ReportedError)]) -> BTreeMap<usize, String> {
        forbidden(&self.property, self.is_as_bug, errors)
    }
}

fn looks_for(property: &Property, is_as_bug: bool, error: &ReportedError) -> bool {
    match is_as_bug {
        true => property.crashes_with(&error.message),
        false => property.looks_for(&error.name),
    }
}

/// Finds the modules of a joint crate with an error that they must not have. Errors come in the order in which they
/// were reported. Where the first is taken for a bug, those after the one that is looked for do not count.
fn forbidden(
    property: &Property,
    is_as_bug: bool,
    errors: &[(usize, ReportedError)],
) -> BTreeMap<usize, String> {
    let mut crashed = BTreeSet::new();
    let mut forbidden = BTreeMap::new();
    for (version, error) in errors {
        if is_as_bug && looks_for(property, is_as_bug, error) {
            crashed.insert(version);
        } else if property.forbids(&error.name) && !crashed.contains(version) {
            forbidden
                .entry(*version)
                .or_insert_with(|| error.name.clone());
        }
    }
    forbidden
}

#[cfg(test)]
mod tests {
    use super::*;
    use reduce_oracle::{Patterns, Signature};

    fn property(kind: CrashKind, message: &str) -> Property {
        let signature = Signature::of_kind(kind, message);
        let allowed = (kind == CrashKind::Diagnostic).then(|| message.to_owned());
        Property {
            signature,
            allowed_errors: allowed.into_iter().collect(),
            allow_errors: false,
            ignore_location: false,
            patterns: Patterns::default(),
            ignore_values: false,
            among_others: false,
        }
    }

    #[track_caller]
    fn check(property: &Property, is_as_bug: bool, expected: &[(usize, &str)]) {
        let errors = [
            (0, "E0382", "moved"),
            (1, "E0308", "other"),
            (1, "E0382", "moved"),
            (2, "E0382", "moved"),
            (2, "E0425", "not found"),
            (3, "E0382", "borrowed"),
        ];
        let errors = errors.map(|(version, name, message)| {
            let error = ReportedError {
                name: name.to_owned(),
                message: format!("[{name}] {message}"),
                part: ("a.rs".into(), 0..1),
            };
            (version, error)
        });
        let found = forbidden(property, is_as_bug, &errors);
        let found: Vec<_> = found
            .iter()
            .map(|(version, name)| (*version, &**name))
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn where_an_error_is_looked_for_no_other_may_come() {
        let property = property(CrashKind::Diagnostic, "E0382");
        check(&property, false, &[(1, "E0308"), (2, "E0425")]);
    }

    #[test]
    fn where_the_first_error_is_taken_for_a_bug_none_may_come_before_it() {
        let property = property(CrashKind::Panic, "[E0382] moved");
        check(&property, true, &[(1, "E0308"), (3, "E0382")]);
    }

    #[test]
    fn where_the_compiler_crashes_no_error_may_come() {
        let property = property(CrashKind::Bug, "odd");
        let expected = [(0, "E0382"), (1, "E0308"), (2, "E0382"), (3, "E0382")];
        check(&property, false, &expected);
    }
}
