//! Finds the attributes and macro calls of a file that depend on the configuration, and makes the edits that resolve them.

use super::Configuration;
use super::attributes::{self, Effect, is_conditional};
use super::branches::{self, Choice};
use reduce_syntax::{Located, Scanner, byte_range, tokens};
use std::ops::Range;
use syn::punctuated::Punctuated;
use syn::visit::{self, Visit};
use syn::{AttrStyle, Attribute, Block, Expr, ItemFn, Macro, Stmt};

/// The effect of a configuration on a file.
pub(super) enum Outcome {
    /// The configuration turns off the whole file.
    Off,
    /// The configuration turns off parts of the file.
    Edits {
        replaced: Vec<(Range<usize>, String)>,
        /// Whether the edited text needs no second round: a macro's branch that took the place of its call may have more
        /// conditions.
        is_done: bool,
    },
}

/// Returns the edits that `configuration` makes in a text whose tree is `file`.
pub(super) fn edits_of(file: &syn::File, text: &str, configuration: &Configuration) -> Outcome {
    let mut visitor = Visitor {
        configuration,
        text,
        replaced: Vec::new(),
        is_done: true,
        is_off: false,
    };
    visitor.visit_file(file);
    match visitor.is_off {
        true => Outcome::Off,
        false => Outcome::Edits {
            replaced: visitor.replaced,
            is_done: visitor.is_done,
        },
    }
}

struct Visitor<'v> {
    configuration: &'v Configuration,
    text: &'v str,
    replaced: Vec<(Range<usize>, String)>,
    is_done: bool,
    /// Whether one of the attributes that were visited turns off the syntax to which it belongs.
    is_off: bool,
}

/// The kind of place in which a macro call stands, which decides what may replace it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// A macro call whose branch may be any number of items or statements, as nothing follows it in its list.
    Last,
    /// A macro call whose branch may be any number of statements, with other statements after it.
    Followed,
    /// A macro call whose branch has to be a value.
    Value,
}

impl Visitor<'_> {
    fn edit(&mut self, range: &Range<usize>, text: &str) {
        // A token that syn made up has an empty range; nothing of the text belongs to it.
        if range.start < range.end {
            self.replaced.push((range.clone(), text.to_owned()));
        }
    }

    /// Visits syntax with attributes, and returns whether one of these turns it off.
    fn inside(&mut self, visit: impl FnOnce(&mut Self)) -> bool {
        let outer = std::mem::replace(&mut self.is_off, false);
        visit(self);
        std::mem::replace(&mut self.is_off, outer)
    }

    /// Visits an element of a list, which is deleted with the comma after it if its attributes turn it
    /// off. Returns whether it stays.
    fn element(&mut self, syntax: &impl Located, visit: impl FnOnce(&mut Self)) -> bool {
        let n_before = self.replaced.len();
        let is_off = self.inside(visit);
        if is_off {
            self.replaced.truncate(n_before);
            self.delete(syntax);
        }
        !is_off
    }

    fn delete(&mut self, syntax: &impl Located) {
        let range = byte_range(syntax);
        let end = self.after_comma(range.end);
        let range = range.start..self.after_space(end);
        self.edit(&range, "");
    }

    /// Returns the end of the comma if that is the next token, else `end`.
    fn after_comma(&self, end: usize) -> usize {
        let mut scanner = Scanner::new(self.text, end);
        let mut next = None;
        while next.is_none() && scanner.advance(|token| next = next.or(Some(token))) {}
        let comma = next.filter(|token| self.text.get(token.range()) == Some(","));
        comma.map_or(end, |comma| comma.range().end)
    }

    fn after_space(&self, end: usize) -> usize {
        let rest = self.text.get(end..).unwrap_or_default();
        end + rest.len() - rest.trim_start().len()
    }

    fn attribute(&mut self, attribute: &Attribute) {
        let parts = match attributes::effect(attribute, self.text, self.configuration) {
            Effect::Stays => return,
            Effect::Off => {
                self.is_off = true;
                return;
            }
            Effect::Becomes(parts) => parts,
        };
        let opening = match attribute.style {
            AttrStyle::Outer => "#[",
            AttrStyle::Inner(_) => "#![",
        };
        let text = |part: &Range<usize>| self.text.get(part.clone()).unwrap_or_default();
        let parts = parts.iter().map(|part| format!("{opening}{}]", text(part)));
        let parts: Vec<String> = parts.collect();
        let mut range = byte_range(attribute);
        if parts.is_empty() {
            range.end = self.after_space(range.end);
        }
        self.edit(&range, &parts.join(" "));
    }

    /// Puts the selected branch of a macro call in place of `whole`, which is the call with its attributes and its semicolon.
    /// Returns whether it did.
    fn choose(&mut self, call: &Macro, whole: &Range<usize>, place: Place) -> bool {
        match branches::choice(call, self.text, self.configuration) {
            None => return false,
            Some(Choice::Value(value)) => self.edit(whole, &value.to_string()),
            Some(Choice::Branch(branch)) => {
                self.is_done = false;
                self.unwrap(whole, branch, place);
            }
        }
        true
    }

    /// Deletes the parts of a macro call that stand around its selected branch.
    fn unwrap(&mut self, whole: &Range<usize>, branch: Range<usize>, place: Place) {
        let text = self.text.get(branch.clone()).unwrap_or_default();
        let start = branch.start + text.len() - text.trim_start().len();
        let text = text.trim();
        let last = tokens(text).last().map_or(0..0, |token| token.range());
        let (end, end_of_value) = (start + text.len(), start + last.end);
        let is_complete = matches!(text.get(last), Some("" | ";" | "}"));
        let semicolon = if place == Place::Followed && !is_complete {
            ";"
        } else {
            ""
        };
        let (open, close) = if place == Place::Value {
            ("{ ", " }")
        } else {
            ("", "")
        };
        self.edit(&(whole.start..start), open);
        if end_of_value == end {
            self.edit(&(end..whole.end), &format!("{semicolon}{close}"));
        } else {
            // A comment at the end would go on into what follows.
            self.replaced
                .push((end_of_value..end_of_value, semicolon.to_owned()));
            self.edit(&(end..whole.end), &format!("\n{close}"));
        }
    }

    /// Puts the selected branch of a macro call in place of the call, which is an element of a list. Attributes at it, such as
    /// documentation, go with it; but conditions are decided before.
    fn choose_element(
        &mut self,
        call: &Macro,
        attributes: &[Attribute],
        whole: &Range<usize>,
        place: Place,
    ) -> bool {
        if attributes.iter().any(is_conditional) {
            let is_choice = branches::choice(call, self.text, self.configuration).is_some();
            let is_decided = |one: &Attribute| {
                attributes::effect(one, self.text, self.configuration) != Effect::Stays
            };
            self.is_done &= !(is_choice && attributes.iter().any(is_decided));
            return false;
        }
        self.choose(call, whole, place)
    }

    fn attributes(&mut self, all: &[Attribute]) {
        all.iter().for_each(|one| self.attribute(one));
    }

    /// Visits the expressions of a comma-separated list. Returns whether some went, but the last one stays.
    fn expressions<P>(&mut self, all: &Punctuated<Expr, P>) -> bool {
        let (mut has_gone, mut last_stays) = (false, false);
        for one in all {
            last_stays = self.element(one, |inside| visit::visit_expr(inside, one));
            has_gone |= !last_stays;
        }
        has_gone && last_stays
    }

    /// Puts a comma after the last expression of a tuple, as `(a)` would be no tuple.
    fn end_with_comma(&mut self, last: &Expr) {
        let end = byte_range(last).end;
        if self.after_comma(end) == end {
            self.replaced.push((end..end, ",".to_owned()));
        }
    }

    fn statement(&mut self, statement: &Stmt, place: Place) {
        match statement {
            Stmt::Item(item) => self.visit_item(item),
            Stmt::Local(local) => self.visit_local(local),
            Stmt::Expr(expression, _) => {
                self.element(statement, |inside| visit::visit_expr(inside, expression));
            }
            Stmt::Macro(call) => {
                // A semicolon stays: it may make a statement of an expression.
                let range = byte_range(statement).start..byte_range(&call.mac).end;
                self.element(statement, |inside| {
                    if !inside.choose_element(&call.mac, &call.attrs, &range, place) {
                        inside.attributes(&call.attrs);
                    }
                });
            }
        }
    }
}

/// Defines the visiting methods for elements of lists: an element is deleted if its own attributes turn it off.
macro_rules! elements {
    ($($function:ident: $syntax:ident,)*) => {
        $(fn $function(&mut self, syntax: &'ast syn::$syntax) {
            self.element(syntax, |inside| visit::$function(inside, syntax));
        })*
    };
}

/// Defines the visiting methods for items of all kinds, macro calls and tokens without a tree of syn included.
macro_rules! items {
    ($($function:ident: $syntax:ident,)*) => {
        $(fn $function(&mut self, syntax: &'ast syn::$syntax) {
            self.element(syntax, |inside| match syntax {
                syn::$syntax::Verbatim(tokens) => inside.attributes(&attributes::before(tokens)),
                syn::$syntax::Macro(item)
                    if inside.choose_element(
                        &item.mac,
                        &item.attrs,
                        &byte_range(item),
                        Place::Last,
                    ) => {}
                _ => visit::$function(inside, syntax),
            });
        })*
    };
}

/// Defines the visiting methods for syntax that the compiler does not remove, whatever the attributes at it or in it say.
macro_rules! parts {
    ($($function:ident: $syntax:ident,)*) => {
        $(fn $function(&mut self, syntax: &'ast syn::$syntax) {
            self.inside(|inside| visit::$function(inside, syntax));
        })*
    };
}

impl<'ast> Visit<'ast> for Visitor<'_> {
    elements! {
        visit_arm: Arm,
        visit_field: Field,
        visit_field_pat: FieldPat,
        visit_field_value: FieldValue,
        visit_fn_arg: FnArg,
        visit_generic_param: GenericParam,
        visit_local: Local,
        visit_named_arg: NamedArg,
        visit_variant: Variant,
        visit_where_predicate: WherePredicate,
    }

    items! {
        visit_foreign_item: ForeignItem,
        visit_impl_item: ImplItem,
        visit_item: Item,
        visit_trait_item: TraitItem,
    }

    parts! {
        visit_expr: Expr,
        visit_pat: Pat,
        visit_signature: Signature,
        visit_type: Type,
    }

    fn visit_item_fn(&mut self, function: &'ast ItemFn) {
        let is_test = function.attrs.iter().any(attributes::is_of_test);
        self.is_off |= is_test && !self.configuration.is_of_tests();
        visit::visit_item_fn(self, function);
    }

    fn visit_attribute(&mut self, attribute: &'ast Attribute) {
        self.attribute(attribute);
    }

    fn visit_block(&mut self, block: &'ast Block) {
        let n_statements = block.stmts.len();
        for (idx, statement) in block.stmts.iter().enumerate() {
            let place = match idx + 1 == n_statements {
                true => Place::Last,
                false => Place::Followed,
            };
            self.statement(statement, place);
        }
    }

    fn visit_expr_array(&mut self, array: &'ast syn::ExprArray) {
        self.attributes(&array.attrs);
        self.expressions(&array.elems);
    }

    fn visit_expr_call(&mut self, call: &'ast syn::ExprCall) {
        self.attributes(&call.attrs);
        self.visit_expr(&call.func);
        self.expressions(&call.args);
    }

    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        self.attributes(&call.attrs);
        self.visit_expr(&call.receiver);
        if let Some(turbofish) = &call.turbofish {
            self.visit_angle_bracketed_generic_arguments(turbofish);
        }
        self.expressions(&call.args);
    }

    fn visit_expr_tuple(&mut self, tuple: &'ast syn::ExprTuple) {
        self.attributes(&tuple.attrs);
        let last_stays = self.expressions(&tuple.elems);
        if let Some(last) = tuple.elems.last().filter(|_| last_stays) {
            self.end_with_comma(last);
        }
    }

    fn visit_expr_macro(&mut self, call: &'ast syn::ExprMacro) {
        self.attributes(&call.attrs);
        let range = byte_range(&call.mac);
        self.choose(&call.mac, &range, Place::Value);
    }
}
