//! Defines local types: structs with a field for each parameter, enums with the variants that are
//! named, and the methods that are called of them.

use super::LocalItems;
use super::known::{Enum, enum_of, hidden_lifetimes};
use super::shape::{Shape, bracketed};
use super::uses::{Mention, Role, StdUse};
use reduce_model::is_common_member;
use std::collections::{BTreeMap, BTreeSet};

impl LocalItems<'_> {
    /// Returns the possible definitions of a local type, the simplest first.
    pub(super) fn types(&self, item: &StdUse<'_>, name: &str) -> Vec<String> {
        if let Some(known) = enum_of(&item.path) {
            return vec![self.known_enum(item, name, known)];
        }
        let shape = Shape::of(&item.mentions);
        let variants = variants(item).filter(|_| shape.others.is_empty());
        if let Some(variants) = variants {
            let head = self.head;
            return vec![format!("{head}enum {name} {{ {} }}", variants.join(", "))];
        }
        let mut shapes = vec![shape.clone(), shape.clone().unsized_types()];
        let n_lifetimes = hidden_lifetimes(item.name());
        if n_lifetimes > shape.n_lifetimes {
            shapes.push(Shape {
                n_lifetimes,
                ..shape
            });
        }
        let forms = shapes.iter().map(|shape| self.structure(item, name, shape));
        let mut forms: Vec<String> = forms.collect();
        forms.dedup();
        forms
    }

    fn structure(&self, item: &StdUse<'_>, name: &str, shape: &Shape) -> String {
        let fields = match shape.fields() {
            fields if fields.is_empty() => String::new(),
            fields => format!("({})", fields.join(", ")),
        };
        let (head, parameters) = (self.head, shape.parameters(None));
        let block = self.inherent_impl(&item.mentions, name, shape);
        format!("{head}struct {name}{parameters}{fields};{block}")
    }

    /// Writes the definition of a known enum, with the variants that are named and those that parameters need.
    fn known_enum(&self, item: &StdUse<'_>, name: &str, (parameters, variants): Enum) -> String {
        let mentions = self.program.mentions();
        let is_needed =
            |variant: &&str| variant.contains('(') || !mentions.spelled(variant).is_empty();
        let variants: Vec<&str> = variants.iter().copied().filter(is_needed).collect();
        let shape = Shape::of_types(parameters.len());
        let parameters = bracketed(parameters.iter().map(|one| (*one).to_owned()));
        let block = self.inherent_impl(&item.mentions, name, &shape);
        let (head, variants) = (self.head, variants.join(", "));
        format!("{head}enum {name}{parameters} {{ {variants} }}{block}")
    }

    /// Writes an inherent impl of a local type with the functions and methods that the program calls, which do nothing.
    fn inherent_impl(&self, mentions: &[Mention<'_>], name: &str, shape: &Shape) -> String {
        let mut members: BTreeMap<&str, String> = BTreeMap::new();
        for (called, call) in &self.uses.calls {
            if is_common_member(called) || !self.uses.methods.contains(called) {
                let result = result_of_method(called, call.is_statement, shape);
                members.insert(called, method(called, call.n_args, &result));
            }
        }
        for one in mentions {
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
        let members = members.join(" ");
        format!(" impl{parameters} {name}{arguments} {{ {members} }}")
    }
}

/// Returns the variants of an enum that are named, if there are some and these have no contents.
fn variants<'i>(item: &'i StdUse<'_>) -> Option<Vec<&'i str>> {
    let of_imports = item.imports.iter().map(|one| (&one.rest, false));
    let mentions = item.mentions.iter();
    let of_mentions = mentions.map(|one| (&one.rest, matches!(one.role, Role::Call(_))));
    let mut variants = BTreeSet::new();
    for (rest, is_called) in of_imports.chain(of_mentions) {
        if let Some(variant) = rest.first()
            && variant.starts_with(|one: char| one.is_ascii_uppercase())
        {
            variants.insert((!is_called).then_some(variant.as_str())?);
        }
    }
    (!variants.is_empty()).then(|| variants.into_iter().collect())
}

/// Returns the declaration of a function that is called by a path, such as `Vec::new()`, `Box::new(x)`, `Rc::clone(&x)`.
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

/// Returns the result type of a method, if its name tells it; else `R`, which is whatever type is wanted there.
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

/// Writes a function that takes arguments of any types. The result type `R` is whatever is wanted.
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
