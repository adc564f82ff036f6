//! What `local_std` sees of a program: its paths with the arguments that they are given and the role
//! that they have, its method calls, its impls of traits, and all names that it defines itself.

use crate::program::{Place, Program, SyntaxFile};
use reduce_syntax::FileId;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use syn::visit::{self, Visit};
use syn::{
    Expr, ExprCall, ExprMethodCall, GenericArgument, ItemImpl, ItemUse, Pat, Path, PathArguments,
    Stmt, Type,
};

/// A path outside of imports, attributes and macros.
pub(super) struct PathUse {
    pub(super) file: FileId,
    /// Its first byte, that of a leading `::` included.
    pub(super) start: usize,
    pub(super) is_rooted: bool,
    pub(super) segments: Vec<Segment>,
    pub(super) role: Role,
}

pub(super) struct Segment {
    pub(super) name: String,
    pub(super) range: Range<usize>,
    pub(super) arguments: Arguments,
}

/// What stands between angle brackets.
#[derive(Clone, Default)]
pub(super) struct Arguments {
    pub(super) n_lifetimes: usize,
    pub(super) others: Vec<Argument>,
    /// The names of `Item = ..` and `Item: ..`.
    pub(super) bound: Vec<String>,
    /// `Fn(A) -> B`
    pub(super) is_sugar: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Argument {
    Type,
    /// A type that has no size, as far as its syntax says.
    Unsized,
    Const,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Type,
    Trait,
    Value,
    /// With so many arguments.
    Call(usize),
}

/// A call of a method, the first of its name.
pub(super) struct MethodCall {
    pub(super) n_args: usize,
    /// Whether nothing wants its value, in any call.
    pub(super) is_statement: bool,
}

/// An impl of a trait.
pub(super) struct Implementation<'p> {
    pub(super) file: SyntaxFile<'p>,
    pub(super) block: &'p ItemImpl,
    /// Where the last name of the trait's path stands.
    pub(super) at: usize,
}

#[derive(Default)]
pub(super) struct Reading<'p> {
    pub(super) paths: Vec<PathUse>,
    pub(super) calls: BTreeMap<String, MethodCall>,
    pub(super) implementations: Vec<Implementation<'p>>,
    /// All names of items and generic parameters.
    pub(super) defined: BTreeSet<String>,
    /// The names of functions with a receiver.
    pub(super) methods: BTreeSet<String>,
}

/// Reads all files that syn understands.
pub(super) fn read<'p>(program: &'p Program) -> Reading<'p> {
    let mut reading = Reading::default();
    for file in program.files() {
        let mut reader = StdUsesWalk {
            file,
            role: Role::Type,
            found: &mut reading,
        };
        reader.visit_file(file.syntax);
    }
    reading
}

struct StdUsesWalk<'p, 'r> {
    file: SyntaxFile<'p>,
    /// The role of the next path.
    role: Role,
    found: &'r mut Reading<'p>,
}

impl<'p> StdUsesWalk<'p, '_> {
    fn as_role(&mut self, role: Role, walk: impl FnOnce(&mut Self)) {
        let outer = std::mem::replace(&mut self.role, role);
        walk(self);
        self.role = outer;
    }

    /// The part of a path that names the trait, in `<T as Trait>::Item`, or all of it.
    fn path(&mut self, path: &'p Path, n_segments: usize, role: Role) {
        let segments: Vec<Segment> = path.segments.iter().map(|one| self.segment(one)).collect();
        let rooted = path.leading_colon.as_ref();
        let rooted = rooted.map(|colons| self.file.place(colons).range.start);
        let first = segments.first().map(|one| one.range.start);
        if let (Some(start), true) = (rooted.or(first), n_segments > 0) {
            self.found.paths.push(PathUse {
                file: self.file.id,
                start,
                is_rooted: rooted.is_some(),
                segments: segments.into_iter().take(n_segments).collect(),
                role,
            });
        }
        self.as_role(Role::Type, |reader| visit::visit_path(reader, path));
    }

    fn segment(&self, segment: &syn::PathSegment) -> Segment {
        let range = self.file.place(&segment.ident).range;
        let mut arguments = Arguments::default();
        match &segment.arguments {
            PathArguments::None => {}
            PathArguments::Parenthesized(_) => arguments.is_sugar = true,
            PathArguments::AngleBracketed(all) => {
                all.args.iter().for_each(|one| arguments.add(one));
            }
        }
        Segment {
            name: segment.ident.to_string(),
            range,
            arguments,
        }
    }

    fn qualified(&mut self, qself: Option<&'p syn::QSelf>, path: &'p Path, role: Role) {
        let Some(qself) = qself else {
            return self.path(path, path.segments.len(), role);
        };
        self.as_role(Role::Type, |reader| reader.visit_type(&qself.ty));
        self.path(path, qself.position, Role::Trait);
    }

    fn note_call(&mut self, call: &ExprMethodCall, is_statement: bool) {
        let n_args = call.args.len();
        let name = call.method.to_string();
        let known = self.found.calls.entry(name).or_insert(MethodCall {
            n_args,
            is_statement,
        });
        known.is_statement &= is_statement;
    }

    fn call(&mut self, call: &'p ExprMethodCall, is_statement: bool) {
        self.note_call(call, is_statement);
        visit::visit_expr_method_call(self, call);
    }
}

impl Arguments {
    fn add(&mut self, argument: &GenericArgument) {
        match argument {
            GenericArgument::Lifetime(_) => self.n_lifetimes += 1,
            GenericArgument::Type(ty) if is_unsized(ty) => self.others.push(Argument::Unsized),
            GenericArgument::Type(_) => self.others.push(Argument::Type),
            GenericArgument::Const(_) => self.others.push(Argument::Const),
            GenericArgument::AssocType(one) => self.bound.push(one.ident.to_string()),
            GenericArgument::Constraint(one) => self.bound.push(one.ident.to_string()),
            _ => {}
        }
    }
}

fn is_unsized(ty: &Type) -> bool {
    match ty {
        Type::Slice(_) | Type::TraitObject(_) => true,
        Type::Path(path) => path.path.is_ident("str"),
        _ => false,
    }
}

impl<'p> Visit<'p> for StdUsesWalk<'p, '_> {
    fn visit_attribute(&mut self, _attribute: &'p syn::Attribute) {}

    fn visit_visibility(&mut self, _visibility: &'p syn::Visibility) {}

    fn visit_item_use(&mut self, _item: &'p ItemUse) {}

    fn visit_macro(&mut self, _macro: &'p syn::Macro) {}

    fn visit_item(&mut self, item: &'p syn::Item) {
        let name = crate::passes::paths::name_of_item(item);
        self.found.defined.extend(name.map(ToString::to_string));
        visit::visit_item(self, item);
    }

    fn visit_generic_param(&mut self, parameter: &'p syn::GenericParam) {
        let name = crate::passes::generics::name_of(parameter);
        self.found.defined.extend(name.map(ToString::to_string));
        visit::visit_generic_param(self, parameter);
    }

    fn visit_signature(&mut self, signature: &'p syn::Signature) {
        if signature.receiver().is_some() {
            self.found.methods.insert(signature.ident.to_string());
        }
        visit::visit_signature(self, signature);
    }

    fn visit_item_impl(&mut self, block: &'p ItemImpl) {
        if let Some((path, _)) = &block.trait_
            && let Some(last) = path.segments.last()
        {
            let at = self.file.position(&last.ident).at;
            let file = self.file;
            self.found
                .implementations
                .push(Implementation { file, block, at });
            self.path(path, path.segments.len(), Role::Trait);
        }
        self.visit_generics(&block.generics);
        self.visit_type(&block.self_ty);
        block.items.iter().for_each(|one| self.visit_impl_item(one));
    }

    fn visit_trait_bound(&mut self, bound: &'p syn::TraitBound) {
        self.as_role(Role::Trait, |reader| {
            visit::visit_trait_bound(reader, bound)
        });
    }

    fn visit_path(&mut self, path: &'p Path) {
        self.path(path, path.segments.len(), self.role);
    }

    fn visit_type_path(&mut self, ty: &'p syn::TypePath) {
        self.qualified(ty.qself.as_ref(), &ty.path, Role::Type);
    }

    fn visit_expr_path(&mut self, path: &'p syn::ExprPath) {
        self.qualified(path.qself.as_ref(), &path.path, Role::Value);
    }

    fn visit_expr_call(&mut self, call: &'p ExprCall) {
        match &*call.func {
            Expr::Path(path) => {
                let role = Role::Call(call.args.len());
                self.qualified(path.qself.as_ref(), &path.path, role);
            }
            other => self.visit_expr(other),
        }
        call.args.iter().for_each(|one| self.visit_expr(one));
    }

    fn visit_expr_method_call(&mut self, call: &'p ExprMethodCall) {
        self.call(call, false);
    }

    fn visit_stmt(&mut self, stmt: &'p Stmt) {
        match stmt {
            Stmt::Expr(Expr::MethodCall(call), Some(_)) => self.call(call, true),
            other => visit::visit_stmt(self, other),
        }
    }

    fn visit_pat(&mut self, pat: &'p Pat) {
        match pat {
            // `None` may be a variable, as far as syntax says.
            Pat::Ident(one) if one.subpat.is_none() && one.ident == "None" => {
                let Place { file, range } = self.file.place(&one.ident);
                let segment = Segment {
                    name: one.ident.to_string(),
                    range: range.clone(),
                    arguments: Arguments::default(),
                };
                self.found.paths.push(PathUse {
                    file,
                    start: range.start,
                    is_rooted: false,
                    segments: vec![segment],
                    role: Role::Value,
                });
            }
            Pat::TupleStruct(one) => {
                self.qualified(one.qself.as_ref(), &one.path, Role::Value);
                one.elems.iter().for_each(|pat| self.visit_pat(pat));
            }
            other => visit::visit_pat(self, other),
        }
    }
}
