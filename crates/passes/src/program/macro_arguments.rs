//! Parses the arguments of all macro calls of a program.

use super::{Place, SyntaxFile};
use reduce_syntax::MacroArguments;
use std::collections::HashMap;
use syn::Macro;
use syn::visit::{self, Visit};

/// The arguments of all macro calls, also those within other arguments, by the place of the macro's path.
pub(super) type ByPath = HashMap<Place, MacroArguments>;

/// Parses the arguments of all calls in some files.
pub(super) fn by_path<'p>(files: impl Iterator<Item = SyntaxFile<'p>>) -> ByPath {
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
