//! The places and names in the user's program to which a crash points: the spans of what is
//! reported as the bug, and the names in the query stack. The first slices begin there.

use super::methods::Named;
use crate::hunks::{self, Hunk};
use reduce_model::Seed;
use reduce_oracle::{Harness, Plan, Shown};
use reduce_syntax::{FileId, SourceTree};
use std::collections::{BTreeMap, BTreeSet};

/// The queries in whose course the compiler makes code.
const MAKES_CODE: [&str; 2] = ["[items_of_instance]", "[collect_and_partition_mono_items]"];
/// The compiler's words for an error in code that it makes for a caller.
const INSTANTIATES: &str = "error was encountered while instantiating";

/// The beginning of an impl in the compiler's paths.
const IMPL: &str = "<impl at ";

/// Finds the definitions and places of the user's program that a crash names.
pub(crate) fn named(shown: &Shown, plan: &Plan, sources: &SourceTree) -> Named {
    let find = |path: &str| sources.find(&plan.call.cwd.join(path));
    let mut seeds = BTreeSet::new();
    for line in after_crash(&shown.stderr) {
        if let Some((path, line, column)) = span(line).or_else(|| panic_place(line)) {
            seeds.extend(find(path).map(|file| Seed::Position(file, line, column)));
        }
    }
    for line in &shown.query_stack {
        let places = quoted(line).filter_map(block);
        let blocks = places
            .filter_map(|(path, line, column)| Some(Seed::Position(find(path)?, line, column)));
        let blocks: Vec<_> = blocks.collect();
        // The names on the way to an impl are those of modules and files.
        if blocks.is_empty() {
            seeds.extend(names(line).map(Seed::Name));
        }
        seeds.extend(blocks);
    }
    seeds.extend(entry(plan).map(Seed::Name));
    let marks = marks(without_notes(after_crash(&shown.stderr)), |path, line| {
        let text = sources.text(find(path)?);
        text.lines().nth(line.checked_sub(1)?)
    });
    let pointed_at = marks
        .into_iter()
        .filter_map(|(path, line, column)| Some(Seed::Position(find(path)?, line, column)));
    Named {
        pointed_at: pointed_at.collect(),
        made: match makes_code(&shown.query_stack, &shown.stderr) {
            true => made(&shown.query_stack, &seeds, find),
            false => Vec::new(),
        },
        seeds: seeds.into_iter().collect(),
        raw_message: shown.stderr.clone(),
    }
}

impl Named {
    /// Returns the same with the places at the same code of a later program. `None` if code at one of them is not there any more, or
    /// in another file.
    pub(crate) fn moved(&self, before: &SourceTree, after: &SourceTree) -> Option<Self> {
        let mut moves = Moves {
            before,
            after,
            hunks: BTreeMap::new(),
        };
        let mut all = |seeds: &[Seed]| -> Option<Vec<Seed>> {
            seeds.iter().map(|seed| moves.seed(seed)).collect()
        };
        Some(Self {
            seeds: all(&self.seeds)?,
            pointed_at: all(&self.pointed_at)?,
            made: all(&self.made)?,
            raw_message: self.raw_message.clone(),
        })
    }
}

/// The differences of the files of two programs, as far as somebody has asked for places in them.
struct Moves<'t> {
    before: &'t SourceTree,
    after: &'t SourceTree,
    hunks: BTreeMap<FileId, Vec<Hunk>>,
}

impl Moves<'_> {
    fn seed(&mut self, seed: &Seed) -> Option<Seed> {
        Some(match seed {
            Seed::Position(file, line, column) => {
                let (file, line, column) = self.place(*file, *line, *column)?;
                Seed::Position(file, line, column)
            }
            Seed::Member(file, line, column, name) => {
                let (file, line, column) = self.place(*file, *line, *column)?;
                Seed::Member(file, line, column, name.clone())
            }
            Seed::Name(_) | Seed::Path(_) => seed.clone(),
        })
    }

    fn place(
        &mut self,
        file: FileId,
        line: usize,
        column: usize,
    ) -> Option<(FileId, usize, usize)> {
        let text = self.before.text(file);
        let later = self.after.find(self.before.path(file))?;
        let at = offset_of(text, line, column)?;
        let hunks = self.hunks.entry(file);
        let hunks = hunks.or_insert_with(|| hunks::hunks(text, self.after.text(later)));
        let earlier = hunks.iter().take_while(|hunk| hunk.removed.start <= at);
        let at = match earlier.last() {
            Some(hunk) if at < hunk.removed.end => return None,
            Some(hunk) => at - hunk.removed.end + hunk.inserted.end,
            None => at,
        };
        let (line, column) = place_at(self.after.text(later), at);
        Some((later, line, column))
    }
}

/// Returns the offset of a line and column, both from 1, in a text.
fn offset_of(text: &str, line: usize, column: usize) -> Option<usize> {
    let starts = text.match_indices('\n').map(|(at, _)| at + 1);
    let start = std::iter::once(0).chain(starts).nth(line.checked_sub(1)?)?;
    let mut offsets = text[start..].char_indices().map(|(at, _)| start + at);
    offsets.nth(column.checked_sub(1)?)
}

/// Returns the line and column, both from 1, of an offset in a text.
fn place_at(text: &str, at: usize) -> (usize, usize) {
    let before = &text[..at];
    let in_line = before.rsplit('\n').next().unwrap_or_default();
    let line = before.matches('\n').count() + 1;
    (line, in_line.chars().count() + 1)
}

/// Whether the compiler was making code when it crashed.
fn makes_code(query_stack: &[String], stderr: &str) -> bool {
    let makes_code = |line: &String| MAKES_CODE.iter().any(|query| line.contains(query));
    query_stack.iter().any(makes_code) || stderr.contains(INSTANTIATES)
}

/// Finds the functions of which the compiler was making code: those in the query stack, and those at the places that the
/// crash names.
fn made(
    query_stack: &[String],
    seeds: &BTreeSet<Seed>,
    find: impl Fn(&str) -> Option<FileId>,
) -> Vec<Seed> {
    let paths = query_stack.iter().flat_map(|line| quoted(line));
    let in_stack = paths.filter_map(|path| function(path, &find));
    let places = seeds
        .iter()
        .filter(|seed| matches!(seed, Seed::Position(..)));
    let all: BTreeSet<Seed> = in_stack.chain(places.cloned()).collect();
    all.into_iter().collect()
}

/// Finds the function at a path as the compiler writes it, such as `a::<impl at src/a.rs:3:1:
/// 4:9>::f::<u8>::{closure#0}`.
fn function(path: &str, find: impl Fn(&str) -> Option<FileId>) -> Option<Seed> {
    let (block, path) = match path.contains(IMPL) {
        true => impl_and_rest(path).map(|(block, rest)| (Some(block), rest))?,
        false => (None, path),
    };
    let plain = |name: &&str| {
        name.starts_with(|first: char| first.is_alphabetic() || first == '_')
            && name.chars().all(|one| one.is_alphanumeric() || one == '_')
    };
    let names = path.split("::").skip_while(|name| name.is_empty());
    let names: Vec<String> = names.take_while(plain).map(str::to_owned).collect();
    let last = names.last()?.clone();
    match block {
        Some((path, line, column)) => Some(Seed::Member(find(path)?, line, column, last)),
        None => Some(Seed::Path(names)),
    }
}

/// Reads the place of an impl from a path that ends with it, such as `a::<impl at src/a.rs:3:1: 4:9>`.
fn block(path: &str) -> Option<(&str, usize, usize)> {
    let (block, rest) = impl_and_rest(path)?;
    rest.is_empty().then_some(block)
}

/// Reads the place of an impl from a path, and returns it with the rest of the path.
fn impl_and_rest(path: &str) -> Option<((&str, usize, usize), &str)> {
    let (_, from_place) = path.split_once(IMPL)?;
    let (at, rest) = from_place.split_once('>')?;
    let (start, _) = at.rsplit_once(": ")?;
    Some((place(start)?, rest))
}

/// Finds the marks that the compiler has put below lines of the source, as files, lines and columns, both from 1. `text`
/// is a line of a file.
fn marks<'t, 's>(
    stderr: impl Iterator<Item = &'t str>,
    text: impl Fn(&str, usize) -> Option<&'s str>,
) -> BTreeSet<(&'t str, usize, usize)> {
    let mut marks = BTreeSet::new();
    let mut file = None;
    // The line that is shown, where its text begins in what is shown, and in the source.
    let mut shown: Option<(usize, usize, usize)> = None;
    for line in stderr {
        let other_file = line.trim_start().strip_prefix("::: ").and_then(place);
        if let Some((path, ..)) = span(line).or(other_file) {
            (file, shown) = (Some(path), None);
            continue;
        }
        let (Some(file), Some((number, snippet))) = (file, line.split_once('|')) else {
            continue;
        };
        if let Ok(number) = number.trim().parse() {
            shown = text(file, number).and_then(|text| {
                let (margin, at) = (number_margin(line, snippet), text.trim_start());
                let column = text.chars().count() - at.chars().count();
                let byte = snippet.find(at.trim_end())?;
                let is_blank = at.trim_end().is_empty();
                (!is_blank).then(|| (number, margin + snippet[..byte].chars().count(), column))
            });
        } else if let (true, Some((number, start, column))) = (number.trim().is_empty(), shown) {
            let margin = number_margin(line, snippet);
            let is_mark = |one: char| one == '^' || one == '-' || one == '_';
            let mut before = ' ';
            for (idx, one) in snippet.chars().enumerate() {
                if is_mark(one) && !is_mark(before) {
                    let at = (margin + idx).saturating_sub(start);
                    marks.insert((file, number, column + at + 1));
                }
                before = one;
            }
        }
    }
    marks
}

/// Counts the characters in a line of a compiler's message that stand before the quoted source.
fn number_margin(line: &str, snippet: &str) -> usize {
    line[..line.len() - snippet.len()].chars().count()
}

/// Returns the lines of the compiler's output from the crash on; all lines if no crash is named.
fn after_crash(stderr: &str) -> impl Iterator<Item = &str> {
    let is_crash = |line: &str| {
        line.starts_with("error: internal compiler error") || line.contains("panicked at")
    };
    let first = stderr.lines().position(is_crash).unwrap_or(0);
    stderr.lines().skip(first)
}

/// Returns the lines of a compiler's output without notes and suggestions, which show other places
/// too.
fn without_notes<'t>(lines: impl Iterator<Item = &'t str>) -> impl Iterator<Item = &'t str> {
    let mut is_note = false;
    lines.filter(move |line| {
        let begins = |words: &[&str]| words.iter().any(|word| line.starts_with(word));
        is_note = match is_note {
            true => !begins(&["error", "warning"]),
            false => begins(&["note: ", "help: "]),
        };
        !is_note
    })
}

/// Reads the place in a line `--> PATH:LINE:COLUMN`.
fn span(line: &str) -> Option<(&str, usize, usize)> {
    place(line.trim_start().strip_prefix("--> ")?)
}

/// Splits `PATH:LINE:COLUMN` into its parts.
fn place(text: &str) -> Option<(&str, usize, usize)> {
    let mut parts = text.trim_end().rsplitn(3, ':');
    let column = parts.next()?.parse().ok()?;
    let line = parts.next()?.parse().ok()?;
    Some((parts.next()?, line, column))
}

/// Reads the place in a line `thread 'main' (1) panicked at PATH:LINE:COLUMN:`.
fn panic_place(line: &str) -> Option<(&str, usize, usize)> {
    let (_, at) = line.split_once("panicked at ")?;
    place(at.trim_end_matches(':'))
}

/// Returns the name of the function with which a program that is run begins.
fn entry(plan: &Plan) -> Option<String> {
    let execution = plan.execution()?;
    Some(match &execution.harness {
        Harness::None => "main".to_owned(),
        Harness::Libtest { test } => test.rsplit("::").next().unwrap_or(test).to_owned(),
    })
}

/// Returns the texts in backticks.
fn quoted(line: &str) -> impl Iterator<Item = &str> {
    line.split('`').skip(1).step_by(2)
}

/// Finds the identifiers in backticks, such as those of `` `a::b::{closure#0}` ``.
fn names(line: &str) -> impl Iterator<Item = String> {
    let words =
        quoted(line).flat_map(|text| text.split(|c: char| !c.is_alphanumeric() && c != '_'));
    let is_name = |word: &&str| {
        word.starts_with(|first: char| first.is_alphabetic() || first == '_') && *word != "closure"
    };
    words.filter(is_name).map(str::to_owned)
}

/// Makes a seed (a place where a slice begins) of an offset in a file.
pub(crate) fn seed_at(tree: &SourceTree, file: FileId, at: usize) -> Seed {
    let (line, column) = place_at(tree.text(file), at);
    Seed::Position(file, line, column)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    #[test]
    fn spans_are_read_from_the_right() {
        assert_eq!(span("  --> src/a.rs:12:5"), Some(("src/a.rs", 12, 5)));
        assert_eq!(span("   | x --> y"), None);
    }

    #[test]
    fn marks_are_places_of_the_source() {
        let stderr = "
error[E0382]: borrow of moved value: `order`
  --> src/a.rs:4:20
   |
 2 |     fn ship(order: Order) {
   |             ----- move occurs because `order` has type `Order`
 3 |         pack(order);
   |              ----- value moved here
 4 |         print(1, &order.total);
   |                  ^^^^^^ value borrowed here after move
   |
note: consider
  --> src/b.rs:1:9
   |
 1 | / pub fn
 2 | |     pack(order: Order)
   | |__________________-
";
        let a = [
            "",
            "    fn ship(order: Order) {",
            "        pack(order);",
            "        print(1, &order.total);",
        ];
        let b = ["pub fn", "    pack(order: Order)"];
        let text = |path: &str, line: usize| match path {
            "src/a.rs" => Some(a[line - 1]),
            _ => Some(b[line - 1]),
        };
        let marks: Vec<_> = marks(stderr.lines(), text).into_iter().collect();
        let expected = [
            ("src/a.rs", 2, 13),
            ("src/a.rs", 3, 14),
            ("src/a.rs", 4, 18),
            ("src/b.rs", 2, 5),
        ];
        assert_eq!(marks, expected);
    }

    #[test]
    fn names_stand_in_backticks() {
        let line = "#0 [mir_borrowck] borrow-checking `a::Foo::bar::{closure#0}`";
        assert_eq!(names(line).collect::<Vec<_>>(), ["a", "Foo", "bar"]);
    }

    #[test]
    fn functions_are_found_by_their_paths() {
        let tree = SourceTree::single("src/a.rs".into(), "".into());
        let find = |path: &str| tree.find(path.as_ref());
        let path = |names: &[&str]| Seed::Path(names.iter().map(|&name| name.to_owned()).collect());
        let check = |text: &str, expected: Option<Seed>| assert_eq!(function(text, find), expected);
        check("a::b::f", Some(path(&["a", "b", "f"])));
        check("f::<T>::{closure#0}", Some(path(&["f"])));
        let member = |name: &str| Seed::Member(tree.root(), 3, 5, name.to_owned());
        let block = "a::<impl at src/a.rs:3:5: 4:9>";
        check(&format!("{block}::f"), Some(member("f")));
        check(&format!("{block}::f::{{constant#0}}"), Some(member("f")));
        check(block, None);
        check("<impl at src/b.rs:3:5: 4:9>::f", None);
        check("<[T] as Trait>::f", None);
        check("", None);
    }

    #[test]
    fn an_impl_is_named_by_its_place() {
        let place = |path| block(path);
        assert_eq!(
            place("<impl at src/a.rs:3:5: 4:9>"),
            Some(("src/a.rs", 3, 5))
        );
        assert_eq!(place("a::<impl at b.rs:1:1: 1:9>"), Some(("b.rs", 1, 1)));
        assert_eq!(place("a::<impl at b.rs:1:1: 1:9>::f"), None);
        assert_eq!(place("a::f"), None);
    }

    #[test]
    fn functions_in_the_stack_and_at_places_are_made() {
        let stack = [
            "#0 [items_of_instance] of `a::f`".to_owned(),
            "#1 [x] x".to_owned(),
        ];
        let place = Seed::Position(SourceTree::single("a.rs".into(), "".into()).root(), 1, 2);
        let seeds = BTreeSet::from([Seed::Name("f".to_owned()), place.clone()]);
        let f = Seed::Path(vec!["a".to_owned(), "f".to_owned()]);
        assert_eq!(made(&stack, &seeds, |_| None), [place, f]);
    }

    #[test]
    fn code_is_made_where_the_compiler_says_so() {
        let stack = |query: &str| [format!("#1 [{query}] x")];
        for query in ["collect_and_partition_mono_items", "items_of_instance"] {
            assert!(makes_code(&stack(query), ""));
        }
        assert!(!makes_code(&stack("analysis"), "error: x"));
        let note = "note: the above error was encountered while instantiating `fn f::<u8>`";
        assert!(makes_code(&[], note));
    }

    #[test]
    fn places_move_with_their_code() {
        let program = |files: &[(&str, &str)]| {
            let files = files
                .iter()
                .map(|(path, text)| (path.into(), Arc::from(*text)));
            SourceTree::from_files("a.rs".as_ref(), files).unwrap()
        };
        let one = ("b.rs", "mod x;\nfn f() { wrong() }\n");
        let f = "fn f(wide: u32, high: u32) -> u32 { wide * high * 2 + wide / high }\n";
        let [old, new] = [
            format!("#[cfg(test)]\nfn t() {{}}\n{f}fn g() {{}}\n"),
            format!("struct S;\n{f}"),
        ];
        let before = program(&[("a.rs", &old), one]);
        let after = program(&[one, ("a.rs", &new)]);
        let file = |tree: &SourceTree, path: &str| tree.find(path.as_ref()).unwrap();
        let named = |tree: &SourceTree, line| Named {
            seeds: vec![
                Seed::Position(file(tree, "a.rs"), line, 4),
                Seed::Name("f".to_owned()),
            ],
            pointed_at: vec![Seed::Position(file(tree, "b.rs"), 2, 10)],
            made: vec![Seed::Member(file(tree, "b.rs"), 1, 1, "x".to_owned())],
            raw_message: "wrong".to_owned(),
        };
        let told = |named: &Named| format!("{named:?}");
        let moved = named(&before, 3).moved(&before, &after).unwrap();
        assert_eq!(told(&moved), told(&named(&after, 2)));
        let of_gone = named(&before, 4).moved(&before, &after);
        assert!(of_gone.is_none(), "{of_gone:?}");
        let of_file = named(&after, 2).moved(&after, &program(&[("a.rs", &new)]));
        assert!(of_file.is_none(), "{of_file:?}");
    }

    #[test]
    fn spans_before_the_crash_do_not_count() {
        let stderr = "warning: x\n --> a.rs:1:1\nerror: internal compiler error: y\n --> b.rs:2:2";
        let spans: Vec<_> = after_crash(stderr).filter_map(span).collect();
        assert_eq!(spans, [("b.rs", 2, 2)]);
    }
}
