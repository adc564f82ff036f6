//! A name of a test as people and tools write it: one parser for all of these forms, and the rule by which a name finds
//! tests.
//!
//! See docs/decisions/failing-tests.md.

use camino::{Utf8Path, Utf8PathBuf};
use std::fmt;

/// The remarks that libtest and rustdoc add to a name.
const REMARKS: [&str; 3] = [" - should panic", " - compile fail", " - compile"];

/// A name of a test, or a part of one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TestName {
    /// The path of a test, or a part of it. Before it there may be the names of its package and its target, as nextest writes
    /// them: `package::target module::test`.
    Path(String),
    /// A line of a source file, counted from 1.
    Place {
        /// The file as the user wrote it.
        file: Utf8PathBuf,
        /// The line.
        line: usize,
    },
    /// A doc test, as rustdoc names it: `src/lib.rs - price (line 5)`.
    Doc(String),
}

/// The kind of match between a name and a test; the better comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Fit {
    /// The name is the path of the test.
    Path,
    /// The name is the end of the test's path with package and target before it.
    End,
    /// The name is a part of the test's path, as for `cargo test`.
    Part,
    /// The name is a part of the path with package and target.
    PartWithTarget,
}

/// A test target as nextest names it: `package`, `package::target` or `package::bin/target`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct BinaryId(pub(crate) String);

impl TestName {
    /// Reads a name. Lines of libtest (`test a::b ... FAILED`, `---- a::b stdout ----`) and nextest (`FAIL [ 0.1s] a::t b`)
    /// may be given as they were printed.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let name = without_frame(text.trim());
        if let Some((file, line)) = place(name) {
            return Self::Place { file, line };
        }
        let words = name.split_whitespace().collect::<Vec<_>>().join(" ");
        match is_doc_title(&words) {
            true => Self::Doc(words),
            false => Self::Path(words),
        }
    }

    /// Returns whether a text can only be the name of a test, and not that of a file.
    #[must_use]
    pub fn is_meant_by(text: &str) -> bool {
        let name = without_frame(text.trim());
        let last = name.split_whitespace().next_back().unwrap_or_default();
        let is_framed = name != text.trim();
        let has_target = name.contains(char::is_whitespace) && !last.contains(['/', '.']);
        let has_path = name.contains("::") && Utf8Path::new(name).extension() != Some("rs");
        match Self::parse(text) {
            Self::Place { .. } | Self::Doc(_) => true,
            Self::Path(_) => is_framed || has_target || has_path,
        }
    }

    /// Returns how well the name fits a test of a target; `None` where it does not. A place fits by the function that
    /// stands there.
    pub(crate) fn fit(&self, target: &BinaryId, test: &str) -> Option<Fit> {
        let (Self::Path(name) | Self::Doc(name)) = self else {
            return None;
        };
        let joined = joined(name);
        let whole = target.with(test);
        if test == name || test == joined {
            Some(Fit::Path)
        } else if ends_with_path(&whole, &joined) {
            Some(Fit::End)
        } else if test.contains(name.as_str()) || test.contains(&joined) {
            Some(Fit::Part)
        } else {
            whole.contains(&joined).then_some(Fit::PartWithTarget)
        }
    }

    /// Returns the argument for a harness of the user's own, which need not list its tests: the name without that of the target.
    /// Nothing where the target alone is named.
    pub(crate) fn for_own_harness(&self, target: &BinaryId) -> Option<String> {
        let (Self::Path(name) | Self::Doc(name)) = self else {
            return None;
        };
        let joined = joined(name);
        let id = joined_id(&target.0);
        let short = id.split_once("::").map_or(id.as_str(), |(_, short)| short);
        let rest = [id.as_str(), short].into_iter().find_map(|prefix| {
            let rest = joined.strip_prefix(prefix)?;
            match rest.strip_prefix("::") {
                Some(test) => Some(test.to_owned()),
                None => rest.is_empty().then(String::new),
            }
        });
        Some(rest.unwrap_or_else(|| name.clone())).filter(|name| !name.is_empty())
    }
}

impl BinaryId {
    /// Returns the key by which targets are sorted as cargo runs them: by package, the library first, then programs, tests,
    /// benchmarks and examples.
    pub(crate) fn order(&self) -> (String, u8, String) {
        let (package, part) = self.0.split_once("::").unwrap_or((&self.0, ""));
        let kind = match part.split_once('/').map_or(part, |(kind, _)| kind) {
            "" => 0,
            "bin" => 1,
            "bench" => 3,
            "example" => 4,
            _ => 2,
        };
        (package.to_owned(), kind, part.to_owned())
    }

    /// Returns the path of a test with package and target before it.
    fn with(&self, test: &str) -> String {
        match self.0.is_empty() {
            true => test.to_owned(),
            false => format!("{}::{test}", joined_id(&self.0)),
        }
    }
}

impl fmt::Display for TestName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Path(name) | Self::Doc(name) => f.write_str(name),
            Self::Place { file, line } => write!(f, "{file}:{line}"),
        }
    }
}

/// Returns the name of a test with `::` in place of blanks, and `_` in place of `-`.
fn joined(name: &str) -> String {
    name.split(' ')
        .map(joined_id)
        .collect::<Vec<_>>()
        .join("::")
}

/// Returns the name of a package and target with `_` in place of `-`.
fn joined_id(id: &str) -> String {
    id.replace('-', "_")
}

/// Returns whether a path ends with another one.
pub(crate) fn ends_with_path(path: &str, end: &str) -> bool {
    let rest = path.strip_suffix(end);
    rest.is_some_and(|rest| rest.is_empty() || rest.ends_with("::"))
}

/// Returns the test's name in a line that a tool has printed, such as `test NAME ... FAILED`.
fn without_frame(line: &str) -> &str {
    let of_libtest = line
        .strip_prefix("test ")
        .and_then(|rest| rest.rsplit_once(" ... "));
    let of_output = line
        .strip_prefix("---- ")
        .and_then(|rest| rest.strip_suffix(" ----"))
        .and_then(|rest| rest.rsplit_once(' '));
    let name = of_libtest
        .or(of_output)
        .map_or_else(|| of_nextest(line), |(name, _)| name);
    let remark = REMARKS.iter().find_map(|remark| name.strip_suffix(remark));
    remark.unwrap_or(name).trim()
}

/// Returns the text after the time, and after the number where there is one: `FAIL [   0.005s] (1/3) a::t b`.
fn of_nextest(line: &str) -> &str {
    let Some((status, rest)) = line.split_once("s] ") else {
        return line;
    };
    let has_time = status.rsplit_once('[').is_some_and(|(_, time)| {
        let seconds = time.trim().trim_start_matches('>');
        seconds.parse::<f64>().is_ok()
    });
    let rest = rest.trim_start();
    let counted = rest
        .strip_prefix('(')
        .and_then(|rest| rest.split_once(") "));
    match (has_time, counted) {
        (false, _) => line,
        (true, Some((_, name))) => name.trim(),
        (true, None) => rest,
    }
}

/// Reads a place such as `tests/a.rs:31`, or `tests/a.rs:31:5`.
fn place(text: &str) -> Option<(Utf8PathBuf, usize)> {
    let (before, last) = text.trim_end_matches(':').rsplit_once(':')?;
    let last = last.parse().ok()?;
    let with_column = before
        .rsplit_once(':')
        .and_then(|(file, line)| Some((file, line.parse().ok()?)));
    let (file, line) = with_column.unwrap_or((before, last));
    let is_file = Utf8Path::new(file).extension().is_some() && !file.contains(':');
    is_file.then(|| (file.into(), line))
}

/// Whether a text is the title of a doc test, such as `src/lib.rs - price (line 5)`.
fn is_doc_title(text: &str) -> bool {
    let line = text
        .strip_suffix(')')
        .and_then(|text| text.rsplit_once("(line "));
    let is_number =
        |(before, line): (&str, &str)| before.contains(" - ") && line.parse::<usize>().is_ok();
    line.is_some_and(is_number)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(name: &str) -> TestName {
        TestName::Path(name.to_owned())
    }

    #[test]
    fn a_name_is_read_as_tools_write_it() {
        let doc = "src/lib.rs - Shop::price (line 12)";
        let place = |file: &str, line| TestName::Place {
            file: file.into(),
            line,
        };
        let table = [
            ("a_long_day", path("a_long_day")),
            (
                "test calendar::a_long_day ... FAILED",
                path("calendar::a_long_day"),
            ),
            ("  test a - should panic ... FAILED\n", path("a")),
            ("---- m::a stdout ----", path("m::a")),
            (
                "        FAIL [   0.005s] (1/3) spans::calendar a_long_day",
                path("spans::calendar a_long_day"),
            ),
            ("TRY 1 SIGABRT [  1.250s] spans  m::a", path("spans m::a")),
            ("FAIL [x] a", path("FAIL [x] a")),
            ("spans::bin/tool  a", path("spans::bin/tool a")),
            ("tests/calendar.rs:31", place("tests/calendar.rs", 31)),
            ("/a/b.rs:31:5:", place("/a/b.rs", 31)),
            ("README.md:9", place("README.md", 9)),
            ("a.rs:x", path("a.rs:x")),
            ("m::a:1", path("m::a:1")),
            ("a.rs:1:2:3", path("a.rs:1:2:3")),
            (doc, TestName::Doc(doc.to_owned())),
            (
                "test src/lib.rs - Shop::price (line 12) - compile fail ... FAILED",
                TestName::Doc(doc.to_owned()),
            ),
        ];
        for (text, expected) in table {
            let name = TestName::parse(text);
            assert_eq!(name, expected, "{text}");
            assert_eq!(TestName::parse(&name.to_string()), expected, "{text}");
        }
    }

    #[test]
    fn what_can_only_be_a_test_is_no_file() {
        for text in [
            "test a ... FAILED",
            "spans::bin/tool a::b",
            "spans::bin/tool::a",
            "tests/a.rs:31",
            "src/lib.rs - price (line 5)",
            "m::a",
        ] {
            assert!(TestName::is_meant_by(text), "{text}");
        }
        for text in ["a.rs", "tests/a.rs", "my file.rs", "my dir/a", "a", "-"] {
            assert!(!TestName::is_meant_by(text), "{text}");
        }
    }

    #[track_caller]
    fn check(name: &str, target: &str, test: &str, expected: Option<Fit>) {
        let id = BinaryId(target.to_owned());
        let fit = TestName::parse(name).fit(&id, test);
        assert_eq!(fit, expected, "{name} for {target} {test}");
    }

    #[test]
    fn a_name_fits_a_test_by_its_path_its_end_or_a_part() {
        let day = |name: &str, expected| check(name, "my-spans::cal-endar", "m::a_day", expected);
        day("m::a_day", Some(Fit::Path));
        day("a_day", Some(Fit::End));
        day("cal-endar::m::a_day", Some(Fit::End));
        day("cal_endar::m::a_day", Some(Fit::End));
        day("my-spans::cal-endar m::a_day", Some(Fit::End));
        day("_day", Some(Fit::Part));
        day("::a", Some(Fit::Part));
        day("cal-endar::m", Some(Fit::PartWithTarget));
        day("my-spans", Some(Fit::PartWithTarget));
        day("a_night", None);
        day("other::m::a_day", None);
        check("a::bin/tool b", "a::bin/tool", "b", Some(Fit::End));
        check("a b", "a", "b", Some(Fit::End));
        check("b", "", "b", Some(Fit::Path));
        check("tests/a.rs:3", "a", "b", None);
    }

    #[test]
    fn targets_come_in_the_order_of_cargo() {
        let ids = [
            "a",
            "a::bin/z",
            "a::b",
            "a::c",
            "a::bench/a",
            "a::example/a",
            "b",
        ];
        let order = |id: &&str| BinaryId((*id).to_owned()).order();
        assert!(ids.is_sorted_by_key(order));
    }

    #[test]
    fn a_harness_of_its_own_is_told_the_name_without_the_target() {
        let check = |name: &str, expected: Option<&str>| {
            let id = BinaryId("my-spans::mimic".to_owned());
            let told = TestName::parse(name).for_own_harness(&id);
            assert_eq!(told.as_deref(), expected, "{name}");
        };
        check("adds more", Some("adds more"));
        check("mimic::adds", Some("adds"));
        check("my-spans::mimic adds", Some("adds"));
        check("mimic", None);
        check("mimicry", Some("mimicry"));
    }
}
