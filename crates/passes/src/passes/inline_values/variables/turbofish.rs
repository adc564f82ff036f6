//! Moves the type of a variable into its value or into a call, where the type says what would not be inferred without it. The value
//! stands in place of the variable, with the arguments of the type behind the name of the type, or behind that of the function that
//! the variable is passed to.
//!
//! Before: `let x: S<0, u8> = S(g()); f(x);`. After: `f(S::<0, u8>(g()));`, or `f::<0>(S(g()));` with
//! `fn f<const N: usize>(_: S<N, u8>)`.

use super::Inlining;
use crate::passes::expressions::binding;
use crate::passes::functions::name_place;
use crate::passes::generics::{arguments_after, plain_name};
use crate::program::{Place, Program, SyntaxFile};
use crate::visit::{self, Node};
use reduce_model::Position;
use reduce_syntax::EditSet;
use std::collections::{BTreeMap, HashMap};
use syn::{
    Expr, ExprCall, FnArg, GenericArgument, GenericParam, Ident, Local, PathSegment, Signature,
    Stmt, Type,
};

/// The calls of a program, by where their arguments begin, and its functions, by their names.
pub(super) struct Calls<'p> {
    by_argument: BTreeMap<Position, (SyntaxFile<'p>, &'p ExprCall, usize)>,
    signatures: HashMap<Position, &'p Signature>,
}

impl<'p> Calls<'p> {
    pub(super) fn of(program: &'p Program) -> Self {
        let (mut by_argument, mut signatures) = (BTreeMap::new(), HashMap::new());
        visit::each(program, |at, node| match node {
            Node::Expr(Expr::Call(call)) => {
                let starts = call.args.iter().map(|one| at.place(one).start());
                let calls = starts.enumerate();
                by_argument.extend(calls.map(|(idx, start)| (start, (at.file, call, idx))));
            }
            Node::Signature(one) => {
                signatures.insert(at.position(&one.ident), one);
            }
            _ => {}
        });
        Self {
            by_argument,
            signatures,
        }
    }

    /// Returns the name of the function that is called with an argument, and the turbofish that the argument's
    /// written type says for it.
    fn arguments(
        &self,
        program: &Program,
        argument: Position,
        written: (SyntaxFile<'_>, &PathSegment),
    ) -> Option<(Place, String)> {
        let (file, call, idx) = self.by_argument.get(&argument)?;
        let Expr::Path(callee) = &*call.func else {
            return None;
        };
        let segment = callee.path.segments.last()?;
        let def = program.meant(file.position(&segment.ident))?;
        let signature = self.signatures.get(&program.model().definition(def).name)?;
        let FnArg::Typed(parameter) = signature.inputs.iter().nth(*idx)? else {
            return None;
        };
        let said = |name: &Ident| said_of(name, &parameter.ty, written);
        let arguments = signature
            .generics
            .params
            .iter()
            .filter_map(|one| match one {
                GenericParam::Lifetime(_) => None,
                GenericParam::Type(one) => Some(said(&one.ident)),
                GenericParam::Const(one) => Some(said(&one.ident)),
            });
        let arguments: Vec<Option<&str>> = arguments.collect();
        let is_said = arguments.iter().any(Option::is_some) && segment.arguments.is_none();
        let arguments: Vec<&str> = arguments
            .into_iter()
            .map(|one| one.unwrap_or("_"))
            .collect();
        let text = turbofish(&arguments).filter(|_| is_said)?;
        Some((file.place(&segment.ident), text))
    }

    /// Moves arguments of types to the called function: `f(S::<0, u8>(x))` becomes `f::<0>(S(x))`.
    pub(super) fn moved(&self, program: &Program) -> Vec<EditSet> {
        let moved =
            |(start, &(file, call, idx)): (&Position, &(SyntaxFile<'p>, &'p ExprCall, usize))| {
                let Expr::Call(inner) = call.args.iter().nth(idx)? else {
                    return None;
                };
                let Expr::Path(made) = &*inner.func else {
                    return None;
                };
                let mut segments = made.path.segments.iter();
                let written = segments.find(|one| !one.arguments.is_none())?;
                let (place, arguments) = self.arguments(program, *start, (file, written))?;
                let mut change = program.change();
                change.delete(&file.place(&written.arguments));
                change.insert(place.end(), &arguments).finish()
            };
        self.by_argument.iter().filter_map(moved).collect()
    }
}

/// Returns what a written type says of a function's generic parameter: `u8` for `T`, if the function takes a `Vec<T>`
/// and `Vec<u8>` is written.
fn said_of<'f>(
    name: &Ident,
    ty: &Type,
    (file, written): (SyntaxFile<'f>, &PathSegment),
) -> Option<&'f str> {
    let Type::Path(ty) = ty else {
        return None;
    };
    let own = arguments_after(ty.path.segments.last()?);
    let is_name = |one: &&GenericArgument| matches!(one, GenericArgument::Type(ty) if plain_name(ty).is_some_and(|one| one == name));
    let idx = own.iter().position(is_name)?;
    arguments_after(written).get(idx).map(|one| file.text(*one))
}

impl Inlining<'_> {
    /// Puts the value in place of a variable that is mentioned once, with the arguments of its type.
    pub(super) fn with_arguments(
        &self,
        statement: &Stmt,
        local: &Local,
        calls: &Calls<'_>,
    ) -> Vec<EditSet> {
        let found = [
            self.named_type(local),
            self.arguments_of_callee(local, calls),
        ];
        let inlined = |(place, arguments): (Place, String)| {
            let (name, _) = binding(&local.pat)?;
            let init = local.init.as_ref().filter(|one| one.diverge.is_none())?;
            let [mention] = self.mentions(name) else {
                return None;
            };
            let value = self.file.place(&*init.expr);
            let mut change = self.program.change();
            change.remove(&self.file.place(statement));
            let text = match place.is_within(&value) {
                true => {
                    let split = place.range.end - value.range.start;
                    let (before, after) = self.program.text(&value).split_at(split);
                    format!("{before}{arguments}{after}")
                }
                false => {
                    change.insert(place.end(), &arguments);
                    self.program.text(&value).to_owned()
                }
            };
            change.replace_expr(&name_place(self.program, *mention), &text);
            change.finish()
        };
        found.into_iter().flatten().filter_map(inlined).collect()
    }

    /// Returns the name of a variable's type in its value, with the arguments that may stand behind it.
    fn named_type(&self, local: &Local) -> Option<(Place, String)> {
        let written = self.type_of(local)?;
        let Expr::Call(call) = &*local.init.as_ref()?.expr else {
            return None;
        };
        let Expr::Path(callee) = &*call.func else {
            return None;
        };
        let mut segments = callee.path.segments.iter();
        let of_type = segments.find(|one| one.ident == written.ident)?;
        let arguments: Vec<&str> = arguments_after(written)
            .into_iter()
            .map(|one| self.file.text(one))
            .collect();
        turbofish(&arguments)
            .filter(|_| of_type.arguments.is_none())
            .map(|text| (self.file.place(&of_type.ident), text))
    }

    /// Returns the name of the function that a variable is passed to, and the turbofish that the variable's type says for it.
    fn arguments_of_callee(&self, local: &Local, calls: &Calls<'_>) -> Option<(Place, String)> {
        let (name, _) = binding(&local.pat)?;
        let [mention] = self.mentions(name) else {
            return None;
        };
        let written = (self.file, self.type_of(local)?);
        calls.arguments(self.program, *mention, written)
    }

    /// Returns the name in the written type of a variable, with its arguments.
    fn type_of<'l>(&self, local: &'l Local) -> Option<&'l PathSegment> {
        match binding(&local.pat)?.1 {
            Some(Type::Path(path)) if path.qself.is_none() => path.path.segments.last(),
            _ => None,
        }
    }
}

/// Returns the text `::<A, B>`, if there are arguments.
fn turbofish(arguments: &[&str]) -> Option<String> {
    (!arguments.is_empty()).then(|| format!("::<{}>", arguments.join(", ")))
}
