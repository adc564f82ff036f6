//! Statements of one function that another one executes as well, at its end or at that of a branch.
//!
//! A call or an assignment that was forgotten leaves nothing behind that could be changed: where nobody is woken when the last one
//! leaves, no change of what is there wakes anybody. The functions beside it know what may be missing: they make the same
//! call on the same variable, or on `self` (Le Goues, Nguyen, Forrest and Weimer 2012 insert statements of the same program).

use super::definitions::{Definition, base_of, definitions_of, name_of};
use super::{ChangeCollector, Switch, in_one_line};
use crate::mutant::Operator;
use reduce_syntax::byte_range;
use std::collections::{BTreeMap, BTreeSet};
use syn::visit::{self, Visit};
use syn::{BinOp, Block, Expr, ExprIf, Pat, Stmt};

/// The most statements that are tried at the end of a block.
const MOST_OF_BLOCK: usize = 6;
/// The most bytes of a statement that is tried elsewhere.
const LONGEST: usize = 120;

/// The statements that may be missing at the end of a file's blocks, by the byte at which each block begins.
pub(super) type Insertions = BTreeMap<usize, Vec<(usize, String)>>;

/// Finds the statements that may be missing at the end of each function of a file.
pub(super) fn insertions(text: &str, syntax: &syn::File) -> Insertions {
    let definitions = definitions_of(syntax);
    let found: Vec<FunctionParts> = definitions.iter().map(|one| parts(text, one)).collect();
    let mut insertions = Insertions::new();
    for one in &found {
        let statements = found.iter().flat_map(|other| {
            let is_other = other.name != one.name;
            let statements = other.statements.iter();
            statements.map(move |statement| (is_other, !statement.is_last, statement))
        });
        let is_missing =
            |statement: &StatementOf| !one.statements.iter().any(|own| own.is_as(statement));
        let mut missing: Vec<_> = statements.filter(|(_, _, one)| is_missing(one)).collect();
        // What another function ends with is likely to belong to this end too.
        missing.sort_by_key(|(is_other, is_inside, _)| (*is_other, *is_inside));
        for end in &one.ends {
            let mut texts: Vec<(usize, String)> = Vec::new();
            let missing = missing.iter().map(|(_, _, statement)| statement);
            for statement in missing.filter(|other| end.permits(other)) {
                let text = match end.is_before_value {
                    true => format!("{} ", statement.text),
                    false => format!(" {}", statement.text),
                };
                if texts.len() < MOST_OF_BLOCK && !texts.iter().any(|(_, known)| *known == text) {
                    texts.push((end.at, text));
                }
            }
            insertions.insert(end.block, texts);
        }
    }
    insertions
}

impl ChangeCollector<'_> {
    /// Notes the statements of other functions that may be executed at the end of a block.
    pub(super) fn inserted(&mut self, block: &Block) {
        let start = byte_range(block).start;
        for (at, text) in self.insertions.remove(&start).unwrap_or_default() {
            self.note(at..at, text, Operator::Insertion, Switch::Inserted);
        }
    }
}

/// A variable that several functions may mean the same by: `self` of a type, or another one of the same name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Variable {
    OfType(String),
    Named(String),
}

/// A statement about one variable, with its text.
#[derive(Debug)]
struct StatementOf {
    variable: Variable,
    text: String,
    /// Whether the function ends with the statement.
    is_last: bool,
    /// Whether the statement is about `self` in a method that may change it or take it.
    may_change_self: bool,
}

impl StatementOf {
    fn is_as(&self, other: &Self) -> bool {
        (&self.variable, &self.text) == (&other.variable, &other.text)
    }
}

/// The parts of a function that are compared with those of others.
struct FunctionParts {
    name: String,
    ends: Vec<EndOfBlock>,
    statements: Vec<StatementOf>,
}

/// The end of a function's body, or of a branch that binds variables.
struct EndOfBlock {
    /// The byte at which the block begins.
    block: usize,
    /// The byte at which a statement can be inserted.
    at: usize,
    /// Whether the block's value follows.
    is_before_value: bool,
    /// The variables that are there, and that the last statement is about.
    variables: BTreeSet<Variable>,
    /// Whether `self` is a shared reference there, by which nothing is changed.
    has_shared_self: bool,
}

impl EndOfBlock {
    /// Whether a statement of another function can be executed there.
    fn permits(&self, statement: &StatementOf) -> bool {
        let is_permitted = !(self.has_shared_self && statement.may_change_self);
        is_permitted && self.variables.contains(&statement.variable)
    }
}

fn parts(text: &str, definition: &Definition<'_>) -> FunctionParts {
    let body = definition.body;
    let mut statements = Statements {
        text,
        self_type: definition.self_type.as_deref(),
        has_shared_self: definition.has_shared_self(),
        last: body.stmts.last().map(|last| byte_range(last).start),
        found: Vec::new(),
    };
    statements.visit_block(body);
    let receiver = definition.receiver().map(str::to_owned);
    let receiver = receiver.map(Variable::OfType);
    let mut branches = Branches::default();
    branches.visit_block(body);
    let mut ends: Vec<EndOfBlock> = end_of_block(body, definition.parameters())
        .into_iter()
        .collect();
    if let Some(end) = ends.first_mut() {
        end.variables.extend(receiver);
        end.has_shared_self = definition.has_shared_self();
    }
    ends.extend(branches.0);
    FunctionParts {
        name: definition.signature.ident.to_string(),
        ends,
        statements: statements.found,
    }
}

/// Returns the end of a block in which these names are bound; `None` where the end is not reached.
fn end_of_block(block: &Block, names: impl Iterator<Item = String>) -> Option<EndOfBlock> {
    let (at, is_before_value) = end_of(block)?;
    // A variable that the end is not about may be borrowed, or gone, by then.
    let mut last = NameCollector::default();
    last.visit_stmt(block.stmts.last()?);
    let declared = block.stmts.iter().filter_map(|statement| match statement {
        Stmt::Local(local) => name_of(&local.pat),
        _ => None,
    });
    let names = names.chain(declared);
    let names = names.filter(|name| last.names.contains(name));
    Some(EndOfBlock {
        block: byte_range(block).start,
        at,
        is_before_value,
        variables: names.map(Variable::Named).collect(),
        has_shared_self: false,
    })
}

/// Collects the ends of branches that a pattern binds variables for, as in `if let Some(a) = b { .. }`.
#[derive(Default)]
struct Branches(Vec<EndOfBlock>);

impl<'ast> Visit<'ast> for Branches {
    fn visit_item(&mut self, _: &'ast syn::Item) {}

    fn visit_expr_if(&mut self, branches: &'ast syn::ExprIf) {
        let mut bound = BoundNames::default();
        bound.visit_expr(&branches.cond);
        let end = end_of_block(&branches.then_branch, bound.0.into_iter());
        self.0.extend(end.filter(|end| !end.variables.is_empty()));
        visit::visit_expr_if(self, branches);
    }
}

/// Collects the names that the patterns in a condition bind.
#[derive(Default)]
struct BoundNames(Vec<String>);

impl<'ast> Visit<'ast> for BoundNames {
    fn visit_expr_closure(&mut self, _: &'ast syn::ExprClosure) {}

    fn visit_expr_block(&mut self, _: &'ast syn::ExprBlock) {}

    fn visit_pat_ident(&mut self, named: &'ast syn::PatIdent) {
        self.0.push(named.ident.to_string());
        visit::visit_pat_ident(self, named);
    }
}

/// Collects the statements of a body that are about one variable only.
struct Statements<'t> {
    text: &'t str,
    self_type: Option<&'t str>,
    has_shared_self: bool,
    /// The byte at which the last statement of the body begins.
    last: Option<usize>,
    found: Vec<StatementOf>,
}

impl<'ast> Visit<'ast> for Statements<'_> {
    fn visit_item(&mut self, _: &'ast syn::Item) {}

    fn visit_stmt(&mut self, statement: &'ast Stmt) {
        let name = match statement {
            Stmt::Expr(Expr::If(branches), _) => variable_of_condition(branches),
            Stmt::Expr(expr, Some(_)) => variable_of(expr),
            _ => None,
        };
        if let Some(variable) = name.and_then(|name| self.variable(name))
            && let Some(text) = in_one_line(&self.text[byte_range(statement)])
            && text.len() <= LONGEST
        {
            let is_of_self = matches!(variable, Variable::OfType(_));
            self.found.push(StatementOf {
                variable,
                text,
                is_last: self.last == Some(byte_range(statement).start),
                may_change_self: is_of_self && !self.has_shared_self,
            });
        }
        visit::visit_stmt(self, statement);
    }
}

impl Statements<'_> {
    fn variable(&self, name: String) -> Option<Variable> {
        match name.as_str() {
            "self" => self.self_type.map(|name| Variable::OfType(name.to_owned())),
            _ => Some(Variable::Named(name)),
        }
    }
}

/// Returns the variable that a statement is about: `a` of `a.b.c();`, of `a.b = true;` and of `a.b -= 1;`.
fn variable_of(expr: &Expr) -> Option<String> {
    match expr {
        Expr::MethodCall(call) if call.args.is_empty() && call.turbofish.is_none() => {
            base_of(&call.receiver)
        }
        Expr::Assign(assigned) if is_literal(&assigned.right) => base_of_field(&assigned.left),
        Expr::Binary(operation) if is_literal(&operation.right) => match operation.op {
            BinOp::AddAssign(_) | BinOp::SubAssign(_) => base_of_field(&operation.left),
            _ => None,
        },
        _ => None,
    }
}

/// Returns the variable of an `if` whose condition and whose only statement are about that alone.
fn variable_of_condition(branches: &ExprIf) -> Option<String> {
    let [Stmt::Expr(only, Some(_))] = branches.then_branch.stmts.as_slice() else {
        return None;
    };
    let name = variable_of(only).filter(|_| branches.else_branch.is_none())?;
    let mut names = NameCollector::default();
    names.visit_expr(&branches.cond);
    let is_same = |other: &String| *other == name || other.starts_with(char::is_uppercase);
    (!names.has_more && names.names.iter().all(is_same)).then_some(name)
}

fn is_literal(expr: &Expr) -> bool {
    match expr {
        Expr::Lit(_) => true,
        Expr::Path(path) => path.path.is_ident("None"),
        _ => false,
    }
}

fn base_of_field(expr: &Expr) -> Option<String> {
    base_of(expr).filter(|_| matches!(expr, Expr::Field(_)))
}

/// Returns the byte at the end of a body, before its value, at which a statement can be inserted, and whether there is a value.
fn end_of(body: &Block) -> Option<(usize, bool)> {
    match body.stmts.last()? {
        Stmt::Expr(Expr::Return(_) | Expr::Break(_) | Expr::Continue(_) | Expr::Loop(_), _) => None,
        Stmt::Expr(value, None) => Some((byte_range(value).start, true)),
        Stmt::Macro(_) | Stmt::Item(_) => None,
        last => Some((byte_range(last).end, false)),
    }
}

/// Collects the names of one segment in an expression.
#[derive(Default)]
struct NameCollector {
    names: BTreeSet<String>,
    /// Whether there are names that nobody sees in a macro's arguments, or that the expression binds itself.
    has_more: bool,
}

impl<'ast> Visit<'ast> for NameCollector {
    fn visit_path(&mut self, path: &'ast syn::Path) {
        self.names.extend(path.get_ident().map(ToString::to_string));
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, _: &'ast syn::Macro) {
        self.has_more = true;
    }

    fn visit_pat(&mut self, _: &'ast Pat) {
        self.has_more = true;
    }
}

#[cfg(test)]
mod tests {
    use crate::mutant::Operator;
    use crate::reach::Reach;
    use crate::testing::all_reaching;

    /// Checks the inserted statements, each with its function and what follows.
    #[track_caller]
    fn check(text: &str, expected: &[(&str, &str, &str)]) {
        let mutants = all_reaching(Reach::Constant, text);
        let inserted = mutants
            .iter()
            .filter(|one| one.operator == Operator::Insertion);
        let found: Vec<(&str, &str, &str)> = inserted
            .map(|one| {
                let rest = text[one.range.start..].trim_start();
                let following = rest.split_whitespace().next().unwrap();
                (one.function.as_str(), one.mutated.trim(), following)
            })
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn a_call_on_a_variable_of_the_same_name_is_made_at_the_end() {
        check(
            "fn f(a: &A) { let mut inner = a.lock(); if inner.n == 0 {\n inner.close();\n } }
             fn g(a: &A) { let mut inner = a.lock(); inner.n -= 1; }
             fn h(a: &A) { let mut inner = a.lock(); i(); }
             fn j(a: &A) { if let Ok(mut inner) = a.lock() { inner.open = false; } }",
            &[
                ("f", "inner.n -= 1;", "if"),
                ("f", "inner.open = false;", "if"),
                ("g", "if inner.n == 0 { inner.close(); }", "}"),
                ("g", "inner.close();", "}"),
                ("g", "inner.open = false;", "}"),
                ("j", "if inner.n == 0 { inner.close(); }", "}"),
                ("j", "inner.n -= 1;", "}"),
                ("j", "inner.close();", "}"),
            ],
        );
    }

    #[test]
    fn a_statement_about_self_comes_before_the_value_of_methods_of_the_type() {
        check(
            "impl A { fn f(&mut self) -> u8 { self.x = true; 1 } fn g(&mut self) -> u8 { k(self) } fn h() { k(); } }
             impl B { fn g(&mut self) { k(self); } }",
            &[("A::g", "self.x = true;", "k(self)")],
        );
    }

    #[test]
    fn what_may_change_self_is_not_inserted_where_self_is_shared() {
        check(
            "impl A { fn f(&mut self) { self.n -= 1; self.a(); } fn g(&self) { self.b(); k(self); } fn h(self: &Self) { k(self); }
             fn i(&mut self) { k(self); } }",
            &[
                ("A::f", "self.b();", "}"),
                ("A::h", "self.b();", "}"),
                ("A::i", "self.a();", "}"),
                ("A::i", "self.n -= 1;", "}"),
                ("A::i", "self.b();", "}"),
            ],
        );
    }

    #[test]
    fn those_of_a_function_of_the_same_name_come_first_and_what_it_ends_with() {
        check(
            "impl A { fn f(&self) { self.a(); self.b(); self.c(); self.d(); } }
             impl A { fn g(&self) { k(self); } }
             impl T for A { fn g(&self) { self.e(); self.a(); self.b(); self.c(); self.d(); self.x(); self.y(); } }",
            &[
                ("A::f", "self.y();", "}"),
                ("A::f", "self.e();", "}"),
                ("A::f", "self.x();", "}"),
                ("A::g", "self.y();", "}"),
                ("A::g", "self.e();", "}"),
                ("A::g", "self.a();", "}"),
                ("A::g", "self.b();", "}"),
                ("A::g", "self.c();", "}"),
                ("A::g", "self.d();", "}"),
            ],
        );
    }

    #[test]
    fn nothing_is_inserted_where_the_end_is_not_reached_or_more_is_needed() {
        check(
            "impl A { fn f(&self) { self.a(); self.b(1); self.n = k(); x.y(); }
             fn g(&self) -> u8 { k(self); return 1; } fn h(&self) { loop { k(self); } } }",
            &[],
        );
    }
}
