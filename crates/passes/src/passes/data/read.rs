//! Finds the types of a file and their uses.

mod reads;
mod syntax;
mod uses;

use super::{Data, Definition, Field, Import, Kind, Parameter, PathRole, Segment, Shape};
use crate::macro_arguments::MacroArguments;
use crate::program::{Place, Program, SyntaxFile};
use proc_macro2::Span;
use reduce_model::Position;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Fields, Generics, Ident, Item, Path, PathArguments, Stmt, UseTree};

/// Adds what is in a file.
pub(super) fn read(data: &mut Data, program: &Program, file: SyntaxFile<'_>) {
    let mut reader = DataWalk {
        data,
        program,
        file,
        own: None,
        role: PathRole::Other,
        arm: None,
    };
    reader.visit_file(file.syntax);
}

struct DataWalk<'r> {
    data: &'r mut Data,
    program: &'r Program,
    file: SyntaxFile<'r>,
    /// The name of the type that `Self` means.
    own: Option<(String, Position)>,
    /// What a path that comes next stands for.
    role: PathRole,
    arm: Option<Place>,
}

impl DataWalk<'_> {
    fn place(&self, syntax: &impl Spanned) -> Place {
        self.file.place(syntax)
    }

    /// Up to where something begins.
    fn up_to(&self, first: &impl Spanned, next: &impl Spanned) -> Place {
        let Place { file, range: start } = self.place(first);
        Place::new(file, start.start..self.place(next).range.start)
    }

    fn item(&self, kind: Kind, name: &Ident, whole: Place, keyword: Span) -> Definition {
        Definition {
            kind,
            name: name.to_string(),
            at: self.file.position(name),
            whole,
            keyword: self.file.place_of(keyword),
            generics: Vec::new(),
            has_where: false,
            shape: Shape::Unit,
            fields: Vec::new(),
            discriminant: None,
            body: None,
            alias: None,
            variants: Vec::new(),
        }
    }

    fn parameters(&self, generics: &Generics, owner: Option<&Ident>) -> Vec<Parameter> {
        let n = generics.params.len();
        let parameter = |(idx, one): (usize, &syn::GenericParam)| {
            let name = match one {
                syn::GenericParam::Lifetime(one) => one.lifetime.span(),
                syn::GenericParam::Type(one) => one.ident.span(),
                syn::GenericParam::Const(one) => one.ident.span(),
            };
            let place = self.file.place_of(name);
            Parameter {
                name: self.program.text(&place).to_owned(),
                is_const: matches!(one, syn::GenericParam::Const(_)),
                at: place.start(),
                place: self.place(one),
                owner: owner.map(|name| self.file.position(name)),
                idx,
                n,
            }
        };
        generics.params.iter().enumerate().map(parameter).collect()
    }

    fn with_generics(&self, definition: Definition, generics: &Generics) -> Definition {
        Definition {
            generics: self.parameters(generics, None),
            has_where: generics.where_clause.is_some(),
            ..definition
        }
    }

    fn with_fields(&self, definition: Definition, fields: &Fields) -> Definition {
        let shape = match fields {
            Fields::Unit => Shape::Unit,
            Fields::Named(all) => Shape::Named(self.file.place_of(all.brace_token.span.join())),
            Fields::Unnamed(all) => Shape::Tuple(self.file.place_of(all.paren_token.span.join())),
        };
        Definition {
            shape,
            fields: fields.iter().map(|field| self.field(field)).collect(),
            ..definition
        }
    }

    fn field(&self, field: &syn::Field) -> Field {
        let name = field.ident.as_ref();
        Field {
            name: name.map(Ident::to_string),
            whole: self.place(field),
            label: name.map(|name| self.up_to(name, &field.ty)),
            ty: self.place(&field.ty),
        }
    }

    fn definition(&mut self, item: &Item) {
        let whole = || self.place(item);
        let definition = match item {
            Item::Struct(one) => {
                let keyword = one.struct_token.span;
                let item = self.item(Kind::Struct, &one.ident, whole(), keyword);
                self.with_fields(self.with_generics(item, &one.generics), &one.fields)
            }
            Item::Union(one) => {
                let keyword = one.union_token.span;
                let item = self.item(Kind::Union, &one.ident, whole(), keyword);
                let fields = Fields::Named(one.fields.clone());
                self.with_fields(self.with_generics(item, &one.generics), &fields)
            }
            Item::Enum(one) => return self.enumeration(one, whole()),
            Item::Type(one) => {
                let item = self.item(Kind::Alias, &one.ident, whole(), one.type_token.span);
                let alias = Some(self.place(&one.ty));
                Definition {
                    alias,
                    ..self.with_generics(item, &one.generics)
                }
            }
            _ => return,
        };
        self.data.definitions.push(definition);
    }

    fn enumeration(&mut self, one: &syn::ItemEnum, whole: Place) {
        let of = self.data.definitions.len();
        let item = self.item(Kind::Enum, &one.ident, whole, one.enum_token.span);
        let mut item = self.with_generics(item, &one.generics);
        item.body = Some(self.file.place_of(one.brace_token.span.join()));
        item.variants = (of + 1..=of + one.variants.len()).collect();
        self.data.definitions.push(item);
        for variant in &one.variants {
            let (name, whole) = (&variant.ident, self.place(variant));
            let found = self.item(Kind::Variant(of), name, whole, name.span());
            let mut found = self.with_fields(found, &variant.fields);
            let discriminant = variant.discriminant.as_ref();
            found.discriminant =
                discriminant.map(|(equals, value)| self.file.between(equals, value));
            self.data.definitions.push(found);
        }
    }

    /// Adds the segments of a path; the index of the last one.
    fn path(&mut self, path: &Path) -> Option<usize> {
        let n = path.segments.len();
        let mut before = None;
        for (idx, segment) in path.segments.iter().enumerate() {
            let (brackets, args) = self.arguments(&segment.arguments);
            let name = segment.ident.to_string();
            let whole = self.place(segment);
            let start = self.place(path).range.start;
            self.data.segments.push(Segment {
                at: self.file.position(&segment.ident),
                before: before.replace(name.clone()),
                name,
                prefix: Place::new(whole.file, start..whole.range.end),
                whole,
                brackets,
                args,
                role: self.role,
                is_last: idx + 1 == n,
                own: self.own.clone(),
            });
        }
        let last = self.data.segments.len().checked_sub(1);
        let role = std::mem::replace(&mut self.role, PathRole::Other);
        visit::visit_path(self, path);
        self.role = role;
        last
    }

    fn arguments(&self, arguments: &PathArguments) -> (Option<Place>, Vec<Place>) {
        match arguments {
            PathArguments::AngleBracketed(one) => {
                let args = one.args.iter().map(|arg| self.place(arg)).collect();
                (Some(self.place(one)), args)
            }
            PathArguments::None | PathArguments::Parenthesized(_) => (None, Vec::new()),
        }
    }

    /// Visits a path in its role.
    fn path_as(&mut self, role: PathRole, path: &Path) -> Option<usize> {
        let outer = std::mem::replace(&mut self.role, role);
        let last = self.path(path);
        self.role = outer;
        last
    }

    /// Whatever macro it is: arguments that look like expressions mostly are.
    fn macro_arguments(&mut self, call: &syn::Macro) {
        match self.program.arguments(self.file, call) {
            Some(MacroArguments::Statements(all)) => {
                let all = all.iter().filter(|one| !matches!(one, Stmt::Item(_)));
                all.for_each(|one| self.visit_stmt(one));
            }
            arguments => arguments.into_iter().for_each(|one| one.visit(self)),
        }
    }

    /// Visits a pattern that goes together with `arm`.
    fn within_arm(&mut self, arm: Option<Place>, walk: impl FnOnce(&mut Self)) {
        let outer = std::mem::replace(&mut self.arm, arm);
        walk(self);
        self.arm = outer;
    }

    fn import(&mut self, tree: &UseTree, whole: &Place) {
        let name = match tree {
            UseTree::Path(one) => {
                self.data.imports.push(Import {
                    at: self.file.position(&one.ident),
                    whole: whole.clone(),
                    is_leaf: false,
                });
                return self.import(&one.tree, whole);
            }
            UseTree::Group(group) => {
                for one in &group.items {
                    let leaf = if group.items.len() == 1 {
                        whole
                    } else {
                        &self.place(one)
                    };
                    self.import(one, leaf);
                }
                return;
            }
            UseTree::Name(one) => &one.ident,
            UseTree::Rename(one) => &one.ident,
            UseTree::Glob(_) => return,
        };
        self.data.imports.push(Import {
            at: self.file.position(name),
            whole: whole.clone(),
            is_leaf: true,
        });
    }
}
