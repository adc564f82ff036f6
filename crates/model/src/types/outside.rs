//! Types, functions and methods of the standard library that hold or return the values that they
//! were given.

use super::Bindings;
use crate::ids::{NameId, PathId, ShapeId, TypeId};
use crate::resolve::Names;
use crate::shapes::Shape;
use crate::typed::Typed;
use std::rc::Rc;

/// Types of the standard library that can be used as what they point to.
const POINTERS: [&str; 8] = [
    "Arc",
    "Box",
    "ManuallyDrop",
    "MutexGuard",
    "Pin",
    "Rc",
    "Ref",
    "RefMut",
];

/// Types of the standard library that hold values of one type.
const HOLDERS: [&str; 7] = [
    "BTreeSet",
    "BinaryHeap",
    "HashSet",
    "Option",
    "Result",
    "Vec",
    "VecDeque",
];

/// Iterators over values of their type argument, if they have only one.
const ITERATORS: [&str; 4] = ["Drain", "IntoIter", "Iter", "IterMut"];

/// Types of the standard library that cannot be used as any of their type arguments.
const CONTAINERS: [&str; 5] = ["BTreeMap", "HashMap", "PhantomData", "Range", "Wrapping"];

/// Methods of the standard library that return a value that something holds.
const GIVING: [&str; 9] = [
    "expect",
    "get_unchecked",
    "get_unchecked_mut",
    "swap_remove",
    "unwrap",
    "unwrap_or",
    "unwrap_or_default",
    "unwrap_or_else",
    "unwrap_unchecked",
];

/// Methods of the standard library that return a part or a view of a container, or an iterator over
/// it.
const STAYING: [&str; 57] = [
    "as_deref",
    "as_deref_mut",
    "as_mut",
    "as_mut_slice",
    "as_ref",
    "as_slice",
    "back",
    "back_mut",
    "by_ref",
    "chain",
    "clone",
    "cloned",
    "copied",
    "cycle",
    "drain",
    "filter",
    "find",
    "first",
    "first_mut",
    "front",
    "front_mut",
    "fuse",
    "get",
    "get_mut",
    "into_boxed_slice",
    "into_iter",
    "inspect",
    "iter",
    "iter_mut",
    "last",
    "last_mut",
    "max",
    "max_by",
    "max_by_key",
    "min",
    "min_by",
    "min_by_key",
    "next",
    "next_back",
    "nth",
    "ok",
    "ok_or",
    "ok_or_else",
    "or",
    "or_else",
    "peek",
    "peekable",
    "pop",
    "pop_back",
    "pop_front",
    "rev",
    "skip",
    "skip_while",
    "step_by",
    "take",
    "take_while",
    "to_vec",
];

/// Methods of the standard library whose closure is given each value that something holds.
const GIVING_TO_CLOSURE: [&str; 20] = [
    "all",
    "and_then",
    "any",
    "filter",
    "filter_map",
    "find",
    "find_map",
    "flat_map",
    "for_each",
    "inspect",
    "is_some_and",
    "map",
    "max_by_key",
    "min_by_key",
    "partition",
    "position",
    "retain",
    "rposition",
    "skip_while",
    "take_while",
];

/// Makes a type of another crate with these arguments: `Guard<T>` may be used as a `T`.
fn guard(arguments: Rc<[Typed]>) -> Typed {
    if arguments.contains(&Typed::Unknown) {
        return Typed::Unknown;
    }
    match arguments.iter().all(Typed::is_outside) {
        true => Typed::Outside,
        false => Typed::Guard(arguments),
    }
}

impl Names<'_> {
    /// Returns the type that a method of another crate gives to its closure.
    pub(super) fn given(&self, receiver: ShapeId, method: NameId) -> Typed {
        let (receiver, methods) = self.method_and_receiver(&self.type_of(receiver), method);
        let is_known = GIVING_TO_CLOSURE.contains(&self.text(method));
        match is_known && methods.definitions.is_empty() {
            true => self.content(&receiver),
            false => Typed::Unknown,
        }
    }

    /// Returns the type that a path of another crate means with these arguments.
    pub(super) fn outside_type(
        &self,
        path: PathId,
        arguments: &[TypeId],
        bindings: &Bindings,
    ) -> Typed {
        let name = self.text_from_end(path, 0);
        match arguments {
            [] => Typed::Outside,
            [of, ..] if POINTERS.contains(&name) => self.written(*of, bindings),
            [of, ..] if HOLDERS.contains(&name) => {
                Typed::Holder(Rc::new(self.written(*of, bindings)))
            }
            [of] if ITERATORS.contains(&name) => {
                Typed::Holder(Rc::new(self.written(*of, bindings)))
            }
            [of] if name == "NonNull" => Typed::Pointer(Rc::new(self.written(*of, bindings))),
            _ if CONTAINERS.contains(&name) || ITERATORS.contains(&name) => Typed::Outside,
            _ => {
                let arguments = arguments.iter().map(|&one| self.written(one, bindings));
                guard(arguments.collect())
            }
        }
    }

    /// Returns the type that a call of a function of another crate has.
    pub(super) fn type_of_outside_call(&self, path: PathId, arguments: &[ShapeId]) -> Typed {
        let [first, ..] = arguments else {
            return Typed::Unknown;
        };
        let before = self.text_from_end(path, 1);
        match (before, self.text_from_end(path, 0)) {
            (_, "Some" | "Ok") => Typed::Holder(Rc::new(self.type_of(*first))),
            ("mem", "replace" | "take") => self.type_of(*first),
            ("ptr", "read") => match self.type_of(*first) {
                Typed::Pointer(to) => (*to).clone(),
                referenced => referenced,
            },
            (pointer, "new") if POINTERS.contains(&pointer) => self.type_of(*first),
            _ => Typed::Unknown,
        }
    }

    /// Returns the type that a call of a method of another crate has.
    pub(super) fn type_of_outside_method(
        &self,
        receiver: &Typed,
        name: &str,
        arguments: &[ShapeId],
    ) -> Typed {
        match receiver {
            Typed::Own(..) | Typed::Bounds(_)
                if matches!(name, "by_ref" | "clone" | "to_owned") =>
            {
                receiver.clone()
            }
            Typed::Own(..) => match self.content(receiver) {
                Typed::Unknown => Typed::Unknown,
                item => self.type_of_holder_method(&Rc::new(item), name, arguments),
            },
            Typed::Holder(of) => self.type_of_holder_method(of, name, arguments),
            Typed::Pointer(to) => match name {
                "add" | "as_ptr" | "cast_mut" | "clone" | "offset" | "sub" => receiver.clone(),
                "read" => (**to).clone(),
                _ => Typed::Unknown,
            },
            _ => Typed::Unknown,
        }
    }

    fn type_of_holder_method(&self, of: &Rc<Typed>, name: &str, arguments: &[ShapeId]) -> Typed {
        let holder = |of: Typed| Typed::Holder(Rc::new(of));
        match (name, arguments) {
            _ if GIVING.contains(&name) => (**of).clone(),
            _ if STAYING.contains(&name) => Typed::Holder(of.clone()),
            ("enumerate", _) => holder(Typed::Tuple([Typed::Outside, (**of).clone()].into())),
            ("zip", [other]) => {
                let other = self.content(&self.type_of(*other));
                holder(Typed::Tuple([(**of).clone(), other].into()))
            }
            ("map", [closure]) => holder(self.type_of_body(*closure)),
            ("and_then" | "filter_map" | "find_map", [closure]) => self.type_of_body(*closure),
            _ => Typed::Unknown,
        }
    }

    fn type_of_body(&self, closure: ShapeId) -> Typed {
        match &self.collected.shapes[closure.idx()] {
            Shape::Closure(body) => self.type_of(*body),
            _ => Typed::Unknown,
        }
    }
}
