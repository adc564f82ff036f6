//! Finds the functions, structs and variants of a program.

use super::{Data, Function, Types, names_of};
use crate::program::{Place, Program, SyntaxFile};
use std::collections::HashMap;
use syn::visit::{self, Visit};
use syn::{
    Attribute, Block, Fields, Ident, ImplItemFn, ItemEnum, ItemFn, ItemImpl, ItemStruct, ItemTrait,
    Signature, TraitItemFn, Type, Variant,
};

impl<'p, 's> Types<'p, 's> {
    /// Reads what a program declares.
    pub(in crate::passes) fn of(program: &'p Program<'s>) -> Self {
        let mut types = Self {
            program,
            functions: HashMap::new(),
            data: HashMap::new(),
            by_name: HashMap::new(),
            in_order: Vec::new(),
        };
        for file in program.files() {
            let mut reader = Reader {
                types: &mut types,
                file,
                owner: Owner::default(),
            };
            reader.visit_file(file.syntax);
        }
        types
    }
}

/// Whose function it is.
#[derive(Default, Clone)]
struct Owner<'p> {
    self_ty: Option<&'p Type>,
    generics: Vec<String>,
    is_impl_of_trait: bool,
}

/// `#[test]`, `#[tokio::test]`, `#[bench]`: such functions are called by what is not seen.
fn is_of_test(attribute: &Attribute) -> bool {
    let last = attribute.path().segments.last();
    last.is_some_and(|last| last.ident == "test" || last.ident == "bench")
}

struct Reader<'t, 'p, 's> {
    types: &'t mut Types<'p, 's>,
    file: SyntaxFile<'p>,
    owner: Owner<'p>,
}

impl<'p> Reader<'_, 'p, '_> {
    fn function(
        &mut self,
        (whole, attributes): (Place, &[Attribute]),
        signature: &'p Signature,
        body: Option<&'p Block>,
    ) {
        let is_test = attributes.iter().any(is_of_test);
        let own = names_of(&signature.generics);
        let generics = self.owner.generics.iter().cloned().chain(own).collect();
        let position = self.file.position(&signature.ident);
        let function = Function {
            file: self.file,
            whole,
            signature,
            body,
            is_free_to_change: !self.owner.is_impl_of_trait && !is_test,
            self_ty: self.owner.self_ty,
            generics,
        };
        self.name(&signature.ident);
        self.types.in_order.push(position);
        self.types.functions.insert(position, function);
    }

    fn name(&mut self, name: &Ident) {
        let position = self.file.position(name);
        let of_name = self.types.by_name.entry(name.to_string()).or_default();
        of_name.push(position);
    }

    fn data(&mut self, name: &Ident, data: Data<'p>) {
        self.name(name);
        self.types.data.insert(self.file.position(name), data);
    }

    fn within(&mut self, owner: Owner<'p>, visit: impl FnOnce(&mut Self)) {
        let outer = std::mem::replace(&mut self.owner, owner);
        visit(self);
        self.owner = outer;
    }
}

impl<'p> Visit<'p> for Reader<'_, 'p, '_> {
    fn visit_item_fn(&mut self, item: &'p ItemFn) {
        self.within(Owner::default(), |inside| {
            let whole = (inside.file.place(item), item.attrs.as_slice());
            inside.function(whole, &item.sig, Some(&item.block));
            visit::visit_item_fn(inside, item);
        });
    }

    fn visit_item_impl(&mut self, item: &'p ItemImpl) {
        let owner = Owner {
            self_ty: Some(&item.self_ty),
            generics: names_of(&item.generics).collect(),
            is_impl_of_trait: item.trait_.is_some(),
        };
        self.within(owner, |inside| visit::visit_item_impl(inside, item));
    }

    fn visit_item_trait(&mut self, item: &'p ItemTrait) {
        let owner = Owner {
            generics: names_of(&item.generics).collect(),
            ..Owner::default()
        };
        self.within(owner, |inside| visit::visit_item_trait(inside, item));
    }

    fn visit_impl_item_fn(&mut self, item: &'p ImplItemFn) {
        let whole = (self.file.place(item), item.attrs.as_slice());
        self.function(whole, &item.sig, Some(&item.block));
        visit::visit_impl_item_fn(self, item);
    }

    fn visit_trait_item_fn(&mut self, item: &'p TraitItemFn) {
        let whole = (self.file.place(item), item.attrs.as_slice());
        self.function(whole, &item.sig, item.default.as_ref());
        visit::visit_trait_item_fn(self, item);
    }

    fn visit_item_struct(&mut self, item: &'p ItemStruct) {
        let data = Data {
            file: self.file,
            names: (item.ident.to_string(), None),
            fields: &item.fields,
            generics: names_of(&item.generics).collect(),
        };
        self.data(&item.ident, data);
    }

    /// A value of the enum is one of its variants, one without fields if there is one.
    fn visit_item_enum(&mut self, item: &'p ItemEnum) {
        let data = |variant: &'p Variant| Data {
            file: self.file,
            names: (item.ident.to_string(), Some(variant.ident.to_string())),
            fields: &variant.fields,
            generics: names_of(&item.generics).collect(),
        };
        let is_unit = |variant: &&Variant| matches!(variant.fields, Fields::Unit);
        let unit = item.variants.iter().find(is_unit);
        let of_enum = unit.or(item.variants.first()).map(data);
        let each: Vec<(&Ident, Data<'p>)> = item
            .variants
            .iter()
            .map(|variant| (&variant.ident, data(variant)))
            .collect();
        each.into_iter()
            .for_each(|(name, data)| self.data(name, data));
        if let Some(data) = of_enum {
            self.types
                .data
                .insert(self.file.position(&item.ident), data);
        }
    }
}
