//! Classes of nodes, which decide which node may stand in place of which. This is finer than
//! [`Category::accepts`] in one respect: a block is an expression, but where the syntax asks for a
//! block, as after `loop`, only a block may stand, and a statement is replaced by what is in a block
//! rather than by the block.

use crate::tree::{Category, SyntaxTree};

/// The class of a node, which decides whether it may stand in the place of another ("compatible" in HOIST, Fig. 7).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum HoistClass {
    /// An expression that does not begin with a brace.
    Expression,
    /// A block, or another expression that begins with a brace.
    Block,
    /// A type.
    Type,
    /// A pattern.
    Pattern,
    /// A tree of a `use` declaration.
    UseTree,
    /// The contents of a block, between its braces.
    BlockContents,
    /// The contents of a module, between its braces.
    ModuleContents,
}

/// The form that the syntax around a node lets it have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// Any syntax of the node's category may stand here.
    Free,
    /// Only a block may stand here, such as the body of a function, of `loop` or of `unsafe`.
    Block,
    /// A node of the same range and category as its parent, so that all changes are made there.
    Repeated,
}

impl HoistClass {
    /// A number for each class, below 64.
    #[must_use]
    pub fn index(self) -> u8 {
        self as u8
    }

    /// Returns the class of a node of this category and text, or `None` if it may replace nothing.
    pub(super) fn of(category: Category, form: Form, text: &str) -> Option<Self> {
        match category {
            _ if form == Form::Repeated => None,
            Category::Expression if text.starts_with('{') => Some(Self::Block),
            Category::Expression => Some(Self::Expression),
            Category::Type => Some(Self::Type),
            Category::Pattern => Some(Self::Pattern),
            Category::UseTree => Some(Self::UseTree),
            Category::BlockContents => Some(Self::BlockContents),
            Category::ModuleContents => Some(Self::ModuleContents),
            Category::Statement | Category::Module => None,
        }
    }

    /// Returns the classes that a node of this category accepts in its place, the preferred class
    /// first.
    pub(super) fn accepted_by(category: Category, form: Form) -> &'static [Self] {
        match (category, form) {
            (_, Form::Repeated) => &[],
            (_, Form::Block) => &[Self::Block],
            (Category::Expression, Form::Free) => &[Self::Expression, Self::Block],
            (Category::Type, Form::Free) => &[Self::Type],
            (Category::Pattern, Form::Free) => &[Self::Pattern],
            (Category::UseTree, Form::Free) => &[Self::UseTree],
            (Category::Statement, Form::Free) => &[Self::BlockContents, Self::Expression],
            (Category::Module, Form::Free) => &[Self::ModuleContents],
            (Category::BlockContents | Category::ModuleContents, Form::Free) => &[],
        }
    }
}

impl Form {
    /// Returns the form that the syntax around a node of a tree allows.
    pub(crate) fn of(tree: &SyntaxTree, idx: usize) -> Self {
        let node = &tree.nodes[idx];
        let before = idx.checked_sub(1).map(|before| &tree.nodes[before]);
        let is_repeated = before.is_some_and(|outer| {
            outer.end > idx && outer.category == node.category && outer.range == node.range
        });
        // Only a block has contents right below it.
        let is_block = node.category == Category::Expression
            && idx + 1 < node.end
            && tree.nodes[idx + 1].category == Category::BlockContents;
        match (is_repeated, is_block) {
            (true, _) => Self::Repeated,
            (false, true) => Self::Block,
            (false, false) => Self::Free,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builder::build_tree;
    use crate::source::SourceTree;
    use camino::Utf8PathBuf;
    use std::sync::Arc;

    /// The forms of all expressions that begin with a brace, outer ones first.
    #[track_caller]
    fn check(text: &str, expected: &[Form]) {
        let sources = SourceTree::single(Utf8PathBuf::from("lib.rs"), Arc::from(text));
        let tree = build_tree(&sources);
        let is_braced = |&idx: &usize| {
            let node = &tree.nodes[idx];
            node.category == Category::Expression && text[node.range.clone()].starts_with('{')
        };
        let braced = (0..tree.nodes.len()).filter(is_braced);
        let found: Vec<Form> = braced.map(|idx| Form::of(&tree, idx)).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn the_block_of_a_loop_stays_a_block() {
        check("const C: u8 = loop {};", &[Form::Block]);
    }

    #[test]
    fn a_block_as_an_expression_may_become_any() {
        check("const C: u8 = { 1 };", &[Form::Free, Form::Repeated]);
    }

    #[test]
    fn an_expression_that_begins_with_a_block_may_become_any() {
        check(
            "const C: u8 = { a }.b;",
            &[Form::Free, Form::Free, Form::Repeated],
        );
    }

    #[test]
    fn a_repeated_node_replaces_nothing() {
        let of = |form| HoistClass::of(Category::Expression, form, "{ a }");
        assert_eq!(of(Form::Free), Some(HoistClass::Block));
        assert_eq!(of(Form::Repeated), None);
    }
}
