//! Finds the types that expressions have and parameters ask for, as far as the program itself spells them out:
//! signatures, fields, variables, literals. Nothing is inferred.

mod reader;
mod values;

use crate::passes::functions::FunctionItem;
use crate::passes::generics::names_of;
use crate::program::{Program, SyntaxFile};
use crate::visit::Home;
use reduce_model::{DefKind, Position, Resolution, is_common_member};
use reduce_syntax::{tokens, with_words};
use std::collections::{BTreeMap, HashMap};
use syn::{BinOp, Expr, ExprCast, Fields, FnArg, Generics, Lit, Path, ReturnType, Type};

/// The functions, structs and variables that a program declares, by the positions of their names.
pub(in crate::passes) struct Types<'p> {
    program: &'p Program,
    functions: BTreeMap<Position, FunctionItem<'p>>,
    data: HashMap<Position, Data<'p>>,
    /// The written types of variables, by the positions of the variables' names.
    variables: HashMap<Position, &'p str>,
}

/// A struct, union or variant with its fields, for its type and for its values.
#[derive(Clone, Copy)]
pub(in crate::passes) struct Data<'p> {
    file: SyntaxFile<'p>,
    /// The name of the type, of which `variant` is a variant.
    ty: &'p str,
    variant: Option<&'p str>,
    fields: &'p Fields,
    generics: &'p Generics,
}

/// The type that an expression has to have where it stands.
#[derive(Clone, Copy)]
pub(in crate::passes) struct Wanted<'p> {
    pub(in crate::passes) file: SyntaxFile<'p>,
    pub(in crate::passes) ty: &'p Type,
    /// Whether the generic parameters in the type are those of the called function, so that any type may stand for them.
    pub(in crate::passes) is_of_callee: bool,
}

impl<'p> Types<'p> {
    /// Returns all functions in order of the source.
    pub(in crate::passes) fn functions(&self) -> impl Iterator<Item = &FunctionItem<'p>> {
        self.functions.values()
    }

    /// Returns the type that a struct or variant declares for one of its fields.
    pub(in crate::passes) fn field(
        &self,
        file: SyntaxFile<'_>,
        path: &Path,
        member: &syn::Member,
    ) -> Option<Wanted<'p>> {
        let Callee::Data(data) = self.callee(file, path)? else {
            return None;
        };
        let mut members = data.fields.members().zip(data.fields);
        let (_, field) = members.find(|(name, _)| name == member)?;
        Some(data.wanted(&field.ty))
    }

    /// Returns the function, struct or variant that a path leads to.
    pub(in crate::passes) fn callee(
        &self,
        file: SyntaxFile<'_>,
        path: &Path,
    ) -> Option<Callee<'_, 'p>> {
        self.at(self.meant(file, path)?)
    }

    /// Returns the only function that a method's name may mean.
    pub(in crate::passes) fn method(
        &self,
        file: SyntaxFile<'_>,
        name: &syn::Ident,
    ) -> Option<Callee<'_, 'p>> {
        let model = self.program.model();
        let resolution = model.resolve_at(file.position(name));
        let meant = model.definition(resolution.only()?);
        let parent = meant.parent.map(|parent| model.definition(parent).kind);
        // Many traits have a method of a common name.
        let is_doubtful = is_common_member(&name.to_string()) && parent == Some(DefKind::Trait);
        let is_certain = matches!(resolution, Resolution::Certain(_));
        (is_certain || !is_doubtful).then(|| self.at(meant.name))?
    }

    fn at(&self, position: Position) -> Option<Callee<'_, 'p>> {
        let function = self.functions.get(&position).map(Callee::Function);
        function.or_else(|| self.data.get(&position).map(Callee::Data))
    }

    /// Returns the position of the definition that a path means. Of several, which a configuration decides between,
    /// it is the first.
    fn meant(&self, file: SyntaxFile<'_>, path: &Path) -> Option<Position> {
        let model = self.program.model();
        let word = model.word_at(file.position(&path.segments.last()?.ident))?;
        let meant = match model.resolve(word) {
            Resolution::Certain(def) => def,
            Resolution::Maybe(all) => *all.first()?,
            Resolution::Unknown => return self.program.mentions().definition(model.position(word)),
            Resolution::Outside => return None,
        };
        Some(model.definition(meant).name)
    }

    /// Returns the type of an expression as text, if it is known.
    pub(in crate::passes) fn type_of(
        &self,
        file: SyntaxFile<'p>,
        expression: &Expr,
    ) -> Option<String> {
        let inner = |inner: &Expr| self.type_of(file, inner);
        match expression {
            Expr::Lit(literal) => type_of_literal(&literal.lit).map(str::to_owned),
            Expr::Paren(parenthesized) => inner(&parenthesized.expr),
            Expr::Group(group) => inner(&group.expr),
            Expr::Cast(cast) => self.type_of_cast(file, cast),
            Expr::Reference(reference) => {
                let mutable = reference.mutability.map_or("", |_| "mut ");
                Some(format!("&{mutable}{}", inner(&reference.expr)?))
            }
            Expr::Tuple(tuple) if tuple.elems.len() > 1 => {
                let each: Option<Vec<String>> = tuple.elems.iter().map(inner).collect();
                Some(format!("({})", each?.join(", ")))
            }
            Expr::Repeat(repeat) => {
                let len = file.text(&*repeat.len);
                Some(format!("[{}; {len}]", inner(&repeat.expr)?))
            }
            Expr::Array(array) => {
                let first = inner(array.elems.first()?)?;
                Some(format!("[{first}; {}]", array.elems.len()))
            }
            Expr::Binary(binary) => is_comparison(&binary.op).then(|| "bool".to_owned()),
            Expr::Path(path) if path.qself.is_none() => self.type_of_path(file, &path.path),
            Expr::Struct(literal) if literal.path.is_ident("Self") => Some("Self".to_owned()),
            Expr::Struct(literal) => self.callee(file, &literal.path)?.value(),
            Expr::Call(call) => match &*call.func {
                Expr::Path(path) if path.qself.is_none() => self.callee(file, &path.path)?.value(),
                _ => None,
            },
            Expr::MethodCall(call) => self.method(file, &call.method)?.value(),
            _ => None,
        }
    }

    /// Returns the type of a path that is a variable or a value without a call.
    fn type_of_path(&self, file: SyntaxFile<'p>, path: &Path) -> Option<String> {
        let meant = self.meant(file, path)?;
        if let Some(&written) = self.variables.get(&meant) {
            return Some(written.to_owned());
        }
        let data = self.data.get(&meant)?;
        let is_unit = matches!(data.fields, Fields::Unit);
        data.value().filter(|_| is_unit)
    }

    /// Returns the type that an expression is cast to; for a function, as in `f as fn(_) -> _`, the types of its
    /// signature stand for `_`.
    fn type_of_cast(&self, file: SyntaxFile<'p>, cast: &ExprCast) -> Option<String> {
        let written = file.text(&*cast.ty);
        if !has_word(written, "_") {
            return Some(written.to_owned());
        }
        let Expr::Path(path) = &*cast.expr else {
            return None;
        };
        let Callee::Function(function) = self.callee(file, &path.path)? else {
            return None;
        };
        let input = |input: &FnArg| match input {
            FnArg::Typed(input) => written_elsewhere(function, &input.ty),
            FnArg::Receiver(_) => None,
        };
        let inputs: Option<Vec<String>> = function.signature.inputs.iter().map(input).collect();
        let output = match &function.signature.output {
            ReturnType::Default => String::new(),
            ReturnType::Type(_, ty) => format!(" -> {}", written_elsewhere(function, ty)?),
        };
        Some(format!("fn({}){output}", inputs?.join(", ")))
    }
}

/// Returns a type in a function's signature as text that means the same outside of the function.
fn written_elsewhere(function: &FunctionItem<'_>, ty: &Type) -> Option<String> {
    let outer = match function.at.home {
        Home::Nothing => None,
        Home::Trait(one) => Some(&one.generics),
        Home::Impl(one) => Some(&one.generics),
    };
    let generics = outer.into_iter().chain([&function.signature.generics]);
    let generics: Vec<String> = generics.flat_map(names_of).collect();
    let is_plain = |text| !generics.iter().any(|generic| has_word(text, generic));
    let text = function.at.text(ty);
    if !is_plain(text) || has_word(text, "_") {
        return None;
    }
    if !has_word(text, "Self") {
        return Some(text.to_owned());
    }
    let Home::Impl(block) = function.at.home else {
        return None;
    };
    let own = function.at.text(&*block.self_ty);
    is_plain(own).then(|| with_words(text, |word| (word == "Self").then_some(own)))
}

/// The function, struct or variant that a call or another path names.
pub(in crate::passes) enum Callee<'t, 'p> {
    Function(&'t FunctionItem<'p>),
    Data(&'t Data<'p>),
}

impl<'p> Callee<'_, 'p> {
    /// Returns the type that the callee declares for the input at an index, where a receiver counts as one.
    pub(in crate::passes) fn input(&self, idx: usize) -> Option<Wanted<'p>> {
        match self {
            Self::Function(function) => {
                let FnArg::Typed(input) = function.signature.inputs.get(idx)? else {
                    return None;
                };
                Some(Wanted {
                    file: function.at.file,
                    ty: &input.ty,
                    is_of_callee: true,
                })
            }
            Self::Data(data) => Some(data.wanted(&data.fields.iter().nth(idx)?.ty)),
        }
    }

    /// Returns 1 for a function with a receiver, which a method call does not have among its arguments, else 0.
    pub(in crate::passes) fn n_receivers(&self) -> usize {
        match self {
            Self::Function(function) => usize::from(function.signature.receiver().is_some()),
            Self::Data(_) => 0,
        }
    }

    /// Returns the type of the value that a call of the callee, or a struct expression of it, makes.
    fn value(&self) -> Option<String> {
        match self {
            Self::Function(function) => match &function.signature.output {
                ReturnType::Type(_, ty) if function.signature.asyncness.is_none() => {
                    written_elsewhere(function, ty)
                }
                _ => None,
            },
            Self::Data(data) => data.value(),
        }
    }
}

impl<'p> Data<'p> {
    /// Returns the type of the values of a struct or variant.
    fn value(&self) -> Option<String> {
        let is_plain = self.generics.params.is_empty();
        is_plain.then(|| self.ty.to_owned())
    }

    /// Returns the path by which an expression names the struct or variant.
    fn path(&self) -> String {
        match self.variant {
            Some(variant) => format!("{}::{variant}", self.ty),
            None => self.ty.to_owned(),
        }
    }

    fn wanted(&self, ty: &'p Type) -> Wanted<'p> {
        Wanted {
            file: self.file,
            ty,
            is_of_callee: true,
        }
    }
}

fn type_of_literal(literal: &Lit) -> Option<&str> {
    Some(match literal {
        Lit::Int(int) if int.suffix().is_empty() => "i32",
        Lit::Int(int) => int.suffix(),
        Lit::Float(float) if float.suffix().is_empty() => "f64",
        Lit::Float(float) => float.suffix(),
        Lit::Str(_) => "&str",
        Lit::Bool(_) => "bool",
        Lit::Char(_) => "char",
        Lit::Byte(_) => "u8",
        _ => return None,
    })
}

fn is_comparison(operator: &BinOp) -> bool {
    matches!(
        operator,
        BinOp::Eq(_) | BinOp::Ne(_) | BinOp::Lt(_) | BinOp::Le(_) | BinOp::Ge(_) | BinOp::Gt(_)
    )
}

/// Whether a text has a word as one of its tokens.
pub(in crate::passes) fn has_word(text: &str, word: &str) -> bool {
    // Most types are short, and most do not even have the letters.
    text.contains(word)
        && tokens(text)
            .iter()
            .any(|token| &text[token.range()] == word)
}
