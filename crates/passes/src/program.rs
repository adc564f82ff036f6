//! Holds a crate for the passes that rewrite it: parsed, with its lists and the meanings of its names; and the changes that
//! passes make.

mod macro_arguments;

use crate::precedence::{ByPlace, ExpressionContext, Role, by_place};
use macro_arguments::{ByPath, by_path};
use proc_macro2::Span;
use proc_macro2::extra::DelimSpan;
pub(crate) use reduce_model::Place;
use reduce_model::{DefId, Mentions, Model, Position, Relations};
use reduce_syntax::MacroArguments;
use reduce_syntax::{
    Edit, EditSet, FileId, ListKind, Located, SourceTree, SyntaxTree, byte_range, remove_elements,
};
use std::cell::OnceCell;
use std::cmp::Ordering;
use std::collections::{BTreeSet, HashMap};
use std::fmt;
use syn::punctuated::Punctuated;
use syn::{Expr, Macro, Token};

/// One state of the crate that is reduced, parsed once. Its tree and what its names mean are found when they are first asked for,
/// and kept.
pub struct Program {
    model: Model,
    mentions: OnceCell<Mentions>,
    elements: OnceCell<Elements>,
    /// The arguments of macros, parsed when somebody asks for the first of them.
    macro_arguments: OnceCell<ByPath>,
    /// The surroundings of expressions, found when somebody asks for the first of them.
    contexts: OnceCell<ByPlace>,
}

impl fmt::Debug for Program {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Program")
    }
}

/// For the place of each element, the list that has the element, and its index there.
type Elements = HashMap<Place, (usize, usize)>;

/// A file of the program that syn can parse.
#[derive(Clone, Copy)]
pub(crate) struct SyntaxFile<'p> {
    pub(crate) id: FileId,
    pub(crate) syntax: &'p syn::File,
    text: &'p str,
}

impl Program {
    /// Parses a crate.
    #[must_use]
    pub fn new(sources: &SourceTree) -> Self {
        Self {
            model: Model::new(sources),
            mentions: OnceCell::new(),
            elements: OnceCell::new(),
            macro_arguments: OnceCell::new(),
            contexts: OnceCell::new(),
        }
    }

    /// Returns the lists and nodes of the program.
    #[must_use]
    pub fn tree(&self) -> &SyntaxTree {
        self.model.tree()
    }

    /// Returns the files that syn can parse.
    pub(crate) fn files(&self) -> impl Iterator<Item = SyntaxFile<'_>> {
        self.model.parsed().iter().filter_map(|(id, parsed)| {
            Some(SyntaxFile {
                id: *id,
                syntax: parsed.file()?,
                text: self.sources().text(*id),
            })
        })
    }

    /// Returns the sources of the program.
    #[must_use]
    pub fn sources(&self) -> &SourceTree {
        self.model.sources()
    }

    /// Returns the relations between the parts of the program: which parts use which others, and how far each is from what is
    /// named.
    #[must_use]
    pub fn relations(&self) -> Relations<'_> {
        Relations::of(&self.model)
    }

    /// Returns the definitions of the program, and what its names mean.
    #[must_use]
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// Returns the definition that the name at a position means, if there is only one that it may mean.
    pub(crate) fn meant(&self, name: Position) -> Option<DefId> {
        self.model.resolve_at(name).only()
    }

    /// Returns the mentions of each definition.
    pub(crate) fn mentions(&self) -> &Mentions {
        self.mentions.get_or_init(|| Mentions::new(&self.model))
    }

    fn elements(&self) -> &Elements {
        self.elements.get_or_init(|| elements(self.tree()))
    }

    /// Returns the text at a place of the program.
    pub(crate) fn text(&self, Place { file, range }: &Place) -> &str {
        &self.sources().text(*file)[range.clone()]
    }

    /// Returns the parsed arguments of a macro call.
    pub(crate) fn arguments(&self, file: SyntaxFile<'_>, call: &Macro) -> Option<&MacroArguments> {
        let all = self.macro_arguments.get_or_init(|| by_path(self.files()));
        all.get(&file.place(&call.path))
    }

    /// Returns the elements of `[a, b]` or `vec![a, b]`.
    pub(crate) fn listed<'e>(
        &'e self,
        file: SyntaxFile<'_>,
        list: &'e Expr,
    ) -> Option<&'e Punctuated<Expr, Token![,]>> {
        match list {
            Expr::Array(array) => Some(&array.elems),
            Expr::Macro(call) if call.mac.path.is_ident("vec") => {
                match self.arguments(file, &call.mac)? {
                    MacroArguments::Expressions(all) => Some(all),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Returns the context of the expression at a place.
    pub(crate) fn expression_context(&self, place: &Place) -> ExpressionContext {
        let all = self.contexts.get_or_init(|| by_place(self));
        let known = all.get(place).copied();
        known.unwrap_or_else(|| ExpressionContext::of(Role::Unknown))
    }

    /// Returns the text of an expression, in parentheses if it needs them at this place.
    pub(crate) fn fitted(&self, place: &Place, text: &str) -> String {
        self.expression_context(place)
            .fitted(self.text(place), text)
    }

    /// Returns the change that puts a text in place of the one at each of some places.
    pub(crate) fn replaced<'a>(
        &self,
        places: impl IntoIterator<Item = &'a Place>,
        text: &str,
    ) -> Option<EditSet> {
        let mut change = self.change();
        for place in places {
            change.replace(place, text);
        }
        change.finish()
    }

    /// Whether a change makes the program simpler. What the edits alone tell may be wrong by a token at
    /// each end of an edit, as `&` and `&T` beside each other begin with one token, and `&` and `()` do
    /// not: where that could decide, the changed program is looked at.
    pub(crate) fn is_made_simpler_by(&self, edits: &EditSet) -> bool {
        let growth = edits.growth(self.sources());
        let in_doubt = -2 * i64::try_from(edits.count()).unwrap_or(i64::MAX / 2);
        let is_simpler = || edits.apply(self.sources()).is_simpler_than(self.sources());
        growth < (0, 0, Ordering::Equal) && (growth.0 < in_doubt || is_simpler())
    }

    /// Makes an empty change of this program.
    pub(crate) fn change(&self) -> Change<'_> {
        Change {
            program: self,
            removed: BTreeSet::new(),
            edits: EditSet::new(),
            is_possible: true,
        }
    }
}

impl<'p> SyntaxFile<'p> {
    /// Returns the source text of some syntax.
    pub(crate) fn text(&self, syntax: &impl Located) -> &'p str {
        &self.text[self.place(syntax).range]
    }

    /// Returns the text at a place of the file.
    pub(crate) fn text_at(&self, place: &Place) -> &'p str {
        &self.text[place.range.clone()]
    }

    /// Returns the place of some syntax.
    pub(crate) fn place(&self, syntax: &impl Located) -> Place {
        Place::new(self.id, byte_range(syntax))
    }

    /// Returns the place of a token.
    pub(crate) fn place_of(&self, span: Span) -> Place {
        Place::new(self.id, span.byte_range())
    }

    /// Returns the place from the first byte of one piece of syntax to the last byte of another.
    pub(crate) fn between(&self, first: &impl Located, last: &impl Located) -> Place {
        let Place { file, range: start } = self.place(first);
        Place::new(file, start.start..self.place(last).range.end)
    }

    /// Returns the place from the first byte of one piece of syntax to where another one begins.
    pub(crate) fn up_to(&self, first: &impl Located, next: &impl Located) -> Place {
        let Place { file, range: start } = self.place(first);
        Place::new(file, start.start..self.place(next).range.start)
    }

    /// Returns the place between some brackets.
    pub(crate) fn inside(&self, brackets: DelimSpan) -> Place {
        let Place { file, range: open } = self.place_of(brackets.open());
        let close = self.place_of(brackets.close()).range;
        Place::new(file, open.end..close.start.max(open.end))
    }

    /// Returns the position of a name that defines or mentions something.
    pub(crate) fn position(&self, name: &syn::Ident) -> Position {
        self.place_of(name.span()).start()
    }
}

/// A set of edits of a program in the making. What is removed from the same list is removed together, with the separators,
/// brackets and keywords that are then not needed any more.
pub(crate) struct Change<'p> {
    program: &'p Program,
    removed: BTreeSet<(usize, usize)>,
    edits: EditSet,
    is_possible: bool,
}

impl Change<'_> {
    /// Removes the element of a list (an item, parameter, argument, attribute, ..) that is exactly at this place.
    pub(crate) fn remove(&mut self, place: &Place) -> &mut Self {
        match self.program.elements().get(place) {
            Some(element) => drop(self.removed.insert(*element)),
            None => self.is_possible = false,
        }
        self
    }

    /// Puts a text in place of another. Of edits that contain each other the outermost counts; with
    /// two of the same place the change is impossible unless they are the same.
    pub(crate) fn replace(&mut self, Place { file, range }: &Place, text: &str) -> &mut Self {
        self.edits.add(Edit::replace(*file, range, text));
        self
    }

    /// Puts an expression in place of another, in parentheses if it needs them there.
    pub(crate) fn replace_expr(&mut self, place: &Place, text: &str) -> &mut Self {
        self.replace(place, &self.program.fitted(place, text))
    }

    /// Puts an expression in place of one whose value is certainly only read; `None` if that is not certain.
    pub(crate) fn replace_read(&mut self, place: &Place, text: &str) -> Option<&mut Self> {
        let is_read = self.program.expression_context(place).is_read();
        is_read.then(|| self.replace_expr(place, text))
    }

    /// Puts a type in place of another, in parentheses if it needs them there.
    pub(crate) fn replace_type(&mut self, place: &Place, text: &str) -> &mut Self {
        match self.program.expression_context(place).role {
            Role::Pointee => self.replace_expr(place, text),
            _ => self.replace(place, text),
        }
    }

    /// Deletes the text at a place that is no element of a list.
    pub(crate) fn delete(&mut self, place: &Place) -> &mut Self {
        self.replace(place, "")
    }

    /// Inserts a text at a position.
    pub(crate) fn insert(&mut self, Position { file, at }: Position, text: &str) -> &mut Self {
        self.replace(&Place::new(file, at..at), text)
    }

    /// Returns the text of a place with the edits in it that were made up to now.
    pub(crate) fn text(&self, Place { file, range }: &Place) -> String {
        let sources = self.program.sources();
        self.edits.text_within(sources, *file, range)
    }

    /// Makes the whole change impossible, so that there are no edits in the end.
    pub(crate) fn give_up(&mut self) -> &mut Self {
        self.is_possible = false;
        self
    }

    /// Returns the edits; `None` if the change is impossible or changes nothing.
    pub(crate) fn finish(&self) -> Option<EditSet> {
        let mut edits = self.edits.clone();
        let removed = self.removed.iter().copied();
        remove_elements(&self.program.tree().lists, removed, &mut edits);
        (self.is_possible && !edits.is_empty() && !edits.is_contradictory()).then_some(edits)
    }
}

/// Sorts changes by the weight of the program after them, the lightest first.
pub(crate) fn simplest_first(
    program: &Program,
    changes: impl IntoIterator<Item = EditSet>,
) -> Vec<EditSet> {
    let mut found: Vec<EditSet> = changes.into_iter().collect();
    found.sort_by_cached_key(|edits| edits.growth(program.sources()));
    found
}

/// Indexes each element of a list by its place. Where an element is also a part of what contains it,
/// such as an expression, the list with separators counts.
fn elements(tree: &SyntaxTree) -> Elements {
    let is_of_the_crate = |kind: ListKind| matches!(kind, ListKind::Bodies | ListKind::Parts);
    let mut found = HashMap::new();
    for (list_idx, list) in tree.lists.iter().enumerate() {
        for (idx, element) in list.elements.iter().enumerate() {
            let key = Place::from(element);
            if is_of_the_crate(list.kind) {
                found.entry(key).or_insert((list_idx, idx));
            } else {
                found.insert(key, (list_idx, idx));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use camino::Utf8PathBuf;
    use std::ops::Range;
    use std::sync::Arc;
    use syn::Item;

    /// Checks what becomes of a file by a change of its first function.
    #[track_caller]
    fn check(
        text: &str,
        change: impl Fn(&mut Change<'_>, SyntaxFile<'_>, &syn::ItemFn),
        expected: Option<&str>,
    ) {
        let sources = SourceTree::single(Utf8PathBuf::from("lib.rs"), Arc::from(text));
        let program = Program::new(&sources);
        let file = program.files().next().unwrap();
        let mut functions = file.syntax.items.iter().filter_map(|item| match item {
            Item::Fn(function) => Some(function),
            _ => None,
        });
        let mut changing = program.change();
        change(&mut changing, file, functions.next_back().unwrap());
        let result = changing.finish().map(|edits| edits.apply(&sources));
        let text = result.as_ref().map(|tree| tree.text(tree.root()));
        assert_eq!(text, expected);
    }

    #[test]
    fn an_operator_that_is_taken_apart_makes_nothing_simpler() {
        let check = |text: &str, place: Range<usize>, expected: bool| {
            let sources = SourceTree::single(Utf8PathBuf::from("lib.rs"), Arc::from(text));
            let mut edits = EditSet::new();
            edits.add(Edit::replace(sources.root(), &place, "()"));
            assert_eq!(Program::new(&sources).is_made_simpler_by(&edits), expected);
        };
        check("fn f(a: &u8) {}", 8..11, true);
        check("fn f(a: &&u8) {}", 9..12, false);
    }

    #[test]
    fn what_goes_from_one_list_goes_together() {
        check(
            "fn f(a: u8, b: u8) {}",
            |change, file, function| {
                for input in &function.sig.inputs {
                    change.remove(&file.place(input));
                }
            },
            Some("fn f( ) {}"),
        );
    }

    #[test]
    fn what_is_not_in_a_list_cannot_be_removed_from_one() {
        let remove_name = |change: &mut Change<'_>, file: SyntaxFile<'_>, f: &syn::ItemFn| {
            change.remove(&file.place(&f.sig.ident));
        };
        check("fn f() {}", remove_name, None);
    }

    #[test]
    fn two_texts_cannot_be_put_in_one_place() {
        let rename = |names: [&'static str; 2]| {
            move |change: &mut Change<'_>, file: SyntaxFile<'_>, f: &syn::ItemFn| {
                let place = file.place(&f.sig.ident);
                change.replace(&place, names[0]).replace(&place, names[1]);
            }
        };
        check("fn f() {}", rename(["g", "g"]), Some("fn g() {}"));
        check("fn f() {}", rename(["g", "h"]), None);
    }

    #[test]
    fn mentions_and_definitions_are_found_from_either_end() {
        let text = "struct S; fn f<T>(a: T, b: S) -> S { b }";
        let sources = SourceTree::single(Utf8PathBuf::from("lib.rs"), Arc::from(text));
        let program = Program::new(&sources);
        let root = sources.root();
        let at =
            |n: usize, name: &str| Position::new(root, text.match_indices(name).nth(n).unwrap().0);
        let mentions = program.mentions();
        assert_eq!(mentions.of(at(0, "S")), [at(1, "S"), at(2, "S")]);
        assert_eq!(mentions.definition(at(1, "T")), Some(at(0, "T")));
        let signature = Place::new(root, 10..text.len());
        let of_parameters: Vec<Position> = mentions.of_all_in(&signature).collect();
        assert_eq!(of_parameters, [at(1, "T"), at(1, "b")]);
        assert_eq!(mentions.spelled("b").len(), 2);
        assert_eq!(mentions.spelled("c"), []);
    }
}
