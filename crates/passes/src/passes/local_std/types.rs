//! Local types: structs with a field for each parameter, enums with the variants that are named, and
//! what is called of them.

use super::found::{Item, Use};
use super::known::{Enum, enum_of, has_lifetime};
use super::reader::{Reading, Role};
use super::shape::{Shape, bracketed};
use crate::program::Program;
use reduce_model::is_common_member;
use std::collections::{BTreeMap, BTreeSet};

/// What the definition may be, the simplest first. `head` is what stands before the keyword.
pub(super) fn forms(
    program: &Program,
    reading: &Reading<'_>,
    item: &Item,
    name: &str,
    head: &str,
) -> Vec<String> {
    let shape = Shape::of(&item.uses);
    if let Some(known) = enum_of(&item.path) {
        return vec![known_enum(program, reading, item, name, head, &known)];
    }
    if shape.others.is_empty()
        && let Some(text) = unknown_enum(item, name, head)
    {
        return vec![text];
    }
    let define = |shape: &Shape| {
        let fields = match shape.fields() {
            fields if fields.is_empty() => String::new(),
            fields => format!("({})", fields.join(", ")),
        };
        let parameters = shape.parameters(None);
        let block = inherent_impl(reading, &item.uses, name, shape);
        format!("{head}struct {name}{parameters}{fields};{block}")
    };
    let mut found: Vec<String> = shapes(item, shape).iter().map(define).collect();
    found.dedup();
    found
}

/// The parameters that a struct may have.
fn shapes(item: &Item, shape: Shape) -> Vec<Shape> {
    let mut all = vec![shape.clone(), shape.unsized_types()];
    if shape.n_lifetimes == 0 && has_lifetime(item.name()) {
        let with_lifetime = Shape {
            n_lifetimes: 1,
            ..shape
        };
        all.push(with_lifetime);
    }
    all
}

/// With the variants that are named and those that parameters need.
fn known_enum(
    program: &Program,
    reading: &Reading<'_>,
    item: &Item,
    name: &str,
    head: &str,
    known: &Enum,
) -> String {
    let is_needed = |(variant, content): &&(&str, &str)| {
        !content.is_empty() || !program.mentions().spelled(variant).is_empty()
    };
    let variant = |(variant, content): &(&str, &str)| match content.is_empty() {
        true => (*variant).to_owned(),
        false => format!("{variant}({content})"),
    };
    let variants: Vec<String> = known
        .variants
        .iter()
        .filter(is_needed)
        .map(variant)
        .collect();
    let parameters = bracketed(known.parameters.iter().map(|one| (*one).to_owned()));
    let shape = Shape::of_types(known.parameters.len());
    let block = inherent_impl(reading, &item.uses, name, &shape);
    format!(
        "{head}enum {name}{parameters} {{ {} }}{block}",
        variants.join(", ")
    )
}

/// With the variants that are named, if these have no contents.
fn unknown_enum(item: &Item, name: &str, head: &str) -> Option<String> {
    let mut variants = BTreeSet::new();
    let of_imports = item.imports.iter().map(|one| (&one.rest, false));
    let of_uses = item.uses.iter();
    let of_uses = of_uses.map(|one| (&one.rest, matches!(one.role, Role::Call(_))));
    for (rest, is_called) in of_imports.chain(of_uses) {
        let [variant, ..] = rest.as_slice() else {
            continue;
        };
        if variant.starts_with(|one: char| one.is_ascii_uppercase()) {
            variants.insert((!is_called).then_some(variant.as_str())?);
        }
    }
    let variants: Vec<&str> = variants.into_iter().collect();
    let text = format!("{head}enum {name} {{ {} }}", variants.join(", "));
    (!variants.is_empty()).then_some(text)
}

/// The functions and methods that are called, without contents.
fn inherent_impl(reading: &Reading<'_>, uses: &[Use], name: &str, shape: &Shape) -> String {
    let mut members: BTreeMap<&str, String> = BTreeMap::new();
    for (called, call) in &reading.calls {
        if is_common_member(called) || !reading.methods.contains(called) {
            let result = result_of_method(called, call.is_statement, shape);
            members.insert(called, method(called, call.n_args, &result));
        }
    }
    for one in uses {
        if let ([function], Role::Call(n_args)) = (one.rest.as_slice(), one.role)
            && !members.contains_key(function.as_str())
            && function.starts_with(|one: char| one.is_ascii_lowercase())
        {
            members.insert(function, associated(function, n_args, shape));
        }
    }
    if members.is_empty() {
        return String::new();
    }
    let members: Vec<String> = members.into_values().collect();
    let (parameters, arguments) = (shape.parameters(None), shape.arguments());
    format!(
        " impl{parameters} {name}{arguments} {{ {} }}",
        members.join(" ")
    )
}

/// `Vec::new()`, `Box::new(x)`, `Rc::clone(&x)`.
fn associated(name: &str, n_args: usize, shape: &Shape) -> String {
    let makes_self = [
        "new",
        "from",
        "default",
        "with_capacity",
        "from_iter",
        "pin",
    ];
    let (result, only) = match makes_self.contains(&name) {
        true => (
            "Self",
            shape.only_type().filter(|_| name == "new" && n_args == 1),
        ),
        false => ("R", None),
    };
    match only {
        Some(ty) => format!("fn {name}(_: {ty}) -> Self {{ loop {{}} }}"),
        None => function(name, "", n_args, result),
    }
}

fn method(name: &str, n_args: usize, result: &str) -> String {
    let takes_itself = ["expect", "into_inner", "into_iter", "unwrap", "unwrap_or"];
    let receiver = match takes_itself.contains(&name) {
        true => "self",
        false => "&self",
    };
    function(name, receiver, n_args, result)
}

/// What a method returns that is known by its name; else what its surroundings want.
fn result_of_method(name: &str, is_statement: bool, shape: &Shape) -> String {
    let only = shape.only_type();
    let ty = match (name, only) {
        _ if is_statement => "",
        ("clone" | "to_owned", _) => "Self",
        ("len" | "capacity" | "count", _) => "usize",
        ("contains" | "contains_key" | "starts_with" | "ends_with", _) => "bool",
        ("unwrap" | "expect" | "into_inner" | "unwrap_or", Some(_)) => "T",
        ("deref" | "as_ref" | "get_ref", Some(_)) => "&T",
        ("deref_mut" | "as_mut" | "get_mut", Some(_)) => "&mut T",
        (name, _) if name.starts_with("is_") => "bool",
        _ => "R",
    };
    ty.to_owned()
}

/// A function that takes anything. `R` as its result is whatever is wanted.
fn function(name: &str, receiver: &str, n_args: usize, result: &str) -> String {
    let types: Vec<String> = (0..n_args).map(|nth| format!("A{nth}")).collect();
    let is_any = result == "R";
    let generics = bracketed(
        is_any
            .then(|| result.to_owned())
            .into_iter()
            .chain(types.clone()),
    );
    let receiver = (!receiver.is_empty()).then(|| receiver.to_owned());
    let inputs = types.iter().map(|ty| format!("_: {ty}"));
    let inputs: Vec<String> = receiver.into_iter().chain(inputs).collect();
    let inputs = inputs.join(", ");
    match result {
        "" => format!("fn {name}{generics}({inputs}) {{}}"),
        result => format!("fn {name}{generics}({inputs}) -> {result} {{ loop {{}} }}"),
    }
}
