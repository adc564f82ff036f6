//! Reads bodies that are written as MIR, to find where a local is read that need not have a value
//! there.
//!
//! A local has a value where it was assigned on each way to that (definite assignment, as in Aho, Lam, Sethi and Ullman,
//! Compilers, 9.2.5: a forward analysis that intersects). A write to a part of a local counts as one to all of it, and one
//! through a pointer as one to each local whose address that pointer was given.

use reduce_syntax::{MirBlock, MirBody};
use std::collections::{BTreeMap, BTreeSet};
use syn::visit::{self, Visit};
use syn::{Expr, FnArg, Macro, Pat, Signature, Stmt, UnOp};

/// The name of the local that a function returns.
const RETURNED: &str = "RET";
/// The statements after which a local has no value.
const TAKERS: [&str; 5] = ["Move", "StorageLive", "StorageDead", "Deinit", "Drop"];
/// The statements among [`TAKERS`] that do not read the local.
const NO_READERS: [&str; 3] = ["StorageLive", "StorageDead", "Deinit"];
/// The terminator that reads the local that a function returns.
const RETURN: &str = "Return";

type Names = BTreeSet<String>;

/// Counts the reads in a body of locals that need not have a value there.
pub(super) fn reads_of_nothing(body: &MirBody, signature: &Signature) -> usize {
    let mut locals: Names = body.declarations.iter().filter_map(declared).collect();
    let returns_value = !matches!(signature.output, syn::ReturnType::Default);
    locals.extend(returns_value.then(|| RETURNED.to_owned()));
    let parameters = signature.inputs.iter().filter_map(|input| match input {
        FnArg::Typed(typed) => named(&typed.pat),
        FnArg::Receiver(_) => None,
    });
    let parameters: Names = parameters.collect();
    locals.extend(parameters.iter().cloned());
    let pointers = pointers(body, &locals);
    let effects: Vec<Vec<Effect>> = body
        .blocks
        .iter()
        .map(|block| effects(block, (&locals, &pointers)))
        .collect();
    let mut at_start: Vec<Option<Names>> = vec![None; body.blocks.len()];
    at_start[0] = Some(parameters);
    let mut open = vec![0];
    while let Some(idx) = open.pop() {
        let mut state = at_start[idx].clone().unwrap_or_default();
        effects[idx].iter().for_each(|one| one.change(&mut state));
        for next in successors(body, idx) {
            let merged = match &at_start[next] {
                Some(known) => known.intersection(&state).cloned().collect(),
                None => state.clone(),
            };
            if at_start[next].as_ref() != Some(&merged) {
                at_start[next] = Some(merged);
                open.push(next);
            }
        }
    }
    let of_block = |(start, effects): (&Option<Names>, &Vec<Effect>)| {
        let mut state = start.clone()?;
        let counts = effects.iter().map(|one| {
            let count = one.reads.difference(&state).count();
            one.change(&mut state);
            count
        });
        Some(counts.sum::<usize>())
    };
    at_start.iter().zip(&effects).filter_map(of_block).sum()
}

fn declared(declaration: &reduce_syntax::MirDeclaration) -> Option<String> {
    match &declaration.local {
        Some(Stmt::Local(local)) => named(&local.pat),
        _ => None,
    }
}

fn named(pattern: &Pat) -> Option<String> {
    match pattern {
        Pat::Ident(binding) => Some(binding.ident.to_string()),
        Pat::Type(typed) => named(&typed.pat),
        _ => None,
    }
}

/// Returns the blocks to which a block may jump.
fn successors(body: &MirBody, idx: usize) -> Vec<usize> {
    struct Words(Names);
    impl<'ast> Visit<'ast> for Words {
        fn visit_ident(&mut self, ident: &'ast syn::Ident) {
            self.0.insert(ident.to_string());
        }
    }
    let mut words = Words(Names::new());
    if let Some(last) = body.blocks[idx].statements.last() {
        words.visit_stmt(last);
    }
    let is_named = |block: &MirBlock| {
        let name = block.name.as_ref();
        name.is_some_and(|name| words.0.contains(&name.to_string()))
    };
    let all = body.blocks.iter().enumerate();
    all.filter(|(_, block)| is_named(block))
        .map(|(idx, _)| idx)
        .collect()
}

/// Returns the locals whose address each local may have been given.
fn pointers(body: &MirBody, locals: &Names) -> BTreeMap<String, Names> {
    let mut all: BTreeMap<String, Names> = BTreeMap::new();
    for statement in body.blocks.iter().flat_map(|block| &block.statements) {
        if let Stmt::Expr(Expr::Assign(assign), _) = statement {
            let mut found = Access::new(locals);
            found.visit_expr(&assign.right);
            if let (Some(pointer), _) = base(&assign.left) {
                all.entry(pointer).or_default().extend(found.addressed);
            }
        }
    }
    all
}

/// The effect of a statement on locals: first it reads, then it takes and gives values.
struct Effect {
    reads: Names,
    taken: Names,
    given: Names,
}

impl Effect {
    fn change(&self, state: &mut Names) {
        state.retain(|name| !self.taken.contains(name));
        state.extend(self.given.iter().cloned());
    }
}

fn effects(
    block: &MirBlock,
    (locals, pointers): (&Names, &BTreeMap<String, Names>),
) -> Vec<Effect> {
    let effect = |statement: &Stmt| {
        let mut found = Access::new(locals);
        found.visit_stmt(statement);
        let behind = found.written_behind.iter();
        let behind = behind.filter_map(|pointer| pointers.get(pointer)).flatten();
        let given = found.written.iter().chain(behind).cloned().collect();
        Effect {
            reads: found.read,
            taken: found.taken,
            given,
        }
    };
    block.statements.iter().map(effect).collect()
}

/// The locals that a statement reads, writes or takes the address of.
struct Access<'a> {
    locals: &'a Names,
    read: Names,
    written: Names,
    /// The pointers through which the statement writes.
    written_behind: Names,
    taken: Names,
    addressed: Names,
}

impl<'a> Access<'a> {
    fn new(locals: &'a Names) -> Self {
        Self {
            locals,
            read: Names::new(),
            written: Names::new(),
            written_behind: Names::new(),
            taken: Names::new(),
            addressed: Names::new(),
        }
    }

    fn target(&mut self, place: &Expr) {
        match base(place) {
            (Some(name), false) => drop(self.written.insert(name)),
            (Some(name), true) => {
                self.read.insert(name.clone());
                self.written_behind.insert(name);
            }
            (None, _) => {}
        }
        if let Expr::Index(index) = place {
            self.visit_expr(&index.index);
        }
    }

    fn address(&mut self, place: &Expr) {
        match base(place) {
            (Some(name), true) => drop(self.read.insert(name)),
            (Some(name), false) => drop(self.addressed.insert(name)),
            (None, _) => {}
        }
    }
}

impl<'ast> Visit<'ast> for Access<'_> {
    fn visit_expr(&mut self, expression: &'ast Expr) {
        match expression {
            Expr::Assign(assign) => {
                self.target(&assign.left);
                return self.visit_expr(&assign.right);
            }
            Expr::Reference(one) => return self.address(&one.expr),
            Expr::RawAddr(one) => return self.address(&one.expr),
            Expr::Call(call) => {
                let function = called(&call.func).unwrap_or_default();
                if function == RETURN && self.locals.contains(RETURNED) {
                    self.read.insert(RETURNED.to_owned());
                }
                let argument = call.args.first().map(base);
                if let Some((Some(name), false)) = argument {
                    let function = function.as_str();
                    if function == "SetDiscriminant" {
                        self.written.insert(name);
                        return;
                    }
                    if TAKERS.contains(&function) {
                        self.taken.insert(name);
                    }
                    if NO_READERS.contains(&function) {
                        return;
                    }
                }
            }
            Expr::Path(path) => {
                let name = path.path.get_ident().map(ToString::to_string);
                let local = name.filter(|name| self.locals.contains(name));
                self.read.extend(local);
            }
            _ => {}
        }
        visit::visit_expr(self, expression);
    }

    /// Reads the calls of `addr_of!(x)` and similar macros.
    fn visit_macro(&mut self, call: &'ast Macro) {
        if let Ok(place) = syn::parse2::<Expr>(call.tokens.clone()) {
            self.address(&place);
        }
    }
}

fn called(function: &Expr) -> Option<String> {
    match function {
        Expr::Path(path) => path.path.segments.last().map(|last| last.ident.to_string()),
        _ => None,
    }
}

/// Returns the local that a place begins with, and whether the place is behind a pointer.
fn base(place: &Expr) -> (Option<String>, bool) {
    match place {
        Expr::Path(path) => (path.path.get_ident().map(ToString::to_string), false),
        Expr::Field(field) => base(&field.base),
        Expr::Index(index) => base(&index.expr),
        Expr::Paren(paren) => base(&paren.expr),
        Expr::Unary(unary) if matches!(unary.op, UnOp::Deref(_)) => (base(&unary.expr).0, true),
        // `Field::<T>(place, 0)` and `Variant(place, 0)`.
        Expr::Call(call) if matches!(called(&call.func).as_deref(), Some("Field" | "Variant")) => {
            call.args.first().map_or((None, false), base)
        }
        _ => (None, false),
    }
}
