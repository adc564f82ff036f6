//! What stands between the brackets of macro calls, as far as it looks like expressions or statements:
//! mostly it is. Their places are those of the file.

use crate::program::{Place, SyntaxFile};
use proc_macro2::TokenStream;
use std::collections::HashMap;
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::visit::{self, Visit};
use syn::{Block, Expr, Macro, Stmt, Token};

/// The tokens of a macro call as syntax.
pub(crate) enum MacroArguments {
    Expressions(Punctuated<Expr, Token![,]>),
    Statements(Vec<Stmt>),
    Unknown,
}

/// The arguments of all macro calls by the place of the macro's path, those in other arguments included.
pub(crate) type ByPath = HashMap<Place, MacroArguments>;

impl MacroArguments {
    fn of(tokens: &TokenStream) -> Self {
        let expressions = Punctuated::<Expr, Token![,]>::parse_terminated.parse2(tokens.clone());
        if let Ok(expressions) = expressions {
            return Self::Expressions(expressions);
        }
        match Block::parse_within.parse2(tokens.clone()) {
            Ok(statements) => Self::Statements(statements),
            Err(_) => Self::Unknown,
        }
    }

    /// Visits what is in them.
    pub(crate) fn visit<'p>(&'p self, visitor: &mut impl Visit<'p>) {
        match self {
            Self::Expressions(all) => all.iter().for_each(|one| visitor.visit_expr(one)),
            Self::Statements(all) => all.iter().for_each(|one| visitor.visit_stmt(one)),
            Self::Unknown => {}
        }
    }
}

/// Parses the arguments of all calls in some files.
pub(crate) fn by_path<'p>(files: impl Iterator<Item = SyntaxFile<'p>>) -> ByPath {
    let mut found = ByPath::new();
    for file in files {
        let calls = &mut found;
        Calls { file, calls }.visit_file(file.syntax);
    }
    found
}

struct Calls<'p, 'c> {
    file: SyntaxFile<'p>,
    calls: &'c mut ByPath,
}

impl<'ast> Visit<'ast> for Calls<'_, '_> {
    fn visit_macro(&mut self, call: &'ast Macro) {
        let arguments = MacroArguments::of(&call.tokens);
        let Self { file, calls } = self;
        arguments.visit(&mut Calls { file: *file, calls });
        self.calls.insert(self.file.place(&call.path), arguments);
        visit::visit_macro(self, call);
    }
}
