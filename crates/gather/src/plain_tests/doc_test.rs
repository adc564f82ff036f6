//! Writes a doc test as the file of an integration test. What rustdoc adds to the code is added here too: a function around it,
//! `#![allow(unused)]`, and `extern crate` where the edition needs it.

use super::doc_block::DocBlock;
use crate::configuration::{Configuration, configured};
use crate::editions::{Edition, in_edition};
use crate::rewriting::with_replaced;
use reduce_syntax::{Parsed, byte_range};
use std::ops::Range;
use syn::{AttrStyle, Item, ItemFn, ReturnType, Stmt};

/// The beginning of the function in which the code of a doc test is wrapped to be parsed.
const OPEN: &str = "fn f() {\n";
/// The end of a doc test that returns a result: `Ok(())` or `Ok::<(), E>(())`.
const RESULT_END: &str = "(())";

/// A doc test that is to be written as an integration test, with the names and the edition for it.
#[derive(Debug, Clone, Copy)]
pub struct OfDoc<'a> {
    /// The code of the doc test.
    pub code: FencedCode<'a>,
    /// The name that the test function gets.
    pub name: &'a str,
    /// The name by which the doc test imports the library that it documents.
    pub library: &'a str,
    /// The edition in which the file is compiled.
    pub edition: Edition,
    /// The `cfg`s that are set for doc tests, in the form of `--cfg`.
    pub cfgs: &'a [String],
}

/// The code of a doc test.
#[derive(Debug, Clone, Copy)]
pub enum FencedCode<'a> {
    /// A doc test that rustdoc has already extracted, with hidden lines unhidden.
    Found {
        /// The words after the opening fence.
        words: &'a str,
        /// The lines between the fences.
        text: &'a str,
    },
    /// A doc test that is still in the comments of a source file.
    InFile {
        /// The text of the source file.
        source: &'a str,
        /// The line of the opening fence, counted from 1.
        line: usize,
    },
}

impl FencedCode<'_> {
    fn block(&self) -> Option<DocBlock> {
        match *self {
            Self::Found { words, text } => Some(DocBlock::of(words, text)),
            Self::InFile { source, line } => DocBlock::at(source, line),
        }
    }
}

/// Returns the file of an integration test that does what the doc test does.
///
/// The flags for doc tests are not those of an integration test: what they set is decided in the text. A block in an older
/// edition is brought into that of the file.
///
/// Returns `None` where there is no block of code in that line, its code has a syntax that syn does not
/// understand, or it is in a later edition than the file.
#[must_use]
pub fn doc_test(doc: &OfDoc<'_>) -> Option<String> {
    let block = doc.code.block()?;
    let edition = block.edition().unwrap_or(doc.edition);
    let file = written(&block, doc, edition)?;
    let names = doc
        .cfgs
        .iter()
        .map(|cfg| cfg.split('=').next().unwrap_or(cfg));
    let set = Configuration::from_lines(doc.cfgs.iter().map(String::as_str));
    let file = match doc.cfgs.is_empty() {
        true => file,
        false => configured(&file, &set.deciding_only(names)),
    };
    in_edition(&file, edition, doc.edition)
}

/// Returns the text of the integration test in an edition.
fn written(block: &DocBlock, doc: &OfDoc<'_>, edition: Edition) -> Option<String> {
    let wrapped = format!("{OPEN}{}}}\n", block.code);
    let parsed = Parsed::without_islands(&wrapped);
    let Some([Item::Fn(function)]) = parsed.file().map(|file| file.items.as_slice()) else {
        return None;
    };
    let code = Code {
        text: &wrapped,
        function,
    };
    let mut file = String::from("#![allow(unused)]\n");
    for range in code.of_crate_root() {
        file += &wrapped[range];
        file.push('\n');
    }
    let names_library = block.code.contains(doc.library);
    if edition == Edition::E2015 && names_library && !code.has_extern(doc.library) {
        file += &format!("extern crate {};\n", doc.library);
    }
    let attributes = match block.has_word("should_panic") {
        true => "#[test]\n#[should_panic]\n",
        false => "#[test]\n",
    };
    file += &code.as_test(doc.name, attributes);
    Some(file)
}

/// The code of a doc test, wrapped in a function.
struct Code<'a> {
    text: &'a str,
    function: &'a ItemFn,
}

impl Code<'_> {
    /// Returns the parts of the code that can only stand at the beginning of a crate: its attributes, and `extern crate` that may
    /// have macros.
    fn of_crate_root(&self) -> Vec<Range<usize>> {
        let inner = self.function.attrs.iter();
        let inner = inner.filter(|one| matches!(one.style, AttrStyle::Inner(_)));
        let externs = self
            .items()
            .filter(|item| matches!(item, Item::ExternCrate(_)));
        let mut ranges: Vec<_> = inner.map(byte_range).collect();
        ranges.extend(externs.map(byte_range));
        ranges
    }

    fn items(&self) -> impl Iterator<Item = &Item> {
        let statements = self.function.block.stmts.iter();
        statements.filter_map(|statement| match statement {
            Stmt::Item(item) => Some(item),
            _ => None,
        })
    }

    fn has_extern(&self, library: &str) -> bool {
        self.items()
            .any(|item| matches!(item, Item::ExternCrate(one) if one.ident == library))
    }

    fn main(&self) -> Option<&ItemFn> {
        self.items().find_map(|item| match item {
            Item::Fn(function) if function.sig.ident == "main" => Some(function),
            _ => None,
        })
    }

    /// Writes the code as a test function of this name.
    fn as_test(&self, name: &str, attributes: &str) -> String {
        let gone = self.of_crate_root().into_iter();
        let mut replaced: Vec<(Range<usize>, String)> =
            gone.map(|it| (it, String::new())).collect();
        match self.main() {
            None => {
                let body = self.body(replaced);
                match body.trim_end().ends_with(RESULT_END) {
                    true => returning(name, attributes, &body),
                    false => format!("{attributes}fn {name}() {{\n{body}}}\n"),
                }
            }
            Some(main) if main.attrs.is_empty() && main.sig.asyncness.is_none() => {
                let start = byte_range(main).start;
                replaced.push((start..start, attributes.to_owned()));
                replaced.push((byte_range(&main.sig.ident), name.to_owned()));
                self.body(replaced)
            }
            // An attribute may make another function of it.
            Some(main) => {
                let output = match &main.sig.output {
                    ReturnType::Default => String::new(),
                    output => format!(" {}", &self.text[byte_range(output)]),
                };
                let test = format!("{attributes}fn {name}(){output} {{\n    main()\n}}\n");
                self.body(replaced) + &test
            }
        }
    }

    /// Returns the code between the braces of the function, with some ranges replaced.
    fn body(&self, mut replaced: Vec<(Range<usize>, String)>) -> String {
        let block = byte_range(&self.function.block);
        replaced.push((0..OPEN.len(), String::new()));
        replaced.push((block.end - 1..self.text.len(), String::new()));
        let body = with_replaced(self.text, replaced);
        format!("{}\n", body.trim_matches('\n'))
    }
}

/// Writes a test of code that ends with `Ok(())`: it panics where rustdoc would report an error.
fn returning(name: &str, attributes: &str, body: &str) -> String {
    format!(
        "{attributes}fn {name}() {{\n\
         fn inner() -> Result<(), impl core::fmt::Debug> {{\n{body}}}\n\
         inner().unwrap()\n}}\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written_in(code: &str, edition: Edition) -> Option<String> {
        let lines = code.lines().map(|line| format!("/// {line}\n"));
        let source = format!("/// Text.\n{}", lines.collect::<String>());
        let (line, name, library) = (2, "doc_of_price", "shop");
        doc_test(&OfDoc {
            code: FencedCode::InFile {
                source: &source,
                line,
            },
            name,
            library,
            edition,
            cfgs: &[],
        })
    }

    /// Writes a block that rustdoc has found as a test, with these names set for doc tests.
    fn found(words: &str, text: &str, cfgs: &[&str]) -> Option<String> {
        let cfgs: Vec<String> = cfgs.iter().map(|cfg| (*cfg).to_owned()).collect();
        doc_test(&OfDoc {
            code: FencedCode::Found { words, text },
            name: "doc_of_price",
            library: "shop",
            edition: Edition::E2021,
            cfgs: &cfgs,
        })
    }

    #[test]
    fn what_flags_set_for_doc_tests_is_decided_in_the_text() {
        let text =
            "use shop::a;\nif cfg!(calm) { a(); }\n#[cfg(unix)]\na();\n#[cfg(not(calm))]\na();";
        let file = found("", text, &["calm"]).unwrap();
        assert!(file.contains("if true { a(); }"), "{file}");
        assert!(file.contains("#[cfg(unix)]"), "{file}");
        assert!(!file.contains("calm"), "{file}");
        let file = found("", text, &[]).unwrap();
        assert!(file.contains("cfg!(calm)"), "{file}");
    }

    #[test]
    fn a_block_of_another_edition_is_written_in_that_of_the_file() {
        let text = "use std::fmt::Display;\nlet shown: &Display = &1;";
        let file = found("edition2018", text, &[]).unwrap();
        assert!(file.contains("let shown: &dyn Display = &1;"), "{file}");
        assert_eq!(found("edition2024", "a();", &[]), None);
    }

    #[track_caller]
    fn check(code: &str, expected: &str) {
        let file = written_in(code, Edition::E2021);
        let expected = format!("#![allow(unused)]\n{expected}");
        assert_eq!(file.as_deref(), Some(expected.as_str()), "{code}");
    }

    #[test]
    fn statements_are_the_body_of_a_test() {
        check(
            "```\n# use shop::price;\nassert_eq!(price(1), 10);\n```",
            "#[test]\nfn doc_of_price() {\nuse shop::price;\nassert_eq!(price(1), 10);\n}\n",
        );
    }

    #[test]
    fn a_main_becomes_the_test() {
        check(
            "```\nuse a::b;\nfn main() {\n    b();\n}\n```",
            "use a::b;\n#[test]\nfn doc_of_price() {\n    b();\n}\n",
        );
        check(
            "```\nfn main() -> Result<(), E> { b() }\n```",
            "#[test]\nfn doc_of_price() -> Result<(), E> { b() }\n",
        );
    }

    #[test]
    fn a_main_with_attributes_is_called() {
        check(
            "```\n#[a::main]\nasync fn main() -> E { b() }\n```",
            "#[a::main]\nasync fn main() -> E { b() }\n#[test]\nfn doc_of_price() -> E {\n    main()\n}\n",
        );
    }

    #[test]
    fn code_that_returns_a_result_panics_as_rustdoc_does() {
        check(
            "```\nb()?;\n# Ok::<(), E>(())\n```",
            "#[test]\nfn doc_of_price() {\n\
             fn inner() -> Result<(), impl core::fmt::Debug> {\nb()?;\nOk::<(), E>(())\n}\n\
             inner().unwrap()\n}\n",
        );
    }

    #[test]
    fn what_belongs_to_a_crate_stands_before_the_test() {
        check(
            "```\n#![feature(x)]\n#[macro_use]\nextern crate a;\na!();\n```",
            "#![feature(x)]\n#[macro_use]\nextern crate a;\n#[test]\nfn doc_of_price() {\na!();\n}\n",
        );
    }

    #[test]
    fn a_test_that_should_panic_says_so() {
        check(
            "```should_panic\na();\n```",
            "#[test]\n#[should_panic]\nfn doc_of_price() {\na();\n}\n",
        );
    }

    #[test]
    fn the_library_is_linked_by_name_in_the_first_edition() {
        let written = |code| written_in(code, Edition::E2015).unwrap();
        assert!(written("```\nshop::a();\n```").contains("extern crate shop;\n"));
        assert!(!written("```\na();\n```").contains("extern crate"));
        let own = written("```\nextern crate shop;\nshop::a();\n```");
        assert_eq!(own.matches("extern crate").count(), 1, "{own}");
    }

    #[test]
    fn what_syn_does_not_understand_stays_a_doc_test() {
        for code in [
            "```\nlet = ;\n```",
            "```\n}\n```",
            "no fence",
            "```\n} fn g() {\n```",
        ] {
            assert_eq!(written_in(code, Edition::E2021), None, "{code}");
        }
    }
}
