//! `--doc`: doc tests that fail. rustdoc compiles and runs them out of our sight, so the one that is meant is
//! written as an integration test into the copy of the workspace, and reduced as such.

use super::failure::Package;
use crate::compiler::target::{PackageInput, TargetSelection};
use crate::error::OracleError;
use crate::observed::program::{doc_failure, failed_tests};
use crate::offer::Offer;
use crate::plain_tests::DocTest;
use crate::search::setting::Setting;
use crate::search::workspace::selection;
use crate::signature::Signature;
use crate::system::files;
use crate::text::output::tail;

/// A doc test that was written as an integration test.
pub(super) struct Written {
    /// What cargo compiles now.
    pub(super) input: PackageInput,
    /// The name that rustdoc has for it.
    pub(super) title: String,
    /// How it fails as a doc test, where rustdoc shows it.
    pub(super) failure: Option<Signature>,
}

impl Written {
    /// Remarks on it where the integration test fails in another way than the doc test.
    pub(super) fn compare(&self, found: &Signature, setting: &Setting<'_>) {
        let (title, failure) = (&self.title, self.failure.as_ref());
        let is_same = |one: &&Signature| (one.kind, &one.message) == (found.kind, &found.message);
        if let Some(failure) = failure.filter(|one| !is_same(one)) {
            setting.remark(&format!(
                "as an integration test, the doc test `{title}` fails in another way than rustdoc shows: {failure}"
            ));
        }
    }
}

/// The doc tests that fail, where the selected packages have any.
///
/// # Errors
/// Where they cannot be run.
pub(super) fn offers(
    package: &Package<'_>,
    setting: &Setting<'_>,
) -> Result<Vec<Offer>, OracleError> {
    let workspace = package.workspace;
    if !workspace.has_doc_tests(package.input) {
        return Ok(vec![]);
    }
    let input = PackageInput {
        target: TargetSelection::Doc,
        ..package.input.clone()
    };
    let package = &Package {
        input: &input,
        ..*package
    };
    let command = command(None, package, setting);
    match workspace.run_as_typed(&command, None, package.snapshot, setting) {
        Ok(ran) => {
            let failing = failed_tests(&ran.output);
            Ok(failing.iter().map(|title| offer(title, package)).collect())
        }
        // cargo says that all pass, or that there are none.
        Err(OracleError::NoFailure { .. }) => Ok(vec![]),
        Err(error) => Err(error),
    }
}

/// Runs the doc tests, and writes the one that fails as an integration test.
///
/// # Errors
/// Where none fails, it is not clear which one is meant, or it cannot be written.
pub(super) fn write(
    filter: Option<&str>,
    package: &Package<'_>,
    setting: &Setting<'_>,
) -> Result<Written, OracleError> {
    let command = command(filter, package, setting);
    let (workspace, snapshot) = (package.workspace, package.snapshot);
    let ran = workspace.run_as_typed(&command, None, snapshot, setting)?;
    let title = chosen(
        failed_tests(&ran.output),
        filter,
        &ran.output,
        package,
        setting,
    )?;
    let failure = doc_failure(&ran.output, &title, snapshot.tree.as_str());
    let unwritten = || OracleError::NotWritten {
        test: title.clone(),
    };
    let place = Title::of(&title).ok_or_else(unwritten)?;
    let file = workspace.printed_path(place.file, snapshot);
    let file = file.ok_or_else(unwritten)?;
    let library = workspace.library_of(&file, snapshot);
    let library = library.ok_or_else(unwritten)?;
    let name = place.function(&library.name);
    let source = files::read(&file)?;
    let text = setting.plain_tests.of_doc(&DocTest {
        source: &source,
        line: place.line,
        name: &name,
        library: &library.name,
        edition: &library.edition,
    });
    let target = library.add_test(&name, &text.ok_or_else(unwritten)?)?;
    Ok(Written {
        input: PackageInput {
            package: Some(library.package),
            target: TargetSelection::Test(target),
            ..package.input.clone()
        },
        title,
        failure,
    })
}

/// `cargo test --doc` for what is selected.
fn command(filter: Option<&str>, package: &Package<'_>, setting: &Setting<'_>) -> Vec<String> {
    let mut command = vec!["test".to_owned(), "--no-fail-fast".to_owned()];
    command.extend(selection(package.input));
    if let Some(manifest) = &package.input.manifest_path {
        let manifest = setting.user.cwd.join(manifest);
        let place = package.snapshot.place_of(&manifest);
        let place = place.unwrap_or(manifest);
        command.extend(["--manifest-path".to_owned(), place.into_string()]);
    }
    // rustdoc takes several words for several filters.
    let filter = filter.filter(|name| !name.contains(char::is_whitespace));
    command.extend(
        filter
            .into_iter()
            .flat_map(|name| ["--", name].map(str::to_owned)),
    );
    command
}

/// The one test that fails, or the one that was named.
fn chosen(
    mut failing: Vec<String>,
    filter: Option<&str>,
    output: &str,
    package: &Package<'_>,
    setting: &Setting<'_>,
) -> Result<String, OracleError> {
    let named = failing.iter().find(|name| Some(name.as_str()) == filter);
    if let Some(named) = named {
        return Ok(named.clone());
    }
    failing.retain(|name| filter.is_none_or(|filter| name.contains(filter)));
    match (failing.pop(), failing.is_empty()) {
        (Some(only), true) => Ok(only),
        (Some(last), false) => {
            failing.push(last);
            let offers = failing.iter().map(|title| offer(title, package));
            Err(OracleError::SeveralTests {
                tests: offers.collect(),
            })
        }
        (None, _) => Err(OracleError::NoFailure {
            wanted: setting.wanted.words.clone(),
            command: "cargo test --doc".to_owned(),
            output: tail(output),
            compiles: false,
        }),
    }
}

/// A doc test that fails as something that can be asked for.
fn offer(title: &str, package: &Package<'_>) -> Offer {
    Offer {
        what: title.to_owned(),
        words: [selection(package.input), vec![title.to_owned()]].concat(),
    }
}

/// What rustdoc calls a doc test: `src/lib.rs - Shop::price (line 12)`.
#[derive(Debug, PartialEq, Eq)]
struct Title<'t> {
    file: &'t str,
    /// The path of what is documented; empty for the crate.
    item: &'t str,
    line: usize,
}

impl<'t> Title<'t> {
    fn of(title: &'t str) -> Option<Self> {
        let (file, rest) = title.split_once(" - ")?;
        let (item, line) = rest.strip_suffix(')')?.rsplit_once("(line ")?;
        Some(Self {
            file,
            item: item.trim(),
            line: line.parse().ok()?,
        })
    }

    /// The name of a function that stands for it.
    fn function(&self, library: &str) -> String {
        let named = if self.item.is_empty() {
            library
        } else {
            self.item
        };
        let is_part = |c: char| c.is_ascii_alphanumeric();
        let parts = named.split(|c: char| !is_part(c));
        let parts: Vec<String> = parts
            .filter(|part| !part.is_empty())
            .map(str::to_ascii_lowercase)
            .collect();
        format!("doc_of_{}", parts.join("_"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_names_a_file_an_item_and_a_line() {
        let check = |title: &str, expected: Option<(&str, &str, usize)>| {
            let expected = expected.map(|(file, item, line)| Title { file, item, line });
            assert_eq!(Title::of(title), expected, "{title}");
        };
        check(
            "src/lib.rs - price (line 5)",
            Some(("src/lib.rs", "price", 5)),
        );
        check("src/lib.rs - (line 1)", Some(("src/lib.rs", "", 1)));
        check(
            "a/src/b.rs - m::Shop<T>::price (line 12)",
            Some(("a/src/b.rs", "m::Shop<T>::price", 12)),
        );
        check("src/lib.rs - price (line 5) - compile fail", None);
        check("tests::a", None);
    }

    #[test]
    fn the_function_is_called_after_what_is_documented() {
        let name = |title| Title::of(title).unwrap().function("my_shop");
        assert_eq!(
            name("src/lib.rs - m::Shop<T>::price (line 5)"),
            "doc_of_m_shop_t_price"
        );
        assert_eq!(name("src/lib.rs - (line 5)"), "doc_of_my_shop");
    }
}
