//! Finds the places where a program names other crates than the standard library.

use crate::passes::{Import, ImportKind, imports};
use crate::program::{Program, SyntaxFile};
use crate::visit::{self, Node};
use reduce_model::{
    DefKind, Definition, Position, is_external, is_method_in_std, takes_expressions,
};
use std::collections::{BTreeSet, HashSet};
use syn::{Expr, ExprMethodCall, Macro, Path, PathSegment};

/// The crates of the standard library.
const STD: [&str; 3] = ["std", "core", "alloc"];

/// The names that lead to the modules around. Of the module of a unit test these are the code under test.
const AROUND: [&str; 3] = ["crate", "super", "self"];

/// The names by which a program means other crates than the standard library.
pub(super) struct Sources<'p> {
    program: &'p Program,
    /// The names that are imported from the standard library.
    of_std: HashSet<String>,
    /// The names that are imported from other crates.
    foreign: HashSet<String>,
    /// Whether all names of another crate are imported.
    has_glob: bool,
    /// Whether a trait of another crate may give types of the standard library more methods.
    has_extensions: bool,
}

impl<'p> Sources<'p> {
    pub(super) fn of(program: &'p Program) -> Self {
        let mut sources = Self {
            program,
            of_std: HashSet::new(),
            foreign: HashSet::new(),
            has_glob: false,
            has_extensions: false,
        };
        for import in imports(program) {
            sources.add(&import);
        }
        sources
    }

    fn add(&mut self, import: &Import) {
        let Some(root) = import.path.first() else {
            return;
        };
        let is_std = STD.contains(&root.as_str());
        let renamed = import.renamed(self.program);
        let name = renamed.map(|place| self.program.text(&place).to_owned());
        let name = name.or(import.path.last().cloned());
        let is_glob = import.kind == ImportKind::Glob;
        match is_std {
            true => self.of_std.extend(name),
            false if self.is_own(import.name) => {}
            false if is_glob => self.has_glob = true,
            false => {
                let mentions = self.program.mentions().of(import.name).iter();
                let is_elsewhere = |at: &Position| !at.is_in(&import.item);
                self.has_extensions |= !mentions.copied().any(|at| is_elsewhere(&at));
                self.foreign.extend(name);
            }
        }
        self.has_extensions |= self.has_glob;
    }

    /// Returns the positions at which other crates are named.
    pub(super) fn mentions(&self) -> BTreeSet<Position> {
        let mut found = BTreeSet::new();
        visit::each_also_in_macros(self.program, |at, node| match node {
            Node::Path(path) => found.extend(self.path(at.file, path)),
            Node::Expr(Expr::MethodCall(call)) => found.extend(self.method(at.file, call)),
            Node::Expr(Expr::Macro(call)) => found.extend(self.call_of_macro(at.file, &call.mac)),
            Node::Stmt(syn::Stmt::Macro(call)) => {
                found.extend(self.call_of_macro(at.file, &call.mac));
            }
            _ => {}
        });
        found
    }

    /// Returns the position where a path begins, if it leads to another crate.
    fn path(&self, file: SyntaxFile<'_>, path: &Path) -> Option<Position> {
        let (first, last) = (path.segments.first()?, path.segments.last()?);
        let name = first.ident.to_string();
        let is_std = STD.contains(&name.as_str())
            || self.of_std.contains(&name)
            || (is_external(&name) && !leads_around(first))
            || name == "Self";
        let is_imported = self.foreign.contains(&name) || self.has_glob;
        let may_be_foreign = match path.segments.len() {
            1 => is_imported && name != "self",
            _ => !is_std,
        };
        let position = |segment: &PathSegment| file.position(&segment.ident);
        let is_own = match path.segments.iter().find(|one| !leads_around(one)) {
            Some(named) if leads_around(first) => self.is_own(position(named)),
            _ => self.is_own(position(first)) || self.is_own(position(last)),
        };
        (may_be_foreign && !is_std && !is_own).then_some(position(first))
    }

    fn method(&self, file: SyntaxFile<'_>, call: &ExprMethodCall) -> Option<Position> {
        let at = file.position(&call.method);
        let may_be_foreign = self.has_extensions && !is_method_in_std(&call.method.to_string());
        (may_be_foreign && !self.is_own(at)).then_some(at)
    }

    fn call_of_macro(&self, file: SyntaxFile<'_>, call: &Macro) -> Option<Position> {
        let name = call.path.segments.last()?;
        let text = name.ident.to_string();
        let is_std = takes_expressions(&text) || is_external(&text);
        (!is_std).then(|| file.position(&name.ident))
    }

    /// Whether a name may mean something that the program defines.
    fn is_own(&self, name: Position) -> bool {
        let model = self.program.model();
        let found = model.resolve_at(name);
        let mut candidates = found.candidates().iter();
        candidates.any(|def| is_of_program(model.definition(*def)))
    }
}

/// Whether a definition is the program's own. A type that stands in the arguments of a macro is made by the macro.
pub(crate) fn is_of_program(definition: &Definition) -> bool {
    definition.is_certain || definition.kind == DefKind::Function
}

fn leads_around(segment: &PathSegment) -> bool {
    AROUND.iter().any(|name| segment.ident == name)
}
