//! What stands for a call: the body of the function, with what is passed in place of parameters.

use super::super::expressions::SUCCESS;
use super::super::functions::{
    Body, Call, Function, Functions, Inner, Parameter, Shape, keywords, name_place, own_types,
    substitution,
};
use super::super::generics::{is_lifetime, position_of};
use super::site::Site;
use crate::program::{Change, Program};
use reduce_model::Position;
use reduce_syntax::tokens;
use syn::{Expr, GenericParam, ReturnType};

/// Whether a body says which type it has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TypeOfValue {
    AsWritten,
    /// What collects something tells into what: the type that the function returns, which nothing says any more once the
    /// function is gone.
    Told,
}

pub(super) fn inlined<'p>(
    program: &'p Program,
    functions: &Functions<'p>,
    function: &Function<'p>,
    site: &Site<'_, 'p>,
    told: TypeOfValue,
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
    };
    inlining.generics()?;
    inlining.own_type()?;
    inlining.receiver()?;
    for (idx, parameter) in function.parameters.iter().enumerate() {
        inlining.parameter(parameter, call.argument(function, idx)?)?;
    }
    if told == TypeOfValue::Told {
        inlining.tell_type()?;
    }
    inlining.text(site)
}

/// Methods that may return many types, one of which a turbofish names.
const COLLECTING: [&str; 3] = ["collect", "sum", "product"];

struct Inlining<'i, 'p> {
    program: &'p Program,
    functions: &'i Functions<'p>,
    function: &'i Function<'p>,
    body: &'i Body<'p>,
    call: &'i Call<'p>,
    change: Change<'p>,
    /// Statements that come first.
    before: String,
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
        let is_simple = Shape::of(passed) == Shape::Simple;
        let name = parameter.name().filter(|name| name.mutability.is_none());
        if mentions.is_empty() {
            if !is_simple {
                self.before += &format!("{text}; ");
            }
        } else if name.is_some() && (is_simple || mentions.len() == 1) {
            for mention in mentions {
                let (place, text) = substitution(self.program, mention, text)?;
                self.change.replace(&place, &text);
            }
        } else {
            let pattern = self.function.at.text(parameter.pattern);
            self.before += &format!("let {pattern} = {text}; ");
        }
        Some(())
    }

    /// Writes the type that the function returns where its value is collected.
    fn tell_type(&mut self) -> Option<()> {
        let ReturnType::Type(_, returned) = self.function.returned else {
            return None;
        };
        let value = self.body.value.as_ref()?;
        let Expr::MethodCall(collecting) = value.expression? else {
            return None;
        };
        let is_open = collecting.turbofish.is_none();
        let is_named = COLLECTING.iter().any(|name| collecting.method == name);
        let ty = self.function.at.text(&**returned);
        let words = tokens(ty).into_iter().map(|token| &ty[token.range()]);
        let is_known = !words.clone().any(|word| ["impl", "Self"].contains(&word));
        let is_generic = self.function.generics().next().is_some();
        if !(is_open && is_named && is_known && !is_generic) {
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
