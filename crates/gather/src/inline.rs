//! Makes one file of a crate of several files: `mod x;` becomes `mod x { .. }`.

use crate::embed::included_names;
use crate::modules::visit_files;
use camino::Utf8Path;
use reduce_syntax::{
    Edit, EditSet, FileId, ModuleDirectory, Parsed, SourceTree, byte_range, bytes_before_code,
    is_conditional_path,
};
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;
use syn::{Attribute, ItemMod};

/// The most bytes of an inlined crate: files that include each other twice double the text each time.
const MOST_BYTES: usize = 64 << 20;

/// Puts the modules of a crate into its root file. Modules whose file is not there stay as they are. Where several files may be
/// meant, the first is; a file that several modules mean is in each of them.
///
/// A file of which only the brackets are understood (older editions have words that are keywords now)
/// is inlined as it is.
///
/// Returns `None` if there is only one file, or the root cannot be parsed, or another file's brackets
/// do not match, or some file is reached by no `mod x;` that we can see and mentioned by no `include!`.
#[must_use]
pub fn inline_modules(sources: &SourceTree) -> Option<SourceTree> {
    if sources.files().count() < 2 {
        return None;
    }
    let mut inliner = Inliner {
        sources,
        reached: BTreeSet::from([sources.root()]),
        open: Vec::new(),
        n_bytes: 0,
    };
    let text = inliner.text_of(sources.root(), false)?;
    let n_files = sources.files().count();
    (inliner.reached.len() == n_files || inliner.others_are_included())
        .then(|| SourceTree::single(sources.path(sources.root()).to_owned(), Arc::from(text)))
}

struct Inliner<'s> {
    sources: &'s SourceTree,
    reached: BTreeSet<FileId>,
    /// The files that are being inlined, each within the file before it in the list.
    open: Vec<FileId>,
    n_bytes: usize,
}

/// A `mod x;` with the files that it may mean (at least one), each with whether a `#[path]` names it.
struct External {
    files: Vec<(FileId, bool)>,
    semicolon: Range<usize>,
    path_attributes: Vec<Range<usize>>,
}

impl Inliner<'_> {
    fn text_of(&mut self, file: FileId, by_path_attribute: bool) -> Option<String> {
        let is_root = file == self.sources.root();
        let text = self.sources.text(file);
        let before_code = bytes_before_code(text);
        let parsed = Parsed::new(text);
        if !parsed.has_matching_brackets() {
            return None;
        }
        let Some(syntax) = parsed.file() else {
            return (!is_root).then(|| text[before_code..].to_owned());
        };
        let path = self.sources.path(file);
        let directory = ModuleDirectory::of_file(path, is_root, by_path_attribute);
        let mut found = Vec::new();
        self.open.push(file);
        visit_files(&syntax.items, &directory, &mut |module, directory| {
            found.extend(self.external(module, directory));
        });
        let mut edits = EditSet::new();
        for external in found {
            let inner = self.text_of_module(&external.files)?;
            let braced = format!(" {{\n{inner}\n}}");
            edits.add(Edit::replace(file, &external.semicolon, &braced));
            for range in &external.path_attributes {
                edits.add(Edit::delete(file, range));
            }
        }
        self.open.pop();
        let start = if is_root { 0 } else { before_code };
        Some(edits.apply(self.sources).text(file)[start..].to_owned())
    }

    /// Returns the text of a module's first file. The others are only looked at for the files that they reach.
    fn text_of_module(&mut self, files: &[(FileId, bool)]) -> Option<String> {
        let (&(first, by_path_attribute), others) = files.split_first()?;
        self.reached.insert(first);
        let text = self.text_of(first, by_path_attribute)?;
        for &(other, by_path_attribute) in others {
            if self.reached.insert(other) {
                self.text_of(other, by_path_attribute)?;
            }
        }
        self.n_bytes += text.len();
        (self.n_bytes <= MOST_BYTES).then_some(text)
    }

    /// Finds the files of a `mod x;`; `None` if there are none, or only those in which the module stands.
    fn external(&self, module: &ItemMod, directory: &ModuleDirectory) -> Option<External> {
        let candidates = directory.candidates(module).into_iter();
        let files: Vec<_> = candidates
            .filter_map(|(path, by_path)| Some((self.sources.find(&path)?, by_path)))
            .filter(|(file, _)| !self.open.contains(file))
            .collect();
        if files.is_empty() {
            return None;
        }
        let is_path = |one: &&Attribute| one.path().is_ident("path") || is_conditional_path(one);
        let path_attributes = module.attrs.iter().filter(is_path);
        Some(External {
            files,
            semicolon: byte_range(&module.semi?),
            path_attributes: path_attributes.map(byte_range).collect(),
        })
    }

    /// Returns whether each file that no `mod x;` leads to is named by some `include!`.
    fn others_are_included(&self) -> bool {
        let names = self
            .sources
            .files()
            .flat_map(|(_, _, text)| included_names(text));
        let names: BTreeSet<String> = names.collect();
        let is_meant = |path: &Utf8Path, name: &String| {
            let name = name.trim_start_matches(['.', '/']);
            !name.is_empty() && path.ends_with(name)
        };
        let mut files = self.sources.files();
        files.all(|(file, path, _)| {
            self.reached.contains(&file) || names.iter().any(|name| is_meant(path, name))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use camino::{Utf8Path, Utf8PathBuf};

    fn tree(files: &[(&str, &str)]) -> SourceTree {
        let files = files
            .iter()
            .map(|(path, text)| (Utf8PathBuf::from(*path), Arc::from(*text)));
        SourceTree::from_files(Utf8Path::new("src/lib.rs"), files).expect("the root is there")
    }

    #[track_caller]
    fn check(files: &[(&str, &str)], expected: &str) {
        let inlined = inline_modules(&tree(files)).expect("inlined");
        let text = reduce_syntax::pretty(inlined.text(inlined.root())).expect("parses");
        assert_eq!(text, reduce_syntax::pretty(expected).expect("parses"));
    }

    #[test]
    fn modules_are_inlined_at_all_levels() {
        check(
            &[
                ("src/lib.rs", "pub mod a; fn f() {}"),
                ("src/a.rs", "#![allow(unused)] mod b;"),
                ("src/a/b.rs", "struct B;"),
            ],
            "pub mod a { #![allow(unused)] mod b { struct B; } } fn f() {}",
        );
    }

    #[test]
    fn a_path_attribute_goes() {
        check(
            &[
                ("src/lib.rs", "#[path = \"x/y.rs\"] #[doc(hidden)] mod a;"),
                ("src/x/y.rs", ""),
            ],
            "#[doc(hidden)] mod a {}",
        );
    }

    #[test]
    fn a_crate_of_one_file_stays() {
        assert!(inline_modules(&tree(&[("src/lib.rs", "fn f() {}")])).is_none());
    }

    #[test]
    fn a_file_that_several_modules_mean_is_in_each_of_them() {
        check(
            &[
                (
                    "src/lib.rs",
                    "#[path = \"c.rs\"] mod a; #[path = \"c.rs\"] mod b; #[cfg(x)] mod d; #[cfg(y)] mod d;",
                ),
                ("src/c.rs", "fn c() {}"),
                ("src/d.rs", ""),
            ],
            "mod a { fn c() {} } mod b { fn c() {} } #[cfg(x)] mod d {} #[cfg(y)] mod d {}",
        );
    }

    #[test]
    fn a_file_that_means_itself_keeps_that_module() {
        check(
            &[
                ("src/lib.rs", "mod a; fn f() {}"),
                (
                    "src/a.rs",
                    "#[cfg(any())] #[path = \"a.rs\"] mod a; fn g() {}",
                ),
            ],
            "mod a { #[cfg(any())] #[path = \"a.rs\"] mod a; fn g() {} } fn f() {}",
        );
    }

    #[test]
    fn a_file_that_only_an_include_reads_may_be_there() {
        let files = [
            ("src/lib.rs", "mod a;"),
            (
                "src/a.rs",
                "include!(\"../src/t.in\"); m! { include_str!(concat!(env!(\"X\"), \"/u.txt\")) }",
            ),
            ("src/t.in", "fn t() {}"),
            ("src/u.txt", ""),
        ];
        check(
            &files,
            "mod a { include!(\"../src/t.in\"); m! { include_str!(concat!(env!(\"X\"), \"/u.txt\")) } }",
        );
    }

    #[test]
    fn a_file_that_nothing_mentions_keeps_the_crate_as_it_is() {
        let files = [
            (
                "src/lib.rs",
                "mod a; include!(\"..\"); include!(\"ther.rs\");",
            ),
            ("src/a.rs", ""),
            ("src/other.rs", ""),
        ];
        assert!(inline_modules(&tree(&files)).is_none());
    }

    #[test]
    fn the_first_of_the_files_that_a_module_may_mean_is_taken() {
        check(
            &[
                (
                    "src/lib.rs",
                    "#[cfg_attr(no, path = \"no.rs\")] #[cfg_attr(unix, path = \"u.rs\")] \
                     #[cfg_attr(windows, path = \"w.rs\", cold)] mod a;",
                ),
                ("src/u.rs", "struct U;"),
                ("src/w.rs", "mod x;"),
                ("src/x.rs", ""),
                ("src/a.rs", "struct A;"),
            ],
            "#[cfg_attr(windows, path = \"w.rs\", cold)] mod a { struct U; }",
        );
    }

    #[test]
    fn marks_shebangs_and_windows_line_ends_do_no_harm() {
        check(
            &[
                ("src/lib.rs", "\u{feff}#!/bin/run\r\nmod a;\r\nmod b;\r\n"),
                (
                    "src/a.rs",
                    "\u{feff}#!/bin/run\r\n//! Docs\r\nmod c;\r\nfn f() {}\r\n",
                ),
                ("src/a/c.rs", "\u{feff}#![allow(x)]\r\nfn g() {}"),
                ("src/b.rs", "#!/bin/run\n"),
            ],
            "#!/bin/run\r\nmod a { //! Docs\nmod c { #![allow(x)] fn g() {} } fn f() {} } mod b {}",
        );
    }

    #[test]
    fn modules_in_calls_of_macros_are_inlined() {
        check(
            &[
                (
                    "src/lib.rs",
                    "cfg_if! { if #[cfg(x)] { #[path = \"a.rs\"] mod m; } else { pub mod b; } }",
                ),
                ("src/a.rs", "fn a() {}"),
                ("src/b.rs", "fn b() {} // end"),
            ],
            "cfg_if! { if #[cfg(x)] { mod m {\nfn a() {}\n} } else { pub mod b {\nfn b() {}\n} } }",
        );
    }

    #[test]
    fn a_file_in_older_rust_is_inlined_as_it_is() {
        let files = [
            ("src/lib.rs", "mod a; fn f() {}"),
            ("src/a.rs", "fn g() { try!(x) } // end"),
        ];
        let inlined = inline_modules(&tree(&files)).expect("inlined");
        let expected = "mod a {\nfn g() { try!(x) } // end\n} fn f() {}";
        assert_eq!(inlined.text(inlined.root()), expected);
        let files = [("src/lib.rs", "mod a; fn f() {}"), ("src/a.rs", "fn g( {}")];
        assert!(inline_modules(&tree(&files)).is_none());
    }

    #[test]
    fn inner_documentation_and_attributes_stay_at_the_beginning() {
        check(
            &[
                ("src/lib.rs", "//! Root\n/// Outer\nmod a;"),
                (
                    "src/a.rs",
                    "//! One\n#![allow(x)]\n/*! Two */\n/// F\nfn f() {}",
                ),
            ],
            "//! Root\n/// Outer\nmod a { //! One\n#![allow(x)] /*! Two */ /// F\nfn f() {} }",
        );
    }

    #[test]
    fn a_comment_at_the_end_does_not_swallow_the_bracket() {
        check(
            &[
                ("src/lib.rs", "mod a; fn f() {}"),
                ("src/a.rs", "fn g() {} // end"),
            ],
            "mod a { fn g() {} } fn f() {}",
        );
    }
}
