//! Finds the places of a program that its trace tells of: all expressions of which a literal may be known, and wherever
//! a run may go one way or another.

use super::results::written_type;
use super::trace::{Call, Event, Note};
use crate::failing_test::run_values::BoundNames;
use crate::failing_test::run_values::sites::{Site, SiteKind, is_field, is_new_value, sites};
use crate::passes::is_assertion_name;
use crate::program::{Place, Program, SyntaxFile};
use crate::visit::{self, At, Node, Walk};
use std::collections::HashMap;
use syn::{Block, Expr, ExprClosure, ImplItem, Item, ItemImpl, Signature, Stmt, TraitItem, Type};

/// The sites of a program, by what they are for.
pub(super) struct TraceSites<'p> {
    pub(super) all: Vec<Site>,
    /// The sites of expressions, by their place.
    pub(super) values: HashMap<Place, usize>,
    /// The sites of branches, by the place of their code; that of an `if` without `else` by the whole `if`.
    pub(super) branches: HashMap<Place, usize>,
    /// The sites of loops, by the place of their body.
    pub(super) loops: HashMap<Place, usize>,
    /// The names that the loop or closure with this site binds, each with its site.
    pub(super) bound: HashMap<usize, Vec<(String, usize)>>,
    /// The functions, by their site.
    pub(super) functions: HashMap<usize, Function<'p>>,
    /// The sites behind assertions that are statements, by the assertion's place.
    pub(super) assertions: HashMap<Place, usize>,
    /// The sites of closures, by their place.
    pub(super) closures: HashMap<Place, usize>,
    /// The sites of fields on which a method is called, by the field's place.
    pub(super) receivers: HashMap<Place, usize>,
    /// The sites of calls that stand as statements, by their place.
    pub(super) copies: HashMap<Place, usize>,
    /// The sites that tell the type of an expression which its surroundings decide, by its place.
    pub(super) types: HashMap<Place, usize>,
    /// The parameters of functions and their impls that are types, by the site of what each stands for.
    parameters: HashMap<usize, String>,
}

/// A function of the program.
#[derive(Clone, Copy)]
pub(super) struct Function<'p> {
    pub(super) file: SyntaxFile<'p>,
    pub(super) signature: &'p Signature,
    pub(super) block: &'p Block,
    /// The impl that the function is in.
    pub(super) home: Option<&'p ItemImpl>,
}

/// The name of the type that an impl is of.
pub(super) fn name_of_type(home: &ItemImpl) -> Option<String> {
    match &*home.self_ty {
        Type::Path(path) => Some(path.path.segments.last()?.ident.to_string()),
        _ => None,
    }
}

/// Finds the sites of a program.
pub(super) fn trace_sites(program: &Program) -> TraceSites<'_> {
    let is_kept = |site: &Site| site.kind.is_expression() || matches!(site.kind, SiteKind::Type(_));
    let all: Vec<Site> = sites(program).all.into_iter().filter(is_kept).collect();
    let places = all.iter().enumerate();
    let places = places.filter(|(_, site)| site.kind.is_expression());
    let values = places.map(|(idx, site)| (site.place.clone(), idx));
    let mut found = TraceSites {
        values: values.collect(),
        all,
        branches: HashMap::new(),
        loops: HashMap::new(),
        bound: HashMap::new(),
        functions: HashMap::new(),
        assertions: HashMap::new(),
        closures: HashMap::new(),
        receivers: HashMap::new(),
        copies: HashMap::new(),
        types: HashMap::new(),
        parameters: HashMap::new(),
    };
    let mut modules: Vec<Place> = Vec::new();
    visit::each_also_in_macros(program, |at, node| {
        if let Node::Item(Item::Mod(one)) = node {
            modules.extend(one.content.as_ref().map(|_| at.place(one)));
        }
        let depth = |place: &Place| modules.iter().filter(|one| place.is_within(one)).count();
        found.enter(at, node, &depth)
    });
    found
}

impl<'p> TraceSites<'p> {
    /// Whether a function of that name is entered at a site.
    pub(super) fn is_function(&self, site: usize, name: &str) -> bool {
        let function = self.functions.get(&site);
        function.is_some_and(|function| function.signature.ident == name)
    }

    /// Whether a site is an async function.
    pub(super) fn is_async(&self, site: usize) -> bool {
        let function = self.functions.get(&site);
        function.is_some_and(|function| function.signature.asyncness.is_some())
    }

    /// The types that the parameters of a function stand for in a call of it.
    pub(super) fn types_of(&self, call: &Call) -> HashMap<String, String> {
        let noted = call.events.iter().filter_map(|event| match event {
            Event::Noted(site, Note::Literal(ty), _) => {
                let ty = written_type(ty).filter(|ty| !ty.contains('_'))?;
                Some((self.parameters.get(site)?.clone(), ty))
            }
            _ => None,
        });
        noted.collect()
    }

    fn enter(&mut self, at: At<'p>, node: Node<'p>, depth: &dyn Fn(&Place) -> usize) -> Walk {
        match node {
            Node::Item(Item::Const(_) | Item::Static(_) | Item::Macro(_))
            | Node::ImplItem(ImplItem::Const(_))
            | Node::TraitItem(TraitItem::Const(_))
            | Node::Type(_)
            | Node::GenericArgument(_)
            | Node::Expr(Expr::Const(_)) => return Walk::Past,
            Node::Item(Item::Fn(one)) => return self.function(at, &one.sig, &one.block, depth),
            Node::ImplItem(ImplItem::Fn(one)) => {
                return self.function(at, &one.sig, &one.block, depth);
            }
            Node::TraitItem(TraitItem::Fn(one)) => {
                return one.default.as_ref().map_or(Walk::Past, |block| {
                    self.function(at, &one.sig, block, depth)
                });
            }
            Node::Block(block) => {
                self.ends_of_loops(at, block, depth);
                self.ends_of_assertions(at, block, depth);
                self.calls(at, block, depth);
            }
            Node::Expr(expression) => self.expression(at, expression, depth),
            _ => {}
        }
        Walk::Inside
    }

    fn add(&mut self, place: Place, kind: SiteKind, depth: &dyn Fn(&Place) -> usize) -> usize {
        let depth = depth(&place);
        self.all.push(Site { place, kind, depth });
        self.all.len() - 1
    }

    fn function(
        &mut self,
        at: At<'p>,
        signature: &'p Signature,
        block: &'p Block,
        depth: &dyn Fn(&Place) -> usize,
    ) -> Walk {
        if Walk::unless_const(signature) == Walk::Past {
            return Walk::Past;
        }
        let contents = at.inside(block.brace_token.span);
        let idx = self.add(contents.clone(), SiteKind::Function, depth);
        for name in type_parameters(at.block(), signature) {
            let kind = SiteKind::TypeOf(Some(name.clone()));
            let idx = self.add(contents.clone(), kind, depth);
            self.parameters.insert(idx, name);
        }
        let function = Function {
            file: at.file,
            signature,
            block,
            home: at.block(),
        };
        self.functions.insert(idx, function);
        Walk::Inside
    }

    /// A loop that is a statement has an end that code can stand at.
    fn ends_of_loops(&mut self, at: At<'p>, block: &'p Block, depth: &dyn Fn(&Place) -> usize) {
        for statement in &block.stmts {
            let Stmt::Expr(expression, _) = statement else {
                continue;
            };
            let body = match expression {
                Expr::ForLoop(one) if one.label.is_none() => &one.body,
                Expr::While(one) if one.label.is_none() => &one.body,
                Expr::Loop(one) if one.label.is_none() => &one.body,
                _ => continue,
            };
            let contents = at.inside(body.brace_token.span);
            let number = self.add(contents.clone(), SiteKind::Round, depth);
            self.loops.insert(contents.clone(), number);
            self.add(at.place(statement), SiteKind::End(number), depth);
            if let Expr::ForLoop(one) = expression {
                let bound = BoundNames::in_pattern(&one.pat).into_iter().map(|name| {
                    let kind = SiteKind::Bound(name.clone());
                    (name, self.add(contents.clone(), kind, depth))
                });
                let bound = bound.collect();
                self.bound.insert(number, bound);
            }
        }
    }

    /// Adds a site behind each assertion that is a statement: the run comes there if the assertion holds.
    fn ends_of_assertions(
        &mut self,
        at: At<'p>,
        block: &'p Block,
        depth: &dyn Fn(&Place) -> usize,
    ) {
        for statement in &block.stmts {
            let Stmt::Macro(call) = statement else {
                continue;
            };
            if call.semi_token.is_some() && is_assertion_name(at.text(&call.mac.path)) {
                let kind = SiteKind::End(self.all.len());
                let idx = self.add(at.place(statement), kind, depth);
                self.assertions.insert(at.place(&call.mac), idx);
            }
        }
    }

    /// Adds a site of each call of a method that stands as a statement.
    fn calls(&mut self, at: At<'p>, block: &'p Block, depth: &dyn Fn(&Place) -> usize) {
        for statement in &block.stmts {
            if let Stmt::Expr(call @ Expr::MethodCall(_), Some(_)) = statement {
                let idx = self.add(at.place(call), SiteKind::Copy, depth);
                self.copies.insert(at.place(call), idx);
            }
        }
    }

    fn expression(&mut self, at: At<'p>, expression: &'p Expr, depth: &dyn Fn(&Place) -> usize) {
        match expression {
            Expr::MethodCall(one) => {
                for argument in &one.args {
                    if let Expr::Closure(closure) = argument {
                        self.closure(at, closure, true, depth);
                    }
                }
                let place = at.place(expression);
                if matches!(&*one.receiver, Expr::Field(_)) && is_field(&one.receiver) {
                    let kind = SiteKind::Receiver(at.text(&*one.receiver).to_owned());
                    let idx = self.add(place.clone(), kind, depth);
                    self.receivers.insert(at.place(&*one.receiver), idx);
                }
                if one.turbofish.is_some() || !is_open(&one.method) {
                    return;
                }
                self.type_of(place, depth);
            }
            Expr::Try(one) if asks_its_surroundings(&one.expr) => {
                self.type_of(at.place(expression), depth);
            }
            Expr::Path(one) if is_constant(one) => {
                let place = at.place(expression);
                if !self.values.contains_key(&place) {
                    let idx = self.add(place.clone(), SiteKind::Value, depth);
                    self.values.insert(place, idx);
                }
            }
            Expr::Closure(closure) => {
                self.closure(at, closure, false, depth);
            }
            Expr::If(one) => {
                if let Expr::Let(condition) = &*one.cond {
                    self.looked_at(at, &condition.expr, depth);
                }
                self.branch(at.inside(one.then_branch.brace_token.span), depth);
                match &one.else_branch {
                    None => {
                        let whole = at.place(one);
                        let idx = self.add(whole.clone(), SiteKind::NotTaken, depth);
                        self.branches.insert(whole, idx);
                    }
                    Some((_, other)) => {
                        if let Expr::Block(other) = &**other {
                            self.branch(at.inside(other.block.brace_token.span), depth);
                        }
                    }
                }
            }
            Expr::Match(one) => {
                self.looked_at(at, &one.expr, depth);
                for arm in &one.arms {
                    let place = at.place(&*arm.body);
                    let idx = self.add(place.clone(), SiteKind::Branch, depth);
                    self.branches.insert(place, idx);
                }
            }
            _ => {}
        }
    }

    /// The type of an expression that has a value.
    fn type_of(&mut self, place: Place, depth: &dyn Fn(&Place) -> usize) {
        if self.values.contains_key(&place) {
            let idx = self.add(place.clone(), SiteKind::TypeOf(None), depth);
            self.types.insert(place, idx);
        }
    }

    /// A closure. What its inputs are is told where the method that it is given to says their types.
    fn closure(
        &mut self,
        at: At<'p>,
        closure: &'p ExprClosure,
        is_told: bool,
        depth: &dyn Fn(&Place) -> usize,
    ) {
        let (place, body) = (at.place(closure), at.place(&*closure.body));
        if closure.asyncness.is_some() || self.closures.contains_key(&place) {
            return;
        }
        let idx = self.add(body.clone(), SiteKind::Closure, depth);
        self.closures.insert(place, idx);
        let inputs = closure.inputs.iter().filter(|_| is_told);
        let names = inputs.flat_map(BoundNames::in_pattern);
        let bound = names.map(|name| {
            let kind = SiteKind::Bound(name.clone());
            (name, self.add(body.clone(), kind, depth))
        });
        let bound = bound.collect();
        self.bound.insert(idx, bound);
    }

    fn branch(&mut self, contents: Place, depth: &dyn Fn(&Place) -> usize) {
        let idx = self.add(contents.clone(), SiteKind::Entered, depth);
        self.branches.insert(contents, idx);
    }

    /// A value that a `match` or an `if let` looks at.
    fn looked_at(&mut self, at: At<'p>, looked_at: &Expr, depth: &dyn Fn(&Place) -> usize) {
        let place = at.place(looked_at);
        if is_new_value(looked_at) && !self.values.contains_key(&place) {
            let idx = self.add(place.clone(), SiteKind::Value, depth);
            self.values.insert(place, idx);
        }
    }
}

/// Whether the surroundings of a call decide what a method of this name gives.
fn is_open(method: &syn::Ident) -> bool {
    let names = ["collect", "parse", "sum", "product"];
    names.iter().any(|name| method == name)
}

/// Whether the type of an expression is known by its surroundings only, so that no method can be called on it.
fn asks_its_surroundings(expression: &Expr) -> bool {
    match expression {
        Expr::MethodCall(one) if one.turbofish.is_none() && is_open(&one.method) => true,
        Expr::MethodCall(one) => asks_its_surroundings(&one.receiver),
        Expr::Await(one) => asks_its_surroundings(&one.base),
        Expr::Paren(one) => asks_its_surroundings(&one.expr),
        _ => false,
    }
}

/// Whether a path means a constant of a type or module, as far as its name says.
fn is_constant(path: &syn::ExprPath) -> bool {
    let last = path.path.segments.last().map(|last| last.ident.to_string());
    let is_upper = |name: String| {
        let mut all = name.chars();
        name.len() > 1 && all.all(|one| one.is_uppercase() || one == '_' || one.is_ascii_digit())
    };
    path.path.segments.len() > 1 && last.is_some_and(is_upper)
}

/// The parameters of a function and its impl that are types.
pub(super) fn type_parameters(
    home: Option<&syn::ItemImpl>,
    signature: &syn::Signature,
) -> Vec<String> {
    let of_home = home.map(|home| &home.generics).into_iter();
    let all = of_home.chain([&signature.generics]);
    let names = all.flat_map(|generics| generics.type_params().map(|one| one.ident.to_string()));
    names.collect()
}
