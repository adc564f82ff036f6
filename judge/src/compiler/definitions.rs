//! Where the compiler's definitions have their names: the dump gives the range of each item and the
//! name's spelling, the text gives the place.

use super::atoms::{LocalDef, Name, NodeId, Span, SpanReader, local_definition, name, node};
use crate::dump::Dumped;
use crate::meaning::{Meaning, Place};
use crate::text::CrateText;
use std::collections::HashMap;

/// The definitions of one crate, each with what a mention of it means.
#[derive(Debug, Default)]
pub struct Definitions {
    items: HashMap<LocalDef, Meaning>,
    /// Variables, and the labels of loops and blocks.
    nodes: HashMap<NodeId, Place>,
    /// The fields of structs, unions and variants, in order.
    fields: HashMap<LocalDef, Vec<(String, Meaning)>>,
    /// By the compiler's path without the crate: `a::S`.
    paths: HashMap<String, LocalDef>,
    /// The type for which each `impl` is, where that is a struct, an enum or a union of the crate.
    selves: HashMap<LocalDef, LocalDef>,
}

impl Definitions {
    /// What a mention of a definition means.
    pub fn meaning(&self, definition: LocalDef) -> Option<Meaning> {
        self.items.get(&definition).cloned()
    }

    /// The places of all names that define something.
    pub fn places(&self) -> impl Iterator<Item = Place> {
        let fields = self.fields.values().flatten().map(|field| &field.1);
        let named = self.items.values().chain(fields);
        let named = named.filter_map(|meaning| match meaning {
            Meaning::Inside(place) => Some(*place),
            _ => None,
        });
        named.chain(self.nodes.values().copied())
    }

    /// Where a variable or a label is named.
    pub fn place_of_node(&self, node: NodeId) -> Option<Place> {
        self.nodes.get(&node).copied()
    }

    /// A field, by the struct or variant that has it.
    pub fn field(&self, owner: LocalDef, name: &str) -> Option<Meaning> {
        let owner = self.selves.get(&owner).copied().unwrap_or(owner);
        let mut fields = self.fields.get(&owner)?.iter();
        fields
            .find(|field| field.0 == name)
            .map(|field| field.1.clone())
    }

    /// The field of a struct with this path that has this number, with its name.
    pub fn field_of_path(&self, path: &str, index: usize) -> Option<(&str, Meaning)> {
        let (name, meaning) = self.fields.get(self.paths.get(path)?)?.get(index)?;
        Some((name, meaning.clone()))
    }
}

/// Collects definitions from entries of a dump.
pub struct DefinitionCollector<'a, 's> {
    text: &'a CrateText<'s>,
    spans: &'a SpanReader<'a, 's>,
    definitions: Definitions,
}

/// Words before the name that an item defines.
const BEFORE_NAMES: [&str; 14] = [
    "fn", "struct", "enum", "union", "trait", "mod", "const", "static", "mut", "type", "!",
    "macro", "crate", "as",
];

impl<'a, 's> DefinitionCollector<'a, 's> {
    pub fn new(text: &'a CrateText<'s>, spans: &'a SpanReader<'a, 's>) -> Self {
        let definitions = Definitions::default();
        Self {
            text,
            spans,
            definitions,
        }
    }

    pub fn finish(self) -> Definitions {
        self.definitions
    }

    /// Reads what a node of the dump and all below it define.
    pub fn add(&mut self, dumped: &Dumped<'_>) {
        match dumped.value {
            "Item" | "ForeignItem" | "TraitItem" | "ImplItem" => self.add_item(dumped),
            "Variant" => self.add_variant(dumped),
            "GenericParam" => self.add_parameter(dumped),
            "Pat" => self.add_variable(dumped),
            "Expr" => self.add_label(dumped),
            _ => None,
        };
        for child in &dumped.children {
            self.add(child);
        }
    }

    fn span(&self, dumped: &Dumped<'_>) -> Option<Span> {
        self.spans.read(dumped.field("span")?.value)
    }

    fn add_item(&mut self, item: &Dumped<'_>) -> Option<()> {
        let definition = local_definition(item.field("owner_id")?.value)?;
        let kind = item.field("kind")?;
        if kind.value == "Impl" {
            self.add_self(definition, kind.first()?);
        }
        let name = item_name(item, kind)?;
        let meaning = self.name_of_item(&self.span(item)?, name);
        self.add_data(definition, kind, &meaning);
        self.add_path(item.field("owner_id")?.value, definition);
        self.definitions.items.insert(definition, meaning);
        Some(())
    }

    fn add_path(&mut self, text: &str, definition: LocalDef) {
        if let Some(super::atoms::AnyDef::Local(_, path)) = super::atoms::definition(text) {
            self.definitions.paths.insert(path.to_owned(), definition);
        }
    }

    fn add_self(&mut self, implementation: LocalDef, dumped: &Dumped<'_>) -> Option<()> {
        let path = dumped.field("self_ty")?.field("kind")?;
        let path = (path.value == "Path").then(|| path.first())??;
        let path = path.children.iter().find(|child| child.value == "Path")?;
        let of = super::mentions::resolved(path.field("res")?)?;
        self.definitions.selves.insert(implementation, of);
        Some(())
    }

    fn name_of_item(&self, span: &Span, name: Name<'_>) -> Meaning {
        let unplaced = || Meaning::Unplaced(name.text.to_owned());
        if span.expansion != name.expansion {
            return unplaced();
        }
        let tokens = self.text.tokens(span.file, &span.range);
        let named = tokens
            .windows(2)
            .find(|two| BEFORE_NAMES.contains(&two[0].text) && two[1].name() == name.text);
        named.map_or_else(unplaced, |two| {
            Meaning::Inside(Place {
                file: span.file,
                at: two[1].at,
            })
        })
    }

    /// The first word of a range, if that is the name.
    fn name_within(&self, span: &Span, name: Name<'_>) -> Meaning {
        let tokens = self.text.tokens(span.file, &span.range);
        let named = tokens.iter().find(|piece| piece.name() == name.text);
        match named {
            Some(piece) if span.expansion == name.expansion => Meaning::Inside(Place {
                file: span.file,
                at: piece.at,
            }),
            _ => Meaning::Unplaced(name.text.to_owned()),
        }
    }

    /// Constructors and fields.
    fn add_data(&mut self, definition: LocalDef, within: &Dumped<'_>, meaning: &Meaning) {
        for data in &within.children {
            match data.value {
                "Tuple" | "Unit" => self.add_constructor(data, meaning),
                "Struct" => {
                    self.add_fields(definition, data);
                }
                _ => {}
            }
        }
    }

    fn add_constructor(&mut self, data: &Dumped<'_>, meaning: &Meaning) {
        let constructor = data.children.iter().rev();
        let constructor = constructor.filter_map(|child| local_definition(child.value));
        for constructor in constructor {
            self.definitions.items.insert(constructor, meaning.clone());
        }
    }

    fn add_fields(&mut self, definition: LocalDef, data: &Dumped<'_>) -> Option<()> {
        let fields = data.field("fields")?.children.iter();
        let fields = fields.filter_map(|field| {
            let name = name(field.field("ident")?.value)?;
            let mut span = self.span(field)?;
            if let Some(visibility) = self.spans.read(field.field("vis_span")?.value) {
                span.range.start = span.range.start.max(visibility.range.end);
            }
            Some((name.text.to_owned(), self.name_within(&span, name)))
        });
        let fields: Vec<_> = fields.collect();
        self.definitions.fields.insert(definition, fields);
        Some(())
    }

    fn add_variant(&mut self, variant: &Dumped<'_>) -> Option<()> {
        let text = variant.field("def_id")?.value;
        let definition = local_definition(text)?;
        let name = name(variant.field("ident")?.value)?;
        let meaning = self.name_within(&self.span(variant)?, name);
        self.add_data(definition, variant, &meaning);
        self.add_path(text, definition);
        self.definitions.items.insert(definition, meaning);
        Some(())
    }

    fn add_parameter(&mut self, parameter: &Dumped<'_>) -> Option<()> {
        let definition = local_definition(parameter.field("def_id")?.value)?;
        let name = name(parameter.field("name")?.first()?.value)?;
        let meaning = self.name_within(&self.span(parameter)?, name);
        self.definitions.items.insert(definition, meaning);
        Some(())
    }

    fn add_variable(&mut self, pattern: &Dumped<'_>) -> Option<()> {
        let kind = pattern.field("kind")?;
        let [_, id, variable, ..] = kind.children.as_slice() else {
            return None;
        };
        // In `A(x) | B(x)` the second has the id of the first.
        let is_first = pattern.field("hir_id")?.value == id.value;
        if kind.value != "Binding" || !is_first {
            return None;
        }
        let (span, variable) = (self.span(pattern)?, name(variable.value)?);
        if let Meaning::Inside(place) = self.name_within(&span, variable) {
            self.definitions.nodes.insert(node(id.value)?, place);
        }
        Some(())
    }

    fn add_label(&mut self, expression: &Dumped<'_>) -> Option<()> {
        let kind = expression.field("kind")?;
        if !matches!(kind.value, "Loop" | "Block") {
            return None;
        }
        let mut parts = kind.children.iter().filter_map(Dumped::first);
        let label = parts.find_map(|part| label(part.value))?;
        let span = self.span(expression)?;
        let tokens = self.text.tokens(span.file, &span.range);
        let first = tokens.first().filter(|first| first.text == label.text)?;
        let (file, at) = (span.file, first.at);
        let id = node(expression.field("hir_id")?.value)?;
        self.definitions.nodes.insert(id, Place { file, at });
        Some(())
    }
}

/// Reads `label('a#0)`.
pub fn label(text: &str) -> Option<Name<'_>> {
    name(text.strip_prefix("label(")?.strip_suffix(')')?)
}

fn item_name<'t>(item: &Dumped<'t>, kind: &Dumped<'t>) -> Option<Name<'t>> {
    if matches!(kind.value, "Use" | "Impl" | "ForeignMod" | "GlobalAsm") {
        return None;
    }
    let named = item.field("ident").or_else(|| kind.field("ident"));
    let positional = || {
        kind.children
            .iter()
            .find(|child| name(child.value).is_some())
    };
    name(named.or_else(positional)?.value)
}
