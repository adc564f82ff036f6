//! Finds the sites of a program: the expressions, in bodies that run, whose values literals may replace, and the loops and
//! branches. And the loops whose rounds may be told apart.

use super::branches::{Branching, branchings};
use super::loops::Looping;
use super::own_types;
use crate::passes::Jumps;
use crate::precedence::Role;
use crate::program::{Place, Program, SyntaxFile};
use crate::visit::{self, At, Node, Walk};
use std::collections::{HashMap, HashSet};
use syn::{Block, Expr, ImplItem, Item, Member, Stmt, TraitItem, UnOp};

/// A place where a probe is put.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::failing_test) struct Site {
    pub(in crate::failing_test) place: Place,
    pub(in crate::failing_test) kind: SiteKind,
    /// The number of inline modules of the file that are around the place.
    pub(in crate::failing_test) depth: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::failing_test) enum SiteKind {
    /// An expression that makes a new value.
    Value,
    /// A variable or a part of one that is only read at this place.
    Place,
    /// A variable or a field, of this text, whose value may be moved away here, or borrowed again if it is a reference.
    MovedPlace(String),
    /// A loop; the site's place ends where the statements of the loop's body begin.
    Loop,
    /// The statements of a loop's body, to see each round begin.
    Round,
    /// The whole loop with this number, to see that it comes to its end.
    End(usize),
    /// The body of a loop whose header binds this name.
    Bound(String),
    /// The code of a branch, or a jump, to see whether it is executed.
    Branch,
    /// The statements of a branch, to see that it is entered.
    Entered,
    /// An `if` without `else`, to see that its branch is not taken.
    NotTaken,
    /// The statements of a function, to see when it begins and ends.
    Function,
    /// The body of a closure, to see when it begins and ends.
    Closure,
    /// An expression or, if a name is given, a type that is a parameter of the function which begins here, to see which type it
    /// is.
    TypeOf(Option<String>),
    /// A call of a method on a field, to see what that field, of this text, is.
    Receiver(String),
    /// A call that stands as a statement, to see what it gives if that can be copied.
    Copy,
    /// The definition of a type, of which this text writes values.
    Type(String),
}

impl SiteKind {
    /// Whether the site is an expression that a literal may replace.
    pub(in crate::failing_test) fn is_expression(&self) -> bool {
        matches!(self, Self::Value | Self::Place | Self::MovedPlace(_))
    }
}

/// All sites of a program.
pub(in crate::failing_test) struct Sites<'p> {
    /// The sites: expressions, each before those in it; then loops, and the names that they bind.
    pub(in crate::failing_test) all: Vec<Site>,
    pub(super) loops: Vec<RunLoop<'p>>,
    /// The sites of branches and jumps in loops, by the place of their code.
    pub(super) branches: HashMap<Place, usize>,
}

/// A loop, and the sites that belong to it.
pub(super) struct RunLoop<'p> {
    pub(super) looping: Looping<'p>,
    pub(super) idx: usize,
    /// The sites of the names that the loop's header binds.
    pub(super) bound: Vec<usize>,
    /// The branchings in the loop.
    pub(super) branchings: Vec<Branching<'p>>,
}

/// Finds all sites of a program.
pub(in crate::failing_test) fn sites(program: &Program) -> Sites<'_> {
    let mut walk = SitesWalk {
        program,
        jumps: Jumps::of(program),
        moved: HashSet::new(),
        excluded: HashSet::new(),
        modules: Vec::new(),
        found: Vec::new(),
        loops: Vec::new(),
    };
    visit::each_also_in_macros(program, |at, node| walk.enter(at, node));
    let mut sites = Sites {
        all: walk.found,
        loops: Vec::new(),
        branches: HashMap::new(),
    };
    for (looping, depth) in walk.loops {
        sites.add_loop(program, looping, depth);
    }
    for file in program.files() {
        sites.add_types(file);
    }
    sites
}

impl<'p> Sites<'p> {
    fn add_types(&mut self, file: SyntaxFile<'p>) {
        let written = file.syntax.items.iter().filter_map(|item| {
            Some(Site {
                place: file.place(item),
                kind: SiteKind::Type(own_types::written(file, item)?),
                depth: 0,
            })
        });
        self.all.extend(written);
    }

    fn add_loop(&mut self, program: &'p Program, looping: Looping<'p>, depth: usize) {
        let mut add = |place: Place, kind: SiteKind| {
            self.all.push(Site { place, kind, depth });
            self.all.len() - 1
        };
        let idx = add(looping.header_place(), SiteKind::Loop);
        add(looping.whole(), SiteKind::End(idx));
        let names = looping.bound_names().into_iter();
        let kinds = names.map(|name| SiteKind::Bound(name.ident.to_string()));
        let bound = kinds.map(|kind| add(looping.contents(), kind)).collect();
        let branchings = branchings(program, looping.file, looping.body);
        let arms = branchings
            .iter()
            .flat_map(|one| one.kind.arms(looping.file));
        let jumps = looping.jumps.iter().map(|jump| looping.file.place(jump));
        for place in arms.map(|arm| arm.body).chain(jumps) {
            // A loop around this one may have it already.
            let of_branch = |place: &Place| add(place.clone(), SiteKind::Branch);
            self.branches.entry(place).or_insert_with_key(of_branch);
        }
        self.loops.push(RunLoop {
            looping,
            idx,
            bound,
            branchings,
        });
    }
}

struct SitesWalk<'p> {
    program: &'p Program,
    jumps: Jumps,
    /// The expressions whose value is moved to another place.
    moved: HashSet<*const Expr>,
    excluded: HashSet<*const Expr>,
    /// The inline modules around the current place of the walk.
    modules: Vec<Place>,
    found: Vec<Site>,
    /// The loops that were found, each with the number of inline modules around it.
    loops: Vec<(Looping<'p>, usize)>,
}

impl<'p> SitesWalk<'p> {
    fn enter(&mut self, at: At<'p>, node: Node<'p>) -> Walk {
        match node {
            Node::Item(item) => return self.item(at, item),
            Node::ImplItem(ImplItem::Const(_)) | Node::TraitItem(TraitItem::Const(_)) => {
                return Walk::Past;
            }
            Node::ImplItem(ImplItem::Fn(one)) => return Walk::unless_const(&one.sig),
            Node::TraitItem(TraitItem::Fn(one)) => return Walk::unless_const(&one.sig),
            Node::Type(_) | Node::GenericArgument(_) | Node::Pat(_) => return Walk::Past,
            Node::Stmt(Stmt::Expr(expression, Some(_))) => {
                self.excluded.insert(expression);
            }
            Node::Local(local) => {
                if let Some(init) = &local.init {
                    self.moved.insert(&*init.expr);
                }
            }
            Node::Block(block) => self.block(at, block),
            Node::Expr(expression) => return self.expression(at, expression),
            _ => {}
        }
        Walk::Inside
    }

    fn item(&mut self, at: At<'_>, item: &Item) -> Walk {
        match item {
            Item::Const(_) | Item::Static(_) | Item::Enum(_) | Item::Macro(_) => Walk::Past,
            Item::Fn(one) => Walk::unless_const(&one.sig),
            Item::Mod(one) => {
                self.modules
                    .extend(one.content.as_ref().map(|_| at.place(one)));
                Walk::Inside
            }
            _ => Walk::Inside,
        }
    }

    fn block(&mut self, at: At<'p>, block: &'p Block) {
        if let Some(Stmt::Expr(last, None)) = block.stmts.last() {
            self.moved.insert(last);
        }
        for statement in &block.stmts {
            if let Some(looping) = Looping::of(at.file, statement, &self.jumps) {
                let depth = self.depth(&looping.header_place());
                self.loops.push((looping, depth));
            }
        }
    }

    /// Returns the number of inline modules around a place.
    fn depth(&self, place: &Place) -> usize {
        let around = self.modules.iter().filter(|module| place.is_within(module));
        around.count()
    }

    fn expression(&mut self, at: At<'_>, expression: &Expr) -> Walk {
        self.look_at_parts(expression);
        let place = at.place(expression);
        if let Some(kind) = self.kind(&place, expression) {
            let depth = self.depth(&place);
            self.found.push(Site { place, kind, depth });
        }
        match expression {
            Expr::Const(_) => Walk::Past,
            _ => Walk::Inside,
        }
    }

    /// Notes the parts of an expression whose value is moved, and those that no literal may replace.
    fn look_at_parts(&mut self, expression: &Expr) {
        match expression {
            Expr::Call(one) => self.moved.extend(one.args.iter().map(std::ptr::from_ref)),
            Expr::MethodCall(one) => self.moved.extend(one.args.iter().map(std::ptr::from_ref)),
            Expr::Tuple(one) => self.moved.extend(one.elems.iter().map(std::ptr::from_ref)),
            Expr::Array(one) => self.moved.extend(one.elems.iter().map(std::ptr::from_ref)),
            Expr::Struct(one) => {
                let values = one
                    .fields
                    .iter()
                    .map(|field| std::ptr::from_ref(&field.expr));
                self.moved.extend(values);
            }
            Expr::Return(one) => self
                .moved
                .extend(one.expr.as_deref().map(std::ptr::from_ref)),
            Expr::Closure(one) => self.moved.extend([std::ptr::from_ref(&*one.body)]),
            Expr::ForLoop(one) => self.moved.extend([std::ptr::from_ref(&*one.expr)]),
            Expr::Assign(one) => self.moved.extend([std::ptr::from_ref(&*one.right)]),
            Expr::Match(one) => {
                let arms = one.arms.iter().map(|arm| std::ptr::from_ref(&*arm.body));
                self.moved.extend(arms);
                // Names in patterns may refer to the matched expression.
                self.excluded.insert(&*one.expr);
            }
            Expr::If(one) => {
                let other = one.else_branch.as_ref();
                self.excluded
                    .extend(other.map(|(_, one)| std::ptr::from_ref(&**one)));
            }
            Expr::Reference(one) if one.mutability.is_some() => {
                self.excluded.insert(&*one.expr);
            }
            Expr::Repeat(one) => {
                self.excluded.insert(&*one.len);
            }
            // What is behind it may be changed, and is read by itself where it is read.
            Expr::Unary(one) if matches!(one.op, UnOp::Deref(_)) => {
                self.excluded.insert(&*one.expr);
            }
            _ => {}
        }
    }

    fn kind(&self, place: &Place, expression: &Expr) -> Option<SiteKind> {
        if self.excluded.contains(&std::ptr::from_ref(expression)) {
            return None;
        }
        let role = self.program.expression_context(place).role;
        let is_value_wanted = !matches!(
            role,
            Role::Assigned
                | Role::Callee
                | Role::Scrutinee
                | Role::Shorthand
                | Role::Unknown
                | Role::GenericArgument
        );
        if !is_value_wanted {
            return None;
        }
        if is_new_value(expression) {
            return Some(SiteKind::Value);
        }
        // A method may change what it is called on.
        let is_read = is_place(expression) && !matches!(role, Role::Receiver | Role::Indexed);
        is_read.then(|| {
            let is_moved = self.moved.contains(&std::ptr::from_ref(expression));
            match is_moved {
                true if is_field(expression) => {
                    SiteKind::MovedPlace(self.program.text(place).to_owned())
                }
                true => SiteKind::Value,
                false => SiteKind::Place,
            }
        })
    }
}

/// Whether an expression computes a value, and is no literal value already.
pub(in crate::failing_test) fn is_new_value(expression: &Expr) -> bool {
    match expression {
        Expr::Binary(one) => !crate::precedence::is_assignment(&one.op),
        // `-1` is a literal.
        Expr::Unary(one) => !matches!(one.op, UnOp::Deref(_)) && !matches!(*one.expr, Expr::Lit(_)),
        Expr::Call(_)
        | Expr::MethodCall(_)
        | Expr::Macro(_)
        | Expr::Cast(_)
        | Expr::Await(_)
        | Expr::Try(_)
        | Expr::If(_)
        | Expr::Match(_) => true,
        _ => false,
    }
}

/// Whether an expression is a variable or a field, perhaps of another field.
pub(in crate::failing_test) fn is_field(expression: &Expr) -> bool {
    match expression {
        Expr::Path(_) => true,
        Expr::Field(one) => is_field(&one.base),
        _ => false,
    }
}

/// Whether an expression is a variable or a part of one.
fn is_place(expression: &Expr) -> bool {
    match expression {
        Expr::Path(path) => {
            let ident = path.path.get_ident();
            path.qself.is_none() && ident.is_some_and(|ident| ident != "self")
        }
        Expr::Field(one) => !matches!(one.member, Member::Named(ref name) if name == "await"),
        Expr::Index(_) => true,
        Expr::Unary(one) => matches!(one.op, UnOp::Deref(_)),
        _ => false,
    }
}
