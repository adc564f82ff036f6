//! What expressions look like as far as that may tell their type, for the names after a dot.

use super::Collector;
use crate::definitions::Namespace;
use crate::ids::{PathId, ShapeId, TypeId};
use crate::scopes::{PathStart, WordRole};
use crate::shapes::{Shape, TypeShape};
use syn::{Expr, Member, Pat, PathArguments, Type};

/// Types of the standard library that are used as nothing of what they have as arguments.
const CONTAINERS: [&str; 11] = [
    "BTreeMap",
    "BTreeSet",
    "BinaryHeap",
    "HashMap",
    "HashSet",
    "Option",
    "PhantomData",
    "Range",
    "Result",
    "Vec",
    "VecDeque",
];

impl Collector<'_> {
    /// The shape of an expression that was read already, so that its paths are known.
    pub(super) fn shape(&mut self, expression: &Expr) -> ShapeId {
        let shape = match expression {
            Expr::Path(path) => self.path_shape(path),
            Expr::Paren(one) => return self.shape(&one.expr),
            Expr::Group(one) => return self.shape(&one.expr),
            Expr::Reference(one) => return self.shape(&one.expr),
            Expr::Unary(one) if matches!(one.op, syn::UnOp::Deref(_)) => {
                return self.shape(&one.expr);
            }
            Expr::Field(one) => match &one.member {
                Member::Named(name) => self.member_shape(name, false),
                Member::Unnamed(_) => Shape::Unknown,
            },
            Expr::MethodCall(one) => self.member_shape(&one.method, true),
            Expr::Call(one) => match &*one.func {
                Expr::Path(function) => match self.known_path(function) {
                    Some(path) => Shape::Call(path),
                    None => Shape::Unknown,
                },
                _ => Shape::Unknown,
            },
            Expr::Struct(one) => match self.path_at(one.path.segments.last()) {
                Some(path) => Shape::Literal(path),
                None => Shape::Unknown,
            },
            Expr::Lit(_) => Shape::Outside,
            Expr::Closure(_) => Shape::Closure,
            _ => Shape::Unknown,
        };
        self.push_shape(shape)
    }

    pub(super) fn push_shape(&mut self, shape: Shape) -> ShapeId {
        self.result.shapes.push(shape);
        ShapeId::new(self.result.shapes.len() - 1)
    }

    fn path_shape(&self, path: &syn::ExprPath) -> Shape {
        match self.known_path(path) {
            Some(_) if path.path.is_ident("self") => Shape::Receiver(self.scope),
            Some(path) => Shape::Value(path),
            None => Shape::Unknown,
        }
    }

    fn known_path(&self, path: &syn::ExprPath) -> Option<PathId> {
        self.path_at(path.path.segments.last())
    }

    /// The path that ends with a segment.
    fn path_at(&self, segment: Option<&syn::PathSegment>) -> Option<PathId> {
        match self.result.roles[self.word(&segment?.ident)?.idx()] {
            WordRole::Segment(path, _) => Some(path),
            _ => None,
        }
    }

    fn member_shape(&self, name: &syn::Ident, is_method: bool) -> Shape {
        let role = self.word(name).map(|word| self.result.roles[word.idx()]);
        match (role, self.word(name)) {
            (Some(WordRole::Member(receiver)), Some(word)) => {
                let name = self.result.words.get(word).name;
                match is_method {
                    true => Shape::Method(receiver, name),
                    false => Shape::Field(receiver, name),
                }
            }
            _ => Shape::Unknown,
        }
    }

    /// The shape of a type that was read already.
    pub(super) fn type_shape(&mut self, ty: &Type) -> TypeId {
        let shape = match ty {
            Type::Reference(one) => return self.type_shape(&one.elem),
            Type::Paren(one) => return self.type_shape(&one.elem),
            Type::Group(one) => return self.type_shape(&one.elem),
            Type::Path(path) => self.path_type(path),
            Type::ImplTrait(one) => self.first_bound(&one.bounds),
            Type::TraitObject(one) => self.first_bound(&one.bounds),
            Type::Array(_) | Type::Slice(_) | Type::Tuple(_) | Type::FnPtr(_) | Type::Never(_) => {
                TypeShape::Outside
            }
            _ => TypeShape::Unknown,
        };
        self.result.types.push(shape);
        TypeId::new(self.result.types.len() - 1)
    }

    fn path_type(&mut self, path: &syn::TypePath) -> TypeShape {
        let last = path.path.segments.last();
        let Some(id) = self.path_at(last) else {
            return TypeShape::Unknown;
        };
        let arguments = last.map(|last| &last.arguments);
        let argument = match arguments {
            Some(PathArguments::AngleBracketed(arguments)) => {
                arguments.args.iter().find_map(|one| match one {
                    syn::GenericArgument::Type(ty) => Some(ty),
                    _ => None,
                })
            }
            _ => None,
        };
        let is_pointer = last.is_some_and(|last| {
            ["Box", "Rc", "Arc"]
                .iter()
                .any(|pointer| last.ident == pointer)
        });
        let is_container =
            last.is_some_and(|last| CONTAINERS.iter().any(|name| last.ident == name));
        TypeShape::Path {
            path: id,
            pointee: argument
                .filter(|_| is_pointer)
                .map(|ty| self.type_shape(ty)),
            may_deref: argument.is_some() && !is_pointer && !is_container,
        }
    }

    fn first_bound<'b>(
        &self,
        bounds: impl IntoIterator<Item = &'b syn::TypeParamBound>,
    ) -> TypeShape {
        let paths = bounds.into_iter().filter_map(|bound| match bound {
            syn::TypeParamBound::Trait(bound) => self.path_at(bound.path.segments.last()),
            _ => None,
        });
        let paths: Vec<PathId> = paths.collect();
        TypeShape::Bounds(paths)
    }

    /// Notes the type of the variable that a pattern is, if it is one.
    pub(super) fn note_type(&mut self, pattern: &Pat, ty: TypeId) {
        if let Some(def) = self.variable_of(pattern) {
            self.result.definitions[def.idx()].ty = Some(ty);
        }
    }

    /// Notes the type that is written in a pattern.
    pub(super) fn note_written(&mut self, pattern: &Pat) {
        if let Pat::Type(typed) = pattern {
            let ty = self.type_shape(&typed.ty);
            self.note_type(&typed.pat, ty);
        }
    }

    /// Notes the value that a variable begins with, if a pattern is one.
    pub(super) fn note_value(&mut self, pattern: &Pat, value: ShapeId) {
        if let Some(def) = self.variable_of(pattern) {
            self.result.definitions[def.idx()].value = Some(value);
        }
    }

    fn variable_of(&self, pattern: &Pat) -> Option<crate::ids::DefId> {
        let Pat::Ident(name) = pattern else {
            return match pattern {
                Pat::Reference(one) => self.variable_of(&one.pat),
                Pat::Paren(one) => self.variable_of(&one.pat),
                _ => None,
            };
        };
        match self.result.roles[self.word(&name.ident)?.idx()] {
            WordRole::Definition(def) | WordRole::Pattern(_, def) => Some(def),
            _ => None,
        }
    }

    /// A name alone as a pattern that begins with a capital letter: a constant, a variant or a unit
    /// struct if there is one of that name, else a variable.
    pub(super) fn capital_pattern(&mut self, ident: &syn::Ident) {
        let path = self.push_path([ident], Some(Namespace::Value), PathStart::Scope);
        let def = self.variable(ident);
        self.result.may_be_constants.insert(def, path);
        self.set_role(ident, WordRole::Pattern(path, def));
    }
}
