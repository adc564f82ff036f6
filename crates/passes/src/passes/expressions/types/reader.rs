//! Finds the functions, structs, variants and variables of a program.

use super::{Data, Types};
use crate::passes::expressions::binding;
use crate::passes::functions::FunctionItem;
use crate::program::Program;
use crate::visit::{self, At, Node};
use std::collections::{BTreeMap, HashMap};
use syn::{Fields, FnArg, Generics, Ident, Item, ItemEnum, Pat, Type, Variant};

impl<'p> Types<'p> {
    /// Reads what a program declares.
    pub(in crate::passes) fn of(program: &'p Program) -> Self {
        let mut types = Self {
            program,
            functions: BTreeMap::new(),
            data: HashMap::new(),
            variables: HashMap::new(),
        };
        visit::each(program, |at, node| types.read(at, node));
        types
    }

    fn read(&mut self, at: At<'p>, node: Node<'p>) {
        match node {
            Node::Item(Item::Struct(one)) => {
                self.data(at, &one.ident, None, (&one.fields, &one.generics));
            }
            Node::Item(Item::Enum(one)) => self.enumeration(at, one),
            Node::Signature(one) => {
                for input in &one.inputs {
                    if let FnArg::Typed(input) = input {
                        self.variable(at, &input.pat, &input.ty);
                    }
                }
            }
            Node::Pat(Pat::Type(typed)) => self.variable(at, &typed.pat, &typed.ty),
            _ => {
                let function = FunctionItem::of(at, node);
                let by_name = function.map(|one| (one.position(), one));
                self.functions.extend(by_name);
            }
        }
    }

    fn variable(&mut self, at: At<'p>, pattern: &Pat, ty: &'p Type) {
        let name = binding(pattern).map(|(name, _)| at.position(&name.ident));
        self.variables.extend(name.map(|name| (name, at.text(ty))));
    }

    fn data(
        &mut self,
        at: At<'p>,
        ty: &'p Ident,
        variant: Option<&'p Ident>,
        (fields, generics): (&'p Fields, &'p Generics),
    ) -> Data<'p> {
        let data = Data {
            file: at.file,
            ty: at.text(ty),
            variant: variant.map(|name| at.text(name)),
            fields,
            generics,
        };
        self.data.insert(at.position(variant.unwrap_or(ty)), data);
        data
    }

    /// Reads an enum and its variants; one of them stands for the enum itself, one without fields if there is one.
    fn enumeration(&mut self, at: At<'p>, item: &'p ItemEnum) {
        let variants = item.variants.iter().map(|variant: &Variant| {
            let content = (&variant.fields, &item.generics);
            self.data(at, &item.ident, Some(&variant.ident), content)
        });
        let mut variants: Vec<Data<'p>> = variants.collect();
        variants.sort_by_key(|data| !matches!(data.fields, Fields::Unit));
        let own = variants
            .first()
            .map(|data| (at.position(&item.ident), *data));
        self.data.extend(own);
    }
}
