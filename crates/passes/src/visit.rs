//! Walks through the syntax of a program: each visitor gets each piece of syntax with its place, an outer piece before its parts.
//! A walk that needs more of the surroundings than the impl or trait around a piece implements syn's `Visit` itself.

use crate::program::{Program, SyntaxFile};
use reduce_syntax::poll_interruption;
use std::ops::Deref;
use syn::visit::{self, Visit};
use syn::{
    Block, Expr, ForeignItem, GenericArgument, GenericParam, ImplItem, Item, ItemImpl, ItemTrait,
    Lit, Local, Macro, Pat, Path, PathSegment, Signature, Stmt, TraitItem, Type, TypeParamBound,
    WherePredicate,
};

/// A piece of syntax that a walk comes to: an item, an expression, a pattern, ..
#[derive(Clone, Copy)]
pub(crate) enum Node<'p> {
    Item(&'p Item),
    ImplItem(&'p ImplItem),
    TraitItem(&'p TraitItem),
    ForeignItem(&'p ForeignItem),
    Signature(&'p Signature),
    Block(&'p Block),
    Stmt(&'p Stmt),
    Local(&'p Local),
    Expr(&'p Expr),
    Pat(&'p Pat),
    Type(&'p Type),
    Path(&'p Path),
    PathSegment(&'p PathSegment),
    GenericArgument(&'p GenericArgument),
    GenericParam(&'p GenericParam),
    Bound(&'p TypeParamBound),
    Predicate(&'p WherePredicate),
    Lit(&'p Lit),
}

/// The surroundings of a piece of syntax: its file, and the impl or trait of which it is a part. It can do all that its file can.
#[derive(Clone, Copy)]
pub(crate) struct At<'p> {
    pub(crate) file: SyntaxFile<'p>,
    pub(crate) home: Home<'p>,
    /// Whether the syntax stands before the braces of an impl, and not in its list of parameters.
    pub(crate) in_header: bool,
}

/// The impl or trait that has a piece of syntax as a part. What is in an item of a function has none.
#[derive(Clone, Copy)]
pub(crate) enum Home<'p> {
    Nothing,
    Trait(&'p ItemTrait),
    Impl(&'p ItemImpl),
}

/// The way in which a walk goes on after a piece of syntax.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Walk {
    /// The walk goes on with the parts of the piece of syntax.
    Inside,
    /// The walk goes on with the syntax after the piece.
    Past,
}

impl Walk {
    /// Returns how a walk goes on at a function: into it, unless it is a `const fn`, which the compiler may run.
    pub(crate) fn unless_const(signature: &Signature) -> Self {
        match signature.constness {
            Some(_) => Self::Past,
            None => Self::Inside,
        }
    }
}

impl From<()> for Walk {
    fn from((): ()) -> Self {
        Self::Inside
    }
}

impl<'p> At<'p> {
    /// Makes the surroundings of a file's outermost syntax.
    pub(crate) fn of_file(file: SyntaxFile<'p>) -> Self {
        At {
            file,
            home: Home::Nothing,
            in_header: false,
        }
    }

    /// Returns the impl of which the syntax is a part.
    pub(crate) fn block(self) -> Option<&'p ItemImpl> {
        match self.home {
            Home::Impl(block) => Some(block),
            _ => None,
        }
    }

    /// Whether the syntax is a part of a trait, or of an impl of one.
    pub(crate) fn is_in_trait(self) -> bool {
        match self.home {
            Home::Nothing => false,
            Home::Trait(_) => true,
            Home::Impl(block) => block.trait_.is_some(),
        }
    }
}

impl<'p> Deref for At<'p> {
    type Target = SyntaxFile<'p>;

    fn deref(&self) -> &SyntaxFile<'p> {
        &self.file
    }
}

/// Calls `enter` for all syntax of a program, except attributes and the arguments of macros.
pub(crate) fn each<'p, W: Into<Walk>>(
    program: &'p Program,
    mut enter: impl FnMut(At<'p>, Node<'p>) -> W,
) {
    walk(program, false, &mut |at, node| enter(at, node).into());
}

/// Calls `enter` for all syntax of a program, also in the arguments of macros, as far as they are expressions or statements.
pub(crate) fn each_also_in_macros<'p, W: Into<Walk>>(
    program: &'p Program,
    mut enter: impl FnMut(At<'p>, Node<'p>) -> W,
) {
    walk(program, true, &mut |at, node| enter(at, node).into());
}

/// Calls `enter` for all macro calls that are statements or expressions, also within other calls.
pub(crate) fn each_call<'p>(
    program: &'p Program,
    mut enter: impl FnMut(At<'p>, Node<'p>, &'p Macro),
) {
    each_also_in_macros(program, |at, node| match node {
        Node::Stmt(Stmt::Macro(one)) => enter(at, node, &one.mac),
        Node::Expr(Expr::Macro(one)) => enter(at, node, &one.mac),
        _ => {}
    });
}

/// Calls `enter` for all syntax in a block or an expression, and in the arguments of macros there.
pub(crate) fn each_in<'p>(
    program: &'p Program,
    at: At<'p>,
    whole: Node<'p>,
    mut enter: impl FnMut(At<'p>, Node<'p>) -> Walk,
) {
    let mut walker = Walker {
        program: Some(program),
        at,
        enter: &mut enter,
    };
    match whole {
        Node::Block(block) => walker.visit_block(block),
        Node::Expr(expression) => walker.visit_expr(expression),
        _ => {}
    }
}

/// Collects what `found` returns for each piece of syntax, except attributes and the arguments of macros.
pub(crate) fn collect<'p, T, I: IntoIterator<Item = T>>(
    program: &'p Program,
    mut found: impl FnMut(At<'p>, Node<'p>) -> I,
) -> Vec<T> {
    let mut all = Vec::new();
    each(program, |at, node| all.extend(found(at, node)));
    all
}

type Enter<'e, 'p> = &'e mut dyn FnMut(At<'p>, Node<'p>) -> Walk;

fn walk<'p>(program: &'p Program, in_macros: bool, enter: Enter<'_, 'p>) {
    for file in program.files() {
        let home = Home::Nothing;
        let in_header = false;
        let at = At {
            file,
            home,
            in_header,
        };
        let mut walker = Walker {
            program: in_macros.then_some(program),
            at,
            enter: &mut *enter,
        };
        walker.visit_file(file.syntax);
    }
}

struct Walker<'e, 'p> {
    /// The program, if the arguments of macros are to be visited too.
    program: Option<&'p Program>,
    at: At<'p>,
    enter: Enter<'e, 'p>,
}

impl<'p> Walker<'_, 'p> {
    fn node(&mut self, node: Node<'p>, inside: impl FnOnce(&mut Self)) {
        poll_interruption();
        if (self.enter)(self.at, node) == Walk::Inside {
            inside(self);
        }
    }

    fn within(&mut self, home: Home<'p>, inside: impl FnOnce(&mut Self)) {
        let outer = std::mem::replace(&mut self.at.home, home);
        inside(self);
        self.at.home = outer;
    }
}

/// Defines one visiting method for each kind of node.
macro_rules! nodes {
    ($($visit:ident: $node:ident($syntax:ty),)*) => {
        $(fn $visit(&mut self, one: &'p $syntax) {
            self.node(Node::$node(one), |inside| visit::$visit(inside, one));
        })*
    };
}

impl<'p> Visit<'p> for Walker<'_, 'p> {
    nodes! {
        visit_impl_item: ImplItem(ImplItem),
        visit_trait_item: TraitItem(TraitItem),
        visit_foreign_item: ForeignItem(ForeignItem),
        visit_signature: Signature(Signature),
        visit_block: Block(Block),
        visit_stmt: Stmt(Stmt),
        visit_local: Local(Local),
        visit_expr: Expr(Expr),
        visit_pat: Pat(Pat),
        visit_type: Type(Type),
        visit_path: Path(Path),
        visit_path_segment: PathSegment(PathSegment),
        visit_generic_argument: GenericArgument(GenericArgument),
        visit_generic_param: GenericParam(GenericParam),
        visit_type_param_bound: Bound(TypeParamBound),
        visit_where_predicate: Predicate(WherePredicate),
        visit_lit: Lit(Lit),
    }

    fn visit_attribute(&mut self, _attribute: &'p syn::Attribute) {}

    fn visit_item(&mut self, item: &'p Item) {
        let home = match item {
            Item::Impl(one) => Home::Impl(one),
            Item::Trait(one) => Home::Trait(one),
            _ => Home::Nothing,
        };
        self.within(home, |inside| {
            inside.node(Node::Item(item), |inside| visit::visit_item(inside, item));
        });
    }

    fn visit_item_impl(&mut self, block: &'p ItemImpl) {
        self.visit_generics(&block.generics);
        self.at.in_header = true;
        if let Some((path, _)) = &block.trait_ {
            self.visit_path(path);
        }
        self.visit_type(&block.self_ty);
        self.at.in_header = false;
        for item in &block.items {
            self.visit_impl_item(item);
        }
    }

    fn visit_macro(&mut self, call: &'p Macro) {
        visit::visit_macro(self, call);
        if let Some(program) = self.program
            && let Some(arguments) = program.arguments(self.at.file, call)
        {
            arguments.visit(self);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use camino::Utf8PathBuf;
    use reduce_syntax::SourceTree;
    use std::sync::Arc;

    /// The names that stand alone in a program's expressions, each with the type or trait of its home.
    fn names(text: &str, in_macros: bool) -> Vec<String> {
        let sources = SourceTree::single(Utf8PathBuf::from("lib.rs"), Arc::from(text));
        let program = Program::new(&sources);
        let mut found = Vec::new();
        let mut enter = |at: At<'_>, node: Node<'_>| {
            if let Node::Expr(Expr::Path(path)) = node {
                let home = match at.home {
                    Home::Nothing => String::new(),
                    Home::Trait(one) => format!("{} ", one.ident),
                    Home::Impl(one) => format!("{} ", at.text(&one.self_ty)),
                };
                found.push(format!("{home}{}", at.text(path)));
            }
            match node {
                Node::Expr(Expr::Closure(_)) => Walk::Past,
                _ => Walk::Inside,
            }
        };
        match in_macros {
            true => each_also_in_macros(&program, &mut enter),
            false => each(&program, &mut enter),
        }
        found
    }

    #[test]
    fn what_is_in_an_item_of_a_function_has_no_home() {
        let text = "impl S { fn f() { a; fn g() { b } } } trait T { fn f() { c } }";
        assert_eq!(names(text, false), ["S a", "b", "T c"]);
    }

    #[test]
    fn a_block_can_be_walked_over_by_itself() {
        let sources = SourceTree::single(
            Utf8PathBuf::from("lib.rs"),
            Arc::from("fn f() { m!(a); b } fn g() { c }"),
        );
        let program = Program::new(&sources);
        let blocks = collect(&program, |at, node| match node {
            Node::Block(_) => Some((at, node)),
            _ => None,
        });
        let mut found = Vec::new();
        let (at, first) = blocks[0];
        each_in(&program, at, first, |at, node| {
            if let Node::Expr(Expr::Path(path)) = node {
                found.push(at.text(path));
            }
            Walk::Inside
        });
        assert_eq!(found, ["a", "b"]);
    }

    #[test]
    fn a_walk_leaves_out_what_it_is_told_to() {
        assert_eq!(names("fn f() { a; |x| b; c }", false), ["a", "c"]);
    }

    #[test]
    fn macros_are_entered_where_that_is_wanted() {
        let text = "fn f() { m!(a, n!(b; c)); d }";
        assert_eq!(names(text, false), ["d"]);
        assert_eq!(names(text, true), ["a", "b", "c", "d"]);
    }

    #[test]
    fn the_header_of_an_impl_ends_at_its_braces() {
        let text = "impl<T: A> B for C { type D = E; }";
        let sources = SourceTree::single(Utf8PathBuf::from("lib.rs"), Arc::from(text));
        let program = Program::new(&sources);
        let types = collect(&program, |at, node| match node {
            Node::Type(ty) => Some((at.text(ty).to_owned(), at.in_header)),
            _ => None,
        });
        assert_eq!(types, [("C".to_owned(), true), ("E".to_owned(), false)]);
    }
}
