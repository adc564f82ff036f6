//! Writes the text that stands for a call: the body of the function, with the arguments in place of the parameters.

use super::super::expressions::{SUCCESS, inside_of};
use super::super::functions::{
    Body, Call, Function, Functions, Inner, Parameter, Shape, borrow_of, keywords, name_place,
    own_types, substitution,
};
use super::super::generics::{is_lifetime, position_of};
use super::site::{Leaving, Site};
use crate::precedence::Role;
use crate::program::{Change, Place, Program};
use crate::visit::{Node, Walk, each_in};
use reduce_model::Position;
use reduce_syntax::{is_number_type, names, tokens};
use syn::{
    Block, Expr, ExprMethodCall, ExprTry, GenericParam, Lit, Pat, Receiver, ReturnType, Stmt, Type,
};

/// Says whether types that only the function's signature tells are written in the body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Types {
    AsWritten,
    /// Types are written: `collect` and `parse` get a turbofish, numbers get suffixes, and what has no type by itself
    /// becomes a variable with a type. What is converted as a bound says is not converted.
    Told,
}

/// The text that stands in place of a call.
pub(super) struct Inlined {
    pub(super) text: String,
    /// Whether a type that only the function's signature says was written into the text.
    pub(super) has_told: bool,
}

pub(super) fn inlined<'p>(
    program: &'p Program,
    functions: &Functions<'p>,
    function: &Function<'p>,
    site: &Site<'_, 'p>,
    types: Types,
) -> Option<Inlined> {
    let call = site.call;
    let mut inlining = Inlining {
        program,
        functions,
        function,
        body: function.body.as_ref()?,
        call,
        change: program.change(),
        before: String::new(),
        types,
        has_told: false,
        has_statements: false,
    };
    inlining.generics()?;
    inlining.own_type()?;
    inlining.receiver()?;
    for (idx, parameter) in function.parameters.iter().enumerate() {
        inlining.parameter(parameter, call.argument(function, idx)?)?;
    }
    if types == Types::Told {
        let has_told = inlining.tell_type().or_else(|| inlining.tell_reference());
        inlining.has_told |= has_told.is_some();
        inlining.leave_out_conversions();
    }
    let has_told = inlining.has_told;
    let text = inlining.text(site)?;
    Some(Inlined { text, has_told })
}

/// The name of the variable that holds the receiver, where the method changes `self`, or is called of something that
/// is no variable.
const THIS: &str = "this";
/// The name of the variable that holds the value that the body returns.
const RETURNED: &str = "returned";

/// Whether a method may assign to its receiver, which it gets by value.
fn is_changed(receiver: &Receiver) -> bool {
    receiver.mutability.is_some() && borrow_of(receiver) == Some("")
}

/// Methods that may return many types, one of which a turbofish names.
const COLLECTING: [&str; 3] = ["collect", "sum", "product"];
/// Methods that convert a reference, with their traits; a bound tells into which type they convert it.
const CONVERTING: [(&str, &str); 2] = [("as_ref", "AsRef"), ("borrow", "Borrow")];
/// Methods that take a parsed value out of a `Result`, such as `unwrap` in `x.parse().unwrap()`.
const UNWRAPPING: [&str; 2] = ["unwrap", "expect"];

/// Returns the call `x.parse()` in `x.parse().unwrap()`.
fn parsed(value: &Expr) -> Option<&ExprMethodCall> {
    let Expr::MethodCall(unwrapping) = value else {
        return None;
    };
    let is_unwrapping = UNWRAPPING.iter().any(|name| unwrapping.method == name);
    match &*unwrapping.receiver {
        Expr::MethodCall(one) if is_unwrapping && one.method == "parse" => Some(one),
        _ => None,
    }
}

/// Returns the call `x.collect()` in an expression that collects.
fn collected(value: &Expr) -> Option<&ExprMethodCall> {
    match value {
        Expr::MethodCall(one) if COLLECTING.iter().any(|name| one.method == name) => Some(one),
        _ => None,
    }
}

/// Whether a literal is a number without a suffix.
fn is_bare_number(literal: &Lit) -> bool {
    match literal {
        Lit::Int(number) => number.suffix().is_empty(),
        Lit::Float(number) => number.suffix().is_empty(),
        _ => false,
    }
}

/// Names before `::new()` or `::default()` that do not tell the whole type of the value, such as `Vec`.
const COLLECTIONS: [&str; 8] = [
    "BTreeMap",
    "BTreeSet",
    "BinaryHeap",
    "Default",
    "HashMap",
    "HashSet",
    "Vec",
    "VecDeque",
];

/// Whether a value is empty and does not tell its type: `&[]`, `None`, `Vec::new()`.
fn is_open(passed: &Expr) -> bool {
    match passed {
        Expr::Reference(inner) => is_open(&inner.expr),
        Expr::Array(array) => array.elems.is_empty(),
        Expr::Path(path) => path.path.is_ident("None"),
        Expr::Macro(call) => call.mac.path.is_ident("vec") && call.mac.tokens.is_empty(),
        Expr::Call(call) if call.args.is_empty() => match &*call.func {
            Expr::Path(path) => {
                let segments = &path.path.segments;
                let collection = segments
                    .iter()
                    .nth_back(1)
                    .filter(|one| one.arguments.is_none());
                collection.is_some_and(|one| COLLECTIONS.iter().any(|name| one.ident == name))
            }
            _ => false,
        },
        _ => false,
    }
}

struct Inlining<'i, 'p> {
    program: &'p Program,
    functions: &'i Functions<'p>,
    function: &'i Function<'p>,
    body: &'i Body<'p>,
    call: &'i Call<'p>,
    change: Change<'p>,
    /// Statements that stand before the body in the text that replaces the call.
    before: String,
    types: Types,
    /// Whether a type that only the function's signature says was written into the body.
    has_told: bool,
    /// Whether the body's value has been replaced by statements and a variable.
    has_statements: bool,
}

impl<'p> Inlining<'_, 'p> {
    /// Puts the arguments in the call's turbofish in place of the function's generic parameters in the body. Generic
    /// parameters of the impl are known only in the same impl.
    fn generics(&mut self) -> Option<()> {
        let own = self.function.generics().filter(|one| !is_lifetime(one));
        for (idx, generic) in own.enumerate() {
            for at in self.mentions(generic) {
                let text = self.call.at.text(self.call.turbofish().nth(idx)?);
                self.change.replace(&name_place(self.program, at), text);
            }
        }
        let block = self.function.at.block().into_iter();
        let mut of_block = block.flat_map(|block| &block.generics.params);
        let is_mentioned = of_block.any(|one| !self.mentions(one).is_empty());
        (!is_mentioned || self.is_same_block()).then_some(())
    }

    /// Returns the positions where the body mentions a generic parameter.
    fn mentions(&self, generic: &GenericParam) -> Vec<Position> {
        let name = position_of(self.function.at.file, generic);
        let all = self.program.mentions().of(name).iter().copied();
        all.filter(|at| at.is_in(&self.body.whole)).collect()
    }

    fn is_same_block(&self) -> bool {
        let block = self.function.at.block().zip(self.call.at.block());
        block.is_some_and(|(one, other)| std::ptr::eq(one, other))
    }

    /// Replaces `Self` in the body.
    fn own_type(&mut self) -> Option<()> {
        if let Some(block) = self.function.at.block().filter(|_| !self.is_same_block()) {
            let body = &self.body.whole;
            let ty = self.function.at.text(&block.self_ty);
            for (place, text) in own_types(self.program, body, Some(body), ty) {
                self.change.replace(&place, text);
            }
        }
        Some(())
    }

    /// Replaces `self` in the body.
    fn receiver(&mut self) -> Option<()> {
        let Some(receiver) = self.function.receiver() else {
            return Some(());
        };
        let passed = self.call.receiver.or(self.call.arguments.first())?;
        let mut all = keywords(self.program, &self.body.whole, "self");
        all.retain(|(_, next)| *next != "::");
        let written = self.call.at.text(passed);
        let is_named = is_changed(receiver) || all.len() > 1 && !self.is_place(passed);
        let (text, borrowed) = match is_named {
            true => (self.name_receiver(receiver, written)?, None),
            false => (written.to_owned(), self.borrowed(passed, receiver)),
        };
        for (place, next) in all {
            let text = borrowed.as_ref().filter(|_| next != ".").unwrap_or(&text);
            self.change
                .replace(&place, &self.program.fitted(&place, text));
        }
        Some(())
    }

    /// Returns the text of a method call's receiver as the method gets it, with the borrow that the call makes.
    fn borrowed(&self, passed: &Expr, receiver: &Receiver) -> Option<String> {
        self.call.receiver?;
        let text = self.call.at.text(passed).to_owned();
        self.functions.passed(self.call.at, passed, text, receiver)
    }

    /// Makes a variable of the receiver of a method call, and returns the variable's name.
    fn name_receiver(&mut self, receiver: &Receiver, written: &str) -> Option<String> {
        let is_called = self.call.receiver.is_some();
        let mutability = match (is_changed(receiver), borrow_of(receiver)?) {
            (true, _) => "mut ",
            (false, "&mut ") if is_called => "mut ",
            _ => "",
        };
        self.before += &format!("let {mutability}{THIS} = {written}; ");
        Some(THIS.to_owned())
    }

    /// Whether an expression may be written several times: a variable, or a field of one.
    fn is_place(&self, passed: &Expr) -> bool {
        let is_part = |c: char| c == '_' || c == '.' || c.is_alphanumeric();
        let text = self.call.at.text(passed);
        Shape::of(passed) == Shape::Simple || text.chars().all(is_part)
    }

    fn parameter(&mut self, parameter: &Parameter<'p>, passed: &'p Expr) -> Option<()> {
        let mentions = parameter.mentions(self.program);
        let text = self.call.at.text(passed);
        let suffixed = self.with_suffix(parameter, passed);
        let is_simple = Shape::of(passed) == Shape::Simple;
        let name = parameter.name().filter(|name| name.mutability.is_none());
        let told = parameter
            .ty
            .filter(|_| self.types == Types::Told && is_open(passed));
        let told = told.map(|ty| parameter.file.text(ty));
        if let Some(ty) = told.filter(|ty| !mentions.is_empty() && self.may_be_named(ty)) {
            let pattern = self.function.at.text(parameter.pattern);
            self.before += &format!("let {pattern}: {ty} = {text}; ");
            self.has_told = true;
        } else if mentions.is_empty() {
            if !is_simple {
                self.before += &format!("{text}; ");
            }
        } else if name.is_some() && (is_simple || mentions.len() == 1) {
            for mention in mentions {
                let suffixed = suffixed.as_deref().filter(|_| self.is_open(mention));
                self.has_told |= suffixed.is_some();
                let text = suffixed.unwrap_or(text);
                let (place, text) = substitution(self.program, mention, text)?;
                self.change.replace(&place, &text);
            }
        } else {
            self.has_told |= suffixed.is_some();
            let text = suffixed.as_deref().unwrap_or(text);
            let pattern = self.function.at.text(parameter.pattern);
            self.before += &format!("let {pattern} = {text}; ");
        }
        Some(())
    }

    /// Returns the argument for a parameter, with the suffix of its type if it is a number.
    fn with_suffix(&self, parameter: &Parameter<'p>, passed: &Expr) -> Option<String> {
        let ty = parameter.file.text(parameter.ty?);
        let is_number = matches!(passed, Expr::Lit(literal) if is_bare_number(&literal.lit));
        let is_told = self.types == Types::Told && is_number && is_number_type(ty);
        is_told.then(|| format!("{}{ty}", self.call.at.text(passed)))
    }

    /// Whether only a suffix can say the type of a number at this position: beside an operator, and before a method call.
    fn is_open(&self, mention: Position) -> bool {
        let role = self
            .program
            .expression_context(&name_place(self.program, mention))
            .role;
        matches!(role, Role::Left(_) | Role::Right(_) | Role::Receiver)
    }

    /// Writes the type that the function returns where its value is collected or parsed.
    fn tell_type(&mut self) -> Option<()> {
        let ReturnType::Type(_, returned) = self.function.returned else {
            return None;
        };
        let value = self.body.value.as_ref()?.expression?;
        let collecting = parsed(value).or_else(|| collected(value))?;
        let is_open = collecting.turbofish.is_none();
        let ty = self.function.at.text(&**returned);
        if !(is_open && self.may_be_named(ty)) {
            return None;
        }
        let name = self.function.at.place(&collecting.method);
        let text = format!("{}::<{ty}>", collecting.method);
        self.change.replace(&name, &text);
        Some(())
    }

    /// Leaves out calls of methods that convert a reference, where a bound of the function may have said into what.
    fn leave_out_conversions(&mut self) {
        let whole = &self.function.whole;
        let signature = whole.range.start..self.body.whole.range.start;
        let signature = self.program.text(&Place::new(whole.file, signature));
        let bounds: Vec<&str> = names(signature).collect();
        let told = CONVERTING.iter().filter(|(_, one)| bounds.contains(one));
        let told: Vec<&str> = told.map(|(method, _)| *method).collect();
        if told.is_empty() {
            return;
        }
        let is_told = |call: &ExprMethodCall| {
            let is_one = told.iter().any(|method| call.method == method);
            is_one && call.args.is_empty() && call.turbofish.is_none()
        };
        let mut calls = Vec::new();
        each_in(
            self.program,
            self.function.at,
            self.body.node,
            |at, node| {
                if let Node::Expr(Expr::MethodCall(call)) = node
                    && is_told(call)
                {
                    let end = at.place(&*call.receiver).range.end;
                    let whole = at.place(call);
                    calls.push(Place::new(whole.file, end..whole.range.end));
                }
                Walk::Inside
            },
        );
        self.has_told |= !calls.is_empty();
        for call in calls {
            self.change.replace(&call, "");
        }
    }

    /// Whether a type in the function's signature means the same at the place of the call.
    fn may_be_named(&self, ty: &str) -> bool {
        let words = tokens(ty).into_iter().map(|token| &ty[token.range()]);
        let is_known = !words.clone().any(|word| ["impl", "Self"].contains(&word));
        let is_generic = self.function.generics().next().is_some();
        is_known && !is_generic
    }

    /// Writes the return type at the body's value, if that type is a reference. Other references may become it where
    /// a function ends: those of several branches, or one to another reference.
    fn tell_reference(&mut self) -> Option<()> {
        let ReturnType::Type(_, returned) = self.function.returned else {
            return None;
        };
        let value = self.body.value.as_ref()?;
        let may_become = matches!(
            value.expression?,
            Expr::Match(_) | Expr::If(_) | Expr::Path(_)
        );
        let is_reference = matches!(&**returned, Type::Reference(_));
        let ty = self.function.at.text(&**returned);
        if !(may_become && is_reference && self.may_be_named(ty)) {
            return None;
        }
        let text = self.change.text(&value.place);
        let typed = format!("let {RETURNED}: {ty} = {text}; {RETURNED}");
        self.change.replace(&value.place, &typed);
        self.has_statements = true;
        Some(())
    }

    /// Returns the text in place of the call: statements where the call is a statement, the value where there is
    /// nothing else, else a block.
    fn text(mut self, site: &Site<'_, 'p>) -> Option<String> {
        let mut is_expression = self.body.n_statements == 1 && !self.has_statements;
        if site.leaving == Leaving::Itself {
            is_expression |= self.map_rest()?;
        }
        let mut value = self.body.value.as_ref();
        if site.leaving == Leaving::Caller {
            let inner = value?.take_out_of(&SUCCESS, self.function.at, &mut self.change)?;
            value = value.filter(|_| inner == Inner::Value);
        }
        let contents = self.change.text(&self.body.contents);
        let contents = contents.trim();
        let all = format!("{}{contents}", self.before);
        if site.statement.is_some() {
            let is_value = value.is_some_and(|value| value.shape != Shape::Diverging);
            let semicolon = if is_value { ";" } else { "" };
            return (!all.is_empty()).then(|| format!("{all}{semicolon}"));
        }
        let is_value_only = self.before.is_empty() && is_expression;
        let text = match value {
            None if all.is_empty() => return Some("()".to_owned()),
            Some(_) if is_value_only => all,
            _ => format!("{{ {all} }}"),
        };
        Some(self.program.fitted(&site.whole, &text))
    }

    /// Makes `e.map(|x| f(x))` of `let x = e?; Ok(f(x))` at the end of the body, or of a branch there. Returns whether that
    /// is all of the body.
    fn map_rest(&mut self) -> Option<bool> {
        let Node::Block(block) = self.body.node else {
            return None;
        };
        let (statement, (pattern, tried), value) = ending_with_try(block)?;
        let inner = inside_of(value, &SUCCESS)?;
        let at = self.function.at;
        let (first, value) = (at.place(statement), at.place(value));
        let is_unit = matches!(inner, Expr::Tuple(unit) if unit.elems.is_empty());
        let result = match is_unit {
            true => String::new(),
            false => self.change.text(&at.place(inner)),
        };
        let between = first.range.end..value.range.start;
        let between = self.change.text(&Place::new(first.file, between));
        let tried = self.change.text(&at.place(&*tried.expr));
        let parameter = pattern.map_or("_", |pattern| at.text(pattern));
        let mapping = match (between.trim(), result.as_str(), pattern) {
            ("", "", None) => "drop".to_owned(),
            ("", result, _) if !is_unit => format!("|{parameter}| {result}"),
            (between, result, _) => format!("|{parameter}| {{ {between} {result} }}"),
        };
        let whole = Place::new(first.file, first.range.start..value.range.end);
        self.change
            .replace(&whole, &format!("{tried}.map({mapping})"));
        let is_first = |one: &Stmt| std::ptr::eq(one, statement);
        Some(block.stmts.first().is_some_and(is_first))
    }
}

/// The statement `e?;` or `let x = e?;`, as its pattern `x` and its expression `e?`.
type Tried<'p> = (Option<&'p Pat>, &'p ExprTry);

/// Returns the first statement `e?;` or `let x = e?;` of a block or of a branch at its end, with the value at the end
/// of that block.
fn ending_with_try(block: &Block) -> Option<(&Stmt, Tried<'_>, &Expr)> {
    let Some(Stmt::Expr(value, None)) = block.stmts.last() else {
        return None;
    };
    let mut all = block.stmts.iter();
    let first = all.find_map(|one| Some((one, tried(one)?, value)));
    first.or_else(|| branches(value).into_iter().find_map(ending_with_try))
}

/// Returns the blocks of an expression, such as an `if`, of which one gives the expression its value.
fn branches(expression: &Expr) -> Vec<&Block> {
    match expression {
        Expr::Block(one) => vec![&one.block],
        Expr::If(one) => {
            let other = one.else_branch.iter();
            let others = other.flat_map(|(_, other)| branches(other));
            std::iter::once(&one.then_branch).chain(others).collect()
        }
        Expr::Match(one) => one
            .arms
            .iter()
            .flat_map(|arm| branches(&arm.body))
            .collect(),
        _ => Vec::new(),
    }
}

/// Returns the `e?` of the statement `e?;` or `let x = e?;`, with `x`.
fn tried(statement: &Stmt) -> Option<Tried<'_>> {
    match statement {
        Stmt::Expr(Expr::Try(one), Some(_)) => Some((None, one)),
        Stmt::Local(local) => {
            let init = local.init.as_ref().filter(|init| init.diverge.is_none())?;
            match &*init.expr {
                Expr::Try(one) => Some((Some(&local.pat), one)),
                _ => None,
            }
        }
        _ => None,
    }
}
