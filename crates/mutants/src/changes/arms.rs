//! Changes of `match` arms: an arm never matches, or is tried after all others (an arm that matches too much takes what a later
//! one is for), or is also for what no arm is for.

use super::{ChangeCollector, Switch, in_one_line};
use crate::mutant::Operator;
use crate::reach::Reach;
use reduce_syntax::byte_range;
use syn::punctuated::Punctuated;
use syn::visit::Visit;
use syn::{Arm, ExprMatch, Pat, Token};

/// The largest number of arms of a `match` that may lack a case.
const MOST_CASES: usize = 4;

type Patterns = Punctuated<Pat, Token![,]>;

impl ChangeCollector<'_> {
    /// Notes the changes of the arms of a `match`. An arm may be left out if an arm for everything comes after it; else it may be
    /// tried last if another one matches some of the same.
    pub(super) fn arms(&mut self, chosen: &ExprMatch, is_unit: bool) {
        let is_total = chosen.arms.last().is_some_and(is_for_everything);
        for (idx, arm) in chosen.arms.iter().enumerate() {
            let later = &chosen.arms[idx + 1..];
            if !later.is_empty() && !matches!(arm.pat, Pat::Guard(_)) {
                match is_total {
                    true => self.unmatched(arm),
                    false => self.matched_last(arm, later),
                }
            }
            self.visit_pat(&arm.pat);
            self.note_body(&arm.body);
            match is_unit {
                true => self.unit_expr(&arm.body),
                false => self.visit_expr(&arm.body),
            }
        }
        self.missing_case(chosen);
    }

    /// Notes that what no arm is for may be handled as one of the arms with several cases handles them: a case may be missing there.
    fn missing_case(&mut self, chosen: &ExprMatch) {
        let Some((last, arms)) = chosen.arms.split_last() else {
            return;
        };
        if !matches!(last.pat, Pat::Wild(_)) || !self.knows_signatures() {
            return;
        }
        let several = arms.iter().filter(|arm| has_several_cases(&arm.pat));
        for arm in several.take(MOST_CASES) {
            let body = self.text_of(&arm.body);
            if body != self.text_of(&last.body) {
                self.note_instead(byte_range(&last.body), body.to_owned(), Operator::Arm);
            }
        }
    }

    fn unmatched(&mut self, arm: &Arm) {
        let switch = Switch::Unmatched(byte_range(&arm.pat).end);
        self.note(byte_range(arm), String::new(), Operator::Arm, switch);
    }

    /// Notes that an arm may be tried after those that follow it. A point of such a change is lost where these change.
    fn matched_last(&mut self, arm: &Arm, later: &[Arm]) {
        let Some(last) = later.last().filter(|_| self.reach > Reach::Plain) else {
            return;
        };
        let range = byte_range(arm).start..byte_range(last).end;
        let others = &self.text[byte_range(&later[0]).start..range.end];
        // An arm that does not end so would need a comma before the copy.
        let is_ended = others.ends_with([',', '}']);
        let text = format!("{},", self.text_of(arm).trim_end_matches(','));
        let overlaps = later.iter().any(|other| self.overlap(&arm.pat, &other.pat));
        if let Some(copy) = in_one_line(&text).filter(|_| is_ended && overlaps) {
            let between = &self.text[byte_range(arm).end..byte_range(&later[0]).start];
            let between = match between.trim().is_empty() {
                true => between,
                false => " ",
            };
            let mutated = format!("{others}{between}{text}");
            let switch = Switch::Last {
                pattern_end: byte_range(&arm.pat).end,
                arm: copy,
            };
            self.note(range, mutated, Operator::ArmOrder, switch);
        }
    }

    /// Whether two patterns can match the same value, as far as their text tells. Of what has more forms, not.
    fn overlap(&self, one: &Pat, other: &Pat) -> bool {
        match (one, other) {
            (Pat::Guard(guarded), _) => self.overlap(&guarded.pat, other),
            (_, Pat::Guard(guarded)) => self.overlap(one, &guarded.pat),
            (Pat::Or(all), _) => all.cases.iter().any(|case| self.overlap(case, other)),
            (_, Pat::Or(all)) => all.cases.iter().any(|case| self.overlap(one, case)),
            _ if matches_everything(one) || matches_everything(other) => true,
            (Pat::Paren(inner), _) => self.overlap(&inner.pat, other),
            (_, Pat::Paren(inner)) => self.overlap(one, &inner.pat),
            (Pat::Reference(one), Pat::Reference(other)) => self.overlap(&one.pat, &other.pat),
            (Pat::Tuple(one), Pat::Tuple(other)) => self.overlap_each(&one.elems, &other.elems),
            (Pat::TupleStruct(one), Pat::TupleStruct(other)) => {
                let paths = [&one.path, &other.path].map(|path| self.text_of(path));
                paths[0] == paths[1] && self.overlap_each(&one.elems, &other.elems)
            }
            (Pat::Range(_), Pat::Range(_) | Pat::Lit(_)) | (Pat::Lit(_), Pat::Range(_)) => true,
            _ => self.text_of(one) == self.text_of(other),
        }
    }

    /// Whether the patterns in two lists can match the same values, pair by pair.
    fn overlap_each(&self, one: &Patterns, other: &Patterns) -> bool {
        let mut both = one.iter().zip(other);
        one.len() == other.len() && both.all(|(one, other)| self.overlap(one, other))
    }
}

/// Whether a pattern lists cases that bind no variable: literals, ranges and paths.
fn has_several_cases(pattern: &Pat) -> bool {
    match pattern {
        Pat::Or(all) => all.cases.iter().all(is_case),
        Pat::Range(_) => true,
        Pat::Paren(inner) => has_several_cases(&inner.pat),
        _ => false,
    }
}

fn is_case(pattern: &Pat) -> bool {
    match pattern {
        Pat::Lit(_) | Pat::Path(_) | Pat::Range(_) => true,
        // A name of a constant or a variant.
        Pat::Ident(_) => !matches_everything(pattern),
        _ => false,
    }
}

/// Whether an arm matches all values.
fn is_for_everything(arm: &Arm) -> bool {
    matches_everything(&arm.pat)
}

fn matches_everything(pattern: &Pat) -> bool {
    match pattern {
        Pat::Wild(_) | Pat::Rest(_) => true,
        Pat::Ident(name) => {
            let text = name.ident.to_string();
            name.subpat.is_none() && text.starts_with(|first: char| first.is_lowercase())
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use crate::reach::Reach;
    use crate::testing::{check, check_reaching};

    #[test]
    fn arms_are_left_out_if_another_takes_their_place() {
        check(
            "fn f() -> S { match a { B => c, D | E => g, _ => h } }",
            &["", ""],
        );
        check("fn f() -> S { match a { B => c, d => e(d) } }", &[""]);
        check("fn f() -> S { match a { B => c, D => e } }", &[]);
    }

    #[test]
    fn what_no_arm_is_for_is_handled_like_the_cases_of_one() {
        let text =
            "fn f() -> S { match a { 'b'..='d' => e, 'g' | 'h' => { i() } 'j' => k, _ => l } }";
        check_reaching(Reach::Constant, text, &["", "", "", "e", "{ i() }"]);
        check(text, &["", "", ""]);
    }

    #[test]
    fn an_arm_is_tried_last_if_a_later_one_matches_some_of_the_same() {
        let checked = |arms: &str, expected: &[&str]| {
            let text = format!("fn f() -> S {{ match a {{ {arms} }} }}");
            check_reaching(Reach::Constant, &text, expected);
            check(&text, &[]);
        };
        checked(
            "(B, _) => c, (D(e), D(g)) => h, (D(_), B) | (B, D(_)) => i,",
            &["(D(e), D(g)) => h, (D(_), B) | (B, D(_)) => i, (B, _) => c,"],
        );
        checked(
            "B(_) => { c } B(0) => { d } E => { g }",
            &["B(0) => { d } E => { g } B(_) => { c },"],
        );
        checked("(B, D) => c, (D, _) => e,", &[]);
        checked("B(_) => c, B(0) => e", &[]);
    }
}
