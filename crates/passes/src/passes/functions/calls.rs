//! Which family a call means.

use super::{Call, Function, Functions, Head, Owner};
use crate::program::Program;
use std::collections::HashMap;

/// Gives each family its calls. One that may mean several families is given to all of them.
pub(super) fn assign(program: &Program, functions: &mut Functions) {
    let mut of_name: HashMap<&str, Vec<usize>> = HashMap::new();
    for (idx, family) in functions.families.iter().enumerate() {
        let name = functions.first(family).name.as_str();
        of_name.entry(name).or_default().push(idx);
    }
    let mut found = Vec::new();
    for (idx, call) in functions.calls.iter().enumerate() {
        let candidates = of_name.get(call.name.as_str());
        let candidates = candidates.map_or(&[][..], Vec::as_slice);
        let meant = meant(program, functions, call, candidates);
        found.extend(meant.into_iter().map(|family| (family, idx)));
    }
    for (family, call) in found {
        functions.families[family].calls.push(call);
    }
}

fn meant(
    program: &Program,
    functions: &Functions,
    call: &Call,
    candidates: &[usize],
) -> Vec<usize> {
    let has = |family: &usize, is_wanted: &dyn Fn(&Function) -> bool| {
        let family = &functions.families[*family];
        functions.functions_of(family).any(is_wanted)
    };
    let definition = program.mentions().definition(call.callee);
    let known = candidates
        .iter()
        .find(|one| has(one, &|function| Some(function.at) == definition));
    if let Some(known) = known {
        return vec![*known];
    }
    let is_variable = |at| !functions.imports.contains(&at);
    if call.head == Head::Nothing && definition.is_some_and(is_variable) {
        return Vec::new();
    }
    let wanted: Vec<usize> = candidates
        .iter()
        .copied()
        .filter(|one| has(one, &|function| may_mean(functions, call, function)))
        .collect();
    let here: Vec<usize> = wanted
        .iter()
        .copied()
        .filter(|one| has(one, &|function| is_here(functions, call, function)))
        .collect();
    if here.is_empty() { wanted } else { here }
}

/// By the number of arguments, and by whether it is a member.
fn may_mean(functions: &Functions, call: &Call, function: &Function) -> bool {
    let n_inputs = function.parameters.len() + usize::from(function.receiver.is_some());
    let n_arguments = call.arguments.len() + usize::from(call.receiver.is_some());
    let is_possible = match &call.head {
        Head::Nothing => function.owner == Owner::Nobody,
        Head::Receiver | Head::OwnReceiver => function.receiver.is_some(),
        // Of a module, of a generic parameter, or of what `is_here` knows.
        Head::Name(name) if name.starts_with(char::is_lowercase) => function.owner == Owner::Nobody,
        Head::Name(_) => {
            matches!(function.owner, Owner::Trait(_)) || is_here(functions, call, function)
        }
        Head::OwnType | Head::Type => !matches!(function.owner, Owner::Nobody | Owner::Closure),
    };
    is_possible && n_arguments == n_inputs
}

/// By what stands before the name.
fn is_here(functions: &Functions, call: &Call, function: &Function) -> bool {
    let Some(block) = functions.block_of(function) else {
        return false;
    };
    match &call.head {
        Head::Name(name) => {
            let name = Some(name);
            block.type_name.as_ref() == name || block.trait_name.as_ref() == name
        }
        Head::OwnType | Head::OwnReceiver => call
            .block
            .and_then(|idx| functions.blocks.get(idx))
            .is_some_and(|own| {
                let is_same = |a: &Option<String>, b: &Option<String>| a.is_some() && a == b;
                is_same(&own.type_name, &block.type_name)
                    || is_same(&own.trait_name, &block.trait_name)
            }),
        Head::Nothing | Head::Type | Head::Receiver => false,
    }
}
