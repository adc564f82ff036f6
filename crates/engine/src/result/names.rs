//! The names of the crate and its root in a result, in place of those that they had in the search: a single file
//! becomes `reduced.rs`, and rustc names a crate for its file.

use crate::output::Place;
use camino::Utf8Path;
use reduce_oracle::Plan;

/// The path of the crate root, and the crate's name if it follows from that, each as it was in the search and as it is
/// in the result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ResultNames {
    root: [String; 2],
    of_crate: Option<[String; 2]>,
}

impl ResultNames {
    /// Returns the names for a result that lies at a place.
    pub(super) fn of(plan: &Plan, place: &Place) -> Self {
        let is_named = plan
            .call
            .args
            .iter()
            .any(|arg| arg.starts_with("--crate-name"));
        Self::new([&plan.call.root, &place.root], is_named)
    }

    fn new(roots: [&Utf8Path; 2], is_named: bool) -> Self {
        let stem = |root: &Utf8Path| Some(root.file_stem()?.replace('-', "_"));
        let [before, after] = roots.map(stem);
        let names = before.zip(after).filter(|(before, after)| before != after);
        Self {
            root: roots.map(Utf8Path::to_string),
            of_crate: names
                .filter(|_| !is_named)
                .map(|(before, after)| [before, after]),
        }
    }

    /// Replaces the names of the crate and its root in the output of a compiler or a program by those of the result.
    pub(crate) fn in_output(&self, text: &str) -> String {
        let [before, after] = &self.root;
        self.in_message(&text.replace(before, after))
    }

    /// Replaces the name of the crate in a message by the one that it has in the result.
    pub(crate) fn in_message(&self, text: &str) -> String {
        let Some([before, after]) = &self.of_crate else {
            return text.to_owned();
        };
        let mut result = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(at) = rest.find(before.as_str()) {
            let end = at + before.len();
            let is_crate = is_crate(&rest[..at], &rest[end..]);
            result.push_str(&rest[..at]);
            result.push_str(if is_crate { after } else { before });
            rest = &rest[end..];
        }
        result + rest
    }
}

/// Whether a word between two texts is the name of a crate: as in "crate `menu`", or as in `menu[1a2b]::price` with the
/// beginning of its hash.
fn is_crate(before: &str, after: &str) -> bool {
    let is_of_name = |c: char| c.is_alphanumeric() || c == '_';
    let has_hash = || {
        let (hash, _) = after.strip_prefix('[')?.split_once(']')?;
        let is_hash = hash.len() == 4 && hash.chars().all(|c| c.is_ascii_hexdigit());
        (is_hash && !before.ends_with(is_of_name)).then_some(())
    };
    before.ends_with("crate `") && after.starts_with('`') || has_hash().is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let names = ResultNames::new(["day-1.rs".into(), "reduced.rs".into()], false);
        assert_eq!(names.in_output(text), expected);
    }

    #[test]
    fn a_crate_has_the_name_that_it_has_in_the_result() {
        check(
            "impl DefId(0:5 ~ day_1[7343]::{impl#0})",
            "impl DefId(0:5 ~ reduced[7343]::{impl#0})",
        );
        check("passes on crate `day_1`", "passes on crate `reduced`");
        check("--> day-1.rs:3:1", "--> reduced.rs:3:1");
    }

    #[test]
    fn other_words_of_the_same_letters_stay() {
        for text in [
            "day_1[0]",
            "my_day_1[7343]",
            "the variable `day_1`",
            "day_1",
        ] {
            check(text, text);
        }
    }

    #[test]
    fn a_crate_that_the_command_names_keeps_its_name() {
        let names = ResultNames::new(["src/lib.rs".into(), "reduced.rs".into()], true);
        assert_eq!(names.in_message("lib[7343]::f"), "lib[7343]::f");
    }
}
