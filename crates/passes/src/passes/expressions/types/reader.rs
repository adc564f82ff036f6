//! Finds the functions, structs and variants of a program.

use super::{Data, Function, Types};
use crate::passes::generics::names_of;
use crate::program::{Place, Program};
use crate::visit::{self, At, Home, Node};
use reduce_model::Position;
use std::collections::HashMap;
use syn::{
    Attribute, Block, Fields, Ident, ImplItem, Item, ItemEnum, Signature, TraitItem, Variant,
};

impl<'p> Types<'p> {
    /// Reads what a program declares.
    pub(in crate::passes) fn of(program: &'p Program) -> Self {
        let mut types = Self {
            program,
            functions: HashMap::new(),
            data: HashMap::new(),
            by_name: HashMap::new(),
            in_order: Vec::new(),
        };
        visit::each(program, |at, node| types.read(at, node));
        types
    }

    fn read(&mut self, at: At<'p>, node: Node<'p>) {
        match node {
            Node::Item(Item::Fn(one)) => {
                let whole = (at.place(one), one.attrs.as_slice());
                self.function(at, whole, &one.sig, Some(&one.block));
            }
            Node::ImplItem(ImplItem::Fn(one)) => {
                let whole = (at.place(one), one.attrs.as_slice());
                self.function(at, whole, &one.sig, Some(&one.block));
            }
            Node::TraitItem(TraitItem::Fn(one)) => {
                let whole = (at.place(one), one.attrs.as_slice());
                self.function(at, whole, &one.sig, one.default.as_ref());
            }
            Node::Item(Item::Struct(one)) => {
                let data = Data {
                    file: at.file,
                    names: (one.ident.to_string(), None),
                    fields: &one.fields,
                    generics: names_of(&one.generics).collect(),
                };
                self.data(at, &one.ident, data);
            }
            Node::Item(Item::Enum(one)) => self.enumeration(at, one),
            _ => {}
        }
    }

    fn function(
        &mut self,
        at: At<'p>,
        (whole, attributes): (Place, &[Attribute]),
        signature: &'p Signature,
        body: Option<&'p Block>,
    ) {
        let (outer, self_ty, is_of_a_trait) = match at.home {
            Home::Nothing => (None, None, false),
            Home::Trait(one) => (Some(&one.generics), None, false),
            Home::Impl(one) => (
                Some(&one.generics),
                Some(&*one.self_ty),
                one.trait_.is_some(),
            ),
        };
        let is_test = attributes.iter().any(is_of_test);
        let all = outer.into_iter().chain([&signature.generics]);
        let position = self.name(at, &signature.ident);
        let function = Function {
            file: at.file,
            whole,
            signature,
            body,
            is_free_to_change: !is_of_a_trait && !is_test,
            self_ty,
            generics: all.flat_map(names_of).collect(),
        };
        self.in_order.push(position);
        self.functions.insert(position, function);
    }

    fn name(&mut self, at: At<'p>, name: &Ident) -> Position {
        let position = at.position(name);
        let of_name = self.by_name.entry(name.to_string()).or_default();
        of_name.push(position);
        position
    }

    fn data(&mut self, at: At<'p>, name: &Ident, data: Data<'p>) {
        let position = self.name(at, name);
        self.data.insert(position, data);
    }

    /// A value of the enum is one of its variants, one without fields if there is one.
    fn enumeration(&mut self, at: At<'p>, item: &'p ItemEnum) {
        let data = |variant: &'p Variant| Data {
            file: at.file,
            names: (item.ident.to_string(), Some(variant.ident.to_string())),
            fields: &variant.fields,
            generics: names_of(&item.generics).collect(),
        };
        for variant in &item.variants {
            self.data(at, &variant.ident, data(variant));
        }
        let is_unit = |variant: &&Variant| matches!(variant.fields, Fields::Unit);
        let unit = item.variants.iter().find(is_unit);
        let of_enum = unit.or(item.variants.first()).map(data);
        let own = of_enum.map(|data| (at.position(&item.ident), data));
        self.data.extend(own);
    }
}

/// `#[test]`, `#[tokio::test]`, `#[bench]`: such functions are called by what is not seen.
fn is_of_test(attribute: &Attribute) -> bool {
    let last = attribute.path().segments.last();
    last.is_some_and(|last| last.ident == "test" || last.ident == "bench")
}
