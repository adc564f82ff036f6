//! The pieces of a program: statements, the conditions of statements that contain others, signatures, and all other items.

use super::UnsafeCode;
use super::mir::reads_of_nothing;
use crate::names::is_keyword;
use reduce_syntax::{MirBody, byte_range, names, spaced};
use std::collections::BTreeSet;
use std::ops::Range;
use syn::visit::{self, Visit};
use syn::{Block, Expr, FnArg, ImplItem, Item, Macro, Member, Pat, Safety, Signature, Stmt, Type};

/// Macros that only read their arguments.
const READERS: [&str; 12] = [
    "print",
    "println",
    "eprint",
    "eprintln",
    "format",
    "assert",
    "assert_eq",
    "assert_ne",
    "debug_assert",
    "debug_assert_eq",
    "debug_assert_ne",
    "panic",
];

/// The terminator of MIR that must never be reached.
const UNREACHABLE: &str = "Unreachable";

/// A piece of a program, such as a statement, that stays or goes as a whole.
#[derive(Debug)]
pub(super) struct Piece {
    /// The function or item that the piece is in.
    pub(super) owner: String,
    /// The tokens of the piece.
    pub(super) text: String,
    /// All names in the piece, but for those that it defines or calls.
    pub(super) names: BTreeSet<String>,
    /// The function that the piece calls, where it is nothing but a call whose value is not used.
    pub(super) calls: Option<String>,
    /// The names that the piece may write, itself or through a function that it calls.
    pub(super) writes: BTreeSet<String>,
    /// The indices of the conditions that decide whether the piece is run.
    pub(super) headers: Vec<usize>,
    pub(super) is_unsafe: bool,
    /// The type for whose values the piece is run without being named, such as by a `Drop`.
    pub(super) implied_by: Option<String>,
}

impl Piece {
    /// Returns the names of everything that the piece mentions or calls.
    pub(super) fn mentions(&self) -> impl Iterator<Item = &str> {
        self.names.iter().chain(&self.calls).map(String::as_str)
    }
}

/// Reads the pieces of a file.
pub(super) struct Reading<'a> {
    text: &'a str,
    code: &'a mut UnsafeCode,
    owner: String,
    headers: Vec<usize>,
    is_unsafe: bool,
    implied_by: Option<String>,
}

impl<'a> Reading<'a> {
    pub(super) fn of(text: &'a str, code: &'a mut UnsafeCode) -> Self {
        Self {
            text,
            code,
            owner: String::new(),
            headers: Vec::new(),
            is_unsafe: false,
            implied_by: None,
        }
    }

    pub(super) fn file(&mut self, file: &syn::File) {
        file.items.iter().for_each(|item| self.item(item));
    }

    fn item(&mut self, item: &Item) {
        match item {
            Item::Fn(function) => self.function(&function.sig, &function.block),
            Item::Mod(module) => {
                let items = module.content.iter().flat_map(|(_, items)| items);
                items.for_each(|item| self.item(item));
            }
            Item::Impl(block) => self.implementation(block),
            Item::Trait(item) => {
                for member in &item.items {
                    if let syn::TraitItem::Fn(method) = member
                        && let Some(block) = &method.default
                    {
                        self.function(&method.sig, block);
                    }
                }
            }
            Item::Use(_) => {}
            _ => self.other_item(item),
        }
    }

    fn implementation(&mut self, block: &syn::ItemImpl) {
        // The members that another crate's trait asks for are called by that crate, or by the compiler.
        let of = match (&block.trait_, &*block.self_ty) {
            (Some(_), Type::Path(ty)) => ty.path.segments.last(),
            _ => None,
        };
        self.implied_by = of.map(|last| last.ident.to_string());
        for member in &block.items {
            if let ImplItem::Fn(method) = member {
                self.function(&method.sig, &method.block);
            }
        }
        self.implied_by = None;
    }

    /// Reads a type, a constant or another item, as one piece.
    fn other_item(&mut self, item: &Item) {
        let owner = match item {
            Item::Const(item) => &item.ident,
            Item::Static(item) => &item.ident,
            Item::Struct(item) => &item.ident,
            Item::Enum(item) => &item.ident,
            Item::Union(item) => &item.ident,
            Item::Type(item) => &item.ident,
            Item::Macro(item) => match &item.ident {
                Some(ident) => ident,
                None => return,
            },
            _ => return,
        };
        self.owner = owner.to_string();
        self.code.shared.insert(self.owner.clone());
        if let Item::Struct(item) = item {
            let fields = item.fields.iter().filter_map(|field| field.ident.as_ref());
            self.code.shared.extend(fields.map(ToString::to_string));
        }
        let range = byte_range(item);
        self.add(range, BTreeSet::new(), false);
    }

    fn function(&mut self, signature: &Signature, block: &Block) {
        let outer = std::mem::replace(&mut self.owner, signature.ident.to_string());
        let headers = std::mem::take(&mut self.headers);
        let was_unsafe = self.is_unsafe;
        self.code.shared.insert(self.owner.clone());
        self.is_unsafe = matches!(signature.safety, Safety::Unsafe(_));
        let parameters = signature.inputs.iter().filter_map(|input| match input {
            FnArg::Typed(typed) => Some(bound(&typed.pat)),
            FnArg::Receiver(_) => None,
        });
        let parameters = parameters.flatten().collect();
        self.add(byte_range(signature), parameters, false);
        self.without(|piece| Some(piece.owner.clone()));
        self.block(block, signature);
        (self.owner, self.headers, self.is_unsafe) = (outer, headers, was_unsafe);
    }

    fn block(&mut self, block: &Block, signature: &Signature) {
        for statement in &block.stmts {
            self.statement(statement, signature);
        }
    }

    fn statement(&mut self, statement: &Stmt, signature: &Signature) {
        match statement {
            Stmt::Item(item) => {
                let owner = self.owner.clone();
                self.item(item);
                self.owner = owner;
            }
            Stmt::Expr(expression, _) => self.expression(expression, signature),
            Stmt::Macro(call) => self.call_of_macro(&call.mac, signature),
            Stmt::Local(local) => {
                let mut found = Written::in_statement(statement);
                found.written.extend(bound(&local.pat));
                self.add(byte_range(statement), found.written, found.is_unsafe);
            }
        }
    }

    /// Reads an expression that stands as a statement. One that has statements in it is those, below its
    /// condition.
    fn expression(&mut self, expression: &Expr, signature: &Signature) {
        match expression {
            Expr::Block(block) => self.block(&block.block, signature),
            Expr::Loop(looping) => self.block(&looping.body, signature),
            Expr::Unsafe(block) => {
                let was_unsafe = std::mem::replace(&mut self.is_unsafe, true);
                self.block(&block.block, signature);
                self.is_unsafe = was_unsafe;
            }
            Expr::If(branches) => {
                let header = byte_range(branches).start..byte_range(&branches.cond).end;
                self.below(header, &branches.cond, |inside| {
                    inside.block(&branches.then_branch, signature);
                    if let Some((_, otherwise)) = &branches.else_branch {
                        inside.expression(otherwise, signature);
                    }
                });
            }
            Expr::While(looping) => {
                let header = byte_range(looping).start..byte_range(&looping.cond).end;
                self.below(header, &looping.cond, |inside| {
                    inside.block(&looping.body, signature);
                });
            }
            Expr::ForLoop(looping) => {
                let header = byte_range(looping).start..byte_range(&looping.expr).end;
                self.below(header, &looping.expr, |inside| {
                    inside.block(&looping.body, signature);
                });
            }
            Expr::Match(matching) => {
                let of = &matching.expr;
                let header = byte_range(matching).start..byte_range(of).end;
                self.below(header, of, |inside| {
                    for arm in &matching.arms {
                        inside.below(byte_range(&arm.pat), of, |inside| {
                            inside.expression(&arm.body, signature);
                        });
                    }
                });
            }
            Expr::Macro(call) => self.call_of_macro(&call.mac, signature),
            _ => {
                let found = Written::in_expression(expression);
                self.add(byte_range(expression), found.written, found.is_unsafe);
                let callee = callee(expression);
                if let Some(piece) = self.code.pieces.last_mut() {
                    piece.calls.clone_from(&callee);
                }
                self.without(|_| callee);
            }
        }
    }

    /// Removes a name from the last piece, which has the name for another reason than to use its
    /// value.
    fn without(&mut self, name: impl FnOnce(&Piece) -> Option<String>) {
        if let Some(piece) = self.code.pieces.last_mut()
            && let Some(name) = name(piece)
        {
            piece.names.remove(&name);
        }
    }

    /// Reads code that a condition decides about: whether and how often it is run.
    fn below(&mut self, header: Range<usize>, condition: &Expr, read: impl FnOnce(&mut Self)) {
        let mut found = Written::in_expression(condition);
        // The variables of the pattern have the value that is matched.
        found.written.extend(self.words(&header));
        self.headers.push(self.code.pieces.len());
        self.add(header, found.written, found.is_unsafe);
        read(self);
        self.headers.pop();
    }

    fn call_of_macro(&mut self, call: &Macro, signature: &Signature) {
        let Some(body) = MirBody::of(call) else {
            let found = Written::in_macro(call);
            return self.add(byte_range(call), found.written, found.is_unsafe);
        };
        let count = reads_of_nothing(&body, signature);
        let of_owner = self.code.reads_of_nothing.entry(self.owner.clone());
        *of_owner.or_default() += count;
        let has_end = self.words(&byte_range(call)).contains(UNREACHABLE);
        let statements = body.blocks.iter().flat_map(|block| &block.statements);
        for statement in statements {
            let found = Written::in_statement(statement);
            let range = byte_range(statement);
            // In MIR with an unreachable block, a `match` may lead there. Uses of locals are looked at elsewhere.
            let is_branch = has_end && matches!(statement, Stmt::Expr(Expr::Match(_), _));
            let is_end = self.words(&range).contains(UNREACHABLE);
            let is_unsafe = found.has_deref || is_branch || is_end;
            self.add_with(range, found.written, is_unsafe);
        }
    }

    fn words(&self, range: &Range<usize>) -> BTreeSet<String> {
        words(&self.text[range.clone()]).collect()
    }

    fn add(&mut self, range: Range<usize>, writes: BTreeSet<String>, is_unsafe: bool) {
        self.add_with(range, writes, is_unsafe || self.is_unsafe);
    }

    fn add_with(&mut self, range: Range<usize>, writes: BTreeSet<String>, is_unsafe: bool) {
        let piece = Piece {
            owner: self.owner.clone(),
            text: spaced(&self.text[range.clone()]),
            names: self.words(&range),
            calls: None,
            writes,
            headers: self.headers.clone(),
            is_unsafe,
            implied_by: self.implied_by.clone(),
        };
        self.code.pieces.push(piece);
    }
}

/// Returns the function that an expression calls.
fn callee(expression: &Expr) -> Option<String> {
    let Expr::Call(call) = expression else {
        return None;
    };
    match &*call.func {
        Expr::Path(path) => path.path.segments.last().map(|last| last.ident.to_string()),
        _ => None,
    }
}

/// Returns the names in a text that are no keywords.
fn words(text: &str) -> impl Iterator<Item = String> {
    let names = names(text).filter(|name| !is_keyword(name));
    names.map(str::to_owned)
}

/// Returns the names that a pattern binds, and others that it has.
fn bound(pattern: &Pat) -> BTreeSet<String> {
    struct Bound(BTreeSet<String>);
    impl<'ast> Visit<'ast> for Bound {
        fn visit_pat_ident(&mut self, binding: &'ast syn::PatIdent) {
            self.0.insert(binding.ident.to_string());
            visit::visit_pat_ident(self, binding);
        }
    }
    let mut found = Bound(BTreeSet::new());
    found.visit_pat(pattern);
    found.0
}

/// The names that a statement may write to.
#[derive(Default)]
struct Written {
    written: BTreeSet<String>,
    is_unsafe: bool,
    has_deref: bool,
}

impl Written {
    fn in_statement(statement: &Stmt) -> Self {
        let mut found = Self::default();
        found.visit_stmt(statement);
        found
    }

    fn in_expression(expression: &Expr) -> Self {
        let mut found = Self::default();
        found.visit_expr(expression);
        found
    }

    fn in_macro(call: &Macro) -> Self {
        let mut found = Self::default();
        found.visit_macro(call);
        found
    }

    /// Adds the name that a place begins with, and those of the fields in the place.
    fn place(&mut self, place: &Expr) {
        match place {
            Expr::Path(path) => {
                let last = path.path.segments.last();
                self.written.extend(last.map(|last| last.ident.to_string()));
            }
            Expr::Field(field) => {
                if let Member::Named(name) = &field.member {
                    self.written.insert(name.to_string());
                }
                self.place(&field.base);
            }
            Expr::Index(index) => self.place(&index.expr),
            Expr::Unary(unary) => self.place(&unary.expr),
            Expr::Paren(paren) => self.place(&paren.expr),
            Expr::Reference(reference) => self.place(&reference.expr),
            Expr::RawAddr(address) => self.place(&address.expr),
            Expr::Cast(cast) => self.place(&cast.expr),
            Expr::MethodCall(call) => self.place(&call.receiver),
            _ => {}
        }
    }
}

impl<'ast> Visit<'ast> for Written {
    fn visit_expr(&mut self, expression: &'ast Expr) {
        match expression {
            Expr::Assign(assign) => self.place(&assign.left),
            // `+=` and its like have the variable on the left.
            Expr::Binary(binary) => self.place(&binary.left),
            Expr::Reference(one) if one.mutability.is_some() => self.place(&one.expr),
            Expr::RawAddr(one) => self.place(&one.expr),
            Expr::MethodCall(call) => {
                self.place(&call.receiver);
                call.args.iter().for_each(|one| self.place(one));
            }
            Expr::Call(call) => call.args.iter().for_each(|one| self.place(one)),
            Expr::Struct(literal) => {
                for field in &literal.fields {
                    if let Member::Named(name) = &field.member {
                        self.written.insert(name.to_string());
                    }
                    self.place(&field.expr);
                }
            }
            Expr::Unsafe(_) => self.is_unsafe = true,
            Expr::Unary(unary) if matches!(unary.op, syn::UnOp::Deref(_)) => self.has_deref = true,
            _ => {}
        }
        visit::visit_expr(self, expression);
    }

    fn visit_macro(&mut self, call: &'ast Macro) {
        let last = call.path.segments.last();
        let name = last.map(|last| last.ident.to_string()).unwrap_or_default();
        let text = call.tokens.to_string();
        self.is_unsafe |= names(&text).any(|word| word == "unsafe");
        if !READERS.contains(&&*name) {
            self.written.extend(words(&text));
        }
    }
}
