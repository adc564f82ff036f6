//! Reads a text as a tree of lists, whose elements may have attributes. What stands between the lists is the frame of the element
//! around them.

use reduce_syntax::{Located, byte_range, tokens};
use std::ops::Range;
use syn::punctuated::{Pair, Punctuated};
use syn::visit::{self, Visit};
use syn::{AttrStyle, Block, Expr, Stmt};

/// The kind of a list of syntax elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ListForm {
    /// Any number of items, members, statements, arms, fields, variants or parameters.
    List,
    /// The condition of `if` or `while`, which is the only element.
    Condition,
}

/// A list of elements within another element.
#[derive(Debug)]
pub(super) struct NodeList {
    /// The bytes of all elements with their commas; in an empty list, the empty range where elements would stand.
    pub(super) range: Range<usize>,
    pub(super) form: ListForm,
    pub(super) elements: Vec<Node>,
}

/// An element that may be in one version alone.
#[derive(Debug)]
pub(super) struct Node {
    /// The bytes of the element, with its attributes.
    pub(super) range: Range<usize>,
    /// Whether the element is an expression that has to stand in a block to have an attribute.
    pub(super) is_expression: bool,
    /// Whether a comma has to follow the element. It is none of its bytes.
    pub(super) needs_comma: bool,
    /// The outermost lists in the element.
    pub(super) lists: Vec<NodeList>,
}

/// Returns the tree of a file; the text before its first item is the frame of the whole.
pub(super) fn nodes_of(file: &syn::File, text: &str) -> NodeList {
    let items = file
        .items
        .iter()
        .map(|item| node(item, |lists| lists.visit_item(item)));
    list(items.collect(), text.len())
}

/// Returns the tokens of a text, without those that the compiler ignores, as a key that does not depend on layout.
pub(super) fn key(text: &str) -> String {
    let words = tokens(text).into_iter().filter(|token| !token.is_doc());
    let words = words.map(|token| &text[token.range()]);
    words.collect::<Vec<_>>().join(" ")
}

impl Node {
    /// Returns the parts of an element's text that are outside of its lists.
    pub(super) fn frame<'t>(&self, text: &'t str) -> Vec<&'t str> {
        let mut pieces = Vec::new();
        let mut at = self.range.start;
        for list in &self.lists {
            pieces.push(&text[at..list.range.start]);
            at = list.range.end;
        }
        pieces.push(&text[at..self.range.end]);
        pieces
    }

    /// Returns a key of an element's text outside of its lists: if two elements have the same key, they differ only in their
    /// lists.
    pub(super) fn frame_key(&self, text: &str) -> Option<String> {
        if self.lists.is_empty() {
            return None;
        }
        let pieces = self.frame(text).into_iter().map(key);
        let forms = self.lists.iter().map(|list| format!("{:?}", list.form));
        Some(pieces.chain(forms).collect::<Vec<_>>().join("\n"))
    }
}

fn node(syntax: &impl Located, visit: impl FnOnce(&mut Lists)) -> Node {
    let mut lists = Lists(Vec::new());
    visit(&mut lists);
    Node {
        range: byte_range(syntax),
        is_expression: false,
        needs_comma: false,
        lists: lists.0,
    }
}

/// Makes a list of some elements; `end` is where elements would stand if there are none.
fn list(elements: Vec<Node>, end: usize) -> NodeList {
    let range = match (elements.first(), elements.last()) {
        (Some(first), Some(last)) => first.range.start..last.range.end,
        _ => end..end,
    };
    NodeList {
        range,
        form: ListForm::List,
        elements,
    }
}

/// The visitor that collects the outermost lists in some syntax.
struct Lists(Vec<NodeList>);

impl Lists {
    fn commas<T: Located, P: Located>(
        &mut self,
        all: &Punctuated<T, P>,
        end: usize,
        visit: impl Fn(&mut Self, &T),
    ) {
        let elements = all.iter().map(|one| Node {
            needs_comma: true,
            ..node(one, |lists| visit(lists, one))
        });
        let mut list = list(elements.collect(), end);
        if let Some(Pair::Punctuated(_, comma)) = all.pairs().next_back() {
            list.range.end = byte_range(comma).end;
        }
        self.0.push(list);
    }

    fn condition(&mut self, condition: &Expr) {
        if has_let(condition) {
            return self.visit_expr(condition);
        }
        let element = node(condition, |lists| lists.visit_expr(condition));
        self.0.push(NodeList {
            form: ListForm::Condition,
            ..list(vec![element], 0)
        });
    }
}

impl<'ast> Visit<'ast> for Lists {
    fn visit_item_mod(&mut self, module: &'ast syn::ItemMod) {
        if let Some((brace, items)) = &module.content {
            let items = items.iter();
            let items = items.map(|item| node(item, |lists| lists.visit_item(item)));
            self.0.push(list(items.collect(), closing(brace)));
        }
    }

    fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
        let members = item.items.iter();
        let members = members.map(|one| node(one, |lists| lists.visit_impl_item(one)));
        self.0
            .push(list(members.collect(), closing(&item.brace_token)));
    }

    fn visit_item_trait(&mut self, item: &'ast syn::ItemTrait) {
        let members = item.items.iter();
        let members = members.map(|one| node(one, |lists| lists.visit_trait_item(one)));
        self.0
            .push(list(members.collect(), closing(&item.brace_token)));
    }

    fn visit_signature(&mut self, signature: &'ast syn::Signature) {
        if signature.variadic.is_none() {
            let end = signature.paren_token.span.close().byte_range().start;
            self.commas(&signature.inputs, end, |_, _| {});
        }
    }

    fn visit_fields_named(&mut self, fields: &'ast syn::FieldsNamed) {
        self.commas(&fields.named, closing(&fields.brace_token), |_, _| {});
    }

    fn visit_fields_unnamed(&mut self, fields: &'ast syn::FieldsUnnamed) {
        let end = fields.paren_token.span.close().byte_range().start;
        self.commas(&fields.unnamed, end, |_, _| {});
    }

    fn visit_item_enum(&mut self, item: &'ast syn::ItemEnum) {
        self.commas(&item.variants, closing(&item.brace_token), |lists, one| {
            lists.visit_fields(&one.fields);
        });
    }

    fn visit_block(&mut self, block: &'ast Block) {
        let elements = block.stmts.iter().map(statement).collect();
        self.0.push(list(elements, closing(&block.brace_token)));
    }

    fn visit_expr_match(&mut self, expression: &'ast syn::ExprMatch) {
        self.visit_expr(&expression.expr);
        let arms = expression.arms.iter().map(|arm| {
            let node = node(arm, |lists| lists.visit_arm(arm));
            Node {
                range: node.range.start..byte_range(&arm.body).end,
                needs_comma: !ends_without_comma(&arm.body),
                ..node
            }
        });
        let mut list = list(arms.collect(), closing(&expression.brace_token));
        let comma = expression.arms.last().and_then(|arm| arm.comma.as_ref());
        if let Some(comma) = comma {
            list.range.end = byte_range(comma).end;
        }
        self.0.push(list);
    }

    fn visit_expr_struct(&mut self, expression: &'ast syn::ExprStruct) {
        let rest = expression.dot2_token.as_ref();
        let end = rest.map_or_else(
            || closing(&expression.brace_token),
            |dots| byte_range(dots).start,
        );
        self.commas(&expression.fields, end, |lists, one| {
            lists.visit_expr(&one.expr)
        });
        if let Some(rest) = &expression.rest {
            self.visit_expr(rest);
        }
    }

    fn visit_expr_if(&mut self, expression: &'ast syn::ExprIf) {
        self.condition(&expression.cond);
        self.visit_block(&expression.then_branch);
        if let Some((_, otherwise)) = &expression.else_branch {
            self.visit_expr(otherwise);
        }
    }

    fn visit_expr_while(&mut self, expression: &'ast syn::ExprWhile) {
        self.condition(&expression.cond);
        self.visit_block(&expression.body);
    }

    // Neither types nor patterns have lists of ours.
    fn visit_type(&mut self, _: &'ast syn::Type) {}
    fn visit_pat(&mut self, _: &'ast syn::Pat) {}
    fn visit_generics(&mut self, _: &'ast syn::Generics) {}
    fn visit_attribute(&mut self, _: &'ast syn::Attribute) {}
}

fn statement(statement: &Stmt) -> Node {
    let is_expression = match statement {
        Stmt::Local(_) | Stmt::Item(_) => false,
        Stmt::Macro(call) => call.semi_token.is_none(),
        Stmt::Expr(
            Expr::Path(_) | Expr::Call(_) | Expr::MethodCall(_) | Expr::Macro(_),
            Some(_),
        ) => false,
        // The attribute would be an unstable one, or one of the first operand alone.
        Stmt::Expr(..) => true,
    };
    Node {
        is_expression,
        ..node(statement, |lists| lists.visit_stmt(statement))
    }
}

/// Returns whether a condition has a `let`, whose variables a block around the condition would hide.
fn has_let(condition: &Expr) -> bool {
    struct Lets(bool);
    impl<'ast> Visit<'ast> for Lets {
        fn visit_expr_let(&mut self, _: &'ast syn::ExprLet) {
            self.0 = true;
        }
        fn visit_block(&mut self, _: &'ast Block) {}
    }
    let mut lets = Lets(false);
    visit::visit_expr(&mut lets, condition);
    lets.0 || matches!(condition, Expr::Let(_))
}

/// Returns whether an arm with this body needs no comma after it.
fn ends_without_comma(body: &Expr) -> bool {
    match body {
        Expr::Block(block) => block.label.is_none() && has_no_attributes(&block.attrs),
        Expr::Unsafe(block) => has_no_attributes(&block.attrs),
        Expr::If(_) | Expr::Match(_) | Expr::While(_) | Expr::ForLoop(_) | Expr::Loop(_) => true,
        _ => false,
    }
}

fn has_no_attributes(attributes: &[syn::Attribute]) -> bool {
    let is_outer = |one: &syn::Attribute| matches!(one.style, AttrStyle::Outer);
    !attributes.iter().any(is_outer)
}

/// Returns the position of a closing brace.
fn closing(brace: &syn::token::Brace) -> usize {
    brace.span.close().byte_range().start
}
