//! The arguments between the brackets of a macro call, as far as they look like expressions or
//! statements: mostly they are.

use crate::floats::Floats;
use proc_macro2::TokenStream;
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::visit::Visit;
use syn::visit_mut::VisitMut;
use syn::{Block, Expr, Stmt, Token};

/// The tokens of a macro call as syntax. Their positions are those of the file.
pub enum MacroArguments {
    /// The tokens are expressions with commas between them.
    Expressions(Punctuated<Expr, Token![,]>),
    /// The tokens are statements.
    Statements(Vec<Stmt>),
    /// The tokens are neither expressions nor statements.
    Unknown,
}

impl MacroArguments {
    /// Parses the tokens of a call.
    #[must_use]
    pub fn of(tokens: &TokenStream) -> Self {
        let expressions = Punctuated::parse_terminated.parse2(tokens.clone());
        if let Ok(mut expressions) = expressions {
            let all = expressions.iter_mut();
            all.for_each(|one| Floats.visit_expr_mut(one));
            return Self::Expressions(expressions);
        }
        let statements = Block::parse_within.parse2(tokens.clone());
        statements.map_or(Self::Unknown, |mut statements| {
            let all = statements.iter_mut();
            all.for_each(|one| Floats.visit_stmt_mut(one));
            Self::Statements(statements)
        })
    }

    /// Visits the expressions or statements among the arguments.
    pub fn visit<'a>(&'a self, visitor: &mut impl Visit<'a>) {
        match self {
            Self::Expressions(all) => all.iter().for_each(|one| visitor.visit_expr(one)),
            Self::Statements(all) => all.iter().for_each(|one| visitor.visit_stmt(one)),
            Self::Unknown => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let tokens = text.parse().unwrap();
        let found = match MacroArguments::of(&tokens) {
            MacroArguments::Expressions(all) => format!("{} expressions", all.len()),
            MacroArguments::Statements(all) => format!("{} statements", all.len()),
            MacroArguments::Unknown => "unknown".to_owned(),
        };
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn arguments_are_expressions_before_they_are_statements() {
        check("a + 1, f(b),", "2 expressions");
        check("", "0 expressions");
        check("let a = b; c", "2 statements");
        check("struct S; a!()", "2 statements");
        check("a => b", "unknown");
    }
}
