//! Definitions that are alike, group by group.

use crate::passes::data::{Data, Definition, Kind, Shape};
use crate::program::{Place, Program, SyntaxFile};
use reduce_model::Position;
use std::collections::{BTreeMap, HashMap};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Ident, Pat, Stmt};

/// A definition that may stand for another one, or the other way round.
pub(super) struct Found {
    pub(super) name: String,
    pub(super) at: Position,
    pub(super) whole: Place,
    /// Those of a type, or of a trait.
    pub(super) impls: Vec<Place>,
    /// Else it is a variable.
    pub(super) is_item: bool,
}

/// Groups of definitions that are alike, each in the order of the text.
pub(super) fn groups(program: &Program<'_>, data: &Data) -> Vec<Vec<Found>> {
    let mut reader = Reader::default();
    for (idx, one) in data.definitions.iter().enumerate() {
        if let Some(alike) = type_key(data, one) {
            let impls = data.impls_of(idx).map(|one| one.whole.clone()).collect();
            reader.add(
                Alike::Type(alike),
                Found {
                    name: one.name.clone(),
                    at: one.at,
                    whole: one.whole.clone(),
                    impls,
                    is_item: true,
                },
            );
        }
    }
    for file in program.files() {
        let mut files = FileReader {
            file,
            reader: &mut reader,
        };
        files.visit_file(file.syntax);
    }
    reader.groups(program)
}

/// What makes two definitions alike.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Alike {
    Type(String),
    /// With the number of generic parameters.
    Trait(usize),
    /// With the number of parameters.
    Function(usize),
    Constant,
    Static,
    /// With the place of the block.
    Variable(Position),
}

/// Says how a type is made: sort, parameters, fields or variants.
fn type_key(data: &Data, one: &Definition) -> Option<String> {
    let kind = match one.kind {
        Kind::Struct => "struct",
        Kind::Union => "union",
        Kind::Enum => "enum",
        Kind::Alias => "type",
        Kind::Variant(_) => return None,
    };
    let shape = match one.shape {
        Shape::Unit => "",
        Shape::Tuple(_) => "()",
        Shape::Named(_) => "{}",
    };
    let names = one
        .fields
        .iter()
        .map(|field| field.name.as_deref().unwrap_or("_"));
    let variants = one
        .variants
        .iter()
        .filter_map(|&idx| data.definitions.get(idx));
    let names: Vec<&str> = names.chain(variants.map(|one| one.name.as_str())).collect();
    Some(format!(
        "{kind} {} {shape} {}",
        one.generics.len(),
        names.join(" ")
    ))
}

#[derive(Default)]
struct Reader {
    groups: BTreeMap<Alike, Vec<Found>>,
    /// The impls of traits, by where the trait's name stands in them.
    impls: HashMap<Position, Place>,
}

impl Reader {
    fn add(&mut self, alike: Alike, found: Found) {
        self.groups.entry(alike).or_default().push(found);
    }

    fn groups(mut self, program: &Program<'_>) -> Vec<Vec<Found>> {
        for (alike, group) in &mut self.groups {
            for one in group
                .iter_mut()
                .filter(|_| matches!(alike, Alike::Trait(_)))
            {
                let mentions = program.mentions().of(one.at).iter();
                one.impls = mentions
                    .filter_map(|at| self.impls.get(at).cloned())
                    .collect();
            }
        }
        let alike = self.groups.into_values();
        alike.filter(|group| group.len() > 1).collect()
    }
}

struct FileReader<'p, 'r> {
    file: SyntaxFile<'p>,
    reader: &'r mut Reader,
}

impl FileReader<'_, '_> {
    fn add(&mut self, alike: Alike, name: &Ident, whole: &impl Spanned, is_item: bool) {
        let found = Found {
            name: name.to_string(),
            at: self.file.position(name),
            whole: self.file.place(whole),
            impls: Vec::new(),
            is_item,
        };
        if name != "_" && name != "main" {
            self.reader.add(alike, found);
        }
    }
}

/// The variable of a `let` statement.
fn variable(local: &syn::Local) -> Option<&Ident> {
    let pattern = match &local.pat {
        Pat::Type(typed) => &typed.pat,
        pattern => pattern,
    };
    match pattern {
        Pat::Ident(one) if one.subpat.is_none() => Some(&one.ident),
        _ => None,
    }
}

impl<'ast> Visit<'ast> for FileReader<'_, '_> {
    fn visit_attribute(&mut self, _attribute: &'ast syn::Attribute) {}

    fn visit_item_trait(&mut self, item: &'ast syn::ItemTrait) {
        self.add(
            Alike::Trait(item.generics.params.len()),
            &item.ident,
            item,
            true,
        );
        visit::visit_item_trait(self, item);
    }

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.add(
            Alike::Function(item.sig.inputs.len()),
            &item.sig.ident,
            item,
            true,
        );
        visit::visit_item_fn(self, item);
    }

    fn visit_item_const(&mut self, item: &'ast syn::ItemConst) {
        self.add(Alike::Constant, &item.ident, item, true);
        visit::visit_item_const(self, item);
    }

    fn visit_item_static(&mut self, item: &'ast syn::ItemStatic) {
        self.add(Alike::Static, &item.ident, item, true);
        visit::visit_item_static(self, item);
    }

    fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
        let path = item.trait_.as_ref().map(|(path, _)| path);
        if let Some(last) = path.and_then(|path| path.segments.last()) {
            let (at, whole) = (self.file.position(&last.ident), self.file.place(item));
            self.reader.impls.insert(at, whole);
        }
        visit::visit_item_impl(self, item);
    }

    fn visit_block(&mut self, block: &'ast syn::Block) {
        let (file, at) = self.file.place_of(block.brace_token.span.open());
        for statement in &block.stmts {
            if let Stmt::Local(local) = statement
                && let Some(name) = variable(local)
            {
                self.add(Alike::Variable((file, at.start)), name, statement, false);
            }
        }
        visit::visit_block(self, block);
    }
}
