//! Finds the changes that can be made in a file's functions, with their places and the switches for them.
//!
//! Only what runs is changed. Constants, statics, types, patterns, attributes, macros and their
//! arguments, and what is only there for tests stay as they are; so do `const` functions and the functions that
//! macros make, unless the compiler permits what their switches need.

mod arms;
mod assignments;
mod calls;
mod conditions;
mod definitions;
mod expressions;
mod functions;
mod insertions;
mod literals;
mod loops;
mod macros;
mod operators;
mod signatures;
mod statements;
mod transcriber;
mod variables;

use crate::mark_text::has_mark;
use crate::mutant::Operator;
use crate::reach::{Extent, Reach};
use conditions::{Joinable, joinable};
use insertions::{Insertions, insertions};
use reduce_syntax::{Located, TokenCursor, byte_range, is_only_for_tests};
pub(crate) use signatures::Signatures;
use std::collections::BTreeSet;
use std::ops::Range;
use syn::visit::{self, Visit};
use variables::Parameter;

/// A change of a function's code, and the switch for it.
#[derive(Debug, Clone)]
pub(crate) struct Change {
    /// The bytes that the change replaces.
    pub(crate) range: Range<usize>,
    /// The text that the mutant has in place of `range`.
    pub(crate) mutated: String,
    /// The kind of the change.
    pub(crate) operator: Operator,
    /// The code that is put around the original to switch the change on.
    pub(crate) switch: Switch,
    /// The function that is changed.
    pub(crate) function: Function,
    /// Whether the changed function is in the definition of a macro.
    pub(crate) is_in_macro: bool,
    /// Whether the change is in unsafe code.
    pub(crate) is_in_unsafe: bool,
}

/// A function: its path, and its range in the file.
#[derive(Debug, Clone)]
pub(crate) struct Function {
    pub(crate) path: String,
    pub(crate) range: Range<usize>,
}

/// The form of the code that is put around the original to switch a change on.
#[derive(Debug, Clone)]
pub(crate) enum Switch {
    /// The mutant evaluates this expression, in one line, in place of the original.
    Instead(String),
    /// The mutant negates the original.
    Negated,
    /// The mutant exchanges `&&` or `||`, which is in these bytes, for the other one. The operands stand once, so that chains do
    /// not grow.
    Exchanged { token: Range<usize>, is_and: bool },
    /// The mutant does not execute the original.
    Skipped,
    /// The mutant executes its text before the statements that follow.
    Inserted,
    /// The mutant executes the original, in a block of its own.
    Wrapped,
    /// The mutant executes this text, in one line, in place of the original, which is an `if`.
    Otherwise(String),
    /// The mutant executes this loop, in one line, in place of the original, which is one too.
    OtherLoop(String),
    /// The mutant joins this condition to the original, by `&&` or by `||`.
    Joined { is_and: bool, condition: String },
    /// In the mutant, the arm whose pattern ends at this byte never matches.
    Unmatched(usize),
    /// In the mutant, the arm whose pattern ends at this byte never matches; a copy of it, in one line, comes after the last arm.
    Last { pattern_end: usize, arm: String },
}

/// The most bytes of an operand that may be copied for a switch, so that the text grows by a bounded amount for each change,
/// however the operators are nested.
const LONGEST_COPY: usize = 600;
/// The most bytes of an operand that may be copied for a switch in a text with marks, where only the marked points have switches.
const LONGEST_MARKED_COPY: usize = 8 * LONGEST_COPY;

/// Returns the changes of a file that is the module `module`, in the order of the source. `signatures` are those of its crate.
pub(crate) fn changes_of(
    text: &str,
    syntax: &syn::File,
    module: &str,
    (extent, signatures): (Extent, &Signatures),
) -> Vec<Change> {
    // Where other functions may be gone from the program later, a mark could not remember what they had.
    let (insertions, joinable) = match extent.reach {
        Reach::Plain => (Insertions::new(), Joinable::new()),
        _ => (insertions(text, syntax), joinable(text, syntax, signatures)),
    };
    let mut collector = ChangeCollector {
        text,
        reach: extent.reach,
        has_blocks: extent.has_blocks,
        signatures,
        path: module.to_owned(),
        function: None,
        scope: Scope::default(),
        definition: None,
        insertions,
        joinable,
        changes: Vec::new(),
    };
    if !is_only_for_tests(&syntax.attrs) {
        collector.visit_file(syntax);
    }
    collector.changes
}

/// The variables that are known, and the kinds of code around the place, where the collector is.
#[derive(Default)]
struct Scope {
    /// The names in the conditions of the `while` loops around the place.
    in_conditions: BTreeSet<String>,
    /// The parameters, and the counters of loops around the place, that may replace each other in a mutant.
    parameters: Vec<Parameter>,
    /// The type of `self`, by its name, in a method of it.
    self_type: Option<String>,
    /// The mutable variables that already have a value from their declaration.
    set_variables: BTreeSet<String>,
    /// Whether there is a `loop` around the place.
    in_endless_loop: bool,
    /// Whether the place is the value by which a `while` loop around comes to its end. Only numbers that are one more are mutants
    /// of it.
    moves_on: bool,
    /// Whether the innermost loop around the place is a `for` loop.
    in_for_loop: bool,
    /// Whether the function is unsafe, or there is an unsafe block around the place.
    in_unsafe: bool,
}

/// Collects the changes of a file.
struct ChangeCollector<'t> {
    text: &'t str,
    reach: Reach,
    /// Whether the beginnings of blocks get switches, too.
    has_blocks: bool,
    signatures: &'t Signatures,
    /// The path of the module, type or trait that is being looked at.
    path: String,
    /// The function that is being looked at.
    function: Option<Function>,
    /// The variables and the surroundings of the place that is being looked at.
    scope: Scope,
    /// The text of the macro definition that is searched, if it is one.
    definition: Option<&'t str>,
    /// The statements that may be missing at the end of functions.
    insertions: Insertions,
    /// The conditions that may be missing in those of functions.
    joinable: Joinable,
    changes: Vec<Change>,
}

impl<'t> ChangeCollector<'t> {
    /// Returns the source text of some syntax.
    fn text_of(&self, syntax: &impl Located) -> &'t str {
        &self.text[byte_range(syntax)]
    }

    /// Notes the changes of a method call and of its parts; `is_used` says whether its value is used.
    fn parts_of_method_call(&mut self, call: &syn::ExprMethodCall, is_used: bool) {
        self.method_call(call, is_used);
        call.args.iter().for_each(|one| self.passed_value(one));
        visit::visit_expr_method_call(self, call);
    }

    /// Notes the changes of an argument of a function.
    fn passed_value(&mut self, argument: &syn::Expr) {
        self.value(argument);
        self.argument(argument);
    }

    /// Whether the code that is searched may use a name of the crate: in a macro's definition only if the definition has it. What
    /// there is where a macro is called is not known, but for what its definition names.
    fn is_defined(&self, name: &str) -> bool {
        self.definition.is_none_or(|definition| {
            let cursor = TokenCursor::new(definition);
            self.reach >= Reach::Macros && cursor.words().any(|word| word == name)
        })
    }

    /// Calls `inside` for the contents of an unsafe block.
    fn in_unsafe(&mut self, inside: impl FnOnce(&mut Self)) {
        let outer = std::mem::replace(&mut self.scope.in_unsafe, true);
        inside(self);
        self.scope.in_unsafe = outer;
    }

    /// Notes a change, if the place is within a function.
    fn note(&mut self, range: Range<usize>, mutated: String, operator: Operator, switch: Switch) {
        if self.scope.moves_on && !matches!(operator, Operator::Literal | Operator::Block) {
            return;
        }
        if let Some(function) = &self.function {
            self.changes.push(Change {
                range,
                mutated,
                operator,
                switch,
                function: function.clone(),
                is_in_macro: self.definition.is_some(),
                is_in_unsafe: self.scope.in_unsafe,
            });
        }
    }

    /// Notes the beginning of a block, if blocks get switches.
    fn note_block(&mut self, block: &syn::Block) {
        if let Some(first) = block.stmts.first() {
            let start = byte_range(first).start;
            self.note_entered(byte_range(block), start..start, Switch::Inserted);
        }
    }

    /// Notes the beginning of an arm's body that is no block, if blocks get switches.
    fn note_body(&mut self, body: &syn::Expr) {
        if !matches!(body, syn::Expr::Block(_)) {
            let range = byte_range(body);
            self.note_entered(range.clone(), range, Switch::Wrapped);
        }
    }

    /// Notes a switch that changes nothing: it shows whether a run enters the code in `entered`. That code stands in the place of
    /// the function that it is in.
    fn note_entered(&mut self, entered: Range<usize>, switched: Range<usize>, switch: Switch) {
        let Some(function) = self.function.as_ref().filter(|_| self.has_blocks) else {
            return;
        };
        let entered = Function {
            path: function.path.clone(),
            range: entered,
        };
        let outer = self.function.replace(entered);
        let text = self.text[switched.clone()].to_owned();
        self.note(switched, text, Operator::Block, switch);
        self.function = outer;
    }

    /// Notes that another expression may stand in place of one.
    fn note_instead(&mut self, range: Range<usize>, mutated: String, operator: Operator) {
        if let Some(copy) = in_one_line(&mutated) {
            self.note(range, mutated, operator, Switch::Instead(copy));
        }
    }
}

/// Returns a text without its line breaks, if it is short and has no token that goes on over several lines.
fn in_one_line(text: &str) -> Option<String> {
    // Marks do not make a text longer, and merging crates may have made paths longer where they stand.
    let longest = match has_mark(text) {
        true => LONGEST_MARKED_COPY,
        false => LONGEST_COPY,
    };
    if !text.contains('\n') {
        return (text.len() <= longest).then(|| text.to_owned());
    }
    let tokens = reduce_syntax::tokens(text);
    let has_break = tokens
        .iter()
        .any(|token| token.is_doc() || text[token.range()].contains('\n'));
    // Without comments and strings, only the white space between tokens is other.
    let line = match ["//", "/*", "\"", "'"]
        .iter()
        .any(|sign| text.contains(sign))
    {
        true => reduce_syntax::spaced(text),
        false => text.split_whitespace().collect::<Vec<_>>().join(" "),
    };
    (!has_break && line.len() <= longest).then_some(line)
}

impl<'ast> Visit<'ast> for ChangeCollector<'_> {
    fn visit_expr_unsafe(&mut self, block: &'ast syn::ExprUnsafe) {
        self.in_unsafe(|inner| visit::visit_expr_unsafe(inner, block));
    }
    fn visit_attribute(&mut self, _: &'ast syn::Attribute) {}
    fn visit_macro(&mut self, _: &'ast syn::Macro) {}
    fn visit_type(&mut self, _: &'ast syn::Type) {}
    fn visit_generics(&mut self, _: &'ast syn::Generics) {}
    fn visit_path(&mut self, _: &'ast syn::Path) {}
    fn visit_angle_bracketed_generic_arguments(
        &mut self,
        _: &'ast syn::AngleBracketedGenericArguments,
    ) {
    }
    fn visit_item_const(&mut self, _: &'ast syn::ItemConst) {}
    fn visit_item_static(&mut self, _: &'ast syn::ItemStatic) {}
    fn visit_item_enum(&mut self, _: &'ast syn::ItemEnum) {}
    fn visit_impl_item_const(&mut self, _: &'ast syn::ImplItemConst) {}
    fn visit_trait_item_const(&mut self, _: &'ast syn::TraitItemConst) {}
    fn visit_expr_const(&mut self, _: &'ast syn::ExprConst) {}

    /// Visits only the condition in a pattern, as nothing else in it runs.
    fn visit_pat(&mut self, pattern: &'ast syn::Pat) {
        if let syn::Pat::Guard(guarded) = pattern {
            self.condition(&guarded.guard);
        }
    }

    /// Skips the length of an array, which is a constant.
    fn visit_expr_repeat(&mut self, repeated: &'ast syn::ExprRepeat) {
        self.visit_expr(&repeated.expr);
    }

    fn visit_item_mod(&mut self, module: &'ast syn::ItemMod) {
        if !is_only_for_tests(&module.attrs) {
            let name = module.ident.to_string();
            self.within(&name, |inner| visit::visit_item_mod(inner, module));
        }
    }

    fn visit_item_impl(&mut self, implementation: &'ast syn::ItemImpl) {
        if !is_only_for_tests(&implementation.attrs) {
            let name = self.name_of_impl(implementation);
            self.within(&name, |inner| {
                for item in &implementation.items {
                    inner.visit_impl_item(item);
                }
            });
        }
    }

    fn visit_item_trait(&mut self, definition: &'ast syn::ItemTrait) {
        if !is_only_for_tests(&definition.attrs) {
            let name = definition.ident.to_string();
            self.within(&name, |inner| {
                for item in &definition.items {
                    inner.visit_trait_item(item);
                }
            });
        }
    }

    fn visit_item_macro(&mut self, item: &'ast syn::ItemMacro) {
        if self.reach >= Reach::MacroOperators
            && self.function.is_none()
            && !is_only_for_tests(&item.attrs)
        {
            self.macro_definition(item);
        }
    }

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.function(&item.attrs, &item.sig, &item.block, byte_range(item));
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.function(&item.attrs, &item.sig, &item.block, byte_range(item));
    }

    fn visit_trait_item_fn(&mut self, item: &'ast syn::TraitItemFn) {
        if let Some(body) = &item.default {
            self.function(&item.attrs, &item.sig, body, byte_range(item));
        }
    }

    fn visit_expr_closure(&mut self, closure: &'ast syn::ExprClosure) {
        if closure.constness.is_none() {
            self.visit_expr(&closure.body);
        }
    }

    /// Visits a block whose last statement may give its value.
    fn visit_block(&mut self, block: &'ast syn::Block) {
        self.block(block, false);
    }

    fn visit_expr_if(&mut self, branches: &'ast syn::ExprIf) {
        self.branches(branches, false);
    }

    fn visit_expr_while(&mut self, repeated: &'ast syn::ExprWhile) {
        self.while_loop(repeated);
    }

    fn visit_expr_for_loop(&mut self, repeated: &'ast syn::ExprForLoop) {
        self.reversed(repeated);
        self.visit_expr(&repeated.expr);
        let n_around = self.scope.parameters.len();
        let counter = variables::counter(repeated, self.text);
        self.scope.parameters.extend(counter);
        self.loop_body(&repeated.body, true);
        self.scope.parameters.truncate(n_around);
    }

    fn visit_expr_index(&mut self, indexed: &'ast syn::ExprIndex) {
        self.value(&indexed.index);
        visit::visit_expr_index(self, indexed);
    }

    fn visit_expr_loop(&mut self, repeated: &'ast syn::ExprLoop) {
        let outer = std::mem::replace(&mut self.scope.in_endless_loop, true);
        self.loop_body(&repeated.body, false);
        self.scope.in_endless_loop = outer;
    }

    fn visit_expr_assign(&mut self, assigned: &'ast syn::ExprAssign) {
        self.assignment(assigned);
        visit::visit_expr_assign(self, assigned);
    }

    fn visit_local(&mut self, local: &'ast syn::Local) {
        visit::visit_local(self, local);
        self.declared(local);
    }

    fn visit_expr_match(&mut self, chosen: &'ast syn::ExprMatch) {
        self.visit_expr(&chosen.expr);
        self.arms(chosen, false);
    }

    fn visit_expr_binary(&mut self, operation: &'ast syn::ExprBinary) {
        self.binary(operation);
        if operators::level(&operation.op).is_some() {
            self.value(&operation.left);
            self.value(&operation.right);
        }
        visit::visit_expr_binary(self, operation);
    }

    fn visit_expr_unary(&mut self, operation: &'ast syn::ExprUnary) {
        self.unary(operation);
    }

    fn visit_expr_range(&mut self, range: &'ast syn::ExprRange) {
        self.range(range);
        visit::visit_expr_range(self, range);
    }

    fn visit_expr_cast(&mut self, cast: &'ast syn::ExprCast) {
        self.cast(cast);
    }

    fn visit_expr_reference(&mut self, reference: &'ast syn::ExprReference) {
        if !self.constant_reference(reference) {
            self.visit_expr(&reference.expr);
        }
    }

    fn visit_expr_call(&mut self, call: &'ast syn::ExprCall) {
        self.call(call);
        call.args.iter().for_each(|one| self.passed_value(one));
        visit::visit_expr_call(self, call);
    }

    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        self.parts_of_method_call(call, true);
    }

    fn visit_expr_path(&mut self, path: &'ast syn::ExprPath) {
        self.variant(path);
    }

    fn visit_expr_lit(&mut self, literal: &'ast syn::ExprLit) {
        self.literal(literal);
    }
}
