//! Finds the first calls of a straight line that give another value with another version of the code under test, and makes a
//! test of each: what comes before the call, and an assertion of the other version's value.
//!
//! Only what may flow into the line's own assertion counts, as versions differ in more than a bug.
//!
//! See docs/decisions/carving.md.

use crate::failing_test::run_values::{BoundNames, Probes, RunValues};
use crate::program::{Place, Program, SyntaxFile};
use crate::visit::{self, Node, Walk};
use reduce_syntax::{Edit, EditSet, SourceTree, TokenCursor, makes_test};
use std::cmp::Reverse;
use std::collections::BTreeSet;
use syn::visit::Visit;
use syn::{Block, Expr, Item, ItemFn, ReturnType, Stmt};

/// The largest number of tests that are made of a line, the earliest difference first.
const MOST_DIFFERENCES: usize = 6;

/// Returns the tests that assert the first values which differ between two runs of a straight line; `expected` are those of the version
/// that is right. None where the line does not end with an `assert_eq!` or a plain `assert!`.
#[must_use]
pub fn differentials(
    probes: &Probes<'_>,
    seen: &RunValues,
    expected: &RunValues,
) -> Vec<SourceTree> {
    let program = probes.program();
    let mut found = Vec::new();
    visit::each(program, |at, node| {
        if let Node::Item(Item::Fn(function)) = node
            && is_test(function)
            && let Some(line) = StraightLine::of(program, at.file, function)
        {
            found.extend(line.differentials(probes, seen, expected));
        }
        Walk::Inside
    });
    found.truncate(MOST_DIFFERENCES);
    found
}

/// Whether a function is called by itself.
fn is_test(function: &ItemFn) -> bool {
    let is_test = function.attrs.iter().any(makes_test);
    function.sig.inputs.is_empty() && (is_test || function.sig.ident == "main")
}

/// The statements of a test that is a straight line.
struct StraightLine<'p> {
    program: &'p Program,
    file: SyntaxFile<'p>,
    block: &'p Block,
    /// The statements before the failing assertion, and that.
    statements: &'p [Stmt],
    /// The value that the test returns, if it returns one.
    end: Option<&'p Expr>,
    assertion: Assertion,
}

/// The form of the assertion at the end of a straight line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Assertion {
    /// `assert_eq!(a, b)`
    Equality,
    /// `assert!(a)`, without a message.
    Condition,
}

impl<'p> StraightLine<'p> {
    fn of(program: &'p Program, file: SyntaxFile<'p>, function: &'p ItemFn) -> Option<Self> {
        let (statements, end) = match (&function.sig.output, function.block.stmts.as_slice()) {
            (ReturnType::Type(..), [statements @ .., Stmt::Expr(end, None)]) => {
                (statements, Some(end))
            }
            (ReturnType::Type(..), _) => return None,
            (ReturnType::Default, statements) => (statements, None),
        };
        let assertion = assertion(file.text(statements.last()?))?;
        Some(Self {
            program,
            file,
            block: &function.block,
            statements,
            end,
            assertion,
        })
    }

    /// Returns the tests of the first differences, in the order of the run.
    fn differentials(
        &self,
        probes: &Probes<'_>,
        seen: &RunValues,
        expected: &RunValues,
    ) -> Vec<SourceTree> {
        let values = probes.differences(seen, expected);
        let slice = self.slice();
        let mut found = Vec::new();
        for (idx, statement) in self.statements.iter().enumerate() {
            if !slice.contains(&idx) {
                continue;
            }
            let place = self.file.place(statement);
            let nested = nested(self.file, statement);
            let is_in_line = |site: &Place| {
                site.is_within(&place) && !nested.iter().any(|nested| site.is_within(nested))
            };
            let mut here: Vec<_> = values.iter().filter(|(site, _)| is_in_line(site)).collect();
            // What is computed first ends first, and is within what is computed of it.
            here.sort_by_key(|(site, _)| (site.range.end, Reverse(site.range.start)));
            let trees = here
                .into_iter()
                .filter_map(|(site, value)| self.asserting(idx, site, value));
            found.extend(trees);
        }
        found
    }

    /// The test that ends with an assertion of a value in place of a statement; `None` where that is the statement.
    fn asserting(&self, idx: usize, site: &Place, value: &str) -> Option<SourceTree> {
        let computed = self.program.text(site);
        let assertion = match (self.assertion, value) {
            (Assertion::Equality, _) => format!("assert_eq!({computed}, {value});"),
            (Assertion::Condition, "true") => format!("assert!({computed});"),
            (Assertion::Condition, "false") => format!("assert!(!({computed}));"),
            (Assertion::Condition, _) => format!("assert!({computed} == {value});"),
        };
        if self.file.text(&self.statements[idx]) == assertion {
            return None;
        }
        let inside = self.file.inside(self.block.brace_token.span);
        let begin = self.file.place(&self.statements[idx]).range.start;
        let end = self.end.map(|end| self.file.text(end)).unwrap_or_default();
        let mut edits = EditSet::new();
        edits.add(Edit::replace(
            inside.file,
            &(begin..inside.range.end),
            &format!("{assertion}\n{end}\n"),
        ));
        Some(edits.apply(self.program.sources()))
    }

    /// The indices of the statements that may flow into the last one: those that name a variable which the last one or a
    /// later one of them names.
    fn slice(&self) -> BTreeSet<usize> {
        let patterns = self.statements.iter().filter_map(|one| match one {
            Stmt::Local(local) => Some(&local.pat),
            _ => None,
        });
        let bound: BTreeSet<String> = patterns.flat_map(BoundNames::in_pattern).collect();
        let named = |statement: &Stmt| -> BTreeSet<String> {
            let cursor = TokenCursor::new(self.file.text(statement));
            let words = cursor.words().map(str::to_owned);
            words.filter(|word| bound.contains(word)).collect()
        };
        let mut needed = BTreeSet::new();
        let mut slice = BTreeSet::new();
        for (idx, statement) in self.statements.iter().enumerate().rev() {
            let named = named(statement);
            if idx + 1 == self.statements.len() || !needed.is_disjoint(&named) {
                slice.insert(idx);
                needed.extend(named);
            }
        }
        slice
    }
}

/// The form of an assertion, by its text.
fn assertion(text: &str) -> Option<Assertion> {
    let cursor = TokenCursor::new(text);
    let words: Vec<&str> = cursor.words().collect();
    match words.as_slice() {
        ["assert_eq", ..] => Some(Assertion::Equality),
        ["std", "assert_eq", ..] => Some(Assertion::Equality),
        ["assert", ..] => {
            let end = cursor.closing(2)?;
            let arguments = cursor.split_values_by_commas(3..end);
            (arguments.len() == 1).then_some(Assertion::Condition)
        }
        _ => None,
    }
}

/// The places of closures and blocks in a statement, in which names may mean something of their own.
fn nested(file: SyntaxFile<'_>, statement: &Stmt) -> Vec<Place> {
    struct Nested<'p>(SyntaxFile<'p>, Vec<Place>);
    impl<'ast> Visit<'ast> for Nested<'_> {
        fn visit_block(&mut self, block: &'ast Block) {
            self.1.push(self.0.place(block));
        }
        fn visit_expr_closure(&mut self, closure: &'ast syn::ExprClosure) {
            self.1.push(self.0.place(closure));
        }
        fn visit_arm(&mut self, arm: &'ast syn::Arm) {
            self.1.push(self.0.place(arm));
        }
    }
    let mut nested = Nested(file, Vec::new());
    nested.visit_stmt(statement);
    nested.1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::failing_test::run_values::sites::sites;
    use std::sync::Arc;

    /// Checks the tests that are made of a line, by their statements, where expressions have these values with the two versions.
    #[track_caller]
    fn check(line: &str, values: &[(&str, &str, &str)], expected: &[&str]) {
        let text = format!("#[test]\nfn t() {{\n{line}\n}}\n");
        let tree = SourceTree::single("t.rs".into(), Arc::from(&*text));
        let program = Program::new(&tree);
        let probes = Probes::of_all_values(&program);
        let record = |nth: usize| {
            let all = sites(&program).all.into_iter().enumerate();
            let lines = all.filter_map(|(idx, site)| {
                let text = program.text(&site.place);
                let of_text = values.iter().find(|one| one.0 == text)?;
                Some(format!("T {idx} {}\n", [of_text.1, of_text.2][nth]))
            });
            RunValues::read(lines.collect::<String>().as_bytes())
        };
        let found = differentials(&probes, &record(0), &record(1));
        let bodies = found.iter().map(|tree| {
            let text = tree.text(tree.root());
            let body = text.strip_prefix("#[test]\nfn t() {\n").unwrap();
            body.trim_end_matches(['}', '\n']).to_owned()
        });
        assert_eq!(bodies.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn what_comes_after_the_first_difference_goes() {
        check(
            "let a = f(2);\nlet b = g(a, 1);\nassert_eq!(h(b), 3);",
            &[
                ("f(2)", "5", "5"),
                ("g(a, 1)", "Some(7)", "Some(8)"),
                ("h(b)", "4", "3"),
            ],
            &["let a = f(2);\nassert_eq!(g(a, 1), Some(8));"],
        );
    }

    #[test]
    fn what_is_computed_first_comes_first() {
        check(
            "assert!(f(g(1)).is_some());",
            &[
                ("f(g(1)).is_some()", "false", "true"),
                ("f(g(1))", "None", "Some(1)"),
                ("g(1)", "2", "3"),
            ],
            &["assert!(g(1) == 3);", "assert!(f(g(1)) == Some(1));"],
        );
    }

    #[test]
    fn what_cannot_flow_into_the_assertion_does_not_count() {
        check(
            "let a = f(1);\nlet b = f(2);\nlet c = a.g();\nassert_eq!(c, 3);",
            &[("f(2)", "5", "6"), ("a.g()", "4", "3")],
            &["let a = f(1);\nlet b = f(2);\nassert_eq!(a.g(), 3);"],
        );
    }

    #[test]
    fn a_value_within_a_closure_or_without_a_counterpart_does_not_count() {
        check(
            "let a = f(|x| g(x));\nlet b = h(a);\nassert_eq!(b, 3);",
            &[("g(x)", "5", "6"), ("h(a)", "4", "-")],
            &[],
        );
    }

    #[test]
    fn a_line_that_ends_otherwise_has_no_such_test() {
        for end in [
            "assert!(a, \"why\");",
            "f(a).unwrap();",
            "assert_ne!(a, 2);",
        ] {
            check(&format!("let a = f(1);\n{end}"), &[("f(1)", "1", "2")], &[]);
        }
    }
}
