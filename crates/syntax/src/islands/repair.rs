//! Repairs of token trees that syn does not understand: changes by which it does.

use crate::located::Located;
use crate::parse::byte_range;
use proc_macro2::{Delimiter, Group, Ident, Punct, Spacing, Span, TokenStream, TokenTree};
use std::ops::Range;
use syn::TypeTraitObject;

/// The name of all stand-ins. No program has such a name.
pub(super) const STAND_IN: &str = "__island_of_cargo_reduce";

/// A change of a run of token trees by which syn understands a file. The trees are all in the same pair of brackets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Repair {
    /// The bytes of the run.
    pub(super) range: Range<usize>,
    pub(super) form: Form,
}

/// The way in which a run of token trees is changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// The run is one token, and is left out. The position of the next token then begins where it was.
    ExtraBefore,
    /// The run is one token, and is left out. The position of the token before it then ends where it did.
    ExtraAfter,
    /// A name takes the place of the run.
    Name,
    /// The call of a macro takes the place of the run.
    Call,
    /// The run is empty, and a `;` is inserted there.
    Separator,
    /// The run is empty, and begins a trait object as editions before 2021 write it, such as `Fn(u8)`: there is a `dyn`
    /// before it, until syn has read it.
    Object,
}

impl Form {
    /// All ways in which a run is changed.
    pub(super) const ALL: [Self; 6] = [
        Self::ExtraBefore,
        Self::ExtraAfter,
        Self::Name,
        Self::Call,
        Self::Separator,
        Self::Object,
    ];

    /// Returns whether the text means something else to syn after the repair. A trait object is read as what it is.
    pub(super) fn is_change(self) -> bool {
        self != Self::Object
    }
}

/// Returns the token trees with these repairs. Each of the runs is whole trees, and no two of them share a tree.
pub(super) fn repaired(trees: &[TokenTree], repairs: &[Repair]) -> TokenStream {
    Repairing {
        repairs,
        shown: None,
    }
    .level(trees)
}

/// Repairs token trees, and empties all braces but those around a place, so that syn reads less.
pub(super) fn repaired_around(
    trees: &[TokenTree],
    repairs: &[Repair],
    place: usize,
) -> TokenStream {
    Repairing {
        repairs,
        shown: Some(place),
    }
    .level(trees)
}

/// Returns whether a name is that of a stand-in.
pub(super) fn is_stand_in(name: &Ident) -> bool {
    name == STAND_IN
}

/// Removes the `dyn` of a trait object that a repair has added: its place is that of what follows it.
pub(super) fn leave_added_dyn_out(object: &mut TypeTraitObject) {
    let start = |syntax: &dyn Located| byte_range(syntax).start;
    let (Some(added), Some(first)) = (object.dyn_token, object.bounds.first()) else {
        return;
    };
    if start(&added) == start(first) {
        object.dyn_token = None;
    }
}

struct Repairing<'r> {
    repairs: &'r [Repair],
    /// The place, if any, so that only the braces around it keep their contents.
    shown: Option<usize>,
}

impl Repairing<'_> {
    fn level(&self, trees: &[TokenTree]) -> TokenStream {
        let mut result: Vec<TokenTree> = Vec::with_capacity(trees.len());
        let mut extra: Option<Span> = None;
        let mut rest = trees;
        while let Some((tree, after)) = rest.split_first() {
            let start = range(tree).start;
            let here = self.repairs.iter().filter(|one| one.range.start == start);
            let mut here: Vec<&Repair> = here.collect();
            // An empty run comes before one with tokens.
            here.sort_by_key(|one| one.range.end);
            let mut covered = 0;
            for repair in here {
                let run = rest
                    .iter()
                    .take_while(|one| range(one).end <= repair.range.end);
                let n_trees = run.count();
                match repair.form {
                    Form::Separator => result.extend(result.last().map(separator_after)),
                    Form::Object => result.push(Ident::new("dyn", tree.span()).into()),
                    _ if n_trees == 0 => {}
                    Form::ExtraBefore => (extra, covered) = (Some(tree.span()), 1),
                    Form::ExtraAfter => {
                        if let Some(last) = result.last_mut() {
                            extend(last, last.span(), tree.span());
                        }
                        covered = 1;
                    }
                    Form::Name => {
                        result.push(name(joined(&rest[..n_trees])));
                        covered = n_trees;
                    }
                    Form::Call => {
                        result.extend(call(joined(&rest[..n_trees])));
                        covered = n_trees;
                    }
                }
            }
            if covered > 0 {
                rest = &rest[covered..];
                continue;
            }
            let mut tree = self.inside(tree);
            if let Some(extra) = extra.take() {
                let span = tree.span();
                extend(&mut tree, extra, span);
            }
            result.push(tree);
            rest = after;
        }
        result.into_iter().collect()
    }

    fn inside(&self, tree: &TokenTree) -> TokenTree {
        let TokenTree::Group(group) = tree else {
            return tree.clone();
        };
        let range = group.span().byte_range();
        let has_place = |place: usize| range.start < place && place < range.end;
        let is_hidden = |place: usize| group.delimiter() == Delimiter::Brace && !has_place(place);
        let stream = if self.shown.is_some_and(is_hidden) {
            TokenStream::new()
        } else if self.shown.is_some() || self.repairs.iter().any(|one| has_place(one.range.start))
        {
            let inner: Vec<TokenTree> = group.stream().into_iter().collect();
            self.level(&inner)
        } else {
            return tree.clone();
        };
        let mut changed = Group::new(group.delimiter(), stream);
        changed.set_span(group.span());
        changed.into()
    }
}

/// Returns the bytes of a token tree.
pub(super) fn range(tree: &TokenTree) -> Range<usize> {
    tree.span().byte_range()
}

/// Sets the position of a token tree to reach from the first to the last of two spans.
fn extend(tree: &mut TokenTree, first: Span, last: Span) {
    if let Some(joined) = first.join(last) {
        tree.set_span(joined);
    }
}

fn joined(run: &[TokenTree]) -> Span {
    let (first, last) = (run[0].span(), run[run.len() - 1].span());
    first.join(last).unwrap_or(first)
}

fn name(span: Span) -> TokenTree {
    Ident::new(STAND_IN, span).into()
}

fn call(span: Span) -> [TokenTree; 3] {
    let mut sign = Punct::new('!', Spacing::Alone);
    sign.set_span(span);
    let mut braces = Group::new(Delimiter::Brace, TokenStream::new());
    braces.set_span(span);
    [name(span), sign.into(), braces.into()]
}

/// Makes a `;` with the place of the tree that it follows, as it has none of its own.
fn separator_after(tree: &TokenTree) -> TokenTree {
    let mut separator = Punct::new(';', Spacing::Alone);
    separator.set_span(tree.span());
    separator.into()
}
