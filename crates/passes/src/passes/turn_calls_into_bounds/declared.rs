//! Turns functions that are nothing but a where clause, and that nothing mentions, into structs, which take fewer tokens.

use super::super::functions::{Function, Functions};
use super::MAX_SITES;
use crate::program::{Place, Program};
use crate::visit::Home;
use reduce_syntax::EditSet;

pub(super) fn changes(program: &Program, functions: &Functions<'_>) -> Vec<EditSet> {
    let is_alone = |name: &str| program.mentions().spelled(name).len() == 1;
    let alone = functions.families.iter().filter(|family| {
        let is_mentioned = !family.calls.is_empty() || !family.mentions.is_empty();
        !is_mentioned && is_alone(&family.first().name.to_string())
    });
    let changes = alone.filter_map(|family| change(program, family.first()));
    changes.take(MAX_SITES).collect()
}

fn change(program: &Program, function: &Function<'_>) -> Option<EditSet> {
    let (signature, body) = (function.signature?, function.body.as_ref()?);
    let predicates = &signature.generics.where_clause.as_ref()?.predicates;
    let is_empty = body.n_statements == 0 && signature.inputs.is_empty();
    let is_plain =
        signature.generics.params.is_empty() && matches!(function.at.home, Home::Nothing);
    let name = type_name(program, &function.name.to_string())?;
    let at = function.at;
    let predicates = at.between(predicates.first()?, predicates.last()?);
    let Place { file, range } = at.place(signature);
    let mut change = program.change();
    change.replace(
        &Place::new(file, range.start..body.whole.range.end),
        &format!("struct {name} where {};", program.text(&predicates)),
    );
    change.finish().filter(|_| is_empty && is_plain)
}

/// Returns the name of a type for a function: `Foo` of `foo`, if nothing has this name.
fn type_name(program: &Program, name: &str) -> Option<String> {
    let mut letters = name.trim_start_matches("r#").chars();
    let first = letters.next()?.to_ascii_uppercase();
    let found = format!("{first}{}", letters.as_str());
    let is_free = program.mentions().spelled(&found).is_empty();
    is_free.then_some(found)
}
