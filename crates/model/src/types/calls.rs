//! Finds the types that calls return, and those that the parameters of functions and types stand
//! for.

use crate::definitions::DefKind;
use crate::ids::{DefId, NameId, PathId, ShapeId, TypeId};
use crate::resolve::Names;
use crate::shapes::TypeShape;
use crate::typed::Typed;

/// The types that the parameters of a definition stand for where it is used.
#[derive(Debug, Default)]
pub(super) struct Bindings {
    parameters: Vec<(DefId, Typed)>,
    /// The type that `Self` stands for.
    pub(super) receiver: Option<Typed>,
    /// Whether the definition is used where its parameters are visible, and stand for themselves.
    is_within: bool,
}

impl Bindings {
    pub(super) fn within() -> Self {
        Self {
            is_within: true,
            ..Self::default()
        }
    }

    pub(super) fn of(&self, parameter: DefId) -> Typed {
        let bound = self.parameters.iter().find(|(def, _)| *def == parameter);
        match bound {
            Some((_, typed)) => typed.clone(),
            None if self.is_within => Typed::own(parameter),
            None => Typed::Unknown,
        }
    }
}

impl Names<'_> {
    pub(super) fn type_of_call(&self, path: PathId, arguments: &[ShapeId]) -> Typed {
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

    /// Returns the type before the last segment of a path.
    fn type_before(&self, path: PathId) -> Option<Typed> {
        let meaning = self.before_last(path)?;
        match self.named(&meaning, &[], &Bindings::within()) {
            Typed::Unknown => None,
            typed => Some(typed),
        }
    }

    pub(super) fn type_of_method_call(
        &self,
        of: ShapeId,
        name: NameId,
        arguments: &[ShapeId],
    ) -> Typed {
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

    /// Returns the type that a function of the crate returns.
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

    /// Binds the parameters of an impl, where it is an impl for the type `of`.
    pub(super) fn bindings_in(&self, block: Option<DefId>, of: &Typed) -> Bindings {
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

    /// Returns the type parameter that a path names.
    pub(super) fn parameter(&self, path: PathId) -> Option<DefId> {
        let is_parameter =
            |def: &DefId| self.collected.definition(*def).kind == DefKind::TypeParameter;
        self.path(path).only().filter(is_parameter)
    }

    /// Binds the type parameters in a written type (`T` in `Vec<T>`) by matching it with an inferred one (`Vec<u8>`).
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

    /// Binds the parameters of a type to its arguments.
    pub(super) fn bindings_of(&self, typed: &Typed) -> Bindings {
        let mut bindings = Bindings::default();
        if let Typed::Own(def, arguments) = typed {
            let parameters = self.collected.parameters(*def).iter().copied();
            bindings.parameters = parameters.zip(arguments.iter().cloned()).collect();
        }
        bindings
    }
}
