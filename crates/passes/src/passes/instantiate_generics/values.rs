//! Chooses the values that may stand in place of a generic parameter, the most promising first: the
//! arguments that are given for it, a type of the crate that has the traits that it needs, nothing.

use crate::passes::generics::{
    Head, Index, Owner, OwnerKind, ParameterId, most_frequent, plain_name, predicates,
};
use crate::program::{Change, Place, Program, SyntaxFile};
use reduce_syntax::{count_tokens, is_one_name};
use std::collections::BTreeMap;
use syn::{ConstParam, GenericArgument, GenericParam, TypeParam, TypeParamBound, WherePredicate};

/// The value that takes the place of a generic parameter: a type, a constant or a lifetime.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Value {
    /// The text of a type or a constant. A type also says what its associated types are, as far as that is known.
    Text {
        text: String,
        associated: BTreeMap<String, String>,
    },
    /// The lifetime is left out where none is needed.
    Elided,
    /// The lifetime `'static`.
    Static,
}

const NOTHING: &str = "()";

/// Returns the values to try in place of a generic parameter.
pub(super) fn values(program: &Program, index: &Index<'_>, parameter: ParameterId) -> Vec<Value> {
    let (owner, one) = index.declared(parameter);
    let mut texts: Vec<String> = given(program, index, parameter).into_iter().collect();
    match one {
        GenericParam::Lifetime(_) => return vec![Value::Elided, Value::Static],
        GenericParam::Type(ty) => texts.extend(types(index, owner, ty)),
        GenericParam::Const(constant) => texts.extend(constants(constant, texts.is_empty())),
    }
    let mut found: Vec<Value> = Vec::new();
    for text in texts {
        let associated = associated(index, &text);
        let value = Value::Text { text, associated };
        if !found.contains(&value) {
            found.push(value);
        }
    }
    found
}

/// Returns the concrete argument that is given most often for a generic parameter, else the parameter's default.
fn given(program: &Program, index: &Index<'_>, parameter: ParameterId) -> Option<String> {
    let generic = match index.declared(parameter).0.kind {
        OwnerKind::Impl => of_header(program, index, parameter)?,
        _ => parameter,
    };
    let given = index.arguments_for(generic);
    let given = given.filter_map(|(file, argument)| concrete(index, file, argument));
    most_frequent(given).or_else(|| default(index, generic))
}

/// Returns the parameter of a type or trait for which an impl's header gives this parameter as an argument: that of
/// `S` for the `T` of `impl<T> S<T>`.
fn of_header(program: &Program, index: &Index<'_>, parameter: ParameterId) -> Option<ParameterId> {
    let mentions: Vec<Place> = index.mentions(parameter).collect();
    // The type stands after the trait.
    mentions.iter().rev().find_map(|place| {
        let (name, ordinal) = index.in_headers.get(place)?;
        let definition = program.mentions().definition(*name)?;
        index.at_ordinal(index.owner(definition)?, *ordinal)
    })
}

fn default(index: &Index<'_>, parameter: ParameterId) -> Option<String> {
    let (owner, one) = index.declared(parameter);
    let text = match one {
        GenericParam::Type(one) => owner.file.text(&one.default.as_ref()?.1),
        GenericParam::Const(one) => owner.file.text(&one.default.as_ref()?.1),
        GenericParam::Lifetime(_) => return None,
    };
    (text != "Self").then(|| text.to_owned())
}

/// Returns a generic argument as text, if it is short and means the same everywhere.
fn concrete(index: &Index<'_>, file: SyntaxFile<'_>, argument: &GenericArgument) -> Option<String> {
    const MOST: u64 = 6;
    let text = file.text(argument);
    let is_of_its_place = text.contains("Self") || text.contains(['_', '\'']) && !is_one_name(text);
    let is_concrete = !is_of_its_place
        && text != "_"
        && count_tokens(text) <= MOST
        && index.parameters_in(&file.place(argument)).next().is_none();
    is_concrete.then(|| text.to_owned())
}

fn types<'p>(index: &Index<'p>, owner: &Owner<'p>, parameter: &TypeParam) -> Vec<String> {
    let about = predicates(owner.generics).filter_map(|predicate| match predicate {
        WherePredicate::Type(one) if plain_name(&one.bounded_ty) == Some(&parameter.ident) => {
            Some(&one.bounds)
        }
        _ => None,
    });
    let bounds = std::iter::once(&parameter.bounds).chain(about).flatten();
    let implementing = bounds.filter_map(|bound| match bound {
        TypeParamBound::Trait(bound) => index.implementations.short_type(owner.file, &bound.path),
        _ => None,
    });
    let first = implementing.take(1);
    first.chain([NOTHING]).map(str::to_owned).collect()
}

fn constants(parameter: &ConstParam, is_alone: bool) -> Vec<String> {
    let kind = plain_name(&parameter.ty).map(ToString::to_string);
    let all: &[&str] = match kind.as_deref() {
        Some("bool") => &["false"],
        Some("char") => &["'a'"],
        _ if is_alone => &["0", "1"],
        _ => &["0"],
    };
    all.iter().map(ToString::to_string).collect()
}

/// Returns the associated types that a type's impls define, if they mean the same everywhere.
fn associated(index: &Index<'_>, ty: &str) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for one in index.implementations.with_type(ty) {
        for item in &one.block.items {
            if let syn::ImplItem::Type(value) = item {
                let text = one.file.text(&value.ty);
                let is_of_its_place =
                    text.contains("Self") || !one.block.generics.params.is_empty();
                if !is_of_its_place && value.generics.params.is_empty() {
                    found.insert(value.ident.to_string(), text.to_owned());
                }
            }
        }
    }
    found
}

impl Value {
    /// Returns a type of one token, for a parameter that is mentioned so often that `()` takes more.
    pub(super) fn shortest(index: &Index<'_>, parameter: ParameterId) -> Option<Self> {
        match index.declared(parameter).1 {
            GenericParam::Type(_) => Some(Self::Text {
                text: "u8".to_owned(),
                associated: BTreeMap::new(),
            }),
            _ => None,
        }
    }

    /// Puts the value in place of a parameter's name.
    pub(super) fn put(&self, change: &mut Change<'_>, place: &Place, head: Option<&Head>) {
        let Self::Text { text, associated } = self else {
            change.give_up();
            return;
        };
        match head {
            Some(Head::Projection(whole, name)) => {
                let value = associated.get(name).map_or(NOTHING, String::as_str);
                change.replace(whole, value)
            }
            Some(Head::Value) if !is_one_name(text) => change.replace(place, &format!("<{text}>")),
            _ => change.replace(place, text),
        };
    }
}
