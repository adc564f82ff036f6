//! Finds the types of a program and their uses: definitions with their fields and variants, and the
//! expressions, patterns, paths, imports and reads of fields that mean them. Those in macro calls
//! whose arguments look like expressions count too. Which definition is meant is the model's answer.

mod link;
mod read;
mod substitution;

pub(super) use substitution::substituted;

use super::generics::Implementation;
use crate::program::{Change, Place, Program, SyntaxFile};
use reduce_model::Position;
use std::ops::Range;
use syn::{GenericParam, Generics, ItemEnum, Type};

/// The types of a program with all their uses, for passes that change types.
pub(super) struct Data<'p> {
    program: &'p Program,
    /// The definitions in the order of the text; a variant comes after its enum.
    pub(super) definitions: Vec<Definition<'p>>,
    /// The generic parameters of impls, functions and traits: the position of each name, and the
    /// place of the whole parameter.
    parameters: Vec<(Position, Place)>,
}

#[derive(Clone, Copy)]
pub(super) enum Kind<'p> {
    Struct,
    Union,
    Enum(&'p ItemEnum),
    /// The definition is a variant of an enum; says which index the enum has among all definitions.
    Variant(usize),
    /// The definition is a type alias for this type.
    Alias(&'p Type),
}

/// The way in which the fields of a struct or variant are written: none, in parentheses, or by name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Shape {
    Unit,
    /// The fields of a tuple, at this place with their parentheses.
    Tuple(Place),
    /// Fields with names, at this place with their braces.
    Named(Place),
}

pub(super) struct Definition<'p> {
    pub(super) file: SyntaxFile<'p>,
    pub(super) kind: Kind<'p>,
    pub(super) name: &'p str,
    pub(super) at: Position,
    /// The place of the whole definition: an item, or a variant in its enum.
    pub(super) whole: Place,
    /// The place of the definition's keyword (`struct`, `enum`, `union` or `type`); of a variant, that of its name.
    pub(super) keyword: Place,
    /// The generics of the definition; a variant has none.
    pub(super) generics: Option<&'p Generics>,
    pub(super) shape: Shape,
    pub(super) fields: Vec<Field<'p>>,
    /// The indices of an enum's variants among all definitions.
    variants: Range<usize>,
    /// The expressions that make a value of the type, and the patterns that take one apart, such as `S { f: 1 }`.
    pub(super) uses: Vec<Use>,
    /// The segments of paths that mean the type, also by `Self`.
    pub(super) segments: Vec<Segment<'p>>,
    pub(super) impls: Vec<Implementation<'p>>,
    pub(super) imports: Vec<Import>,
    /// The mentions of the type that are in no path, such as those in the rules of a macro.
    pub(super) strays: Vec<Place>,
}

pub(super) struct Field<'p> {
    /// The field's name; a field of a tuple has none.
    pub(super) name: Option<&'p str>,
    pub(super) whole: Place,
    /// The place from the field's name up to its type; a field of a tuple has none.
    pub(super) label: Option<Place>,
    pub(super) ty: Place,
    /// The reads of the field that are known to read this field and no other.
    pub(super) reads: Vec<Read>,
}

/// An expression that makes a value of a struct, variant or union, or a pattern that takes one apart.
pub(super) struct Use {
    pub(super) is_pattern: bool,
    pub(super) whole: Place,
    /// The index, among the definition's segments, of the last segment of the path that the expression or pattern begins with.
    pub(super) segment: usize,
    pub(super) shape: Shape,
    pub(super) parts: Vec<Part>,
    /// The index of the part before which a pattern has `..`; `Some` of any number for a struct expression with a base (`..x`).
    pub(super) rest: Option<usize>,
}

/// The value or pattern for one field in an expression or pattern, such as `f: 1` in `S { f: 1 }`.
pub(super) struct Part {
    pub(super) member: Option<String>,
    pub(super) whole: Place,
    /// The place from the field's name up to its value; nothing for a shorthand, as in `S { f }`.
    pub(super) label: Option<Place>,
    pub(super) value: Place,
}

/// A name in a path, with its generic arguments, that means a type or variant.
pub(super) struct Segment<'p> {
    pub(super) name: &'p str,
    pub(super) at: Position,
    /// The part of the path before the segment.
    pub(super) before: Option<Place>,
    /// The part of the path up to the end of this segment.
    pub(super) prefix: Place,
    /// The segment with its arguments.
    pub(super) whole: Place,
    /// The segment's arguments, with the angle brackets.
    pub(super) brackets: Option<Place>,
    pub(super) args: Vec<&'p str>,
    pub(super) role: PathRole,
    pub(super) is_last: bool,
}

/// The use of a path: as a type, as a value, or as something else.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PathRole {
    Type,
    Value,
    /// A path that names a trait, or an associated type of one.
    Other,
}

/// A read of a field, `x.f`.
pub(super) struct Read {
    whole: Place,
    base: Place,
    /// The place of the name or number of the field that is read.
    pub(super) member: Place,
    /// The place of the statement, if that assigns to the field (`x.f = 1;`).
    assignment: Option<Place>,
}

/// The part of a use declaration that goes when a name in it does.
pub(super) struct Import {
    at: Position,
    pub(super) whole: Place,
    /// Whether the import ends with the name itself, and not with something in it.
    pub(super) is_leaf: bool,
}

impl<'p> Data<'p> {
    /// Finds all types of a program, with their uses.
    pub(super) fn of(program: &'p Program) -> Self {
        let mut data = Self {
            program,
            definitions: Vec::new(),
            parameters: Vec::new(),
        };
        read::definitions(&mut data);
        link::uses(&mut data);
        data
    }

    /// Returns the variants of an enum.
    pub(super) fn variants_of(&self, definition: &Definition<'p>) -> &[Definition<'p>] {
        &self.definitions[definition.variants.clone()]
    }

    /// Removes the generic parameters of impls, functions and traits that are mentioned in these places and nowhere else.
    pub(super) fn remove_unneeded(&self, places: &[Place], change: &mut Change<'_>) {
        let is_there = |at: &Position| places.iter().any(|place| at.is_in(place));
        for (name, whole) in &self.parameters {
            let mentions = self.program.mentions().of(*name);
            if !mentions.is_empty() && mentions.iter().all(is_there) {
                change.remove(whole);
            }
        }
    }
}

impl Read {
    /// Puts `x` in place of the read `x.f`.
    pub(super) fn unwrap(&self, change: &mut Change<'_>) {
        let after = self.base.range.end..self.whole.range.end;
        change.delete(&Place::new(self.whole.file, after));
    }

    /// Whether `x` in the read `x.f` is a variable, and not `self`.
    pub(super) fn is_of_variable(&self, program: &Program) -> bool {
        let base = program.text(&self.base);
        base != "self" && syn::parse_str::<syn::Ident>(base).is_ok()
    }

    /// Puts what `x` refers to, through this number of references, in place of the read `x.f`.
    pub(super) fn dereference(&self, program: &Program, depth: usize, change: &mut Change<'_>) {
        let text = format!("{}{}", "*".repeat(depth), program.text(&self.base));
        change.replace_expr(&self.whole, &text);
    }

    /// Puts an expression in place of the read `x.f`; where the field is assigned to, the assignment is removed instead.
    pub(super) fn become_text(&self, text: &str, change: &mut Change<'_>) {
        match &self.assignment {
            Some(statement) => change.remove(statement),
            None => change.replace_expr(&self.whole, text),
        };
    }
}

impl<'p> Definition<'p> {
    pub(super) fn is_variant(&self) -> bool {
        matches!(self.kind, Kind::Variant(_))
    }

    /// Returns the generic parameters of the definition.
    pub(super) fn parameters(&self) -> impl Iterator<Item = &'p GenericParam> + use<'p> {
        self.generics.into_iter().flat_map(|one| &one.params)
    }

    pub(super) fn has_where(&self) -> bool {
        self.generics.is_some_and(|one| one.where_clause.is_some())
    }

    /// Returns the values and patterns for the field at an index, each with the expression or pattern that it is a part of.
    pub(super) fn parts(&self, idx: usize) -> impl Iterator<Item = (&Use, &Part)> {
        let (n, name) = (self.fields.len(), self.fields[idx].name);
        let part = move |one| Some((one, Use::part(one, idx, name, n)?));
        self.uses.iter().filter_map(part)
    }

    /// Removes the item or variant, with the imports that name it.
    pub(super) fn remove(&self, change: &mut Change<'_>) {
        change.remove(&self.whole);
        for import in &self.imports {
            change.remove(&import.whole);
        }
    }
}

impl Use {
    /// Replaces a whole expression or pattern, such as `S { f: 1 }`, by the value of one of its parts (`1`) between two texts.
    pub(super) fn leave(&self, part: &Part, around: (&str, &str), change: &mut Change<'_>) {
        let (file, whole, value) = (self.whole.file, &self.whole.range, &part.value.range);
        change.replace(&Place::new(file, whole.start..value.start), around.0);
        change.replace(&Place::new(file, value.end..whole.end), around.1);
    }

    /// Returns the part of an expression or pattern that stands for the field at `idx` of `n`, called `name`.
    pub(super) fn part(&self, idx: usize, name: Option<&str>, n: usize) -> Option<&Part> {
        match &self.shape {
            Shape::Named(_) => {
                let name = name.map_or_else(|| idx.to_string(), str::to_owned);
                let is_it = |part: &&Part| part.member.as_ref() == Some(&name);
                self.parts.iter().find(is_it)
            }
            _ => self.parts.get(self.position(idx, n)?),
        }
    }

    /// Returns the index of the part of a tuple that stands for a field: parts after `..` count from the end.
    fn position(&self, idx: usize, n: usize) -> Option<usize> {
        match self.rest {
            Some(rest) if idx < rest => Some(idx),
            Some(rest) => {
                let from_end = n.checked_sub(idx)?;
                let position = self.parts.len().checked_sub(from_end)?;
                (position >= rest).then_some(position)
            }
            None => Some(idx),
        }
    }
}
