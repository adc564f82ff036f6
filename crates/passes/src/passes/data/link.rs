//! Links the types of a program to the expressions that are made of them, the paths that name them, and
//! the reads of their fields.

use super::{Data, Definition, Import, Part, PathRole, Read, Segment, Shape, Use};
use crate::passes::expressions::member_name;
use crate::passes::generics::{Implementation, type_name};
use crate::precedence::is_assignment;
use crate::program::Place;
use crate::visit::{self, At, Node, Walk};
use reduce_model::Position;
use reduce_syntax::Located;
use std::collections::{HashMap, HashSet};
use syn::{
    Expr, ExprField, ExprPath, FieldPat, FieldValue, Ident, Item, Member, Pat, Path, PathArguments,
    Stmt, Token, Type, TypeParamBound, UseTree,
};

/// Adds all uses to the definitions.
pub(super) fn uses(data: &mut Data<'_>) {
    let program = data.program;
    let mut link = Link::new(data);
    visit::each_also_in_macros(program, |at, node| link.node(at, node));
    link.numbered_reads();
    link.strays();
}

struct Link<'d, 'p> {
    data: &'d mut Data<'p>,
    /// The index of the definition that the name at a position means. The keyword of an impl stands for its type.
    meant: HashMap<Position, usize>,
    /// The fields that have names, as indices of definition and field, by the positions of the names.
    fields: HashMap<Position, (usize, usize)>,
    /// The path that the last visited call calls, until the path itself is visited.
    callee: Option<&'p ExprPath>,
    /// The left side of the assignment in the last visited statement, with the statement.
    assigned: Option<(&'p Expr, Place)>,
    /// Reads of fields without names (`x.0`): the index of the definition, if that is known, the index of the field,
    /// and the read.
    numbered: Vec<(Option<usize>, usize, Read)>,
    /// Whether the program has tuples other than tuple structs.
    has_tuples: bool,
}

/// The shape, the parts and the index of `..` of an expression or pattern that begins with a path.
struct Made(Shape, Vec<Part>, Option<usize>);

const UNIT: fn() -> Made = || Made(Shape::Unit, Vec::new(), None);

impl<'d, 'p> Link<'d, 'p> {
    fn new(data: &'d mut Data<'p>) -> Self {
        let mut link = Self {
            data,
            meant: HashMap::new(),
            fields: HashMap::new(),
            callee: None,
            assigned: None,
            numbered: Vec::new(),
            has_tuples: false,
        };
        link.mentions();
        link.impls();
        link
    }

    fn mentions(&mut self) {
        let mentions = self.data.program.mentions();
        for (idx, one) in self.data.definitions.iter().enumerate() {
            let all = mentions.of(one.at).iter().chain([&one.at]);
            self.meant.extend(all.map(|&at| (at, idx)));
            for (nth, field) in one.fields.iter().enumerate() {
                let named = field.label.as_ref().filter(|_| !one.is_variant());
                self.fields
                    .extend(named.map(|label| (label.start(), (idx, nth))));
            }
        }
    }

    fn impls(&mut self) {
        visit::each(self.data.program, |at, node| {
            if let Node::Item(Item::Impl(block)) = node
                && let Some(name) = type_name(&block.self_ty)
                && let Some(&idx) = self.meant.get(&at.position(name))
            {
                let keyword = at.place(&block.impl_token).start();
                self.meant.insert(keyword, idx);
                let file = at.file;
                self.data.definitions[idx]
                    .impls
                    .push(Implementation { file, block });
            }
        });
    }

    fn node(&mut self, at: At<'p>, node: Node<'p>) -> Walk {
        match node {
            Node::Item(Item::Macro(one)) if one.ident.is_some() => return Walk::Past,
            Node::Item(Item::Use(one)) => self.import(at, &one.tree, at.place(one)),
            Node::Item(Item::Impl(one)) => {
                if let Some((path, _)) = &one.trait_ {
                    self.path(at, path, PathRole::Other);
                }
            }
            Node::Bound(TypeParamBound::Trait(one)) => {
                self.path(at, &one.path, PathRole::Other);
            }
            Node::Type(Type::Path(one)) => {
                let role = match one.qself {
                    Some(_) => PathRole::Other,
                    None => PathRole::Type,
                };
                self.path(at, &one.path, role);
            }
            Node::Type(Type::Tuple(one)) => self.has_tuples |= !one.elems.is_empty(),
            Node::Stmt(one) => self.assigned = assigned(at, one),
            Node::Expr(one) => self.expression(at, one),
            Node::Pat(one) => self.pattern(at, one),
            _ => {}
        }
        Walk::Inside
    }

    fn expression(&mut self, at: At<'p>, expression: &'p Expr) {
        let whole = (false, at.place(expression));
        match expression {
            Expr::Struct(one) => self.made(at, whole, &one.path, || {
                let part =
                    |one: &FieldValue| named_part(at, &one.member, one.colon_token, one, &one.expr);
                let parts: Vec<Part> = one.fields.iter().map(part).collect();
                let rest = one.dot2_token.map(|_| parts.len());
                Made(Shape::named(at, one.brace_token), parts, rest)
            }),
            Expr::Call(call) => {
                if let Expr::Path(callee) = &*call.func {
                    self.callee = Some(callee);
                    self.made(at, whole, &callee.path, || {
                        let parts = call.args.iter().map(|one| unnamed_part(at, one));
                        Made(Shape::tuple(at, call.paren_token), parts.collect(), None)
                    });
                }
            }
            Expr::Path(one) => {
                let callee = self.callee.take();
                if !callee.is_some_and(|callee| std::ptr::eq(callee, one)) {
                    self.made(at, whole, &one.path, UNIT);
                }
            }
            Expr::Field(read) => self.read(at, expression, read),
            Expr::Tuple(tuple) => self.has_tuples |= !tuple.elems.is_empty(),
            _ => {}
        }
    }

    fn pattern(&mut self, at: At<'p>, pattern: &'p Pat) {
        let whole = (true, at.place(pattern));
        match pattern {
            Pat::Struct(one) => self.made(at, whole, &one.path, || {
                let part =
                    |one: &FieldPat| named_part(at, &one.member, one.colon_token, one, &one.pat);
                let parts: Vec<Part> = one.fields.iter().map(part).collect();
                let rest = one.rest.as_ref().map(|_| parts.len());
                Made(Shape::named(at, one.brace_token), parts, rest)
            }),
            Pat::TupleStruct(one) => self.made(at, whole, &one.path, || {
                let is_rest = |one: &Pat| matches!(one, Pat::Rest(_));
                let parts = one.elems.iter().filter(|one| !is_rest(one));
                let parts = parts.map(|one| unnamed_part(at, one)).collect();
                let rest = one.elems.iter().position(is_rest);
                Made(Shape::tuple(at, one.paren_token), parts, rest)
            }),
            Pat::Path(one) => self.made(at, whole, &one.path, UNIT),
            // A unit struct or variant looks like a variable.
            Pat::Ident(one) if one.subpat.is_none() && one.by_ref.is_none() => {
                let segment = Segment::new(at, &one.ident, PathRole::Value);
                if let Some(idx) = self.mention(segment) {
                    self.add(idx, whole, UNIT());
                }
            }
            _ => {}
        }
    }

    /// Notes an expression or pattern, such as `S { f: 1 }` or `S(x)`, as a use of the type that its path means.
    fn made(
        &mut self,
        at: At<'p>,
        whole: (bool, Place),
        path: &'p Path,
        made: impl FnOnce() -> Made,
    ) {
        if let Some(idx) = self.path(at, path, PathRole::Value) {
            self.add(idx, whole, made());
        }
    }

    /// Adds an expression or pattern to the uses of the definition whose name it begins with.
    fn add(
        &mut self,
        idx: usize,
        (is_pattern, whole): (bool, Place),
        Made(shape, parts, rest): Made,
    ) {
        let definition = &mut self.data.definitions[idx];
        definition.uses.push(Use {
            is_pattern,
            whole,
            segment: definition.segments.len() - 1,
            shape,
            parts,
            rest,
        });
    }

    /// Adds each segment of a path to the type or variant that it means. What the last one means.
    fn path(&mut self, at: At<'p>, path: &'p Path, role: PathRole) -> Option<usize> {
        let start = at.place(path).range.start;
        let n = path.segments.len();
        let mut meant = None;
        for (idx, one) in path.segments.iter().enumerate() {
            let segment = Segment::new(at, &one.ident, role);
            let (file, whole) = (at.id, at.place(one));
            let arguments = match &one.arguments {
                PathArguments::AngleBracketed(all) => Some(all),
                _ => None,
            };
            let args = arguments.into_iter().flat_map(|all| &all.args);
            meant = self.mention(Segment {
                before: (idx > 0).then(|| Place::new(file, start..segment.at.at)),
                prefix: Place::new(file, start..whole.range.end),
                whole,
                brackets: arguments.map(|all| at.place(all)),
                args: args.map(|one| at.text(one)).collect(),
                is_last: idx + 1 == n,
                ..segment
            });
        }
        meant
    }

    /// Adds a segment to the definition that it means.
    fn mention(&mut self, segment: Segment<'p>) -> Option<usize> {
        let idx = match segment.name {
            "Self" => {
                let program = self.data.program;
                let own = program.meant(segment.at)?;
                self.meant.get(&program.model().definition(own).name)
            }
            _ => self.meant.get(&segment.at),
        };
        let idx = *idx?;
        self.data.definitions[idx].segments.push(segment);
        Some(idx)
    }

    fn read(&mut self, at: At<'p>, expression: &'p Expr, read: &'p ExprField) {
        let assigned = self
            .assigned
            .take_if(|(left, _)| std::ptr::eq(*left, expression));
        let found = Read {
            whole: at.place(read),
            base: at.place(&read.base),
            member: at.place(&read.member),
            assignment: assigned.map(|(_, statement)| statement),
        };
        match &read.member {
            Member::Named(name) => {
                let program = self.data.program;
                let field = program.meant(at.position(name));
                let field = field.map(|field| program.model().definition(field).name);
                let field = field.and_then(|name| self.fields.get(&name));
                if let Some(&(idx, nth)) = field {
                    self.data.definitions[idx].fields[nth].reads.push(found);
                }
            }
            Member::Unnamed(number) => {
                let model = self.data.program.model();
                let of = model.struct_of_number(found.member.start());
                let of = of.map(|of| model.definition(of).name);
                let of = of.and_then(|name| self.meant.get(&name));
                self.numbered
                    .push((of.copied(), number.index as usize, found));
            }
        }
    }

    /// Adds the reads of fields without names (`x.0`) to these fields, if the struct is known, or if nothing else has
    /// a field of that number.
    fn numbered_reads(&mut self) {
        for (own, nth, read) in std::mem::take(&mut self.numbered) {
            let definitions = self.data.definitions.iter();
            let has_it = |one: &Definition<'_>| {
                let is_tuple = matches!(one.shape, Shape::Tuple(_)) && !one.is_variant();
                is_tuple && one.fields.len() > nth
            };
            let mut all = definitions.enumerate().filter(|(_, one)| has_it(one));
            let alone = match (all.next(), all.next()) {
                (Some((idx, _)), None) if !self.has_tuples => Some(idx),
                _ => None,
            };
            if let Some(idx) = own.or(alone)
                && let Some(field) = self.data.definitions[idx].fields.get_mut(nth)
            {
                field.reads.push(read);
            }
        }
    }

    fn import(&mut self, at: At<'p>, tree: &'p UseTree, whole: Place) {
        let (name, is_leaf) = match tree {
            UseTree::Path(one) => {
                self.import(at, &one.tree, whole.clone());
                (&one.ident, false)
            }
            UseTree::Group(group) => {
                let is_alone = group.items.len() == 1;
                return group.items.iter().for_each(|one| match is_alone {
                    true => self.import(at, one, whole.clone()),
                    false => self.import(at, one, at.place(one)),
                });
            }
            UseTree::Name(one) => (&one.ident, true),
            UseTree::Rename(one) => (&one.ident, true),
            UseTree::Glob(_) => return,
        };
        if let Some(&idx) = self.meant.get(&at.position(name)) {
            let import = Import {
                at: at.position(name),
                whole,
                is_leaf,
            };
            self.data.definitions[idx].imports.push(import);
        }
    }

    fn strays(&mut self) {
        let mentions = self.data.program.mentions();
        for one in &mut self.data.definitions {
            let segments = one.segments.iter().map(|segment| segment.at);
            let imports = one.imports.iter().map(|import| import.at);
            let known: HashSet<Position> = segments.chain(imports).collect();
            let all = mentions.of(one.at).iter().filter(|at| !known.contains(at));
            let place = |at: &Position| Place::new(at.file, at.at..at.at + one.name.len());
            one.strays = all.map(place).collect();
        }
    }
}

impl<'p> Segment<'p> {
    /// Makes the segment of a path that is a single name.
    fn new(at: At<'p>, name: &'p Ident, role: PathRole) -> Self {
        let whole = at.place(name);
        Self {
            name: at.text_at(&whole),
            at: whole.start(),
            before: None,
            prefix: whole.clone(),
            whole,
            brackets: None,
            args: Vec::new(),
            role,
            is_last: true,
        }
    }
}

fn unnamed_part(at: At<'_>, value: &impl Located) -> Part {
    Part {
        member: None,
        whole: at.place(value),
        label: None,
        value: at.place(value),
    }
}

fn named_part(
    at: At<'_>,
    member: &Member,
    colon: Option<Token![:]>,
    whole: &impl Located,
    value: &impl Located,
) -> Part {
    Part {
        member: Some(member_name(member)),
        whole: at.place(whole),
        label: colon.map(|_| at.up_to(member, value)),
        value: at.place(value),
    }
}

/// Returns the place that a statement assigns to, and the statement.
fn assigned<'p>(at: At<'p>, statement: &'p Stmt) -> Option<(&'p Expr, Place)> {
    let left = match statement {
        Stmt::Expr(Expr::Assign(one), _) => &one.left,
        Stmt::Expr(Expr::Binary(one), _) if is_assignment(&one.op) => &one.left,
        _ => return None,
    };
    Some((left, at.place(statement)))
}
