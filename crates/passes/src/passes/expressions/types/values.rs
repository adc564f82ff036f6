//! Finds short values of types, such as `0` for `u8`.

use super::{Callee, Types, Wanted};
use crate::passes::generics::types_among;
use reduce_model::DefKind;
use reduce_syntax::is_integer_type;
use syn::{Fields, Type, TypePath};

/// The most levels of structs in structs for which a value is made.
const MOST_LEVELS: u32 = 2;

impl Types<'_> {
    /// Returns a short expression of the type that is wanted at some place.
    pub(in crate::passes) fn value(&self, wanted: Wanted<'_>) -> Option<String> {
        self.value_at(wanted, 0)
    }

    fn value_at(&self, wanted: Wanted<'_>, level: u32) -> Option<String> {
        let of = |ty| self.value_at(Wanted { ty, ..wanted }, level);
        match wanted.ty {
            Type::Path(path) if path.qself.is_none() => self.value_of_path(wanted, path, level),
            Type::Paren(inner) => of(&inner.elem),
            Type::Group(inner) => of(&inner.elem),
            Type::Reference(reference) => {
                let mutable = reference.mutability.map_or("", |_| "mut ");
                match &*reference.elem {
                    Type::Slice(_) => Some(format!("&{mutable}[]")),
                    Type::Path(path) if path.path.is_ident("str") => Some("\"\"".to_owned()),
                    Type::TraitObject(_) => Some(format!("&{mutable}()")),
                    inner => Some(format!("&{mutable}{}", of(inner)?)),
                }
            }
            Type::Tuple(tuple) => {
                let parts: Option<Vec<String>> = tuple.elems.iter().map(of).collect();
                let parts = parts?;
                let comma = if parts.len() == 1 { "," } else { "" };
                Some(format!("({}{comma})", parts.join(", ")))
            }
            Type::Array(array) => {
                let len = wanted.file.text(&array.len);
                Some(format!("[{}; {len}]", of(&array.elem)?))
            }
            Type::ImplTrait(_) => Some("()".to_owned()),
            Type::FnPtr(pointer) => {
                let inputs = vec!["_"; pointer.inputs.len()].join(", ");
                Some(format!("|{inputs}| loop {{}}"))
            }
            _ => None,
        }
    }

    fn value_of_path(&self, wanted: Wanted<'_>, path: &TypePath, level: u32) -> Option<String> {
        let last = path.path.segments.last()?;
        let name = last.ident.to_string();
        let meant = self.program.meant(wanted.file.position(&last.ident));
        let kind = meant.map(|meant| self.program.model().definition(meant).kind);
        if wanted.is_of_callee && kind == Some(DefKind::TypeParameter) {
            return Some("()".to_owned());
        }
        if let Some(value) = known(&name) {
            return Some(value.to_owned());
        }
        if name == "Box" {
            let ty = types_among(last).next()?;
            let inner = self.value_at(Wanted { ty, ..wanted }, level)?;
            return Some(format!("Box::new({inner})"));
        }
        match self.callee(wanted.file, &path.path) {
            Some(Callee::Data(data)) if level < MOST_LEVELS && data.ty == name => {
                self.value_of_data(data, level + 1)
            }
            _ if name == "Self" => None,
            _ => Some("Default::default()".to_owned()),
        }
    }

    fn value_of_data(&self, data: &super::Data<'_>, level: u32) -> Option<String> {
        let name = data.path();
        let of = |field: &syn::Field| self.value_at(data.wanted(&field.ty), level);
        match data.fields {
            Fields::Unit => Some(name),
            Fields::Unnamed(fields) => {
                let parts: Option<Vec<String>> = fields.unnamed.iter().map(of).collect();
                Some(format!("{name}({})", parts?.join(", ")))
            }
            Fields::Named(fields) => {
                let part = |field: &syn::Field| {
                    let name = field.ident.as_ref()?;
                    Some(format!("{name}: {}", of(field)?))
                };
                let parts: Option<Vec<String>> = fields.named.iter().map(part).collect();
                Some(format!("{name} {{ {} }}", parts?.join(", ")))
            }
        }
    }
}

/// Returns a short value of a type of the language or of std by the type's name, such as `0` or `vec![]`.
fn known(name: &str) -> Option<&'static str> {
    match name {
        name if is_integer_type(name) => Some("0"),
        "f32" | "f64" => Some("0.0"),
        "bool" => Some("true"),
        "char" => Some("' '"),
        "Option" => Some("None"),
        "PhantomData" => Some("PhantomData"),
        "String" => Some("String::new()"),
        "Vec" => Some("vec![]"),
        _ => None,
    }
}
