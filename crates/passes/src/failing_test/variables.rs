//! Finds the values of a test's variables after each statement, which a person sees in the report as in a debugger.
//!
//! Behind each statement stands a probe for each variable that the statement binds or may change. It writes what
//! `{:?}` prints. A variable that is moved, borrowed or of a type without `Debug` has none: the compiler says so.

mod runtime;

use crate::failing_test::probes::{ProbeSet, ProbedSources};
use crate::failing_test::run_values::BoundNames;
use crate::passes::first_name;
use crate::precedence::is_assignment;
use crate::program::{Place, Program, SyntaxFile};
use crate::visit::{self, At, Node, Walk};
use reduce_model::Position;
use reduce_syntax::FileId;
pub use runtime::VARIABLES_VARIABLE;
use runtime::{MOST_TIMES, values};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use syn::{Block, Expr, ImplItem, Item, Stmt};

/// The most variables whose values are reported.
const MOST_SITES: usize = 40;

/// Probes that write down the values of a test's variables after each statement.
pub struct VariableProbes<'p> {
    program: &'p Program,
    sites: Vec<VariableSite>,
    /// The indices of the probes that do not compile.
    broken: BTreeSet<usize>,
}

/// A variable whose value is written down after a statement.
#[derive(Debug, Clone, PartialEq, Eq)]
struct VariableSite {
    name: String,
    /// The position where the statement begins.
    start: Position,
    /// The position where the statement ends.
    end: Position,
}

/// The values of a variable after a statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VariableValues {
    /// The file that the statement is in.
    pub file: FileId,
    /// The line on which the statement begins, from 1.
    pub line: usize,
    /// The name of the variable.
    pub name: String,
    /// The texts that `{:?}` prints, one for each time that the statement was executed.
    pub values: Vec<String>,
    /// Whether the statement was executed more often than there are values.
    pub is_cut: bool,
}

impl<'p> VariableProbes<'p> {
    /// Makes the probes after the statements of a program.
    #[must_use]
    pub fn of(program: &'p Program) -> Self {
        let mut sites = Vec::new();
        visit::each(program, |at, node| match node {
            Node::Item(Item::Fn(one)) => Walk::unless_const(&one.sig),
            Node::ImplItem(ImplItem::Fn(one)) => Walk::unless_const(&one.sig),
            Node::Block(block) => {
                sites.extend(sites_of(program, at, block));
                Walk::Inside
            }
            _ => Walk::Inside,
        });
        sites.truncate(MOST_SITES);
        Self {
            program,
            sites,
            broken: BTreeSet::new(),
        }
    }

    /// Reads the values that two runs have written. What is not the same in both, such as an address, is left out.
    #[must_use]
    pub fn values(&self, [one, other]: [&[u8]; 2]) -> Vec<VariableValues> {
        let (mut one, other) = (values(one), values(other));
        one.retain(|idx, values| other.get(idx) == Some(values));
        let seen = one.into_iter();
        let told = seen.filter_map(|(idx, values)| {
            let site = self.sites.get(idx)?;
            let text = self.program.sources().text(site.start.file);
            Some(VariableValues {
                file: site.start.file,
                line: text[..site.start.at].matches('\n').count() + 1,
                name: site.name.clone(),
                is_cut: values.len() > MOST_TIMES,
                values: values.into_iter().take(MOST_TIMES).collect(),
            })
        });
        let mut told: Vec<_> = told.collect();
        told.sort_by_key(|one| (one.file, one.line));
        told
    }
}

impl ProbeSet for VariableProbes<'_> {
    fn is_empty(&self) -> bool {
        self.broken.len() == self.sites.len()
    }

    fn sources(&self) -> ProbedSources {
        let mut of_files: BTreeMap<FileId, Vec<(usize, &VariableSite)>> = BTreeMap::new();
        let all = self.sites.iter().enumerate();
        for (idx, site) in all.filter(|(idx, _)| !self.broken.contains(idx)) {
            of_files.entry(site.end.file).or_default().push((idx, site));
        }
        let mut sources = self.program.sources().clone();
        let mut places = Vec::new();
        for (file, mut sites) in of_files {
            sites.sort_by_key(|(idx, site)| (site.end.at, *idx));
            let (text, in_file) = probed(self.program.sources().text(file), file, &sites);
            places.extend(in_file);
            sources.set_text(file, Arc::from(text));
        }
        ProbedSources::new(sources, places)
    }

    fn broken(&mut self) -> &mut BTreeSet<usize> {
        &mut self.broken
    }
}

/// Puts probes into a file, and returns the text with the range of each probe.
fn probed(
    text: &str,
    file: FileId,
    sites: &[(usize, &VariableSite)],
) -> (String, Vec<(usize, Place)>) {
    let mut result = String::new();
    let mut places = Vec::new();
    let mut done = 0;
    for (idx, site) in sites {
        result.push_str(&text[done..site.end.at]);
        done = site.end.at;
        let start = result.len();
        result.push_str(&runtime::probe(*idx, &site.name));
        places.push((*idx, Place::new(file, start..result.len())));
    }
    result.push_str(&text[done..]);
    (result, places)
}

/// Returns the variables to write down after the statements of a block. The expression with which the block ends is its value.
fn sites_of(program: &Program, at: At<'_>, block: &Block) -> Vec<VariableSite> {
    let mut sites = Vec::new();
    let has_value = matches!(block.stmts.last(), Some(Stmt::Expr(_, None)));
    let n_statements = block.stmts.len() - usize::from(has_value);
    for statement in &block.stmts[..n_statements] {
        let names = match statement {
            Stmt::Local(local) => BoundNames::in_pattern(&local.pat),
            Stmt::Expr(expression, _) => changed(program, at, expression),
            Stmt::Item(_) | Stmt::Macro(_) => Vec::new(),
        };
        let site = |name| site(at.file, statement, name);
        sites.extend(names.into_iter().map(site));
    }
    sites
}

fn site(file: SyntaxFile<'_>, statement: &Stmt, name: String) -> VariableSite {
    let Place { file, range } = file.place(statement);
    let position = |at| Position { file, at };
    VariableSite {
        name,
        start: position(range.start),
        end: position(range.end),
    }
}

/// Returns the names of the variables that an expression may change: on which methods are called, that are assigned to, or
/// mutably borrowed.
fn changed(program: &Program, at: At<'_>, expression: &Expr) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    visit::each_in(program, at, Node::Expr(expression), |_, node| {
        let place = match node {
            Node::Expr(Expr::MethodCall(call)) => Some(&call.receiver),
            Node::Expr(Expr::Assign(one)) => Some(&one.left),
            Node::Expr(Expr::Binary(one)) if is_assignment(&one.op) => Some(&one.left),
            Node::Expr(Expr::Reference(one)) if one.mutability.is_some() => Some(&one.expr),
            _ => None,
        };
        let name = place.and_then(|place| first_name(place));
        let name = name.map(ToString::to_string);
        let is_new = |name: &String| name != "self" && !names.contains(name);
        names.extend(name.filter(is_new));
        match node {
            Node::Item(_) | Node::Expr(Expr::Closure(_)) => Walk::Past,
            _ => Walk::Inside,
        }
    });
    names
}

#[cfg(test)]
mod tests;
