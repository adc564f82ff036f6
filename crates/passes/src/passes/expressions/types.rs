//! Which types expressions have and parameters ask for, as far as the program itself spells them
//! out: signatures, fields, literals. Nothing is inferred.

mod reader;
mod values;

use crate::program::{Place, Program, SyntaxFile};
use reduce_model::Position;
use reduce_syntax::{tokens, with_words};
use std::collections::HashMap;
use syn::{
    BinOp, Block, Expr, ExprCast, Fields, FnArg, Generics, Lit, Path, ReturnType, Signature, Type,
};

/// What a program declares.
pub(in crate::passes) struct Types<'p, 's> {
    program: &'p Program<'s>,
    functions: HashMap<Position, Function<'p>>,
    data: HashMap<Position, Data<'p>>,
    /// Functions, structs and variants by name, in order of the source.
    by_name: HashMap<String, Vec<Position>>,
    /// All functions in order of the source.
    in_order: Vec<Position>,
}

/// A function.
pub(in crate::passes) struct Function<'p> {
    pub(in crate::passes) file: SyntaxFile<'p>,
    pub(in crate::passes) whole: Place,
    pub(in crate::passes) signature: &'p Signature,
    pub(in crate::passes) body: Option<&'p Block>,
    /// Its signature is neither what a trait says nor what a test must have.
    pub(in crate::passes) is_free_to_change: bool,
    /// Of the impl that it is in.
    self_ty: Option<&'p Type>,
    /// Names that only mean something in it.
    generics: Vec<String>,
}

/// A struct, a union or a variant.
pub(in crate::passes) struct Data<'p> {
    file: SyntaxFile<'p>,
    /// The name of the type, and of the variant.
    names: (String, Option<String>),
    fields: &'p Fields,
    generics: Vec<String>,
}

/// A type that is asked for.
#[derive(Clone, Copy)]
pub(in crate::passes) struct Wanted<'a> {
    pub(in crate::passes) file: SyntaxFile<'a>,
    pub(in crate::passes) ty: &'a Type,
    /// Names that may mean any type.
    pub(in crate::passes) generics: &'a [String],
}

/// The types of variables, by name.
pub(in crate::passes) type Variables = HashMap<String, String>;

impl<'p, 's> Types<'p, 's> {
    /// All functions in order of the source.
    pub(in crate::passes) fn functions(&self) -> impl Iterator<Item = &Function<'p>> {
        self.in_order
            .iter()
            .filter_map(|position| self.functions.get(position))
    }

    /// What a field of a struct expression is to be.
    pub(in crate::passes) fn field(
        &self,
        file: SyntaxFile<'_>,
        path: &Path,
        member: &syn::Member,
    ) -> Option<Wanted<'_>> {
        let Callee::Data(data) = self.callee(file, path)? else {
            return None;
        };
        let mut members = data.fields.members().zip(data.fields);
        let (_, field) = members.find(|(name, _)| name == member)?;
        Some(data.wanted(&field.ty))
    }

    /// What a path leads to.
    pub(in crate::passes) fn callee(
        &self,
        file: SyntaxFile<'_>,
        path: &Path,
    ) -> Option<Callee<'_, 'p>> {
        let last = &path.segments.last()?.ident;
        let defined = self.program.mentions().definition(file.position(last));
        let by_name = || {
            let head = path.segments.iter().nth_back(1)?.ident.to_string();
            let mut all = self.by_name.get(&last.to_string())?.iter();
            all.find(|position| self.owner(**position).as_deref() == Some(&head))
        };
        let position = defined.or_else(|| by_name().copied())?;
        self.at(position)
    }

    /// The only function that a method's name may mean.
    pub(in crate::passes) fn method(
        &self,
        file: SyntaxFile<'_>,
        name: &syn::Ident,
    ) -> Option<Callee<'_, 'p>> {
        let defined = self.program.mentions().definition(file.position(name));
        let only = || match self.by_name.get(&name.to_string())?.as_slice() {
            [only] => Some(*only),
            _ => None,
        };
        self.at(defined.or_else(only)?)
    }

    fn at(&self, position: Position) -> Option<Callee<'_, 'p>> {
        let function = self.functions.get(&position).map(Callee::Function);
        function.or_else(|| self.data.get(&position).map(Callee::Data))
    }

    /// The last name of the type that a function or variant belongs to.
    fn owner(&self, position: Position) -> Option<String> {
        match self.at(position)? {
            Callee::Function(function) => match function.self_ty? {
                Type::Path(path) => Some(path.path.segments.last()?.ident.to_string()),
                _ => None,
            },
            Callee::Data(data) => data.names.1.as_ref().map(|_| data.names.0.clone()),
        }
    }

    /// The text of an expression's type.
    pub(in crate::passes) fn type_of(
        &self,
        file: SyntaxFile<'_>,
        expression: &Expr,
        variables: &Variables,
    ) -> Option<String> {
        let inner = |inner: &Expr| self.type_of(file, inner, variables);
        match expression {
            Expr::Lit(literal) => type_of_literal(&literal.lit),
            Expr::Paren(parenthesized) => inner(&parenthesized.expr),
            Expr::Group(group) => inner(&group.expr),
            Expr::Cast(cast) => self.type_of_cast(file, cast),
            Expr::Reference(reference) => {
                let mutable = if reference.mutability.is_some() {
                    "mut "
                } else {
                    ""
                };
                Some(format!("&{mutable}{}", inner(&reference.expr)?))
            }
            Expr::Tuple(tuple) if tuple.elems.len() > 1 => {
                let each: Option<Vec<String>> = tuple.elems.iter().map(inner).collect();
                Some(format!("({})", each?.join(", ")))
            }
            Expr::Repeat(repeat) => {
                let len = self.text(file.place(&*repeat.len));
                Some(format!("[{}; {len}]", inner(&repeat.expr)?))
            }
            Expr::Array(array) => {
                let first = inner(array.elems.first()?)?;
                Some(format!("[{first}; {}]", array.elems.len()))
            }
            Expr::Binary(binary) => is_comparison(&binary.op).then(|| "bool".to_owned()),
            Expr::Path(path) if path.qself.is_none() => match path.path.get_ident() {
                Some(name) if variables.contains_key(&name.to_string()) => {
                    variables.get(&name.to_string()).cloned()
                }
                _ => self.callee(file, &path.path)?.unit(),
            },
            Expr::Struct(literal) if literal.path.is_ident("Self") => Some("Self".to_owned()),
            Expr::Struct(literal) => self.callee(file, &literal.path)?.value(self),
            Expr::Call(call) => match &*call.func {
                Expr::Path(path) if path.qself.is_none() => {
                    self.callee(file, &path.path)?.value(self)
                }
                _ => None,
            },
            Expr::MethodCall(call) => self.method(file, &call.method)?.value(self),
            _ => None,
        }
    }

    /// A function that is cast to a pointer without all types has those of its signature.
    fn type_of_cast(&self, file: SyntaxFile<'_>, cast: &ExprCast) -> Option<String> {
        let written = self.text(file.place(&*cast.ty));
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
            FnArg::Typed(input) => self.own_type(function, &input.ty),
            FnArg::Receiver(_) => None,
        };
        let inputs: Option<Vec<String>> = function.signature.inputs.iter().map(input).collect();
        let output = match &function.signature.output {
            ReturnType::Default => String::new(),
            ReturnType::Type(_, ty) => format!(" -> {}", self.own_type(function, ty)?),
        };
        Some(format!("fn({}){output}", inputs?.join(", ")))
    }

    /// A type of a signature as it is written elsewhere.
    fn own_type(&self, function: &Function<'_>, ty: &Type) -> Option<String> {
        let text = self.text(function.file.place(ty));
        let is_generic = |generic: &String| has_word(text, generic);
        if function.generics.iter().any(is_generic) || has_word(text, "_") {
            return None;
        }
        if !has_word(text, "Self") {
            return Some(text.to_owned());
        }
        let own = self.text(function.file.place(function.self_ty?));
        let is_generic = |generic: &String| has_word(own, generic);
        let is_known = !function.generics.iter().any(is_generic);
        is_known.then(|| with_words(text, |word| (word == "Self").then_some(own)))
    }

    fn text(&self, place: Place) -> &'p str {
        self.program.text(&place)
    }
}

/// What is called, or otherwise named where a value is.
pub(in crate::passes) enum Callee<'t, 'p> {
    Function(&'t Function<'p>),
    Data(&'t Data<'p>),
}

impl<'t> Callee<'t, '_> {
    /// What it wants as an input, a receiver counted.
    pub(in crate::passes) fn input(&self, idx: usize) -> Option<Wanted<'t>> {
        match *self {
            Self::Function(function) => {
                let FnArg::Typed(input) = function.signature.inputs.get(idx)? else {
                    return None;
                };
                Some(Wanted {
                    file: function.file,
                    ty: &input.ty,
                    generics: &function.generics,
                })
            }
            Self::Data(data) => Some(data.wanted(&data.fields.iter().nth(idx)?.ty)),
        }
    }

    /// How many of the inputs a method call does not have among its arguments.
    pub(in crate::passes) fn n_receivers(&self) -> usize {
        match self {
            Self::Function(function) => usize::from(function.signature.receiver().is_some()),
            Self::Data(_) => 0,
        }
    }

    /// The type of the value that a call or a struct expression gives.
    fn value(&self, types: &Types<'_, '_>) -> Option<String> {
        match self {
            Self::Function(function) if function.signature.asyncness.is_none() => {
                match &function.signature.output {
                    ReturnType::Default => None,
                    ReturnType::Type(_, ty) => types.own_type(function, ty),
                }
            }
            Self::Function(_) => None,
            Self::Data(data) => data.generics.is_empty().then(|| data.names.0.clone()),
        }
    }

    /// The type of what is named without a call.
    fn unit(&self) -> Option<String> {
        match self {
            Self::Data(data) if matches!(data.fields, Fields::Unit) && data.generics.is_empty() => {
                Some(data.names.0.clone())
            }
            _ => None,
        }
    }
}

impl<'p> Data<'p> {
    /// How an expression names it.
    fn path(&self) -> String {
        match &self.names {
            (ty, Some(variant)) => format!("{ty}::{variant}"),
            (ty, None) => ty.clone(),
        }
    }

    fn wanted<'a>(&'a self, ty: &'a Type) -> Wanted<'a>
    where
        'p: 'a,
    {
        Wanted {
            file: self.file,
            ty,
            generics: &self.generics,
        }
    }
}

fn type_of_literal(literal: &Lit) -> Option<String> {
    let with_suffix = |suffix: &str, otherwise: &str| match suffix {
        "" => otherwise.to_owned(),
        suffix => suffix.to_owned(),
    };
    match literal {
        Lit::Int(int) => Some(with_suffix(int.suffix(), "i32")),
        Lit::Float(float) => Some(with_suffix(float.suffix(), "f64")),
        Lit::Str(_) => Some("&str".to_owned()),
        Lit::Bool(_) => Some("bool".to_owned()),
        Lit::Char(_) => Some("char".to_owned()),
        Lit::Byte(_) => Some("u8".to_owned()),
        _ => None,
    }
}

fn is_comparison(operator: &BinOp) -> bool {
    matches!(
        operator,
        BinOp::Eq(_) | BinOp::Ne(_) | BinOp::Lt(_) | BinOp::Le(_) | BinOp::Ge(_) | BinOp::Gt(_)
    )
}

/// Whether a text has a token.
pub(in crate::passes) fn has_word(text: &str, word: &str) -> bool {
    // Most types are short, and most do not even have the letters.
    text.contains(word)
        && tokens(text)
            .iter()
            .any(|token| &text[token.range()] == word)
}

/// The names of generic parameters.
fn names_of(generics: &Generics) -> impl Iterator<Item = String> {
    generics.params.iter().map(|parameter| match parameter {
        syn::GenericParam::Lifetime(lifetime) => lifetime.lifetime.to_string(),
        syn::GenericParam::Type(ty) => ty.ident.to_string(),
        syn::GenericParam::Const(constant) => constant.ident.to_string(),
    })
}
