//! Changes in functions that are defined in the rules of a `macro_rules!` definition.

use super::conditions::Joinable;
use super::insertions::Insertions;
use super::transcriber::{TranscribedBody, transcribed_bodies};
use super::{Change, ChangeCollector, Function, Scope, Switch};
use reduce_syntax::{SpanGuard, TokenCursor, byte_range};
use std::ops::Range;

impl<'t> ChangeCollector<'t> {
    /// Notes the changes in the functions that a macro's rules define.
    pub(super) fn macro_definition(&mut self, item: &syn::ItemMacro) {
        let (Some(name), true) = (&item.ident, item.mac.path.is_ident("macro_rules")) else {
            return;
        };
        let whole = byte_range(&item.mac.delimiter.span().join());
        let inside = whole.start + 1..whole.end - 1;
        self.within(&format!("{name}!"), |inner| {
            let text = inner.text;
            let definition = &text[inside.clone()];
            for body in transcribed_bodies(definition) {
                inner.transcribed(&body, (definition, inside.start));
            }
        });
    }

    /// Notes the changes of a function in a macro's definition, which begins at the byte `start`.
    fn transcribed(&mut self, body: &TranscribedBody, (definition, start): (&'t str, usize)) {
        let _positions = SpanGuard::new();
        let Ok(block) = syn::parse_str::<syn::Block>(&body.plain) else {
            return;
        };
        let range = moved(&body.body, start);
        let text = &self.text[range.clone()];
        let mut inner = ChangeCollector {
            text,
            path: String::new(),
            function: Some(Function {
                path: format!("{}::{}", self.path, body.name),
                range: moved(&body.function, start),
            }),
            scope: Scope::default(),
            definition: Some(definition),
            changes: Vec::new(),
            insertions: Insertions::new(),
            joinable: Joinable::new(),
            ..*self
        };
        inner.block(&block, false);
        let own = inner.changes.into_iter().filter(|one| is_whole(text, one));
        self.changes.extend(own.map(|one| one.moved(range.start)));
    }
}

impl Change {
    /// Moves the positions of a change by a number of bytes.
    fn moved(mut self, by: usize) -> Self {
        self.range = moved(&self.range, by);
        match &mut self.switch {
            Switch::Exchanged { token, .. } => *token = moved(token, by),
            Switch::Unmatched(at)
            | Switch::Last {
                pattern_end: at, ..
            } => *at += by,
            Switch::Instead(_)
            | Switch::Joined { .. }
            | Switch::Negated
            | Switch::Skipped
            | Switch::Inserted
            | Switch::Wrapped
            | Switch::Otherwise(_)
            | Switch::OtherLoop(_) => {}
        }
        self
    }
}

/// Whether the original text of a change has balanced brackets, and so has no repetition of a macro (`$(..)*`) in part.
fn is_whole(text: &str, change: &Change) -> bool {
    TokenCursor::balanced(&text[change.range.clone()]).is_some()
}

fn moved(range: &Range<usize>, by: usize) -> Range<usize> {
    range.start + by..range.end + by
}

#[cfg(test)]
mod tests {
    use crate::instrument::{Options, instrument};
    use crate::reach::Reach;
    use camino::Utf8PathBuf;
    use reduce_syntax::SourceTree;

    /// Compares the mutants of a crate, as they read in the source, with the functions that they are in.
    #[track_caller]
    fn check(text: &str, expected: &[(&str, &str)]) {
        let sources = SourceTree::single(Utf8PathBuf::from("src/lib.rs"), text.into());
        let reach = Reach::Macros;
        let options = Options {
            reach,
            ..Options::default()
        };
        let instrumented = instrument(&sources, &options);
        let switched = instrumented.sources().text(instrumented.sources().root());
        assert!(reduce_syntax::is_parsable(switched), "{switched}");
        let mutants = instrumented.mutants().iter();
        let found: Vec<_> = mutants
            .map(|one| {
                assert_eq!(&text[one.range.clone()], one.original);
                assert!(one.is_in_macro);
                (&*one.function, one.mutated.trim())
            })
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn functions_of_macros_have_mutants() {
        check(
            "mod a { macro_rules! m { ($t:ty, $a:expr) => { impl $t { fn f(&self) -> bool { self.0 < $a } } } } }",
            &[("a::m!::f", "self.0 <= $a"), ("a::m!::f", "self.0 > $a")],
        );
        check(
            "macro_rules! m { ($a:ident) => { fn $a(b: u8) -> bool { b == 1; !b } } }",
            &[
                ("m!::a", "b != 1"),
                ("m!::a", "2"),
                ("m!::a", "0"),
                ("m!::a", "b"),
            ],
        );
    }

    #[test]
    fn a_repetition_is_changed_as_a_whole_or_not_at_all() {
        check(
            "macro_rules! m { ($($a:ident)*) => { fn f(b: u8) -> u8 { 7u8 $(+ $a)* - g($($a),*) } } }",
            &[
                ("m!::f", "7u8 $(+ $a)* + g($($a),*)"),
                ("m!::f", "8u8"),
                ("m!::f", "0u8"),
            ],
        );
        check(
            "macro_rules! m { ($($a:ident)*) => { fn f(b: u8) -> u8 { h - g($($a),*) } } }",
            &[("m!::f", "h + g($($a),*)")],
        );
    }

    #[test]
    fn patterns_constants_and_what_syn_does_not_understand_stay() {
        check(
            "macro_rules! m { (fn f() { 1 + 2 }) => { const A: u8 = 1; } }",
            &[],
        );
        check(
            "macro_rules! m { ($a:tt) => { fn f() -> u8 { 1 $a 2 } } }",
            &[],
        );
        check(
            "#[cfg(test)] macro_rules! m { () => { fn f() -> u8 { 1 } } }",
            &[],
        );
    }
}
