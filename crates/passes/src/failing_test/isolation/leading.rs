//! Finds the blocks and loops that lead to the failing assertion.

use crate::program::{Place, Program, SyntaxFile};
use crate::visit::{self, At, Node, Walk};
use reduce_model::Position;
use syn::{Attribute, Block, Expr, ExprForLoop, FnArg, ImplItem, Item, Pat, Signature};

/// The most calls that are followed from the function of the assertion up to the test.
const MOST_CALLERS: usize = 4;

/// The blocks and loops around the assertion that fails, or around calls that lead to it.
#[derive(Default)]
pub(super) struct Leading<'p> {
    pub(super) blocks: Vec<LeadingBlock<'p>>,
    pub(super) loops: Vec<LeadingLoop<'p>>,
}

/// A block around the assertion or a call that leads to it.
pub(super) struct LeadingBlock<'p> {
    pub(super) file: SyntaxFile<'p>,
    pub(super) block: &'p Block,
    /// The positions, in the block, of the assertion or of the calls that lead to it.
    pub(super) anchors: Vec<Position>,
    /// Whether the code after the assertion or the calls is never reached.
    pub(super) ends_there: bool,
}

/// A `for` loop around the assertion or a call that leads to it.
pub(super) struct LeadingLoop<'p> {
    pub(super) file: SyntaxFile<'p>,
    pub(super) looping: &'p ExprForLoop,
}

impl<'p> Leading<'p> {
    /// Finds the blocks and loops that lead to an assertion.
    pub(super) fn to(program: &'p Program, failed: Position) -> Self {
        let functions = functions(program);
        let mut leading = Self::default();
        let mut anchors = vec![failed];
        let mut known: Vec<Place> = vec![];
        for _ in 0..=MOST_CALLERS {
            let mut around = innermost(&functions, &anchors);
            around.retain(|function| !known.contains(&function.body()));
            for function in &around {
                leading.add(program, function, &anchors);
                known.push(function.body());
            }
            let called = around.iter().filter(|function| !function.is_test());
            let mentions = called.flat_map(|function| program.mentions().of(function.name()));
            anchors = mentions.copied().collect();
        }
        leading
    }

    fn add(&mut self, program: &'p Program, function: &Function<'p>, anchors: &[Position]) {
        // Bodies of loops and closures.
        let mut repeated: Vec<Place> = vec![];
        let whole = Node::Block(function.block);
        visit::each_in(program, function.at, whole, |at, node| match node {
            Node::Item(_) => Walk::Past,
            Node::Expr(Expr::ForLoop(looping)) => {
                let place = at.place(&looping.body);
                if !within(&place, anchors).is_empty() {
                    let file = at.file;
                    self.loops.push(LeadingLoop { file, looping });
                }
                repeated.push(place);
                Walk::Inside
            }
            Node::Expr(one @ (Expr::While(_) | Expr::Loop(_) | Expr::Closure(_))) => {
                repeated.push(at.place(one));
                Walk::Inside
            }
            Node::Block(block) => {
                let place = at.place(block);
                let anchors = within(&place, anchors);
                let is_repeated = repeated.iter().any(|outer| place.is_within(outer));
                if !anchors.is_empty() {
                    self.blocks.push(LeadingBlock {
                        file: at.file,
                        block,
                        anchors,
                        ends_there: function.is_test() && !is_repeated,
                    });
                }
                Walk::Inside
            }
            _ => Walk::Inside,
        });
    }
}

/// Returns those positions that are within a place.
fn within(place: &Place, positions: &[Position]) -> Vec<Position> {
    let all = positions.iter().copied();
    all.filter(|at| at.is_in(place)).collect()
}

/// A function with a body.
pub(super) struct Function<'p> {
    at: At<'p>,
    attributes: &'p [Attribute],
    signature: &'p Signature,
    block: &'p Block,
}

impl Function<'_> {
    pub(super) fn body(&self) -> Place {
        self.at.place(self.block)
    }

    /// Returns the place of the function without its attributes and its visibility.
    pub(super) fn place(&self) -> Place {
        let start = self.at.place(self.signature).range.start;
        let body = self.body();
        Place::new(body.file, start..body.range.end)
    }

    /// Returns the name of the function as text.
    pub(super) fn word(&self) -> String {
        self.signature.ident.to_string()
    }

    /// Whether the function can be called without arguments.
    pub(super) fn takes_nothing(&self) -> bool {
        self.signature.inputs.is_empty() && self.signature.generics.params.is_empty()
    }

    /// Whether the function is a `main` that no macro changes.
    pub(super) fn is_plain_main(&self) -> bool {
        let signature = self.signature;
        signature.ident == "main" && signature.asyncness.is_none() && self.attributes.is_empty()
    }

    /// Returns the position of the function's name.
    pub(super) fn name(&self) -> Position {
        self.at.position(&self.signature.ident)
    }

    /// Returns the index of the parameter that is defined at a position.
    pub(super) fn parameter(&self, defined: Position) -> Option<usize> {
        let mut inputs = self.signature.inputs.iter();
        inputs.position(|input| match input {
            FnArg::Typed(typed) => match &*typed.pat {
                Pat::Ident(name) => self.at.position(&name.ident) == defined,
                _ => false,
            },
            FnArg::Receiver(_) => false,
        })
    }

    /// Whether a harness calls the function: `#[test]`, `#[tokio::test]`, or `main`.
    fn is_test(&self) -> bool {
        is_one_test(self.attributes) || self.signature.ident == "main"
    }
}

/// Whether attributes make a single test of a function, which has its name: `#[test]`, or `#[tokio::test]`. Of
/// [`reduce_syntax::makes_test`] others may make several, named after their cases.
fn is_one_test(attributes: &[Attribute]) -> bool {
    let last = |attribute: &Attribute| attribute.path().segments.last().cloned();
    let mut names = attributes.iter().filter_map(last);
    names.any(|name| name.ident == "test")
}

/// Returns the places of all tests but those of this name.
pub(super) fn other_tests(program: &Program, name: &str) -> Vec<Place> {
    visit::collect(program, |at, node| match node {
        Node::Item(item @ Item::Fn(one)) => {
            let is_other = is_one_test(&one.attrs) && one.sig.ident != name;
            is_other.then(|| at.place(item))
        }
        _ => None,
    })
}

/// Returns the places of the bodies of all tests but those of this name.
pub(super) fn bodies_of_other_tests(program: &Program, name: &str) -> Vec<Place> {
    let functions = functions(program).into_iter();
    let others = functions.filter(|one| one.is_test() && one.signature.ident != name);
    others.map(|one| one.body()).collect()
}

/// Returns all functions of a program that have a body.
pub(super) fn functions(program: &Program) -> Vec<Function<'_>> {
    visit::collect(program, |at, node| {
        let (attributes, signature, block) = match node {
            Node::Item(Item::Fn(one)) => (&one.attrs, &one.sig, &*one.block),
            Node::ImplItem(ImplItem::Fn(one)) => (&one.attrs, &one.sig, &one.block),
            _ => return None,
        };
        Some(Function {
            at,
            attributes,
            signature,
            block,
        })
    })
}

/// Returns the innermost functions around some positions, each function once.
fn innermost<'f, 'p>(
    functions: &'f [Function<'p>],
    positions: &[Position],
) -> Vec<&'f Function<'p>> {
    let mut found: Vec<&Function<'_>> = vec![];
    for at in positions {
        let around = functions.iter().filter(|one| at.is_in(&one.body()));
        let Some(inner) = around.min_by_key(|one| one.body().range.len()) else {
            continue;
        };
        if found.iter().all(|other| !std::ptr::eq(*other, inner)) {
            found.push(inner);
        }
    }
    found
}
