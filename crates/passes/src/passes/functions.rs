//! The functions of a program with their calls, for the passes that change both together.
//!
//! A *family* is what has one signature: a function by itself, or a trait's method with all impls of
//! it. Which call means which family is guessed from its name, its number of arguments, and what
//! stands before the name.

mod calls;
mod places;
mod reader;

use crate::program::{Change, Place, Program};
use places::is_of_std;
pub(super) use places::{is_captured, keywords, name_place, own_types, substitution};
use reduce_model::{Position, Role};
use reduce_syntax::is_one_name;
use std::collections::{BTreeSet, HashMap};

/// All functions, calls and families of a program, in order of the source.
#[derive(Default)]
pub(super) struct Functions {
    pub(super) all: Vec<Function>,
    pub(super) calls: Vec<Call>,
    pub(super) blocks: Vec<Block>,
    pub(super) families: Vec<Family>,
    /// Where the names stand that a `use` makes visible.
    imports: BTreeSet<Position>,
    casts: Vec<Cast>,
    /// The names of parameters whose type is a reference.
    references: BTreeSet<Position>,
}

/// A function, or a closure that a `let` names.
pub(super) struct Function {
    pub(super) name: String,
    pub(super) at: Position,
    /// The item, or the `let` statement.
    pub(super) whole: Place,
    pub(super) owner: Owner,
    pub(super) receiver: Option<Receiver>,
    pub(super) parameters: Vec<Parameter>,
    pub(super) generics: Vec<Generic>,
    /// Of its where clause.
    pub(super) predicates: Vec<Place>,
    /// The arrow, and the type.
    pub(super) output: Option<(Place, Place)>,
    /// From the name on to the end of the signature.
    pub(super) signature: Place,
    pub(super) body: Option<Body>,
    pub(super) returns: Vec<Returning>,
    /// What may return without the word.
    pub(super) question_marks: Vec<QuestionMark>,
    pub(super) is_async: bool,
}

/// Whose a function is: of which block, as an index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Owner {
    Nobody,
    Closure,
    Inherent(usize),
    Trait(usize),
    TraitImpl(usize),
}

/// An impl or a trait.
pub(super) struct Block {
    pub(super) whole: Place,
    /// The type of an impl.
    pub(super) self_ty: Option<Place>,
    /// The name of that type, without what stands before it and its arguments.
    pub(super) type_name: Option<String>,
    pub(super) trait_name: Option<String>,
    /// With brackets; and the where clause.
    pub(super) generics: Vec<Generic>,
    pub(super) predicates: Vec<Place>,
    pub(super) n_members: usize,
    /// Attributes, `unsafe` and the like would be lost with it.
    pub(super) is_plain: bool,
}

/// `self` as a parameter.
pub(super) struct Receiver {
    pub(super) whole: Place,
    pub(super) by: By,
}

/// How a receiver is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum By {
    Value,
    Reference,
    MutReference,
    /// `self: Box<Self>`
    Other,
}

/// A parameter that is not `self`.
pub(super) struct Parameter {
    pub(super) whole: Place,
    pub(super) pattern: Place,
    /// A closure's may have none.
    pub(super) ty: Option<Place>,
    /// Where the names stand that the pattern binds.
    pub(super) names: Vec<Position>,
    /// Whether the pattern is a name by itself, or with `mut`.
    pub(super) is_name: bool,
    pub(super) is_mutable: bool,
}

/// A generic parameter.
pub(super) struct Generic {
    pub(super) whole: Place,
    pub(super) at: Position,
    pub(super) is_lifetime: bool,
}

/// What a function does.
pub(super) struct Body {
    /// With its braces, if it has some.
    pub(super) whole: Place,
    /// Without them.
    pub(super) contents: Place,
    pub(super) n_statements: usize,
    /// The value: the last expression if no semicolon follows.
    pub(super) value: Option<Expression>,
}

/// A `return`.
pub(super) struct Returning {
    pub(super) whole: Place,
    /// A semicolon follows.
    pub(super) is_statement: bool,
    pub(super) value: Option<Expression>,
}

/// A `?`.
pub(super) struct QuestionMark {
    pub(super) place: Place,
    /// A semicolon follows.
    pub(super) is_statement: bool,
}

/// Where an expression stands, and what may be done with it.
#[derive(Clone)]
pub(super) struct Expression {
    pub(super) place: Place,
    pub(super) shape: Shape,
}

/// How an expression may be put in place of another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// A literal, a path, `()`: costs nothing and does nothing, however often it is there.
    Simple,
    /// `loop {}` and other macros and blocks without an end.
    Diverging,
    Other,
}

/// A call of a function or a method by name.
pub(super) struct Call {
    pub(super) name: String,
    pub(super) callee: Position,
    /// What stands before the parentheses.
    pub(super) function: Place,
    pub(super) head: Head,
    pub(super) whole: Place,
    pub(super) receiver: Option<Expression>,
    pub(super) arguments: Vec<Expression>,
    /// Types and constants, not lifetimes.
    pub(super) turbofish: Vec<Place>,
    /// The statement that it is, with its semicolon.
    pub(super) statement: Option<Place>,
    /// The block that it is in.
    pub(super) block: Option<usize>,
}

/// What stands before the name of a function that is called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Head {
    Nothing,
    /// A type, a trait or a module.
    Name(String),
    /// `Self`
    OwnType,
    /// `<T>`
    Type,
    /// `x.`
    Receiver,
    /// `self.`
    OwnReceiver,
}

/// A function's name as a function pointer: `f as fn(T)`.
struct Cast {
    callee: Position,
    inputs: Vec<Place>,
}

/// Functions of one signature, as indices, with the calls of them.
pub(super) struct Family {
    pub(super) functions: Vec<usize>,
    pub(super) calls: Vec<usize>,
}

impl Functions {
    pub(super) fn of(program: &Program) -> Self {
        let mut functions = reader::read(program);
        functions.families = families(&functions);
        functions.references = references(program, &functions);
        calls::assign(program, &mut functions);
        functions
    }

    pub(super) fn functions_of<'f>(
        &'f self,
        family: &'f Family,
    ) -> impl Iterator<Item = &'f Function> {
        family.functions.iter().map(|&idx| &self.all[idx])
    }

    pub(super) fn calls_of<'f>(&'f self, family: &'f Family) -> impl Iterator<Item = &'f Call> {
        family.calls.iter().map(|&idx| &self.calls[idx])
    }

    pub(super) fn first(&self, family: &Family) -> &Function {
        let first = family.functions.first();
        &self.all[*first.expect("a family begins with a function")]
    }

    /// The block that a function is a member of.
    pub(super) fn block_of(&self, function: &Function) -> Option<&Block> {
        match function.owner {
            Owner::Inherent(idx) | Owner::Trait(idx) | Owner::TraitImpl(idx) => {
                self.blocks.get(idx)
            }
            Owner::Nobody | Owner::Closure => None,
        }
    }

    /// Whether an expression is a reference, as its spelling tells: `self`, or a parameter.
    pub(super) fn is_reference(&self, program: &Program, place: &Place) -> bool {
        let text = program.text(place);
        if text == "self" {
            let around = self.all.iter().filter(|one| place.is_within(&one.whole));
            let mut receivers = around.filter_map(|one| one.receiver.as_ref());
            return receivers.next_back().is_some_and(|one| one.by != By::Value);
        }
        let definition = program.mentions().definition(place.start());
        is_one_name(text) && definition.is_some_and(|at| self.references.contains(&at))
    }

    /// The types of an input in all function pointers that are made of a family.
    pub(super) fn pointer_inputs(
        &self,
        program: &Program,
        family: &Family,
        idx: usize,
    ) -> Vec<Place> {
        let is_ours = |cast: &&Cast| {
            let definition = program.mentions().definition(cast.callee);
            self.functions_of(family)
                .any(|one| Some(one.at) == definition)
        };
        let ours = self.casts.iter().filter(is_ours);
        ours.filter_map(|cast| cast.inputs.get(idx).cloned())
            .collect()
    }

    /// Whether something but these calls may mention the family.
    pub(super) fn has_other_mentions(&self, program: &Program, family: &Family) -> bool {
        let first = self.first(family);
        let is_known = |at: Position| {
            let is_definition = self.functions_of(family).any(|one| one.at == at);
            is_definition || self.calls_of(family).any(|call| call.callee == at)
        };
        let means_another = |at| {
            let meant = program.mentions().definition(at);
            meant.is_some_and(|meant| !self.functions_of(family).any(|one| one.at == meant))
        };
        let is_field = |role| role == Role::Field;
        let others: BTreeSet<Position> = self.others(family, &first.name);
        let mut words = program.mentions().spelled(&first.name).iter();
        words.any(|word| {
            let at = word.position();
            let is_another = others.contains(&at) || means_another(at) || is_of_std(program, at);
            !is_field(word.role) && !is_known(at) && !is_another
        })
    }

    /// Where a name stands as the name of another function, or where that is called.
    fn others(&self, family: &Family, name: &str) -> BTreeSet<Position> {
        let other = |one: &&Family| !std::ptr::eq(*one, family) && self.first(one).name == name;
        let of_family = |one| {
            let defined = self.functions_of(one).map(|function| function.at);
            defined.chain(self.calls_of(one).map(|call| call.callee))
        };
        self.families
            .iter()
            .filter(other)
            .flat_map(of_family)
            .collect()
    }
}

/// A trait's methods with their impls together, and all else by itself. A method of an impl of a
/// trait that is not in the program has no family: it cannot change.
fn families(functions: &Functions) -> Vec<Family> {
    let mut of_traits: HashMap<(&str, &str), usize> = HashMap::new();
    let mut families: Vec<Family> = Vec::new();
    for is_declaration in [true, false] {
        for (idx, function) in functions.all.iter().enumerate() {
            let is_member = matches!(function.owner, Owner::TraitImpl(_));
            if is_member == is_declaration {
                continue;
            }
            let of_trait = functions
                .block_of(function)
                .and_then(|block| block.trait_name.as_deref());
            let key = of_trait.map(|name| (name, function.name.as_str()));
            match key.and_then(|key| of_traits.get(&key)) {
                Some(&family) => families[family].functions.push(idx),
                None if is_member => {}
                None => {
                    key.map(|key| of_traits.insert(key, families.len()));
                    families.push(Family {
                        functions: vec![idx],
                        calls: Vec::new(),
                    });
                }
            }
        }
    }
    families
}

fn references(program: &Program, functions: &Functions) -> BTreeSet<Position> {
    let parameters = functions.all.iter().flat_map(|one| &one.parameters);
    let is_reference = |ty: &Place| program.text(ty).starts_with('&');
    let found = parameters.filter(|one| one.ty.as_ref().is_some_and(is_reference));
    found.flat_map(|one| one.names.iter().copied()).collect()
}

impl Function {
    pub(super) fn is_closure(&self) -> bool {
        self.owner == Owner::Closure
    }

    /// What it returns, at its end last.
    pub(super) fn values(&self) -> impl Iterator<Item = &Expression> {
        let returned = self.returns.iter().filter_map(|one| one.value.as_ref());
        let last = self.body.iter().filter_map(|body| body.value.as_ref());
        returned.chain(last)
    }

    /// What returned early is a panic.
    pub(super) fn unwrap_question_marks(&self, change: &mut Change<'_>) {
        for one in &self.question_marks {
            let instead = if one.is_statement { "" } else { ".unwrap()" };
            change.replace(&one.place, instead);
        }
    }
}

impl Parameter {
    /// Where the variables of it are mentioned.
    pub(super) fn mentions<'p>(&self, program: &'p Program) -> Vec<&'p Position> {
        let names = self.names.iter();
        names
            .flat_map(|name| program.mentions().of(*name))
            .collect()
    }
}

impl Call {
    /// Its arguments, where those of a method called by a path are counted without the receiver.
    pub(super) fn argument(&self, function: &Function, idx: usize) -> Option<&Expression> {
        let is_by_path = self.receiver.is_none();
        let n_before = usize::from(is_by_path && function.receiver.is_some());
        self.arguments.get(idx + n_before)
    }

    /// What it passes as `self`.
    pub(super) fn own_argument(&self, function: &Function) -> Option<&Expression> {
        function.receiver.as_ref()?;
        self.receiver.as_ref().or_else(|| self.arguments.first())
    }
}
