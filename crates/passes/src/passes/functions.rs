//! The functions of a program with their calls, for the passes that change both together. The model says
//! which functions have one signature, and which calls mean them; here is how they are written.

mod items;
mod parts;
mod places;

use crate::precedence::as_prefixed;
use crate::program::{Place, Program};
use crate::visit::{self, At, Home, Node};
pub(super) use items::{FunctionItem, insert_output, insert_predicates};
pub(super) use parts::{Body, Inner, Parameter, Shape, Value, borrow_of};
pub(super) use places::{is_captured, keywords, name_place, own_types, substitution};
use reduce_model::Position;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use syn::punctuated::Punctuated;
use syn::{
    AngleBracketedGenericArguments, Expr, FnArg, GenericArgument, GenericParam, Ident, Local, Pat,
    PathArguments, Receiver, ReturnType, Signature, Stmt, Token, Type, WherePredicate,
};

/// Returns the types of a function's inputs and of its output.
pub(super) fn types_of(signature: &Signature) -> Vec<&Type> {
    let inputs = signature.inputs.iter().filter_map(|input| match input {
        FnArg::Typed(input) => Some(&*input.ty),
        FnArg::Receiver(_) => None,
    });
    let output = match &signature.output {
        ReturnType::Type(_, ty) => Some(&**ty),
        ReturnType::Default => None,
    };
    inputs.chain(output).collect()
}

/// All functions and families of a program, in order of the source.
pub(super) struct Functions<'p> {
    program: &'p Program,
    pub(super) families: Vec<Family<'p>>,
    /// The functions by the positions of their names.
    all: BTreeMap<Position, Function<'p>>,
    /// The positions of the names of parameters whose type is a reference.
    references: BTreeSet<Position>,
}

/// Functions of one signature, with the calls of them: a function by itself, or a trait's method with
/// those of all impls.
pub(super) struct Family<'p> {
    /// The functions of the family; that of a trait comes first.
    pub(super) functions: Vec<Function<'p>>,
    pub(super) calls: Vec<Call<'p>>,
    /// The positions outside of `calls` where a function of the family is mentioned, or may be.
    pub(super) mentions: Vec<Position>,
}

/// A function, or a closure that a `let` names.
#[derive(Clone)]
pub(super) struct Function<'p> {
    pub(super) at: At<'p>,
    pub(super) name: &'p Ident,
    /// The place of the whole function's item, or of the closure's `let` statement.
    pub(super) whole: Place,
    /// The signature of a function; a closure has none.
    pub(super) signature: Option<&'p Signature>,
    /// The parameters of the function, without `self`.
    pub(super) parameters: Vec<Parameter<'p>>,
    /// The return type of the function or closure with its arrow.
    pub(super) returned: &'p ReturnType,
    pub(super) body: Option<Body<'p>>,
}

/// A call of a function or a method by name.
#[derive(Clone)]
pub(super) struct Call<'p> {
    pub(super) at: At<'p>,
    pub(super) name: &'p Ident,
    pub(super) whole: Place,
    pub(super) receiver: Option<&'p Expr>,
    pub(super) arguments: &'p Punctuated<Expr, Token![,]>,
    turbofish: Option<&'p AngleBracketedGenericArguments>,
    /// The place of the statement that is nothing but this call, with its semicolon.
    pub(super) statement: Option<Place>,
}

/// The calls of a program, by the positions of the names of the called functions.
type Calls<'p> = HashMap<Position, Call<'p>>;

impl<'p> Functions<'p> {
    pub(super) fn of(program: &'p Program) -> Self {
        let mut functions = Self {
            program,
            families: Vec::new(),
            all: BTreeMap::new(),
            references: BTreeSet::new(),
        };
        let calls = functions.read();
        let families = program.model().families().iter();
        let families = families.filter_map(|family| functions.family(family, &calls));
        functions.families = families.collect();
        functions
    }

    fn read(&mut self) -> Calls<'p> {
        let mut calls = Calls::new();
        let mut statement: Option<(&Expr, Place)> = None;
        visit::each_also_in_macros(self.program, |at, node| match node {
            Node::Stmt(whole @ Stmt::Expr(one, Some(_))) => {
                statement = Some((one, at.place(whole)));
            }
            Node::Expr(expression) => {
                let own = statement.take_if(|(one, _)| std::ptr::eq(*one, expression));
                if let Some(call) = Call::of(at, expression, own.map(|(_, place)| place)) {
                    calls.insert(at.position(call.name), call);
                }
            }
            _ => self.add(Function::of(at, node)),
        });
        calls
    }

    fn add(&mut self, function: Option<Function<'p>>) {
        let Some(function) = function else { return };
        let is_reference = |one: &&Parameter<'_>| matches!(one.ty, Some(Type::Reference(_)));
        let references = function.parameters.iter().filter(is_reference);
        let names = references.filter_map(|one| Some(one.file.position(&one.name()?.ident)));
        self.references.extend(names);
        self.all.insert(function.position(), function);
    }

    /// Reads a family whose functions are all written where they can be changed.
    fn family(&self, family: &reduce_model::Family, calls: &Calls<'p>) -> Option<Family<'p>> {
        let model = self.program.model();
        let function = |&def| self.all.get(&model.definition(def).name).cloned();
        let functions: Vec<Function<'p>> = family
            .functions
            .iter()
            .map(function)
            .collect::<Option<_>>()?;
        let first = functions.first()?;
        let others = family.mentions.iter().map(|&word| model.position(word));
        let (mut own, mut mentions) = (Vec::new(), others.collect::<Vec<_>>());
        for &call in &family.calls {
            let callee = model.position(model.callee(call));
            match calls.get(&callee) {
                // After a dot stands a method.
                Some(call) if call.receiver.is_some() && first.receiver().is_none() => {}
                Some(call) if call.fits(first) => own.push(call.clone()),
                _ => mentions.push(callee),
            }
        }
        Some(Family {
            functions,
            calls: own,
            mentions,
        })
    }

    /// Returns the receiver of a method call as its first argument, with the borrow that the call makes of it.
    pub(super) fn passed(
        &self,
        at: At<'_>,
        expression: &Expr,
        text: String,
        receiver: &Receiver,
    ) -> Option<String> {
        let borrow = borrow_of(receiver)?;
        Some(
            match borrow.is_empty() || self.is_reference(at, expression) {
                true => text,
                false => format!("{borrow}{}", as_prefixed(&text)),
            },
        )
    }

    /// Whether an expression is a reference, as its spelling tells: `self`, or a parameter.
    pub(super) fn is_reference(&self, at: At<'_>, expression: &Expr) -> bool {
        let place = at.place(expression);
        if at.text(expression) == "self" {
            let around = self.all.values().filter(|one| place.is_within(&one.whole));
            let receiver = around.filter_map(Function::receiver).next_back();
            return receiver.is_some_and(|one| borrow_of(one) != Some(""));
        }
        let is_name = matches!(expression, Expr::Path(path) if path.path.get_ident().is_some());
        let definition = self.program.mentions().definition(place.start());
        is_name && definition.is_some_and(|at| self.references.contains(&at))
    }
}

impl<'p> Family<'p> {
    pub(super) fn first(&self) -> &Function<'p> {
        let first = self.functions.first();
        first.expect("a family begins with a function")
    }
}

impl<'p> Function<'p> {
    fn of(at: At<'p>, node: Node<'p>) -> Option<Self> {
        if let Node::Local(local) = node {
            return Self::closure(at, local);
        }
        let FunctionItem {
            whole,
            signature,
            body,
            ..
        } = FunctionItem::of(at, node)?;
        let typed = signature.inputs.iter().filter_map(|input| match input {
            FnArg::Typed(typed) => Some(Parameter::typed(at.file, typed)),
            FnArg::Receiver(_) => None,
        });
        Some(Self {
            at,
            name: &signature.ident,
            whole,
            signature: Some(signature),
            parameters: typed.collect(),
            returned: &signature.output,
            body: body.map(|block| Body::of_block(at, block)),
        })
    }

    fn closure(at: At<'p>, local: &'p Local) -> Option<Self> {
        let (Pat::Ident(name), Some(init)) = (&local.pat, &local.init) else {
            return None;
        };
        let (Expr::Closure(closure), None) = (&*init.expr, &init.diverge) else {
            return None;
        };
        let parameters = closure.inputs.iter();
        let home = Home::Nothing;
        Some(Self {
            at: At { home, ..at },
            name: &name.ident,
            whole: at.place(local),
            signature: None,
            parameters: parameters.map(|one| Parameter::of(at.file, one)).collect(),
            returned: &closure.output,
            body: Some(Body::of_closure(at, &closure.body)),
        })
    }

    /// Returns the position of the function's name.
    pub(super) fn position(&self) -> Position {
        self.at.position(self.name)
    }

    pub(super) fn receiver(&self) -> Option<&'p Receiver> {
        self.signature?.receiver()
    }

    pub(super) fn generics(&self) -> impl Iterator<Item = &'p GenericParam> + use<'p> {
        let signature = self.signature.into_iter();
        signature.flat_map(|one| &one.generics.params)
    }

    /// Returns the predicates of the function's where clause.
    pub(super) fn predicates(&self) -> impl Iterator<Item = &'p WherePredicate> + use<'p> {
        let signature = self.signature.into_iter();
        signature.flat_map(|one| super::generics::predicates(&one.generics))
    }

    /// Returns the type that the function returns, if that is written.
    pub(super) fn output(&self) -> Option<&'p Type> {
        match self.returned {
            ReturnType::Type(_, ty) => Some(ty),
            ReturnType::Default => None,
        }
    }
}

impl<'p> Call<'p> {
    fn of(at: At<'p>, call: &'p Expr, statement: Option<Place>) -> Option<Self> {
        let (name, receiver, arguments, turbofish) = match call {
            Expr::MethodCall(one) => {
                let receiver = Some(&*one.receiver);
                (&one.method, receiver, &one.args, one.turbofish.as_ref())
            }
            Expr::Call(one) => {
                let Expr::Path(function) = &*one.func else {
                    return None;
                };
                let last = function.path.segments.last()?;
                let turbofish = match &last.arguments {
                    PathArguments::AngleBracketed(all) => Some(all),
                    _ => None,
                };
                (&last.ident, None, &one.args, turbofish)
            }
            _ => return None,
        };
        Some(Self {
            at,
            name,
            whole: at.place(call),
            receiver,
            arguments,
            turbofish,
            statement,
        })
    }

    /// Whether a call passes as many arguments as a function takes.
    fn fits(&self, function: &Function<'_>) -> bool {
        let n_receivers = |is_there: bool| usize::from(is_there);
        let n_passed = self.arguments.len() + n_receivers(self.receiver.is_some());
        let n_inputs = function.parameters.len() + n_receivers(function.receiver().is_some());
        let signature = function.signature;
        n_passed == n_inputs || signature.is_some_and(|one| one.variadic.is_some())
    }

    /// Returns the place from the call's beginning to the end of the called function's name.
    pub(super) fn head(&self) -> Place {
        let end = self.at.place(self.name).range.end;
        Place::new(self.whole.file, self.whole.range.start..end)
    }

    /// Returns the call's argument for the parameter at an index, where a receiver is never counted.
    pub(super) fn argument(&self, function: &Function<'_>, idx: usize) -> Option<&'p Expr> {
        let is_by_path = self.receiver.is_none();
        let n_before = usize::from(is_by_path && function.receiver().is_some());
        self.arguments.get(idx + n_before)
    }

    /// Returns the types and constants in the call's turbofish, without lifetimes.
    pub(super) fn turbofish(&self) -> impl Iterator<Item = &'p GenericArgument> + use<'p> {
        let all = self.turbofish.into_iter().flat_map(|one| &one.args);
        all.filter(|one| !matches!(one, GenericArgument::Lifetime(_)))
    }
}
