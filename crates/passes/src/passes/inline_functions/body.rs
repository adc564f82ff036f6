//! What stands for a call: the body of the function, with what is passed in place of parameters.

use super::super::expressions::SUCCESS;
use super::super::functions::{
    Body, Call, Function, Functions, Inner, Parameter, Shape, keywords, name_place, own_types,
    substitution,
};
use super::super::generics::{is_lifetime, position_of};
use super::site::Site;
use crate::assertions::is_integer_type;
use crate::precedence::Role;
use crate::program::{Change, Program};
use reduce_model::Position;
use reduce_syntax::tokens;
use syn::{Expr, ExprMethodCall, GenericParam, Lit, ReturnType};

/// Whether what the function's signature says of types, and nothing else any more once it is gone, is written in the body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Types {
    AsWritten,
    /// What collects or parses something tells into what, and numbers have suffixes.
    Told,
}

pub(super) fn inlined<'p>(
    program: &'p Program,
    functions: &Functions<'p>,
    function: &Function<'p>,
    site: &Site<'_, 'p>,
    types: Types,
) -> Option<String> {
    let call = site.call;
    let mut inlining = Inlining {
        program,
        functions,
        function,
        body: function.body.as_ref()?,
        call,
        change: program.change(),
        before: String::new(),
        types,
        has_told: false,
    };
    inlining.generics()?;
    inlining.own_type()?;
    inlining.receiver()?;
    for (idx, parameter) in function.parameters.iter().enumerate() {
        inlining.parameter(parameter, call.argument(function, idx)?)?;
    }
    if types == Types::Told {
        inlining.has_told |= inlining.tell_type().is_some();
        inlining.has_told.then_some(())?;
    }
    inlining.text(site)
}

/// Methods that may return many types, one of which a turbofish names.
const COLLECTING: [&str; 3] = ["collect", "sum", "product"];
/// Methods that give what was parsed.
const UNWRAPPING: [&str; 2] = ["unwrap", "expect"];

/// `x.parse()` of `x.parse().unwrap()`.
fn parsed(value: &Expr) -> Option<&ExprMethodCall> {
    let Expr::MethodCall(unwrapping) = value else {
        return None;
    };
    let is_unwrapping = UNWRAPPING.iter().any(|name| unwrapping.method == name);
    match &*unwrapping.receiver {
        Expr::MethodCall(one) if is_unwrapping && one.method == "parse" => Some(one),
        _ => None,
    }
}

/// `x.collect()` and the like.
fn collected(value: &Expr) -> Option<&ExprMethodCall> {
    match value {
        Expr::MethodCall(one) if COLLECTING.iter().any(|name| one.method == name) => Some(one),
        _ => None,
    }
}

/// Whether a number may be of the type of this name.
fn is_number_type(name: &str) -> bool {
    is_integer_type(name) || matches!(name, "f32" | "f64")
}

/// Whether it is a number without a suffix.
fn is_bare_number(literal: &Lit) -> bool {
    match literal {
        Lit::Int(number) => number.suffix().is_empty(),
        Lit::Float(number) => number.suffix().is_empty(),
        _ => false,
    }
}

struct Inlining<'i, 'p> {
    program: &'p Program,
    functions: &'i Functions<'p>,
    function: &'i Function<'p>,
    body: &'i Body<'p>,
    call: &'i Call<'p>,
    change: Change<'p>,
    /// Statements that come first.
    before: String,
    types: Types,
    /// Whether a type is written that was not written there.
    has_told: bool,
}

impl<'p> Inlining<'_, 'p> {
    /// The body's own generic parameters, which only a turbofish tells; those of the impl are known
    /// only in the same impl.
    fn generics(&mut self) -> Option<()> {
        let own = self.function.generics().filter(|one| !is_lifetime(one));
        for (idx, generic) in own.enumerate() {
            for at in self.mentions(generic) {
                let text = self.call.at.text(self.call.turbofish().nth(idx)?);
                self.change.replace(&name_place(self.program, at), text);
            }
        }
        let block = self.function.at.block().into_iter();
        let mut of_block = block.flat_map(|block| &block.generics.params);
        let is_mentioned = of_block.any(|one| !self.mentions(one).is_empty());
        (!is_mentioned || self.is_same_block()).then_some(())
    }

    /// Where the body mentions a generic parameter.
    fn mentions(&self, generic: &GenericParam) -> Vec<Position> {
        let name = position_of(self.function.at.file, generic);
        let all = self.program.mentions().of(name).iter().copied();
        all.filter(|at| at.is_in(&self.body.whole)).collect()
    }

    fn is_same_block(&self) -> bool {
        let block = self.function.at.block().zip(self.call.at.block());
        block.is_some_and(|(one, other)| std::ptr::eq(one, other))
    }

    /// `Self` in the body.
    fn own_type(&mut self) -> Option<()> {
        if let Some(block) = self.function.at.block().filter(|_| !self.is_same_block()) {
            let body = &self.body.whole;
            let ty = self.function.at.text(&block.self_ty);
            for (place, text) in own_types(self.program, body, Some(body), ty) {
                self.change.replace(&place, text);
            }
        }
        Some(())
    }

    /// `self` in the body.
    fn receiver(&mut self) -> Option<()> {
        let Some(receiver) = self.function.receiver() else {
            return Some(());
        };
        let passed = self.call.receiver.or(self.call.arguments.first())?;
        let mut all = keywords(self.program, &self.body.whole, "self");
        all.retain(|(_, next)| *next != "::");
        if all.len() > 1 && !self.is_place(passed) {
            return None;
        }
        let text = self.call.at.text(passed).to_owned();
        let borrowed = match self.call.receiver {
            Some(_) => self
                .functions
                .passed(self.call.at, passed, text.clone(), receiver),
            None => None,
        };
        for (place, next) in all {
            let text = borrowed.as_ref().filter(|_| next != ".").unwrap_or(&text);
            self.change
                .replace(&place, &self.program.fitted(&place, text));
        }
        Some(())
    }

    /// Whether it may be written several times: a variable, or a field of one.
    fn is_place(&self, passed: &Expr) -> bool {
        let is_part = |c: char| c == '_' || c == '.' || c.is_alphanumeric();
        let text = self.call.at.text(passed);
        Shape::of(passed) == Shape::Simple || text.chars().all(is_part)
    }

    fn parameter(&mut self, parameter: &Parameter<'p>, passed: &'p Expr) -> Option<()> {
        let mentions = parameter.mentions(self.program);
        let text = self.call.at.text(passed);
        let suffixed = self.with_suffix(parameter, passed);
        let is_simple = Shape::of(passed) == Shape::Simple;
        let name = parameter.name().filter(|name| name.mutability.is_none());
        if mentions.is_empty() {
            if !is_simple {
                self.before += &format!("{text}; ");
            }
        } else if name.is_some() && (is_simple || mentions.len() == 1) {
            for mention in mentions {
                let suffixed = suffixed.as_deref().filter(|_| self.is_open(mention));
                self.has_told |= suffixed.is_some();
                let text = suffixed.unwrap_or(text);
                let (place, text) = substitution(self.program, mention, text)?;
                self.change.replace(&place, &text);
            }
        } else {
            self.has_told |= suffixed.is_some();
            let text = suffixed.as_deref().unwrap_or(text);
            let pattern = self.function.at.text(parameter.pattern);
            self.before += &format!("let {pattern} = {text}; ");
        }
        Some(())
    }

    /// What is passed for a parameter, with the suffix of its type if it is a number.
    fn with_suffix(&self, parameter: &Parameter<'p>, passed: &Expr) -> Option<String> {
        let ty = parameter.file.text(parameter.ty?);
        let is_number = matches!(passed, Expr::Lit(literal) if is_bare_number(&literal.lit));
        let is_told = self.types == Types::Told && is_number && is_number_type(ty);
        is_told.then(|| format!("{}{ty}", self.call.at.text(passed)))
    }

    /// Whether nothing but a suffix may say of which type a number is that stands there.
    fn is_open(&self, mention: Position) -> bool {
        let role = self
            .program
            .setting(&name_place(self.program, mention))
            .role;
        matches!(role, Role::Left(_) | Role::Right(_) | Role::Receiver)
    }

    /// Writes the type that the function returns where its value is collected or parsed.
    fn tell_type(&mut self) -> Option<()> {
        let ReturnType::Type(_, returned) = self.function.returned else {
            return None;
        };
        let value = self.body.value.as_ref()?.expression?;
        let collecting = parsed(value).or_else(|| collected(value))?;
        let is_open = collecting.turbofish.is_none();
        let ty = self.function.at.text(&**returned);
        let words = tokens(ty).into_iter().map(|token| &ty[token.range()]);
        let is_known = !words.clone().any(|word| ["impl", "Self"].contains(&word));
        let is_generic = self.function.generics().next().is_some();
        if !(is_open && is_known && !is_generic) {
            return None;
        }
        let name = self.function.at.place(&collecting.method);
        let text = format!("{}::<{ty}>", collecting.method);
        self.change.replace(&name, &text);
        Some(())
    }

    /// The statements where the call is one, the value where there is nothing else, else a block.
    fn text(mut self, site: &Site<'_, 'p>) -> Option<String> {
        let mut value = self.body.value.as_ref();
        if site.is_tried {
            let inner = value?.take_out_of(&SUCCESS, self.function.at, &mut self.change)?;
            value = value.filter(|_| inner == Inner::Value);
        }
        let contents = self.change.text(&self.body.contents);
        let contents = contents.trim();
        let all = format!("{}{contents}", self.before);
        if site.statement.is_some() {
            let is_value = value.is_some_and(|value| value.shape != Shape::Diverging);
            let semicolon = if is_value { ";" } else { "" };
            return (!all.is_empty()).then(|| format!("{all}{semicolon}"));
        }
        let is_value_only = self.before.is_empty() && self.body.n_statements == 1;
        let text = match value {
            None if all.is_empty() => return Some("()".to_owned()),
            Some(_) if is_value_only => all,
            _ => format!("{{ {all} }}"),
        };
        Some(self.program.fitted(&site.whole, &text))
    }
}
