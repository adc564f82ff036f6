//! The types of a program and where they are used: definitions with their fields and variants, and
//! the expressions, patterns, paths and imports that mean them. All by place, so that macro calls whose
//! arguments parse as expressions count too.

mod names;
mod read;
mod substitution;

pub(super) use substitution::substituted;

use crate::program::{Change, Place, Program};
use names::Names;
use reduce_model::Position;
use std::collections::{HashMap, HashSet};

/// All that passes over types need to know of a program.
#[derive(Default)]
pub(super) struct Data {
    /// In order of the text; a variant comes after its enum.
    pub(super) definitions: Vec<Definition>,
    /// Expressions and patterns that are made of a struct, variant or union.
    pub(super) uses: Vec<Use>,
    /// The segments of all paths.
    pub(super) segments: Vec<Segment>,
    pub(super) impls: Vec<Impl>,
    pub(super) reads: Vec<Read>,
    pub(super) imports: Vec<Import>,
    /// An or-pattern comes before those in it.
    pub(super) alternatives: Vec<Alternatives>,
    /// The generic parameters of impls, functions and traits.
    pub(super) parameters: Vec<Parameter>,
    /// Whether there is a tuple that is no struct.
    pub(super) has_tuples: bool,
    /// By definition: indices of uses, and of segments.
    uses_of: Vec<Vec<usize>>,
    segments_of: Vec<Vec<usize>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Struct,
    Union,
    Enum,
    /// With the index of its enum.
    Variant(usize),
    Alias,
}

/// How fields are written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Shape {
    Unit,
    /// With the parentheses and what is in them.
    Tuple(Place),
    /// With the braces and what is in them.
    Named(Place),
}

pub(super) struct Definition {
    pub(super) kind: Kind,
    pub(super) name: String,
    pub(super) at: Position,
    /// The item or variant.
    pub(super) whole: Place,
    /// `struct`, `enum` or `union`; of a variant its name.
    pub(super) keyword: Place,
    pub(super) generics: Vec<Parameter>,
    pub(super) has_where: bool,
    pub(super) shape: Shape,
    pub(super) fields: Vec<Field>,
    pub(super) discriminant: Option<Place>,
    /// What an enum has between its braces, and these.
    pub(super) body: Option<Place>,
    /// What a type alias stands for.
    pub(super) alias: Option<Place>,
    /// Indices of the variants.
    pub(super) variants: Vec<usize>,
}

/// A generic parameter.
pub(super) struct Parameter {
    pub(super) name: String,
    pub(super) is_const: bool,
    /// Of a lifetime the byte of its mark, which nothing mentions.
    pub(super) at: Position,
    /// The name of what has the parameter; an impl has none.
    pub(super) owner: Option<Position>,
    /// Which one it is, and of how many.
    pub(super) idx: usize,
    pub(super) n: usize,
    pub(super) place: Place,
}

pub(super) struct Field {
    /// A field of a tuple has none.
    pub(super) name: Option<String>,
    pub(super) whole: Place,
    /// From the name up to the type.
    pub(super) label: Option<Place>,
    pub(super) ty: Place,
}

/// An expression or pattern that is made of a struct, variant or union.
pub(super) struct Use {
    pub(super) is_pattern: bool,
    pub(super) whole: Place,
    pub(super) path: Place,
    /// The last segment of its path, as an index.
    pub(super) segment: usize,
    pub(super) shape: Shape,
    pub(super) parts: Vec<Part>,
    /// Index of the part before which `..` stands in a pattern; or any number for a struct expression
    /// with a base.
    pub(super) rest: Option<usize>,
    /// The arm, or the case of an or-pattern, in which a pattern stands.
    pub(super) arm: Option<Place>,
}

/// A value or pattern for one field.
pub(super) struct Part {
    pub(super) member: Option<String>,
    pub(super) whole: Place,
    /// From the name up to the value; nothing for a shorthand.
    pub(super) label: Option<Place>,
    pub(super) value: Place,
}

/// A segment of a path.
pub(super) struct Segment {
    pub(super) name: String,
    pub(super) at: Position,
    pub(super) before: Option<String>,
    /// From the beginning of the path to the end of this segment.
    pub(super) prefix: Place,
    /// The segment with its arguments.
    pub(super) whole: Place,
    /// Its arguments, with the angle brackets.
    pub(super) brackets: Option<Place>,
    pub(super) args: Vec<Place>,
    pub(super) role: PathRole,
    pub(super) is_last: bool,
    /// Where the name of the type stands that `Self` means here.
    own: Option<(String, Position)>,
}

/// What a path stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PathRole {
    Type,
    Value,
    Other,
}

pub(super) struct Impl {
    pub(super) whole: Place,
    /// Where the last name of its type stands.
    pub(super) own: Option<Position>,
    pub(super) is_inherent: bool,
}

/// `x.f`
pub(super) struct Read {
    pub(super) whole: Place,
    pub(super) base: Place,
    pub(super) member: String,
    pub(super) member_place: Place,
    /// Where the name of the type stands, if the receiver is `self`.
    own: Option<Position>,
    /// The statement that assigns to it.
    assignment: Option<Place>,
}

/// A name in a use declaration, with what goes when the name does.
pub(super) struct Import {
    pub(super) at: Position,
    pub(super) whole: Place,
    /// Else something in it is imported.
    pub(super) is_leaf: bool,
}

/// The cases of an or-pattern, and the arm or case in which it stands.
pub(super) struct Alternatives {
    pub(super) cases: Vec<Place>,
    pub(super) around: Option<Place>,
}

impl Data {
    /// Reads a program.
    pub(super) fn of(program: &Program) -> Self {
        let mut data = Self::default();
        program
            .files()
            .for_each(|file| read::read(&mut data, program, file));
        data.resolve(program);
        data
    }

    fn resolve(&mut self, program: &Program) {
        let names = Names::new(program, &self.definitions);
        let n = self.definitions.len();
        (self.uses_of, self.segments_of) = (vec![Vec::new(); n], vec![Vec::new(); n]);
        let mut target = HashMap::new();
        for (idx, segment) in self.segments.iter().enumerate() {
            if let Some(definition) = names.resolve(program, segment) {
                target.insert(idx, definition);
                self.segments_of[definition].push(idx);
            }
        }
        for (idx, one) in self.uses.iter().enumerate() {
            if let Some(&definition) = target.get(&one.segment) {
                self.uses_of[definition].push(idx);
            }
        }
    }

    /// The expressions and patterns that are made of a definition.
    pub(super) fn uses_of(&self, definition: usize) -> impl Iterator<Item = &Use> {
        let of_one = self.uses_of.get(definition).into_iter().flatten();
        of_one.filter_map(|&idx| self.uses.get(idx))
    }

    /// The segments that mean a definition, also by `Self`.
    pub(super) fn segments_of(&self, definition: usize) -> impl Iterator<Item = &Segment> {
        let of_one = self.segments_of.get(definition).into_iter().flatten();
        of_one.filter_map(|&idx| self.segments.get(idx))
    }

    /// The variants of an enum.
    pub(super) fn variants_of<'d>(
        &'d self,
        definition: &'d Definition,
    ) -> impl Iterator<Item = &'d Definition> {
        let variants = definition.variants.iter();
        variants.filter_map(|&idx| self.definitions.get(idx))
    }

    /// The impls of a definition.
    pub(super) fn impls_of(&self, definition: usize) -> impl Iterator<Item = &Impl> {
        let named: HashSet<Position> = self.segments_of(definition).map(|one| one.at).collect();
        let is_of = move |one: &&Impl| one.own.is_some_and(|own| named.contains(&own));
        self.impls.iter().filter(is_of)
    }

    /// The imports of a definition.
    pub(super) fn imports_of<'d>(
        &'d self,
        program: &'d Program,
        definition: &Definition,
    ) -> impl Iterator<Item = &'d Import> {
        let named = program.mentions().of(definition.at);
        let is_of = |one: &&Import| named.binary_search(&one.at).is_ok();
        self.imports.iter().filter(is_of)
    }

    /// The reads of a field, as far as is known: those from `self`, or all of the name if no other
    /// definition has such a field.
    pub(super) fn reads_of(
        &self,
        definition: usize,
        member: String,
    ) -> impl Iterator<Item = &Read> {
        let has_it = |one: &Definition| {
            let is_one = |(idx, field): (usize, &Field)| field.is(idx, &member);
            !matches!(one.kind, Kind::Variant(_)) && one.fields.iter().enumerate().any(is_one)
        };
        let is_alone = self.definitions.iter().filter(|one| has_it(one)).count() == 1;
        let is_tuple = member.starts_with(|first: char| first.is_ascii_digit());
        let all = is_alone && !(is_tuple && self.has_tuples);
        let named: HashSet<Position> = self.segments_of(definition).map(|one| one.at).collect();
        let is_known = move |one: &Read| one.own.map_or(all, |own| named.contains(&own));
        let reads = self.reads.iter();
        reads.filter(move |one| one.member == member && is_known(one))
    }

    /// The mentions of a definition that are in no path, such as those in the rules of a macro.
    pub(super) fn strays(&self, program: &Program, definition: usize) -> Vec<Place> {
        let Some(one) = self.definitions.get(definition) else {
            return Vec::new();
        };
        let segments = self.segments_of(definition).map(|segment| segment.at);
        let imports = self.imports_of(program, one).map(|import| import.at);
        let known: HashSet<Position> = segments.chain(imports).collect();
        let all = program.mentions().of(one.at).iter();
        all.filter(|at| !known.contains(at))
            .map(|&Position { file, at }| Place::new(file, at..at + one.name.len()))
            .collect()
    }

    /// Removes the parameters of impls and functions that are mentioned, but only in these places.
    pub(super) fn remove_unneeded(
        &self,
        program: &Program,
        places: &[Place],
        change: &mut Change<'_>,
    ) {
        let is_there = |&at: &Position| places.iter().any(|place| at.is_in(place));
        for one in &self.parameters {
            let mentions = program.mentions().of(one.at);
            if !mentions.is_empty() && mentions.iter().all(is_there) {
                change.remove(&one.place);
            }
        }
    }

    /// Removes an item or variant, with the imports that name it.
    pub(super) fn remove(&self, program: &Program, definition: usize, change: &mut Change<'_>) {
        let Some(one) = self.definitions.get(definition) else {
            return;
        };
        change.remove(&one.whole);
        for import in self.imports_of(program, one) {
            change.remove(&import.whole);
        }
    }
}

impl Read {
    /// Leaves of it what is read from.
    pub(super) fn unwrap(&self, change: &mut Change<'_>) {
        let Place { file, range: whole } = &self.whole;
        change.delete(&Place::new(*file, self.base.range.end..whole.end));
    }

    /// Puts an expression in place of the read. An assignment goes instead.
    pub(super) fn become_text(&self, text: &str, change: &mut Change<'_>) {
        match &self.assignment {
            Some(statement) => change.remove(statement),
            None => change.replace_expr(&self.whole, text),
        };
    }
}

impl Definition {
    /// The name by which the field at an index is read.
    pub(super) fn member(&self, idx: usize) -> String {
        let name = self.fields.get(idx).and_then(|one| one.name.clone());
        name.unwrap_or_else(|| idx.to_string())
    }
}

impl Field {
    /// Whether the field at this index is called so.
    pub(super) fn is(&self, idx: usize, member: &str) -> bool {
        match &self.name {
            Some(name) => name == member,
            None => idx.to_string() == member,
        }
    }
}

impl Use {
    /// The part that stands for the field at `idx` of `n`, called `name`.
    pub(super) fn part(&self, idx: usize, name: Option<&str>, n: usize) -> Option<&Part> {
        let by_position = |wanted: &str| {
            let is_it = |part: &&Part| part.member.as_deref() == Some(wanted);
            self.parts.iter().find(is_it)
        };
        match (&self.shape, name) {
            (Shape::Named(_), Some(name)) => by_position(name),
            (Shape::Named(_), None) => by_position(&idx.to_string()),
            _ => self.parts.get(self.position(idx, n)?),
        }
    }

    /// Which part of a tuple stands for a field: those after `..` count from the end.
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
