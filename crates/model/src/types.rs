//! Which type an expression has, to know what the names after a dot mean. This is no type inference:
//! written types, constructors, patterns, fields and what functions return are followed, with what
//! stands for their parameters, and the commonest types of the standard library that hold others.

mod outside;

use crate::definitions::{DefKind, Namespace};
use crate::ids::{DefId, NameId, PathId, ShapeId, TypeId};
use crate::resolve::{Meaning, Names};
use crate::shapes::{Shape, TypeShape};
use std::rc::Rc;

/// The type of an expression, as far as it is known. References are left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Typed {
    /// One of the crate, with its arguments as far as they are known; a trait or a parameter stands
    /// for whatever has it.
    Own(DefId, Rc<[Self]>),
    /// Several traits of the crate.
    Bounds(Vec<DefId>),
    /// An option, a result, a sequence or an iterator of something.
    Holder(Rc<Self>),
    /// A raw pointer.
    Pointer(Rc<Self>),
    /// A tuple.
    Tuple(Rc<[Self]>),
    /// Another type of another crate or of the language.
    Outside,
    Unknown,
}

/// What the parameters of a definition stand for where it is used.
#[derive(Debug, Default)]
pub(super) struct Bindings {
    parameters: Vec<(DefId, Typed)>,
    /// What `Self` is.
    receiver: Option<Typed>,
    /// Whether it is used where its parameters are visible, and stand for themselves.
    is_within: bool,
}

impl Bindings {
    fn within() -> Self {
        Self {
            is_within: true,
            ..Self::default()
        }
    }

    fn of(&self, parameter: DefId) -> Typed {
        let bound = self.parameters.iter().find(|(def, _)| *def == parameter);
        match bound {
            Some((_, typed)) => typed.clone(),
            None if self.is_within => Typed::own(parameter),
            None => Typed::Unknown,
        }
    }
}

impl Typed {
    /// Whether it is a type of another crate or of the language.
    pub(crate) fn is_outside(&self) -> bool {
        !matches!(self, Self::Own(..) | Self::Bounds(_) | Self::Unknown)
    }

    fn own(def: DefId) -> Self {
        Self::Own(def, Rc::new([]))
    }
}

/// So many expressions in each other are followed.
const DEEPEST: usize = 48;

/// So many times `Deref` is followed.
const DEREFS: usize = 4;

impl Names<'_> {
    /// The type of an expression.
    pub(crate) fn type_of(&self, shape: ShapeId) -> Typed {
        let resolver = self.resolver;
        if let Some(known) = resolver.types.borrow().get(&shape) {
            return known.clone();
        }
        let depth = resolver.depth.get();
        if depth > DEEPEST {
            return Typed::Unknown;
        }
        // What leads back to itself is not known.
        resolver.types.borrow_mut().insert(shape, Typed::Unknown);
        resolver.depth.set(depth + 1);
        let typed = self.type_of_shape(&self.collected.shapes[shape.idx()]);
        resolver.depth.set(depth);
        resolver.types.borrow_mut().insert(shape, typed.clone());
        typed
    }

    fn type_of_shape(&self, shape: &Shape) -> Typed {
        match shape {
            Shape::Receiver(scope) => self.named(&self.own_type(*scope), &[], &Bindings::within()),
            Shape::Value(path) => match self.path(*path).only() {
                Some(def) => self.type_of_value(def),
                None => Typed::Unknown,
            },
            Shape::Call(path, arguments) => self.type_of_call(*path, arguments),
            Shape::Literal(path) => self.named(&self.path(*path), &[], &Bindings::within()),
            Shape::Field(of, name) => match self.field_of_type(&self.type_of(*of), *name) {
                Some((_, typed)) => typed,
                None => Typed::Unknown,
            },
            Shape::Component(of, idx) => self.component(&self.type_of(*of), *idx),
            Shape::Method(of, name, arguments) => self.type_of_method_call(*of, *name, arguments),
            Shape::Written(ty) => self.written(*ty, &Bindings::within()),
            Shape::Content(of) => self.content(&self.type_of(*of)),
            Shape::Deref(of) => match self.type_of(*of) {
                Typed::Pointer(to) => (*to).clone(),
                other => other,
            },
            Shape::Given(of, method) => self.given(*of, *method),
            Shape::Part(of, path, idx) => self.part(*of, *path, *idx),
            Shape::NamedPart(of, path, name) => self.named_part(*of, *path, *name),
            Shape::Either(branches) => {
                let mut types = branches.iter().map(|&branch| self.type_of(branch));
                let known = types.find(|typed| *typed != Typed::Unknown);
                known.unwrap_or(Typed::Unknown)
            }
            Shape::Tuple(parts) => {
                Typed::Tuple(parts.iter().map(|&part| self.type_of(part)).collect())
            }
            Shape::Closure(_) | Shape::Outside => Typed::Outside,
            Shape::Unknown => Typed::Unknown,
        }
    }

    fn type_of_value(&self, def: DefId) -> Typed {
        let definition = self.collected.definition(def);
        match definition.kind {
            DefKind::Variable => definition
                .value
                .map_or(Typed::Unknown, |value| self.type_of(value)),
            DefKind::Const | DefKind::Static => self.declared(def, &Bindings::within()),
            DefKind::ConstParameter => Typed::Outside,
            DefKind::TupleStruct | DefKind::Variant => self.constructed(def),
            _ => Typed::Unknown,
        }
    }

    /// The type that a struct or a variant makes.
    fn constructed(&self, def: DefId) -> Typed {
        let definition = self.collected.definition(def);
        match (definition.kind, definition.parent) {
            (DefKind::Variant, Some(parent)) => Typed::own(parent),
            _ => Typed::own(def),
        }
    }

    fn type_of_call(&self, path: PathId, arguments: &[ShapeId]) -> Typed {
        let meaning = self.path(path);
        let Some(def) = meaning.only() else {
            return match meaning.is_certainly_outside() {
                true => self.type_of_outside_call(path, arguments),
                false => Typed::Unknown,
            };
        };
        match self.collected.definition(def).kind {
            DefKind::Function => self.returned(def, self.type_before(path), arguments),
            DefKind::TupleStruct | DefKind::Variant => {
                let made = self.constructed(def);
                let mut bindings = Bindings::default();
                self.bind_arguments(def, arguments, &mut bindings);
                match made {
                    Typed::Own(of, _) => {
                        let parameters = self.collected.parameters(of).iter();
                        Typed::Own(of, parameters.map(|&one| bindings.of(one)).collect())
                    }
                    other => other,
                }
            }
            DefKind::Impl => self.named(&meaning, &[], &Bindings::within()),
            _ => Typed::Unknown,
        }
    }

    /// The type before the last segment of a path.
    fn type_before(&self, path: PathId) -> Option<Typed> {
        let meaning = self.before_last(path)?;
        match self.named(&meaning, &[], &Bindings::within()) {
            Typed::Unknown => None,
            typed => Some(typed),
        }
    }

    fn type_of_method_call(&self, of: ShapeId, name: NameId, arguments: &[ShapeId]) -> Typed {
        let receiver = self.type_of(of);
        let (receiver, methods) = self.method_and_receiver(&receiver, name);
        match methods.only() {
            Some(method) => self.returned(method, Some(receiver), arguments),
            None if methods.definitions.is_empty() => {
                self.type_of_outside_method(&receiver, self.text(name), arguments)
            }
            None => Typed::Unknown,
        }
    }

    /// What a function of the crate returns.
    fn returned(&self, function: DefId, receiver: Option<Typed>, arguments: &[ShapeId]) -> Typed {
        let definition = self.collected.definition(function);
        let Some(ty) = definition.ty else {
            return Typed::Outside;
        };
        let mut bindings = match &receiver {
            Some(receiver) => self.bindings_in(definition.parent, receiver),
            None => Bindings::default(),
        };
        bindings.receiver = receiver;
        self.bind_arguments(function, arguments, &mut bindings);
        self.written(ty, &bindings)
    }

    /// What the parameters of an impl stand for where it is that of a type.
    fn bindings_in(&self, block: Option<DefId>, of: &Typed) -> Bindings {
        let mut bindings = Bindings::default();
        if let Some(ty) = block.and_then(|block| self.collected.definition(block).ty) {
            self.bind(ty, of, &mut bindings);
        }
        bindings
    }

    fn bind_arguments(&self, def: DefId, arguments: &[ShapeId], bindings: &mut Bindings) {
        let types = self.collected.positional(def);
        // A method that is called by its path has its receiver among them.
        let n_before = arguments.len().saturating_sub(types.len());
        for (&ty, &argument) in types.iter().zip(&arguments[n_before..]) {
            if self.mentions_parameter(ty) {
                self.bind(ty, &self.type_of(argument), bindings);
            }
        }
    }

    fn mentions_parameter(&self, ty: TypeId) -> bool {
        matches!(&self.collected.types[ty.idx()], TypeShape::Path { path, arguments }
            if !arguments.is_empty() || self.parameter(*path).is_some())
    }

    /// The type parameter that a path is.
    fn parameter(&self, path: PathId) -> Option<DefId> {
        let is_parameter =
            |def: &DefId| self.collected.definition(*def).kind == DefKind::TypeParameter;
        self.path(path).only().filter(is_parameter)
    }

    /// Notes what the parameters in a written type stand for if it is this one.
    fn bind(&self, ty: TypeId, typed: &Typed, bindings: &mut Bindings) {
        let TypeShape::Path { path, arguments } = &self.collected.types[ty.idx()] else {
            return;
        };
        if let Some(parameter) = self.parameter(*path) {
            bindings.parameters.push((parameter, typed.clone()));
        } else if let Typed::Own(_, own) = typed {
            for (&argument, typed) in arguments.iter().zip(own.iter()) {
                self.bind(argument, typed, bindings);
            }
        }
    }

    /// What the parameters of a type stand for.
    fn bindings_of(&self, typed: &Typed) -> Bindings {
        let mut bindings = Bindings::default();
        if let Typed::Own(def, arguments) = typed {
            let parameters = self.collected.parameters(*def).iter().copied();
            bindings.parameters = parameters.zip(arguments.iter().cloned()).collect();
        }
        bindings
    }

    /// The type that is written for a constant, a field, or what an impl is for.
    fn declared(&self, def: DefId, bindings: &Bindings) -> Typed {
        match self.collected.definition(def).ty {
            Some(ty) => self.written(ty, bindings),
            None => Typed::Unknown,
        }
    }

    fn written(&self, ty: TypeId, bindings: &Bindings) -> Typed {
        match &self.collected.types[ty.idx()] {
            TypeShape::Path { path, arguments } => match &bindings.receiver {
                Some(receiver) if self.text_from_end(*path, 0) == "Self" => receiver.clone(),
                _ => {
                    let meaning = self.path(*path);
                    match meaning.is_certainly_outside() {
                        true => self.outside_type(*path, arguments, bindings),
                        false => self.named(&meaning, arguments, bindings),
                    }
                }
            },
            TypeShape::Bounds(paths) => self.bounds(paths),
            TypeShape::Sequence(of) => Typed::Holder(Rc::new(self.written(*of, bindings))),
            TypeShape::Pointer(to) => Typed::Pointer(Rc::new(self.written(*to, bindings))),
            TypeShape::Tuple(parts) => {
                let parts = parts.iter().map(|&part| self.written(part, bindings));
                Typed::Tuple(parts.collect())
            }
            TypeShape::Outside => Typed::Outside,
            TypeShape::Unknown => Typed::Unknown,
        }
    }

    /// Whatever has these traits.
    fn bounds(&self, paths: &[PathId]) -> Typed {
        let traits: Vec<Meaning> = paths.iter().map(|path| self.path(*path)).collect();
        match traits.iter().any(Meaning::is_either) {
            true => Typed::Unknown,
            false => {
                let traits = traits.into_iter().flat_map(|one| one.definitions);
                Typed::Bounds(traits.collect())
            }
        }
    }

    /// The type that a name means: an alias and `Self` are what they stand for.
    fn named(&self, meaning: &Meaning, arguments: &[TypeId], bindings: &Bindings) -> Typed {
        if meaning.is_certainly_outside() {
            return Typed::Outside;
        }
        let Some(def) = meaning.only() else {
            return Typed::Unknown;
        };
        let definition = self.collected.definition(def);
        let arguments = arguments.iter().map(|&one| self.written(one, bindings));
        match definition.kind {
            DefKind::Struct | DefKind::TupleStruct | DefKind::Union | DefKind::Enum => {
                Typed::Own(def, arguments.collect())
            }
            DefKind::Trait => Typed::own(def),
            DefKind::TypeParameter => bindings.of(def),
            DefKind::Variant => self.constructed(def),
            DefKind::Impl => self.declared(def, bindings),
            DefKind::TypeAlias => match self.collected.kind_of_parent(definition) {
                // It may be another one in each impl, but has these.
                Some(DefKind::Trait) => match definition.bounds.is_empty() {
                    true => Typed::Unknown,
                    false => self.bounds(&definition.bounds),
                },
                Some(DefKind::Impl) => self.declared(def, bindings),
                _ => {
                    let of_alias = self.bindings_of(&Typed::Own(def, arguments.collect()));
                    self.declared(def, &of_alias)
                }
            },
            _ => Typed::Unknown,
        }
    }

    /// A type and those that it may be used as.
    fn derefs(&self, typed: &Typed) -> impl Iterator<Item = Typed> {
        std::iter::successors(Some(typed.clone()), |one| self.target(one)).take(DEREFS)
    }

    /// What a type of the crate may be used as.
    fn target(&self, typed: &Typed) -> Option<Typed> {
        let Typed::Own(def, _) = typed else {
            return None;
        };
        let is_deref = |path: &PathId| matches!(self.text_from_end(*path, 0), "Deref" | "DerefMut");
        let definition = self.collected.definition(*def);
        if definition.kind == DefKind::TypeParameter {
            return definition
                .bounds
                .iter()
                .any(is_deref)
                .then_some(Typed::Unknown);
        }
        let blocks = self.resolver.impls.get(def).into_iter().flatten();
        let mut bounds = blocks.flat_map(|&block| &self.collected.definition(block).bounds);
        bounds
            .any(is_deref)
            .then(|| self.associated_type(typed, "Target"))
    }

    /// The associated type with this name that only one impl for a type has.
    fn associated_type(&self, typed: &Typed, name: &str) -> Typed {
        let (Typed::Own(def, _), Some(name)) = (typed, self.collected.words.name(name)) else {
            return Typed::Unknown;
        };
        let of_type = self.member_of(*def, name, Some(Namespace::Type));
        let Some(alias) = of_type.only() else {
            return Typed::Unknown;
        };
        match self.collected.definition(alias).parent {
            Some(block) if self.collected.definition(block).kind == DefKind::Impl => {
                self.declared(alias, &self.bindings_in(Some(block), typed))
            }
            _ => Typed::Unknown,
        }
    }

    /// What is in an option, a result, a sequence or an iterator.
    fn content(&self, typed: &Typed) -> Typed {
        match typed {
            Typed::Holder(of) => (**of).clone(),
            _ => self.associated_type(typed, "Item"),
        }
    }

    /// `x.0`
    fn component(&self, typed: &Typed, idx: usize) -> Typed {
        let component = |typed: Typed| match &typed {
            Typed::Tuple(parts) => parts.get(idx).cloned(),
            Typed::Own(def, _) => {
                let &ty = self.collected.positional(*def).get(idx)?;
                Some(self.written(ty, &self.bindings_of(&typed)))
            }
            _ => None,
        };
        self.derefs(typed)
            .find_map(component)
            .unwrap_or(Typed::Unknown)
    }

    /// What a part of a pattern fits if all of it is this.
    fn part(&self, of: ShapeId, path: PathId, idx: usize) -> Typed {
        let meaning = self.path(path);
        if meaning.is_certainly_outside() && matches!(self.text_from_end(path, 0), "Some" | "Ok") {
            return self.content(&self.type_of(of));
        }
        let Some(def) = self.data_of(&meaning) else {
            return Typed::Unknown;
        };
        let ty = self.collected.positional(def).get(idx);
        ty.map_or(Typed::Unknown, |&ty| {
            self.written(ty, &self.bindings_of(&self.type_of(of)))
        })
    }

    fn named_part(&self, of: ShapeId, path: PathId, name: NameId) -> Typed {
        let field = self.data_of(&self.path(path));
        let field = field.and_then(|def| self.field(def, name));
        field.map_or(Typed::Unknown, |field| {
            self.declared(field, &self.bindings_of(&self.type_of(of)))
        })
    }

    /// The struct or variant that a path means: `Self` and an alias are what they stand for.
    fn data_of(&self, meaning: &Meaning) -> Option<DefId> {
        let def = meaning.only()?;
        match self.collected.definition(def).kind {
            DefKind::Impl | DefKind::TypeAlias => self.subject(def).only(),
            _ => Some(def),
        }
    }

    /// The field of a struct or variant.
    fn field(&self, of: DefId, name: NameId) -> Option<DefId> {
        match self.collected.members(of, name) {
            [field] if self.collected.definition(*field).kind == DefKind::Field => Some(*field),
            _ => None,
        }
    }

    /// The field of a type, and its own type.
    pub(crate) fn field_of_type(&self, typed: &Typed, name: NameId) -> Option<(DefId, Typed)> {
        let field = |typed: Typed| match &typed {
            Typed::Own(of, _) => {
                let field = self.field(*of, name)?;
                Some((field, self.declared(field, &self.bindings_of(&typed))))
            }
            _ => None,
        };
        self.derefs(typed).find_map(field)
    }

    /// The methods with a name that an expression of a type has. Nothing where the type is unknown.
    pub(crate) fn method_of(&self, receiver: ShapeId, typed: &Typed, name: NameId) -> Meaning {
        let mut found = self.method_and_receiver(typed, name).1;
        // `&self` of an impl for `&T` is first looked at as that, and then as a `T`.
        if let Shape::Receiver(scope) = self.collected.shapes[receiver.idx()]
            && let Some(owner) = self.own_type(scope).only()
            && self.collected.definition(owner).is_of_reference
        {
            let of_traits = self.members_of_traits(name, Some(Namespace::Value));
            found.unseen |=
                !of_traits.definitions.is_subset(&found.definitions) || of_traits.unseen;
        }
        found
    }

    /// The methods of a type with a name, and what it is used as to have them.
    fn method_and_receiver(&self, typed: &Typed, name: NameId) -> (Typed, Meaning) {
        let mut last = None;
        for typed in self.derefs(typed) {
            let found = self.own_method(&typed, name);
            let is_certain = !found.outside && !found.is_nothing();
            last = Some((typed, found));
            if is_certain {
                break;
            }
        }
        last.expect("the first one is the type itself")
    }

    fn own_method(&self, typed: &Typed, name: NameId) -> Meaning {
        let value = Some(Namespace::Value);
        match typed {
            Typed::Own(of, _) => self.member_of(*of, name, value),
            Typed::Bounds(traits) => {
                let mut found = Meaning::default();
                for &of_trait in traits {
                    found.add(self.member_of(of_trait, name, value));
                }
                // What is not of a trait of the crate may be of the type behind.
                found.outside = false;
                found
            }
            Typed::Holder(_) | Typed::Pointer(_) | Typed::Tuple(_) | Typed::Outside => {
                let mut found = self.members_of_traits(name, value);
                found.outside = true;
                found
            }
            Typed::Unknown => Meaning::default(),
        }
    }
}
