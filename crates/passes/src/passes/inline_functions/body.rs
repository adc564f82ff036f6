//! What stands for a call: the body of the function, with what is passed in place of parameters.

use super::super::functions::{
    By, Call, Expression, Function, Functions, Generic, Parameter, Shape, keywords, name_place,
    own_types, substitution,
};
use crate::precedence::as_prefixed;
use crate::program::{Place, Program};
use reduce_syntax::{Edit, EditSet};

pub(super) fn inlined(
    program: &Program,
    functions: &Functions,
    function: &Function,
    call: &Call,
) -> Option<String> {
    let mut inlining = Inlining {
        program,
        functions,
        function,
        call,
        edits: EditSet::new(),
        before: String::new(),
    };
    inlining.generics()?;
    inlining.own_type()?;
    inlining.receiver()?;
    for (idx, parameter) in function.parameters.iter().enumerate() {
        inlining.parameter(parameter, call.argument(function, idx)?)?;
    }
    inlining.text()
}

struct Inlining<'i> {
    program: &'i Program,
    functions: &'i Functions,
    function: &'i Function,
    call: &'i Call,
    edits: EditSet,
    /// Statements that come first.
    before: String,
}

impl Inlining<'_> {
    /// The body's own generic parameters, which only a turbofish tells; those of the impl are known
    /// only in the same impl.
    fn generics(&mut self) -> Option<()> {
        let own = self.function.generics.iter().filter(|one| !one.is_lifetime);
        for (idx, generic) in own.enumerate() {
            for at in self.mentions(generic) {
                let text = self.program.text(self.call.turbofish.get(idx)?);
                self.replace(&name_place(self.program, at), text);
            }
        }
        let block = self.functions.block_of(self.function);
        let of_block = block.iter().flat_map(|block| &block.generics);
        let is_mentioned = of_block.map(|one| self.mentions(one).len()).any(|n| n > 0);
        (!is_mentioned || self.is_same_block()).then_some(())
    }

    fn mentions(&self, generic: &Generic) -> Vec<reduce_model::Position> {
        let all = self.program.mentions().of(generic.at).iter().copied();
        let Some(body) = &self.function.body else {
            return Vec::new();
        };
        all.filter(|at| at.is_in(&body.whole)).collect()
    }

    fn is_same_block(&self) -> bool {
        let block = self
            .call
            .block
            .and_then(|idx| self.functions.blocks.get(idx));
        let own = self.functions.block_of(self.function);
        own.zip(block)
            .is_some_and(|(one, other)| std::ptr::eq(one, other))
    }

    /// `Self` in the body.
    fn own_type(&mut self) -> Option<()> {
        let body = &self.function.body.as_ref()?.whole;
        let Some(block) = self.functions.block_of(self.function) else {
            return Some(());
        };
        if self.is_same_block() {
            return Some(());
        }
        let ty = block.self_ty.as_ref().map(|ty| self.program.text(ty));
        // The `Self` of a trait has no name.
        let all = own_types(self.program, body, Some(body), ty.unwrap_or_default());
        for (place, text) in &all {
            self.replace(place, text);
        }
        (ty.is_some() || all.is_empty()).then_some(())
    }

    /// `self` in the body.
    fn receiver(&mut self) -> Option<()> {
        let Some(receiver) = &self.function.receiver else {
            return Some(());
        };
        let passed = self.call.own_argument(self.function)?;
        let body = &self.function.body.as_ref()?.whole;
        let mut all = keywords(self.program, body, "self");
        all.retain(|(_, next)| *next != "::");
        if all.len() > 1 && !self.is_place(passed) {
            return None;
        }
        let reference = match receiver.by {
            _ if self.call.receiver.is_none() => "",
            _ if self.functions.is_reference(self.program, &passed.place) => "",
            By::Value | By::Other => "",
            By::Reference => "&",
            By::MutReference => "&mut ",
        };
        for (place, next) in all {
            let reference = if next == "." { "" } else { reference };
            let text = match reference {
                "" => self.program.text(&passed.place).to_owned(),
                _ => format!(
                    "{reference}{}",
                    as_prefixed(self.program.text(&passed.place))
                ),
            };
            self.replace(&place, &self.program.fitted(&place, &text));
        }
        Some(())
    }

    /// Whether it may be written several times: a variable, or a field of one.
    fn is_place(&self, passed: &Expression) -> bool {
        let is_part = |c: char| c == '_' || c == '.' || c.is_alphanumeric();
        let text = self.program.text(&passed.place);
        passed.shape == Shape::Simple || text.chars().all(is_part)
    }

    fn parameter(&mut self, parameter: &Parameter, passed: &Expression) -> Option<()> {
        let mentions = parameter.mentions(self.program);
        let text = self.program.text(&passed.place);
        let is_simple = passed.shape == Shape::Simple;
        if mentions.is_empty() && is_simple {
            return Some(());
        }
        if mentions.is_empty() {
            self.before += &format!("{text}; ");
            return Some(());
        }
        let is_direct =
            parameter.is_name && !parameter.is_mutable && (is_simple || mentions.len() == 1);
        if !is_direct {
            let pattern = self.program.text(&parameter.pattern);
            self.before += &format!("let {pattern} = {text}; ");
            return Some(());
        }
        for &&mention in &mentions {
            let edit = substitution(self.program, mention, text)?;
            self.edits.add(edit);
        }
        Some(())
    }

    fn replace(&mut self, place: &Place, text: &str) {
        self.edits
            .add(Edit::replace(place.file, &place.range, text));
    }

    /// The statements where the call is one, the value where there is nothing else, else a block.
    fn text(self) -> Option<String> {
        let body = self.function.body.as_ref()?;
        let Place { file, range } = &body.contents;
        let contents = self.edits.text_within(self.program.sources(), *file, range);
        let contents = contents.trim();
        let all = format!("{}{contents}", self.before);
        if self.call.statement.is_some() {
            let is_value = body
                .value
                .as_ref()
                .is_some_and(|value| value.shape != Shape::Diverging);
            let semicolon = if is_value { ";" } else { "" };
            return (!all.is_empty()).then(|| format!("{all}{semicolon}"));
        }
        let is_value_only = self.before.is_empty() && body.n_statements == 1;
        Some(match &body.value {
            None if all.is_empty() => "()".to_owned(),
            Some(_) if is_value_only => self.program.fitted(&self.call.whole, &all),
            _ => self
                .program
                .fitted(&self.call.whole, &format!("{{ {all} }}")),
        })
    }
}
