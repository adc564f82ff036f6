//! Tests of other kinds as plain ones: `reduce_gather` writes them for `reduce_oracle`, which does not know
//! what syntax is.

use camino::Utf8PathBuf;
use reduce_gather::{
    OfDoc, OtherTests, Side, collect_sources, doc_test, failing_case, function_in_line, fuzz_test,
    named_files, share_unit_test, two_versions, version_of,
};
use reduce_oracle::{
    BothVersions, DocTest, DocTestCode, FailingCase, FuzzTarget, FuzzTest, NamingProgram,
    PlainTest, PlainTests, TwoCrates, TwoVersions,
};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The means to write tests of other kinds, such as doc tests, as plain `#[test]` functions.
pub(crate) struct WrittenTests;

impl PlainTests for WrittenTests {
    fn of_doc(&self, doc: &DocTest<'_>) -> Option<String> {
        doc_test(&OfDoc {
            code: match doc.code {
                DocTestCode::Found { words, text } => {
                    reduce_gather::FencedCode::Found { words, text }
                }
                DocTestCode::InFile { source, line } => {
                    reduce_gather::FencedCode::InFile { source, line }
                }
            },
            name: doc.name,
            library: doc.library,
            edition: doc.edition.parse().ok()?,
            cfgs: doc.cfgs,
        })
    }

    fn function_in_line(&self, text: &str, line: usize) -> Option<String> {
        function_in_line(text, line)
    }

    fn of_case(&self, text: &str, test: &str, printed: &str) -> FailingCase {
        match failing_case(text, test, printed) {
            reduce_gather::FailingCase::Plain => FailingCase::Plain,
            reduce_gather::FailingCase::Unreadable => FailingCase::Unreadable,
            reduce_gather::FailingCase::Written(ways) => {
                let ways = ways
                    .into_iter()
                    .map(|reduce_gather::PlainTest { text, test }| PlainTest { text, test });
                FailingCase::Written(ways.collect())
            }
        }
    }

    fn of_fuzz_target(&self, target: &FuzzTarget<'_>) -> Option<FuzzTest> {
        let written = fuzz_test(target.source, target.input, target.name)?;
        Some(FuzzTest {
            text: written.text,
            needs_arbitrary: written.needs_arbitrary,
        })
    }

    fn in_one_text(&self, before: &str, after: &str) -> Option<String> {
        two_versions(before, after)
    }

    fn named_files(&self, program: &NamingProgram<'_>) -> BTreeSet<Utf8PathBuf> {
        named_files(program.root, program.package, program.read)
    }

    fn version_names(&self) -> TwoVersions<'static> {
        TwoVersions {
            before: Side::Before.cfg(),
            after: Side::After.cfg(),
        }
    }

    fn both_versions(&self) -> BothVersions {
        |text| Side::ALL.map(|side| version_of(text, side))
    }

    fn in_both_versions(&self, test: &TwoCrates<'_>) -> Option<BTreeMap<Utf8PathBuf, Arc<str>>> {
        let here = collect_sources(test.here, test.read)?;
        let there = collect_sources(test.there, test.read)?;
        let others = match test.keeps_others {
            true => OtherTests::Kept,
            false => OtherTests::LeftOut,
        };
        let shared = share_unit_test(&here, &there, test.test, others)?;
        let mut files = shared.fixed;
        let tests = shared.tests.files();
        files.extend(tests.map(|(_, path, text)| (path.to_owned(), text.clone())));
        Some(files)
    }
}
