//! Finds statements that only print: people put them into a test that fails, to see what is there. What is read for them runs
//! code of its own, such as that of `Debug`, so that they would have to stay once mutants are chosen. So do statements that only
//! read: what is left of other assertions.

use super::Isolating;
use super::leading::{Leading, LeadingBlock};
use super::variables::{Variables, is_unmentioned};
use crate::precedence::is_assignment;
use crate::program::Program;
use reduce_syntax::TokenCursor;
use syn::punctuated::Punctuated;
use syn::visit::Visit;
use syn::{
    Arm, Expr, ExprForLoop, ExprMethodCall, ExprPath, Local, Macro, Pat, PathSegment, Stmt, Token,
};

/// Macros that only print.
const PRINTING: [&str; 4] = ["eprint", "eprintln", "print", "println"];
/// Macros that only make a value of their arguments, or panic.
const FORMATTING: [&str; 4] = ["format", "panic", "unreachable", "vec"];
/// Words in the names of methods that change something behind a shared reference, such as `lock`.
const CHANGING: [&str; 3] = ["lock", "mut", "set"];
/// Words in the names of methods that may change something outside of the program's values, or behind a shared reference of
/// another crate.
const ACTING: [&str; 24] = [
    "add", "cancel", "clear", "close", "create", "drop", "fetch", "flush", "insert", "join",
    "notify", "open", "poll", "push", "read", "recv", "remove", "send", "spawn", "store", "swap",
    "take", "wait", "write",
];
/// Types, such as `Cell`, by which values change behind shared references, and modules that act outside of the program.
const INTERIOR: [&str; 16] = [
    "Cell",
    "Condvar",
    "File",
    "LazyCell",
    "LazyLock",
    "Mutex",
    "OnceCell",
    "OnceLock",
    "RefCell",
    "RwLock",
    "UnsafeCell",
    "fs",
    "mpsc",
    "net",
    "process",
    "thread_local",
];
/// Functions of types that make a value and do nothing else.
const MAKING: [&str; 4] = ["default", "from", "new", "with_capacity"];

/// Returns the removals of statements around the assertion that only print existing values.
pub(super) fn printing(leading: &Leading<'_>, variables: &Variables) -> Vec<Isolating> {
    without(leading, variables, |reading, statement| {
        reading.is_printing(statement)
    })
}

/// Returns changes that put borrows into statements which only print if no method in them changes its variable: `(&a).b()`
/// replaces `a.b()`, and compiles only if that is so.
pub(super) fn borrowing(leading: &Leading<'_>, variables: &Variables) -> Vec<Isolating> {
    borrowed(leading, variables, |reading, statement| {
        reading.is_printing(statement)
    })
}

/// Returns the removals of statements around the assertion that only read existing values, and whose result nothing uses.
pub(super) fn reading(
    program: &Program,
    leading: &Leading<'_>,
    variables: &Variables,
) -> Vec<Isolating> {
    without(leading, variables, |reading, statement| {
        reading.is_reading(program, statement)
    })
}

/// Returns changes that put the borrows of [`borrowing`] into statements whose value nothing uses.
pub(super) fn borrowing_reads(
    program: &Program,
    leading: &Leading<'_>,
    variables: &Variables,
) -> Vec<Isolating> {
    borrowed(leading, variables, |reading, statement| {
        reading.is_reading(program, statement)
    })
}

/// Returns the removals of the statements that `is_meant` accepts.
fn without<'p>(
    leading: &Leading<'p>,
    variables: &Variables,
    is_meant: impl Fn(Reading<'_, 'p>, &Stmt) -> bool,
) -> Vec<Isolating> {
    each_statement(leading, variables, |reading, statement| {
        let place = reading.block.file.place(statement);
        is_meant(reading, statement).then(|| Isolating::Remove(vec![place]))
    })
}

/// Returns changes that put borrows into the statements that `is_meant` accepts if no method changes its variable.
fn borrowed<'p>(
    leading: &Leading<'p>,
    variables: &Variables,
    is_meant: impl Fn(Reading<'_, 'p>, &Stmt) -> bool,
) -> Vec<Isolating> {
    each_statement(leading, variables, |reading, statement| {
        let assuming = Reading {
            may_change: false,
            ..reading
        };
        let is_certain = is_meant(reading, statement);
        (!is_certain && is_meant(assuming, statement)).then(|| {
            let place = reading.block.file.place(statement);
            let text = reading.borrowed(statement);
            Isolating::Replace(place, text)
        })
    })
}

/// Whether code may change values behind shared references, or something outside of the program, judged by the words in it.
pub(super) fn changes_behind_references(text: &str) -> bool {
    let cursor = TokenCursor::new(text);
    cursor.indices().any(|idx| {
        let word = cursor.word(idx);
        INTERIOR.contains(&word)
            || word.starts_with("Atomic")
            || cursor.are(idx, &["*", "mut"])
            || cursor.are(idx, &["static", "mut"])
    })
}

fn each_statement<'p>(
    leading: &Leading<'p>,
    variables: &Variables,
    part: impl Fn(Reading<'_, 'p>, &'p Stmt) -> Option<Isolating>,
) -> Vec<Isolating> {
    let blocks = leading.blocks.iter();
    let parts = blocks.flat_map(|block| {
        let reading = Reading {
            block,
            variables,
            may_change: true,
            may_act: true,
        };
        let statements = block.block.stmts.iter();
        let parts: Vec<_> = statements.filter_map(|one| part(reading, one)).collect();
        parts
    });
    parts.collect()
}

/// Decides for the statements of a block whether they only read.
#[derive(Clone, Copy)]
struct Reading<'r, 'p> {
    block: &'r LeadingBlock<'p>,
    variables: &'r Variables,
    /// Whether a method is taken to change the variable on which it is called, if the variable can be changed.
    may_change: bool,
    /// Whether any function may be called, as people do not print what has an effect.
    may_act: bool,
}

impl Reading<'_, '_> {
    /// Whether a statement does nothing but print.
    fn is_printing(self, statement: &Stmt) -> bool {
        match statement {
            Stmt::Macro(call) => self.prints(&call.mac),
            Stmt::Expr(Expr::Macro(call), _) => self.prints(&call.mac),
            Stmt::Expr(Expr::ForLoop(looping), _) => self.is_printing_loop(looping),
            Stmt::Expr(..) | Stmt::Local(_) | Stmt::Item(_) => false,
        }
    }

    /// Whether a statement does nothing but read, for a value that nothing uses.
    fn is_reading(self, program: &Program, statement: &Stmt) -> bool {
        let reading = Self {
            may_act: false,
            ..self
        };
        let file = self.block.file;
        let place = file.place(statement);
        let leads_there = self.block.anchors.iter().any(|anchor| anchor.is_in(&place));
        let is_unused = |local: &Local| {
            matches!(local.pat, Pat::Wild(_)) || is_unmentioned(program, file, local)
        };
        let value = match statement {
            Stmt::Local(local) if is_unused(local) => local.init.as_ref(),
            Stmt::Expr(value, Some(_)) => return !leads_there && reading.reads_place(value),
            _ => None,
        };
        !leads_there
            && value.is_some_and(|init| init.diverge.is_none() && reading.reads_place(&init.expr))
    }

    fn is_printing_loop(self, looping: &ExprForLoop) -> bool {
        let body = &looping.body.stmts;
        self.reads(&looping.expr)
            && !body.is_empty()
            && body.iter().all(|one| self.is_printing(one))
    }

    fn prints(self, call: &Macro) -> bool {
        self.is_of_reads(call, &PRINTING)
    }

    /// Whether a macro call has one of these names, and its arguments only read.
    fn is_of_reads(self, call: &Macro, names: &[&str]) -> bool {
        let name = call.path.segments.last();
        let is_known = name.is_some_and(|name| names.iter().any(|known| name.ident == known));
        let arguments = call.parse_body_with(Punctuated::<Expr, Token![,]>::parse_terminated);
        is_known
            && arguments.is_ok_and(|arguments| arguments.iter().all(|one| self.reads_place(one)))
    }

    /// Whether evaluating an expression changes nothing, and moves nothing away whose removal has an effect.
    fn reads(self, expr: &Expr) -> bool {
        match expr {
            Expr::Lit(_) => true,
            Expr::Path(_) => self.is_unchanging(expr),
            Expr::Reference(one) => one.mutability.is_none() && self.reads_place(&one.expr),
            Expr::Field(_) | Expr::Index(_) => self.reads_place(expr),
            Expr::Paren(one) => self.reads(&one.expr),
            Expr::Group(one) => self.reads(&one.expr),
            Expr::Unary(one) => self.reads_place(&one.expr),
            Expr::Cast(one) => self.reads(&one.expr),
            Expr::Binary(both) => {
                !is_assignment(&both.op) && self.reads(&both.left) && self.reads(&both.right)
            }
            Expr::Range(range) => {
                let ends = [&range.start, &range.end];
                ends.into_iter().flatten().all(|end| self.reads(end))
            }
            Expr::Tuple(all) => all.elems.iter().all(|one| self.reads(one)),
            Expr::Array(all) => all.elems.iter().all(|one| self.reads(one)),
            Expr::Call(call) => {
                let is_named = match &*call.func {
                    Expr::Path(function) => self.may_act || makes(function),
                    _ => false,
                };
                is_named && self.reads(&call.func) && call.args.iter().all(|one| self.reads(one))
            }
            Expr::Match(one) => {
                let is_plain = |arm: &Arm| !matches!(arm.pat, Pat::Guard(_));
                self.reads_place(&one.expr)
                    && one
                        .arms
                        .iter()
                        .all(|arm| is_plain(arm) && self.reads(&arm.body))
            }
            Expr::Macro(call) => self.is_of_reads(&call.mac, &FORMATTING),
            Expr::MethodCall(call) => {
                let name = call.method.to_string();
                let is_changing = CHANGING.iter().any(|changing| name.contains(changing));
                let is_acting = !self.may_act && ACTING.iter().any(|acting| name.contains(acting));
                !is_changing
                    && !is_acting
                    && self.reads_receiver(&call.receiver)
                    && call.args.iter().all(|one| self.reads(one))
            }
            Expr::Closure(closure) => self.reads(&closure.body),
            _ => false,
        }
    }

    /// Whether evaluating an expression under a reference (`x` in `&x`) changes nothing.
    fn reads_place(self, expr: &Expr) -> bool {
        match expr {
            Expr::Path(_) => true,
            Expr::Field(field) => self.reads_place(&field.base),
            Expr::Index(index) => self.reads_place(&index.expr) && self.reads(&index.index),
            Expr::Paren(one) => self.reads_place(&one.expr),
            other => self.reads(other),
        }
    }

    /// Whether evaluating the receiver of a method call changes nothing, apart from what the method does.
    fn reads_receiver(self, receiver: &Expr) -> bool {
        let is_place = matches!(receiver, Expr::Path(_) | Expr::Field(_) | Expr::Index(_));
        match is_place {
            true => {
                self.reads_place(receiver) && (!self.may_change || self.is_unchanging(receiver))
            }
            false => self.reads(receiver),
        }
    }

    /// Whether all variables in a place, such as `a[b].c`, are immutable.
    fn is_unchanging(self, place: &Expr) -> bool {
        let place = self.block.file.place(place);
        let mut meant = self.variables.mentioned(&place);
        !meant.any(|one| self.variables.is_changeable(one))
    }

    /// Returns the text of a statement in which methods are called on references: `(&a).b()` for `a.b()`.
    fn borrowed(self, statement: &Stmt) -> String {
        let file = self.block.file;
        let whole = file.place(statement);
        let mut receivers = Receivers::default();
        receivers.visit_stmt(statement);
        let mut places: Vec<_> = receivers.0.iter().map(|one| file.place(one)).collect();
        places.sort_by_key(|place| place.range.start);
        let mut text = file.text(statement).to_owned();
        for place in places.into_iter().rev() {
            let range = place.range.start - whole.range.start..place.range.end - whole.range.start;
            let borrowed = format!("(&{})", &text[range.clone()]);
            text.replace_range(range, &borrowed);
        }
        text
    }
}

/// Whether a function only makes a value, as its name tells: `Some`, `String::from`.
fn makes(function: &ExprPath) -> bool {
    let mut names = function.path.segments.iter().rev();
    let is_type = |name: &PathSegment| {
        let name = name.ident.to_string();
        name.starts_with(char::is_uppercase)
    };
    let Some(last) = names.next() else {
        return false;
    };
    let is_of_type = names.next().is_some_and(is_type);
    is_type(last) || is_of_type && MAKING.iter().any(|name| last.ident == name)
}

/// The variables, and their parts, on which methods are called in a statement, also in the arguments of macros.
#[derive(Default)]
struct Receivers(Vec<Expr>);

impl<'ast> Visit<'ast> for Receivers {
    fn visit_expr_method_call(&mut self, call: &'ast ExprMethodCall) {
        match &*call.receiver {
            place @ (Expr::Path(_) | Expr::Field(_) | Expr::Index(_)) => self.0.push(place.clone()),
            other => self.visit_expr(other),
        }
        call.args.iter().for_each(|one| self.visit_expr(one));
    }

    fn visit_macro(&mut self, call: &'ast Macro) {
        let arguments = call.parse_body_with(Punctuated::<Expr, Token![,]>::parse_terminated);
        for argument in arguments.into_iter().flatten() {
            let mut inner = Receivers::default();
            inner.visit_expr(&argument);
            self.0.extend(inner.0);
        }
    }
}
