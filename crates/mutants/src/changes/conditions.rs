//! Conditions that are joined to another one by `&&` or `||`.
//!
//! A case that was forgotten leaves nothing behind that could be changed: where an empty path should not get a separator, no
//! change of `!path.ends_with('/')` says so. The code around knows what may be missing: other conditions about the same
//! variables, flags of the same value, and the question of whether there is nothing (`x.is_empty()`, `x == 0`). Most mends that
//! persons make are changes of conditions (Xuan et al., Nopol: Automatic Repair of Conditional Statement Bugs, 2017; Xiong et al.,
//! Precise Condition Synthesis for Program Repair, ICSE 2017).

use super::definitions::{Definition, base_of, definitions_of};
use super::operators;
use super::signatures::Signatures;
use super::statements::binds;
use super::variables;
use super::{ChangeCollector, Switch, in_one_line};
use crate::mutant::Operator;
use reduce_syntax::{byte_range, is_integer_type};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use syn::visit::{self, Visit};
use syn::{BinOp, Expr, Lit, Member, UnOp};

/// The largest number of conditions that are joined to another one.
const MOST_JOINED: usize = 3;
/// The largest number of conditions of one function, and of one type, that are looked at for each condition.
const MOST_SEEN: usize = 64;
/// The most bytes of a condition that is joined to another one.
const LONGEST: usize = 80;

/// The conditions that may be joined to those of a file, by the bytes of these.
pub(super) type Joinable = BTreeMap<(usize, usize), Target>;

/// A condition, or a part of it, that others may be joined to.
#[derive(Debug)]
pub(super) struct Target {
    /// Whether only `&&` or only `||` may join: a chain of the same operator stands within a condition.
    only: Option<Joint>,
    joined: Vec<Atom>,
}

/// An operator that joins conditions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Joint {
    And,
    Or,
}

/// A condition without `&&`, `||` and `!`, with its negation, as texts of one line.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Atom {
    text: String,
    negated: String,
}

/// The different conditions of a file's functions, each with the variables that it is about.
#[derive(Default)]
struct Atoms {
    /// For each function those of its own.
    here: Vec<Vec<(BTreeSet<String>, Atom)>>,
    /// For each type those of its methods that are about `self` alone.
    of_self: BTreeMap<String, Vec<Atom>>,
}

impl Atoms {
    /// Adds the conditions of the next function.
    fn add(&mut self, text: &str, definition: &Definition<'_>, conditions: &[Condition<'_>]) {
        let mut here: Vec<(BTreeSet<String>, Atom)> = Vec::new();
        let mut operands = Vec::new();
        for condition in conditions {
            operands_of(condition.expr, &mut operands);
        }
        for operand in operands {
            if here.len() < MOST_SEEN
                && let Some(names) = names_if_simple(operand)
                && let Some(atom) = atom(text, operand)
                && !here.iter().any(|(_, known)| *known == atom)
            {
                here.push((names, atom));
            }
        }
        if let Some(name) = &definition.self_type {
            let of_self = self.of_self.entry(name.clone()).or_default();
            let new = here
                .iter()
                .filter(|(names, _)| names.iter().all(|name| name == "self"));
            for (_, atom) in new {
                if of_self.len() < MOST_SEEN && !of_self.contains(atom) {
                    of_self.push(atom.clone());
                }
            }
        }
        self.here.push(here);
    }
}

/// Finds the conditions that may be joined to those of a file's functions.
pub(super) fn joinable(text: &str, syntax: &syn::File, signatures: &Signatures) -> Joinable {
    let definitions = definitions_of(syntax);
    let mut atoms = Atoms::default();
    let mut conditions: Vec<Vec<Condition<'_>>> = Vec::new();
    for definition in &definitions {
        let mut all = Conditions::default();
        all.visit_block(definition.body);
        atoms.add(text, definition, &all.0);
        conditions.push(all.0);
    }
    let mut joinable = Joinable::new();
    for (function, (definition, conditions)) in definitions.iter().zip(conditions).enumerate() {
        for condition in conditions {
            for (target, only) in targets(condition.expr) {
                let only = match only {
                    Some(Joint::Or) if condition.repeats => continue,
                    None if condition.repeats => Some(Joint::And),
                    only => only,
                };
                let joined = joined(text, (function, definition), target, &atoms, signatures);
                let Range { start, end } = byte_range(target);
                joinable.insert((start, end), Target { only, joined });
            }
        }
    }
    joinable
}

impl ChangeCollector<'_> {
    /// Notes the conditions that may be joined to one, or to a part of it.
    pub(super) fn joined_conditions(&mut self, condition: &Expr) {
        for (target, _) in targets(condition) {
            let range = byte_range(target);
            let Some(known) = self.joinable.remove(&(range.start, range.end)) else {
                continue;
            };
            let text = self.text_of(target);
            let all = [Joint::And, Joint::Or];
            for joint in all
                .into_iter()
                .filter(|one| known.only.is_none_or(|only| only == *one))
            {
                let held = match (joint, target) {
                    (Joint::And, Expr::Binary(one)) if matches!(one.op, BinOp::Or(_)) => {
                        format!("({text})")
                    }
                    _ => text.to_owned(),
                };
                let operator = if joint == Joint::And { "&&" } else { "||" };
                for atom in known
                    .joined
                    .iter()
                    .flat_map(|one| [&one.text, &one.negated])
                {
                    let mutated = format!("{held} {operator} {atom}");
                    let switch = Switch::Joined {
                        is_and: joint == Joint::And,
                        condition: atom.clone(),
                    };
                    self.note(range.clone(), mutated, Operator::AddedCondition, switch);
                }
            }
        }
    }
}

/// Chooses the conditions that may be joined to one: those of the same function first, then the question of whether there is
/// nothing, flags of `self`, and conditions of other functions.
fn joined(
    text: &str,
    (function, definition): (usize, &Definition<'_>),
    target: &Expr,
    atoms: &Atoms,
    signatures: &Signatures,
) -> Vec<Atom> {
    let own = &text[byte_range(target)];
    let mut known = names_of(target);
    known.extend(definition.parameters());
    known.extend(definition.signature.receiver().map(|_| "self".to_owned()));
    let here = atoms.here[function].iter();
    let here = here.filter(|(names, _)| names.is_subset(&known));
    let self_type = definition.receiver();
    let flags = self_type.into_iter();
    let flags = flags.flat_map(|name| signatures.parts(name, "bool"));
    let flags = flags.map(|flag| Atom::of(format!("self.{flag}")));
    let elsewhere = self_type.into_iter().flat_map(|name| &atoms.of_self[name]);
    let all = here.map(|(_, atom)| atom.clone());
    let all = all.chain(nothing(text, (definition, target), signatures));
    let all = all.chain(flags).chain(elsewhere.cloned());
    let mut chosen: Vec<Atom> = Vec::new();
    for atom in all {
        let is_new =
            !own.contains(&atom.text) && !own.contains(&atom.negated) && !chosen.contains(&atom);
        if is_new {
            chosen.push(atom);
        }
        if chosen.len() == MOST_JOINED {
            break;
        }
    }
    chosen
}

impl Atom {
    /// Makes the condition of a text that binds more tightly than `!`.
    fn of(text: String) -> Self {
        let negated = format!("!{text}");
        Self { text, negated }
    }

    fn turned(self) -> Self {
        Self {
            text: self.negated,
            negated: self.text,
        }
    }
}

/// Returns an operand of a condition with its negation; `None` where its text is long or goes on over several lines.
fn atom(text: &str, operand: &Expr) -> Option<Atom> {
    match operand {
        Expr::Paren(inner) => atom(text, &inner.expr),
        Expr::Unary(negated) if matches!(negated.op, UnOp::Not(_)) => {
            atom(text, &negated.expr).map(Atom::turned)
        }
        _ => {
            let whole =
                in_one_line(&text[byte_range(operand)]).filter(|line| line.len() <= LONGEST)?;
            let Expr::Binary(operation) = operand else {
                return Some(Atom::of(whole));
            };
            let [(other, Operator::Equality)] = operators::others(&operation.op)[..] else {
                return None;
            };
            let left = &text[byte_range(&operation.left)];
            let right = &text[byte_range(&operation.right)];
            let negated = in_one_line(&format!("{left} {other} {right}"))?;
            Some(Atom {
                text: whole,
                negated,
            })
        }
    }
}

/// Returns the questions of whether a value that a condition is about is empty or zero: a receiver of methods that
/// collections and texts have, and an operand that is compared by its size.
fn nothing(
    text: &str,
    (definition, condition): (&Definition<'_>, &Expr),
    signatures: &Signatures,
) -> Vec<Atom> {
    let parameters = variables::parameters(definition.signature, text);
    let is_integer = |place: &Expr| match place {
        Expr::Field(field) => match &field.member {
            Member::Named(name) => signatures.is_number(&name.to_string()),
            Member::Unnamed(_) => false,
        },
        Expr::Path(path) => {
            let mut parameters = parameters.iter();
            parameters.any(|one| path.path.is_ident(&one.name) && is_integer_type(&one.ty))
        }
        _ => false,
    };
    let mut operands = Vec::new();
    operands_of(condition, &mut operands);
    let questions = operands.into_iter().filter_map(|operand| {
        let operand = without_negation(operand);
        match operand {
            Expr::MethodCall(call)
                if base_of(&call.receiver).is_some() && is_of_collections(&call.method) =>
            {
                Some(Atom::of(format!(
                    "{}.is_empty()",
                    &text[byte_range(&call.receiver)]
                )))
            }
            Expr::Binary(one)
                if is_relation(&one.op) && !is_number(&one.right) && !is_number(&one.left) =>
            {
                let mut sides = [&one.left, &one.right].into_iter();
                let place = sides.find(|side| base_of(side).is_some() && is_integer(side))?;
                let place = &text[byte_range(place)];
                Some(Atom {
                    text: format!("{place} == 0"),
                    negated: format!("{place} != 0"),
                })
            }
            _ => None,
        }
    });
    questions.collect()
}

/// Whether collections, slices and texts have a method of this name which asks for a part of them.
fn is_of_collections(method: &syn::Ident) -> bool {
    const METHODS: [&str; 8] = [
        "contains",
        "contains_key",
        "ends_with",
        "eq_ignore_ascii_case",
        "starts_with",
        "is_char_boundary",
        "is_sorted",
        "is_ascii",
    ];
    METHODS.iter().any(|name| method == name)
}

fn is_relation(op: &BinOp) -> bool {
    matches!(operators::others(op)[..], [(_, Operator::Relation), ..])
}

fn is_number(expr: &Expr) -> bool {
    matches!(expr, Expr::Lit(literal) if matches!(literal.lit, Lit::Int(_) | Lit::Float(_)))
}

fn without_negation(expr: &Expr) -> &Expr {
    match expr {
        Expr::Paren(inner) => without_negation(&inner.expr),
        Expr::Unary(negated) if matches!(negated.op, UnOp::Not(_)) => {
            without_negation(&negated.expr)
        }
        _ => expr,
    }
}

/// Returns the condition itself, and the chains of `&&` or `||` within it that are negated or below the other operator.
fn targets(condition: &Expr) -> Vec<(&Expr, Option<Joint>)> {
    let mut all = Vec::new();
    if !binds(condition) {
        all.push((condition, None));
        match joint_of(condition) {
            Some((joint, operands)) => {
                for one in operands {
                    inner_chains(one, Some(joint), &mut all);
                }
            }
            None => inner_chains(condition, None, &mut all),
        }
    }
    all
}

/// Collects the chains within an operand of a chain, or of a negation.
fn inner_chains<'e>(
    operand: &'e Expr,
    around: Option<Joint>,
    all: &mut Vec<(&'e Expr, Option<Joint>)>,
) {
    match operand {
        Expr::Paren(inner) => inner_chains(&inner.expr, around, all),
        Expr::Unary(negated) if matches!(negated.op, UnOp::Not(_)) => {
            inner_chains(&negated.expr, None, all);
        }
        _ => {
            let Some((joint, operands)) = joint_of(operand) else {
                return;
            };
            if around != Some(joint) {
                all.push((operand, Some(joint)));
            }
            for one in operands {
                inner_chains(one, Some(joint), all);
            }
        }
    }
}

/// Collects the operands of `&&` and `||` in a condition, or the condition itself if it has none.
fn operands_of<'e>(condition: &'e Expr, operands: &mut Vec<&'e Expr>) {
    match joint_of(without_negation(condition)) {
        Some((_, inner)) => {
            for one in inner {
                operands_of(one, operands);
            }
        }
        None => operands.push(condition),
    }
}

/// Returns the operator of a chain with its operands.
fn joint_of(expr: &Expr) -> Option<(Joint, [&Expr; 2])> {
    let Expr::Binary(operation) = expr else {
        return None;
    };
    let joint = match operation.op {
        BinOp::And(_) => Joint::And,
        BinOp::Or(_) => Joint::Or,
        _ => return None,
    };
    Some((joint, [&operation.left, &operation.right]))
}

/// A condition of a function.
struct Condition<'ast> {
    expr: &'ast Expr,
    /// Whether it is a loop's, which has no end where it holds too often: nothing is joined to it by `||`.
    repeats: bool,
}

/// Collects the conditions of a function's `if`, `while` and arms, but not those of functions within it.
#[derive(Default)]
struct Conditions<'ast>(Vec<Condition<'ast>>);

impl<'ast> Conditions<'ast> {
    fn add(&mut self, expr: &'ast Expr, repeats: bool) {
        self.0.push(Condition { expr, repeats });
    }
}

impl<'ast> Visit<'ast> for Conditions<'ast> {
    fn visit_item(&mut self, _: &'ast syn::Item) {}

    fn visit_expr_if(&mut self, branches: &'ast syn::ExprIf) {
        self.add(&branches.cond, false);
        visit::visit_expr_if(self, branches);
    }

    fn visit_expr_while(&mut self, repeated: &'ast syn::ExprWhile) {
        self.add(&repeated.cond, true);
        visit::visit_expr_while(self, repeated);
    }

    fn visit_pat_guard(&mut self, guarded: &'ast syn::PatGuard) {
        self.add(&guarded.guard, false);
        visit::visit_pat_guard(self, guarded);
    }
}

/// Returns the variables that an operand is about, if it is nothing but fields, methods without arguments, and the question of
/// whether two such values are equal.
fn names_if_simple(operand: &Expr) -> Option<BTreeSet<String>> {
    let names = VariableNames::of(operand);
    (names.is_simple && !names.found.is_empty()).then_some(names.found)
}

fn names_of(condition: &Expr) -> BTreeSet<String> {
    VariableNames::of(condition).found
}

/// Collects the variables that an expression names.
struct VariableNames {
    found: BTreeSet<String>,
    /// Whether there is nothing but fields, literals, methods without arguments, and `==`.
    is_simple: bool,
}

impl VariableNames {
    fn of(expr: &Expr) -> Self {
        let mut names = Self {
            found: BTreeSet::new(),
            is_simple: true,
        };
        names.visit_expr(expr);
        names
    }
}

impl<'ast> Visit<'ast> for VariableNames {
    fn visit_expr(&mut self, expr: &'ast Expr) {
        self.is_simple &= match expr {
            Expr::Binary(one) => matches!(one.op, BinOp::Eq(_) | BinOp::Ne(_)),
            Expr::MethodCall(call) => call.args.is_empty(),
            Expr::Field(_) | Expr::Lit(_) | Expr::Paren(_) | Expr::Path(_) => true,
            Expr::Unary(one) => !matches!(one.op, UnOp::Deref(_)),
            _ => false,
        };
        visit::visit_expr(self, expr);
    }

    fn visit_expr_call(&mut self, call: &'ast syn::ExprCall) {
        // The function is no variable.
        call.args.iter().for_each(|one| self.visit_expr(one));
    }

    fn visit_expr_path(&mut self, path: &'ast syn::ExprPath) {
        let name = path.path.get_ident().map(ToString::to_string);
        self.found
            .extend(name.filter(|name| !name.starts_with(char::is_uppercase)));
    }
}

#[cfg(test)]
mod tests {
    use crate::mutant::Operator;
    use crate::reach::Reach;
    use crate::testing::all_reaching;

    /// Checks the conditions with others that are joined to them.
    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let mutants = all_reaching(Reach::Constant, text);
        let added = mutants
            .iter()
            .filter(|one| one.operator == Operator::AddedCondition);
        let found: Vec<&str> = added.map(|one| one.mutated.as_str()).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn a_condition_of_the_same_function_is_joined_to_the_whole_and_to_chains_within() {
        check(
            "fn f(&self, a: &[u8]) { if a[0] > 7 && !(a[0] == 8 && g(a)) { h(); } if self.is_low { k(); } }",
            &[
                "a[0] > 7 && !(a[0] == 8 && g(a)) && self.is_low",
                "a[0] > 7 && !(a[0] == 8 && g(a)) && !self.is_low",
                "a[0] > 7 && !(a[0] == 8 && g(a)) || self.is_low",
                "a[0] > 7 && !(a[0] == 8 && g(a)) || !self.is_low",
                "a[0] == 8 && g(a) && self.is_low",
                "a[0] == 8 && g(a) && !self.is_low",
            ],
        );
    }

    #[test]
    fn what_may_be_empty_or_zero_is_asked_for_that() {
        check(
            "fn f(path: &[u8]) { if !path.ends_with(b\"/\") { g(); } }",
            &[
                "!path.ends_with(b\"/\") && path.is_empty()",
                "!path.ends_with(b\"/\") && !path.is_empty()",
                "!path.ends_with(b\"/\") || path.is_empty()",
                "!path.ends_with(b\"/\") || !path.is_empty()",
            ],
        );
        check(
            "struct A { a: usize } impl A { fn f(&self) { if self.a < self.b || g() { h(); } } }",
            &[
                "(self.a < self.b || g()) && self.a == 0",
                "(self.a < self.b || g()) && self.a != 0",
                "self.a < self.b || g() || self.a == 0",
                "self.a < self.b || g() || self.a != 0",
            ],
        );
    }

    #[test]
    fn nothing_lets_a_loop_go_on_that_would_end() {
        check(
            "fn f(a: bool, b: &[u8]) { while a && (b.starts_with(b\"7\") || g()) { h(); } }",
            &[
                "a && (b.starts_with(b\"7\") || g()) && b.is_empty()",
                "a && (b.starts_with(b\"7\") || g()) && !b.is_empty()",
            ],
        );
    }

    #[test]
    fn flags_of_the_value_and_conditions_of_other_methods_are_joined() {
        check(
            "struct A { is_new: bool, n: u8 } impl A { fn f(&self) { if self.n == 1 { g(); } }
             fn h(&self, b: u8) { if self.n > 2 && b > 3 { g(); } } }
             fn i(b: u8) { if b != 4 { g() } }",
            &[
                "self.n == 1 && self.is_new",
                "self.n == 1 && !self.is_new",
                "self.n == 1 || self.is_new",
                "self.n == 1 || !self.is_new",
                "self.n > 2 && b > 3 && self.is_new",
                "self.n > 2 && b > 3 && !self.is_new",
                "self.n > 2 && b > 3 && self.n == 1",
                "self.n > 2 && b > 3 && self.n != 1",
                "self.n > 2 && b > 3 || self.is_new",
                "self.n > 2 && b > 3 || !self.is_new",
                "self.n > 2 && b > 3 || self.n == 1",
                "self.n > 2 && b > 3 || self.n != 1",
            ],
        );
    }

    #[test]
    fn nothing_is_joined_where_variables_are_bound_or_not_there() {
        check(
            "fn f(a: u8, k: &K) { if let Some(b) = c && b { d(); } if k.m() { } }
             fn g(e: u8) { if e == 1 { for i in 0..9 { if i == 2 { h(); } } } }
             fn j(l: bool) { if l { h(); } }",
            &[
                "i == 2 && e == 1",
                "i == 2 && e != 1",
                "i == 2 || e == 1",
                "i == 2 || e != 1",
            ],
        );
    }
}
