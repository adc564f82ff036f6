//! The arguments of macros: expressions or statements, if they parse as such.

use super::Collector;
use crate::definitions::Namespace;
use crate::scopes::ScopeKind;
use crate::std_names::takes_expressions;
use reduce_syntax::{MacroArguments, byte_range};
use std::ops::Range;
use syn::parse::{ParseStream, Parser};
use syn::visit::Visit;
use syn::{Expr, Pat, Token};

/// The arguments of the macro `matches!(value, pattern if condition)`.
struct MatchesArguments {
    value: Expr,
    pattern: Pat,
    condition: Option<Expr>,
}

impl MatchesArguments {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let value = input.parse()?;
        input.parse::<Token![,]>()?;
        let pattern = Pat::parse_multi_with_leading_vert(input)?;
        let condition = match input.parse::<Option<Token![if]>>()? {
            Some(_) => Some(input.parse()?),
            None => None,
        };
        input.parse::<Option<Token![,]>>()?;
        Ok(Self {
            value,
            pattern,
            condition,
        })
    }
}

impl Collector<'_> {
    pub(super) fn macro_call(&mut self, call: &syn::Macro) {
        self.path(&call.path, Namespace::Macro);
        if call.tokens.is_empty() {
            return;
        }
        let name = call.path.segments.last().map(|last| last.ident.to_string());
        let name = name.unwrap_or_default();
        let is_known = takes_expressions(&name) && !self.has_macro(&name);
        let range = byte_range(&call.tokens);
        if matches!(
            &*name,
            "matches" | "assert_matches" | "debug_assert_matches"
        ) && let Ok(arguments) = MatchesArguments::parse.parse2(call.tokens.clone())
        {
            return self.matches(&arguments, range);
        }
        let arguments = MacroArguments::of(&call.tokens);
        self.guessing(!is_known, |inside| match &arguments {
            MacroArguments::Expressions(all) => all.iter().for_each(|one| inside.argument(one)),
            MacroArguments::Statements(all) => all.iter().for_each(|one| inside.visit_stmt(one)),
            MacroArguments::Unknown => inside.loose_text(&range),
        });
    }

    /// Returns whether the crate has a macro of its own with this name, among what was read
    /// already.
    fn has_macro(&self, name: &str) -> bool {
        let name = self.result.words.name(name);
        name.is_some_and(|name| self.result.macros.contains_key(&name))
    }

    /// Reads an argument of a macro: an expression, or `name = expression`.
    fn argument(&mut self, argument: &Expr) {
        match argument {
            Expr::Assign(named) if matches!(&*named.left, Expr::Path(_)) => {
                self.visit_expr(&named.right);
            }
            _ => self.visit_expr(argument),
        }
    }

    fn matches(&mut self, arguments: &MatchesArguments, range: Range<usize>) {
        self.visit_expr(&arguments.value);
        let end = range.end;
        self.in_scope(ScopeKind::Inner, range, |inside| {
            let start = byte_range(&arguments.pattern).end;
            inside.pattern(&arguments.pattern, start..end);
            inside.note_value(&arguments.pattern, &arguments.value);
            arguments
                .condition
                .iter()
                .for_each(|one| inside.visit_expr(one));
        });
    }
}
