//! `--doc`: doc tests that fail, or that the compiler cannot compile. rustdoc compiles and runs them out of our sight, so the
//! one that is meant is written as an integration test into the copy of the workspace, and reduced as such.

mod found;

use super::failure::{Failure, Package};
use crate::compiler::args;
use crate::compiler::capture::Record;
use crate::compiler::target::{PackageInput, TargetSelection};
use crate::error::OracleError;
use crate::evidence::crash::crash_in;
use crate::evidence::program::{doc_failure, doc_section, failed_tests};
use crate::offer::Offer;
use crate::plain_tests::{DocTest, DocTestCode};
use crate::search::context::BaselineContext;
use crate::search::workspace::libraries::Library;
use crate::search::workspace::{first_error_flag, selection};
use crate::signature::Signature;
use crate::system::files;
use crate::test_name::TestName;
use crate::text::output::tail;
use found::ListedDocTest;

/// The message of rustdoc for a `compile_fail` doc test that compiles.
const COMPILES: &str = "Test compiled successfully, but it's marked `compile_fail`.";
/// The messages of rustdoc for a doc test that does not compile, or does so with another error than it should.
const DOES_NOT: [&str; 2] = [
    "Couldn't compile the test.",
    "Some expected error codes were not found",
];

/// A doc test that was written as an integration test.
pub(super) struct Written {
    /// The target with the integration test, which cargo compiles in place of the doc tests.
    pub(super) input: PackageInput,
    /// The name that rustdoc has for the doc test.
    pub(super) title: String,
    /// The failure of the doc test, where rustdoc shows it.
    pub(super) failure: Option<Signature>,
}

impl Written {
    /// Adds a remark where the integration test fails in another way than the doc test.
    pub(super) fn compare(&self, found: &Signature, context: &BaselineContext<'_>) {
        let (title, failure) = (&self.title, self.failure.as_ref());
        let is_same = |one: &&Signature| (one.kind, &one.message) == (found.kind, &found.message);
        if let Some(failure) = failure.filter(|one| !is_same(one)) {
            context.remark(&format!(
                "as an integration test, the doc test `{title}` fails in another way than rustdoc shows: {failure}"
            ));
        }
    }
}

/// Returns the doc tests that fail, where the selected packages have any.
///
/// # Errors
/// Where they cannot be run.
pub(super) fn offers(
    package: &Package<'_>,
    context: &BaselineContext<'_>,
) -> Result<Vec<Offer>, OracleError> {
    if !package.workspace.has_doc_tests(package.input) {
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
    match Run::of(None, package, context) {
        Ok(run) => {
            let failing = failed_tests(&run.output);
            Ok(failing.iter().map(|title| offer(title, package)).collect())
        }
        // cargo says that all pass, or that there are none.
        Err(OracleError::NoFailure { .. }) => Ok(vec![]),
        Err(error) => Err(error),
    }
}

/// Runs the doc tests, and writes the one that fails when it is run as an integration test.
///
/// # Errors
/// Where none fails, it is not clear which one is meant, it does not fail when it is run, or it cannot be written.
pub(super) fn write_failing(
    name: Option<&TestName>,
    package: &Package<'_>,
    context: &BaselineContext<'_>,
) -> Result<Written, OracleError> {
    let run = Run::of(name, package, context)?;
    let title = run.chosen(name, package, context)?;
    let section = doc_section(&run.output, &title).unwrap_or_default();
    if section.contains(COMPILES) {
        return Err(OracleError::CompileFailCompiles { test: title });
    }
    if DOES_NOT.iter().any(|mark| section.contains(mark)) {
        return Err(not_compiled(&section, package, context));
    }
    run.write(title, package, context)
}

/// Runs the doc tests, and writes the first of those in which a failure of the compiler shows as an integration test.
///
/// # Errors
/// Where it shows in none, or that cannot be written.
pub(crate) fn write_uncompiled(
    failure: &dyn Failure,
    package: &Package<'_>,
    context: &BaselineContext<'_>,
) -> Result<PackageInput, OracleError> {
    let run = Run::of(None, package, context)?;
    let shows = |title: &&String| {
        doc_section(&run.output, title).is_some_and(|section| failure.shows_in_doc_test(&section))
    };
    let failing = failed_tests(&run.output);
    let Some(title) = failing.iter().find(shows) else {
        return Err(run.no_failure(context));
    };
    Ok(run.write(title.clone(), package, context)?.input)
}

/// Makes the error that a doc test, which should be run, does not compile.
fn not_compiled(
    section: &str,
    package: &Package<'_>,
    context: &BaselineContext<'_>,
) -> OracleError {
    let crashes = crash_in(section, None).is_some();
    let flag = match crashes {
        true => Some(vec!["--ice".to_owned()]),
        false => first_error_flag(section),
    };
    let instead = flag.map(|flag| Offer {
        what: flag.join(" "),
        words: [flag, selection(package.input)].concat(),
    });
    OracleError::NotCompiled {
        wanted: context.wanted.words.clone(),
        command: "cargo test --doc".to_owned(),
        crashes,
        output: tail(section),
        instead: instead.into_iter().collect(),
    }
}

/// A run of the doc tests in which some failed.
struct Run {
    output: String,
    /// The calls of rustdoc, one for each library.
    calls: Vec<Record>,
}

impl Run {
    /// Runs the doc tests of the selected packages.
    fn of(
        name: Option<&TestName>,
        package: &Package<'_>,
        context: &BaselineContext<'_>,
    ) -> Result<Self, OracleError> {
        let command = command(name, package, context);
        let workspace = package.workspace;
        let (ran, calls) = workspace.run_doc_tests(&command, package.snapshot, context)?;
        Ok(Self {
            output: ran.output,
            calls,
        })
    }

    /// Returns the title of the only doc test that fails, among those that the user's name means.
    fn chosen(
        &self,
        name: Option<&TestName>,
        package: &Package<'_>,
        context: &BaselineContext<'_>,
    ) -> Result<String, OracleError> {
        let all = failed_tests(&self.output);
        let offers = |titles: &[String]| titles.iter().map(|title| offer(title, package)).collect();
        let mut failing = match name {
            Some(name) => named(&all, name),
            None => all.clone(),
        };
        match (failing.pop(), failing.is_empty(), name) {
            (Some(only), true, _) => Ok(only),
            (Some(last), false, _) => {
                failing.push(last);
                Err(OracleError::SeveralTests {
                    tests: offers(&failing),
                })
            }
            (None, _, Some(name)) if !all.is_empty() => Err(OracleError::NoSuchTest {
                name: name.to_string(),
                failing: offers(&all),
            }),
            (None, ..) => Err(self.no_failure(context)),
        }
    }

    fn no_failure(&self, context: &BaselineContext<'_>) -> OracleError {
        OracleError::NoFailure {
            wanted: context.wanted.words.clone(),
            command: "cargo test --doc".to_owned(),
            output: tail(&self.output),
            compiles: false,
        }
    }

    /// Writes a doc test: as rustdoc has found it, or where an older one does not say, as its title says.
    fn write(
        &self,
        title: String,
        package: &Package<'_>,
        context: &BaselineContext<'_>,
    ) -> Result<Written, OracleError> {
        let (workspace, snapshot) = (package.workspace, package.snapshot);
        let unwritten = || OracleError::NotWritten {
            test: title.clone(),
        };
        let place = Title::of(&title).ok_or_else(unwritten)?;
        let mut found = None;
        for call in &self.calls {
            let here = ListedDocTest::find(&title, call, context)?;
            found = found.or_else(|| here.map(|found| (found, call)));
        }
        let file = match &found {
            Some((_, call)) => root(call),
            None => workspace.printed_path(place.file, snapshot),
        };
        let file = file.ok_or_else(unwritten)?;
        let library = workspace.library_of(&file, snapshot);
        let library = library.ok_or_else(unwritten)?;
        let source;
        let (code, call) = match &found {
            Some((found, call)) => {
                let (words, text) = (found.words(), found.code.as_str());
                (DocTestCode::Found { words, text }, Some(*call))
            }
            None => {
                source = files::read(&file)?;
                let (source, line) = (source.as_str(), place.line);
                let only = self.calls.first().filter(|_| self.calls.len() == 1);
                (DocTestCode::InFile { source, line }, only)
            }
        };
        let name = place.function(&library.name);
        let text = context.plain_tests.of_doc(&DocTest {
            code,
            name: &name,
            library: &library.name,
            edition: &library.edition,
            cfgs: &call.map(cfgs).unwrap_or_default(),
        });
        let target = library.add_test(&name, &text.ok_or_else(unwritten)?)?;
        let failure = doc_failure(&self.output, &title, snapshot.tree.as_str());
        Ok(Written {
            input: input_of(target, library, package),
            title,
            failure,
        })
    }
}

fn input_of(target: String, library: Library, package: &Package<'_>) -> PackageInput {
    PackageInput {
        package: Some(library.package),
        target: TargetSelection::Test(target),
        ..package.input.clone()
    }
}

/// Returns the root of the library of which rustdoc runs the doc tests.
fn root(call: &Record) -> Option<camino::Utf8PathBuf> {
    let sources = call.args.iter().filter(|arg| arg.ends_with(".rs"));
    let mut paths = sources.map(|arg| call.cwd.join(arg));
    paths.find(|path| path.is_file())
}

/// Lists the `cfg`s that cargo or the user's flags set for doc tests.
fn cfgs(call: &Record) -> Vec<String> {
    let groups = args::groups(&call.args).into_iter();
    let set = groups.filter(|group| group.name == "--cfg");
    set.map(|group| group.value).collect()
}

/// Selects the doc tests that a name means.
fn named(titles: &[String], name: &TestName) -> Vec<String> {
    if let TestName::Place { file, line } = name {
        let places = titles.iter().filter_map(|title| {
            let place = Title::of(title)?;
            let is_there = camino::Utf8Path::new(place.file).ends_with(file) && place.line <= *line;
            is_there.then_some((place.line, title))
        });
        return places
            .max_by_key(|(line, _)| *line)
            .map(|(_, title)| title.clone())
            .into_iter()
            .collect();
    }
    let name = name.to_string();
    match titles.contains(&name) {
        true => vec![name],
        false => {
            let fitting = titles.iter().filter(|title| title.contains(&name));
            fitting.cloned().collect()
        }
    }
}

/// Returns the arguments of `cargo test --doc` for what is selected.
fn command(
    name: Option<&TestName>,
    package: &Package<'_>,
    context: &BaselineContext<'_>,
) -> Vec<String> {
    let mut command = vec!["test".to_owned(), "--no-fail-fast".to_owned()];
    command.extend(selection(package.input));
    if let Some(manifest) = &package.input.manifest_path {
        let manifest = context.user.cwd.join(manifest);
        let place = package.snapshot.place_of(&manifest);
        let place = place.unwrap_or(manifest);
        command.extend(["--manifest-path".to_owned(), place.into_string()]);
    }
    // rustdoc takes several words for several filters, and knows no lines of files.
    let filter = match name {
        Some(TestName::Path(name)) if !name.contains(char::is_whitespace) => Some(name.as_str()),
        _ => None,
    };
    command.extend(
        filter
            .into_iter()
            .flat_map(|name| ["--", name].map(str::to_owned)),
    );
    command
}

/// Makes the offer to reduce a doc test that fails.
fn offer(title: &str, package: &Package<'_>) -> Offer {
    Offer {
        what: title.to_owned(),
        words: [selection(package.input), vec![title.to_owned()]].concat(),
    }
}

/// The name that rustdoc gives to a doc test: `src/lib.rs - Shop::price (line 12)`.
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

    /// Returns the name of a function that stands for the doc test.
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
    fn a_name_means_a_title_a_part_of_it_or_the_block_in_a_line() {
        let titles = [
            "src/lib.rs - price (line 5)",
            "src/lib.rs - price (line 15)",
            "src/a.rs - cost (line 5)",
        ];
        let titles = titles.map(str::to_owned);
        let check = |name: &str, expected: &[usize]| {
            let expected: Vec<_> = expected.iter().map(|&at| titles[at].clone()).collect();
            assert_eq!(named(&titles, &TestName::parse(name)), expected, "{name}");
        };
        check("src/lib.rs - price (line 5)", &[0]);
        check("price", &[0, 1]);
        check("(line 5)", &[0, 2]);
        check("src/lib.rs:17", &[1]);
        check("lib.rs:14", &[0]);
        check("src/lib.rs:4", &[]);
        check("other", &[]);
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
