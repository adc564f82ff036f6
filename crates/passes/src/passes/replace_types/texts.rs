//! Types that stand in several places become something simpler in all of them; and names do wherever
//! they stand.

use crate::program::{Place, Program, SyntaxFile};
use reduce_syntax::{EditSet, count_tokens, is_one_name};
use std::collections::BTreeMap;
use syn::visit::{self, Visit};
use syn::{GenericArgument, PathArguments, Type};

/// Texts that are tried, those with the largest gain.
const MOST_CHANGES: usize = 60;

pub(super) fn changes(program: &Program<'_>) -> Vec<EditSet> {
    let mut types = Types::default();
    for file in program.files() {
        types.visit(program, file);
    }
    let mut plans: Vec<(i64, EditSet)> = Vec::new();
    for (text, found) in types
        .by_text
        .iter()
        // A name has nothing in it, so that no other pass makes it smaller.
        .filter(|(text, found)| found.places.len() > 1 || is_one_name(text))
    {
        for by in found.alternatives(text) {
            let gain = found.gain(text, &by);
            plans.extend(found.replaced(program, &by).map(|edits| (gain, edits)));
        }
    }
    plans.sort_by_key(|(gain, _)| std::cmp::Reverse(*gain));
    plans.truncate(MOST_CHANGES);
    plans.into_iter().map(|(_, edits)| edits).collect()
}

/// Where a type stands, and what is in it.
#[derive(Default)]
struct Found {
    places: Vec<Place>,
    inner: Vec<String>,
}

impl Found {
    fn alternatives(&self, text: &str) -> Vec<String> {
        let n = count_tokens(text);
        let constant = [("()", 2), ("u8", 1)];
        let shorter = constant
            .into_iter()
            .filter(|(by, weight)| *weight < n || (*weight == n && by.len() < text.len()));
        let shorter = shorter.map(|(by, _)| by.to_owned());
        let mut all: Vec<String> = shorter.collect();
        for one in &self.inner {
            if !all.contains(one) {
                all.push(one.clone());
            }
        }
        all
    }

    /// A thousand for a token, one for a byte.
    fn gain(&self, text: &str, by: &str) -> i64 {
        let size = |text: &str| {
            let n_bytes = i64::try_from(text.len()).unwrap_or(i64::MAX / 2);
            let n_tokens = i64::try_from(count_tokens(text)).unwrap_or(i64::MAX / 4000);
            n_tokens.saturating_mul(1000).saturating_add(n_bytes)
        };
        let n = i64::try_from(self.places.len()).unwrap_or(i64::MAX);
        (size(text) - size(by)).saturating_mul(n)
    }

    fn replaced(&self, program: &Program<'_>, by: &str) -> Option<EditSet> {
        let mut change = program.change();
        for place in &self.places {
            change.replace(place, by);
        }
        change.finish()
    }
}

#[derive(Default)]
struct Types<'p> {
    by_text: BTreeMap<&'p str, Found>,
    program: Option<(&'p Program<'p>, SyntaxFile<'p>)>,
}

impl<'p> Types<'p> {
    fn visit(&mut self, program: &'p Program<'p>, file: SyntaxFile<'p>) {
        self.program = Some((program, file));
        self.visit_file(file.syntax);
    }

    fn add(&mut self, ty: &Type) {
        let Some((program, file)) = self
            .program
            .filter(|&(program, file)| is_ours(program, file, ty))
        else {
            return;
        };
        let place = file.place(ty);
        let found = self.by_text.entry(program.text(&place)).or_default();
        if found.places.is_empty() {
            let inner = inner(ty)
                .into_iter()
                .map(|one| program.text(&file.place(one)));
            found.inner = inner.take(2).map(str::to_owned).collect();
        }
        found.places.push(place);
    }
}

/// Whether a type may be replaced here: a single name must be one of another crate.
fn is_ours(program: &Program<'_>, file: SyntaxFile<'_>, ty: &Type) -> bool {
    match ty {
        Type::Path(one) => match one.path.get_ident() {
            Some(name) if one.qself.is_none() => {
                name != "Self" && program.mentions().definition(file.position(name)).is_none()
            }
            _ => true,
        },
        Type::Infer(_) | Type::Never(_) | Type::Verbatim(_) | Type::ImplTrait(_) => false,
        Type::Tuple(tuple) => !tuple.elems.is_empty(),
        _ => true,
    }
}

/// The types directly in a type.
fn inner(ty: &Type) -> Vec<&Type> {
    match ty {
        Type::Array(one) => vec![&one.elem],
        Type::Slice(one) => vec![&one.elem],
        Type::Reference(one) => vec![&one.elem],
        Type::Ptr(one) => vec![&one.elem],
        Type::Paren(one) => vec![&one.elem],
        Type::Tuple(one) => one.elems.iter().collect(),
        Type::Path(one) => arguments(one),
        _ => Vec::new(),
    }
}

fn arguments(path: &syn::TypePath) -> Vec<&Type> {
    let last = path.path.segments.last().map(|one| &one.arguments);
    let Some(PathArguments::AngleBracketed(arguments)) = last else {
        return Vec::new();
    };
    arguments.args.iter().filter_map(ty_of).collect()
}

fn ty_of(argument: &GenericArgument) -> Option<&Type> {
    match argument {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    }
}

impl<'p> Visit<'p> for Types<'p> {
    fn visit_type(&mut self, ty: &'p Type) {
        self.add(ty);
        visit::visit_type(self, ty);
    }

    fn visit_attribute(&mut self, _attribute: &'p syn::Attribute) {}
}
