//! Collects the files of a crate whose modules are declared in the body of one of its own macros, as in serde: `macro_rules!
//! crate_root { () => { mod de; .. } }` and `crate_root!();`.
//!
//! Such a macro call becomes what the macro's body says, in the text of the file: only there the
//! modules can be found. So do calls of macros that only put attributes before items, as `cfg_rt! {
//! mod x; }` in tokio: else a module would be in the text once for each of several configurations, and
//! unseen. This is for the sources of dependencies, of which nobody expects to see his own text again.
//! Macros are known by name in the order of the text, whatever their scope; the compiler decides.

mod body;

use super::declared_modules;
use crate::rewriting::with_replaced;
use body::{Body, called_with_items};
use camino::{Utf8Path, Utf8PathBuf};
use reduce_syntax::{FileId, ModuleDirectory, Parsed, SourceTree, byte_range};
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;
use syn::{Item, ItemMacro, ItemMod};

/// The deepest nesting of macro bodies in each other that is expanded; beyond that, macros call each other without end.
const DEEPEST: usize = 16;

/// The most bytes of macro bodies that are put in place of calls, all together.
const MOST_BYTES: usize = 32 << 20;

/// The number of bytes that each expanded call counts besides its body, so that small bodies come to an end too.
const BYTES_OF_CALL: usize = 8 << 10;

/// A function that reads a file's text by its path; `None` where there is no file.
type Read<'r> = dyn Fn(&Utf8Path) -> Option<Arc<str>> + 'r;

/// A function that configures and embeds the text of the file at a path.
type Prepare<'p> = dyn Fn(&str, &Utf8Path) -> String + 'p;

/// Collects sources as [`super::collect_sources`] does, and expands the crate's own macros where they declare modules, or are
/// called at the crate root. `prepare` does with the new text what `read` has done with the rest of the file at that path.
///
/// Returns `None` if the root cannot be read.
#[must_use]
pub fn collect_expanded(
    root: &Utf8Path,
    read: &Read<'_>,
    prepare: &Prepare<'_>,
) -> Option<SourceTree> {
    let tree = SourceTree::single(root.to_owned(), read(root)?);
    let mut collector = Collector {
        read,
        prepare,
        tree,
        bodies: BTreeMap::new(),
        remaining: MOST_BYTES,
    };
    collector.expand_file(collector.tree.root(), false);
    Some(collector.tree)
}

struct Collector<'c> {
    read: &'c Read<'c>,
    prepare: &'c Prepare<'c>,
    tree: SourceTree,
    /// The bodies of the macros that the text has defined up to now, by name.
    bodies: BTreeMap<String, Body>,
    /// The number of bytes of macro bodies that may still be put in place of calls.
    remaining: usize,
}

/// The place where a text stands: its file, and the module to which its items belong.
struct Place<'p> {
    path: &'p Utf8Path,
    directory: ModuleDirectory,
    is_root: bool,
    /// The number of macro bodies around the text.
    depth: usize,
}

/// A part of a text that declares modules or may do so. Ranges are of its bytes.
enum Step {
    Definition(String, Option<Body>),
    Call(Call),
    /// A `mod x;` with the files that it may mean, each with whether a `#[path]` names it.
    Module(Vec<(Utf8PathBuf, bool)>),
}

/// A call of a macro that may be the crate's own.
struct Call {
    name: String,
    items: Vec<String>,
    range: Range<usize>,
    directory: ModuleDirectory,
    is_root: bool,
    /// The steps in the call's arguments, which matter if the call is not replaced.
    otherwise: Vec<Step>,
}

/// The ranges that are replaced, with their new texts.
type Replacements = Vec<(Range<usize>, String)>;

/// The text of a macro's body, or of a file, after its calls were replaced.
struct Expanded {
    text: String,
    /// Whether the text declares modules that are files.
    names_files: bool,
}

impl Collector<'_> {
    /// Collects the file at `path`, if there is one, and the files that it names.
    fn file(&mut self, path: &Utf8Path, by_path_attribute: bool) {
        if self.tree.find(path).is_none()
            && let Some(text) = (self.read)(path)
        {
            let file = self.tree.add(path.to_owned(), text);
            self.expand_file(file, by_path_attribute);
        }
    }

    /// Replaces the macro calls in a file, and collects the files that it names.
    fn expand_file(&mut self, file: FileId, by_path_attribute: bool) {
        let path = self.tree.path(file).to_owned();
        let is_root = file == self.tree.root();
        let place = Place {
            path: &path,
            directory: ModuleDirectory::of_file(&path, is_root, by_path_attribute),
            is_root,
            depth: 0,
        };
        if let Some(expanded) = self.expanded(&self.tree.shared_text(file), &place) {
            self.tree.set_text(file, Arc::from(expanded.text));
        }
    }

    /// Replaces the macro calls in a text, and collects the files that it names. `None` if it does not parse.
    fn expanded(&mut self, text: &str, place: &Place<'_>) -> Option<Expanded> {
        let mut names_files = false;
        let mut found = Replacements::new();
        for step in steps(text, place)? {
            names_files |= self.step(step, place, &mut found);
        }
        Some(Expanded {
            text: with_replaced(text, found),
            names_files,
        })
    }

    /// Handles one part of a text: collects the files of a module, or adds the replacement of a call to `edits`. Returns whether
    /// there are modules that are files.
    fn step(&mut self, step: Step, place: &Place<'_>, edits: &mut Replacements) -> bool {
        match step {
            Step::Definition(name, Some(body)) => drop(self.bodies.insert(name, body)),
            Step::Definition(name, None) => drop(self.bodies.remove(&name)),
            Step::Module(files) => {
                for (path, by_path_attribute) in files {
                    self.file(&path, by_path_attribute);
                }
                return true;
            }
            Step::Call(call) => return self.call(call, place, edits),
        }
        false
    }

    fn call(&mut self, call: Call, place: &Place<'_>, edits: &mut Replacements) -> bool {
        if let Some(body) = self.body(&call, place) {
            edits.push((call.range, body.text));
            return body.names_files;
        }
        let mut names_files = false;
        for step in call.otherwise {
            names_files |= self.step(step, place, edits);
        }
        names_files
    }

    /// Returns the text that replaces a macro call at `place`. `None` where the call stays.
    fn body(&mut self, call: &Call, place: &Place<'_>) -> Option<Expanded> {
        let body = self.bodies.get(&call.name)?;
        let text = body.called_with(&call.items)?;
        let is_forwarded = matches!(body, Body::BeforeEach(_));
        self.remaining = self.remaining.checked_sub(text.len() + BYTES_OF_CALL)?;
        if place.depth >= DEEPEST {
            return None;
        }
        let prepared = (self.prepare)(&text, place.path);
        let expanded = self.expanded(&prepared, &place.inside(call))?;
        (expanded.names_files || call.is_root || is_forwarded).then_some(expanded)
    }
}

impl<'p> Place<'p> {
    /// Returns the place of the text that a macro call becomes.
    fn inside(&self, call: &Call) -> Place<'p> {
        Place {
            path: self.path,
            directory: call.directory.clone(),
            is_root: call.is_root,
            depth: self.depth + 1,
        }
    }
}

/// Returns the parts of a text that may declare modules. `None` if it does not parse.
fn steps(text: &str, place: &Place<'_>) -> Option<Vec<Step>> {
    let parsed = Parsed::without_islands(text);
    let file = parsed.file()?;
    let mut finder = Finder {
        text,
        steps: Vec::new(),
    };
    finder.items(&file.items, &place.directory, place.is_root);
    Some(finder.steps)
}

struct Finder<'t> {
    text: &'t str,
    steps: Vec<Step>,
}

impl Finder<'_> {
    fn items(&mut self, items: &[Item], directory: &ModuleDirectory, is_root: bool) {
        for item in items {
            let before = self.steps.len();
            for module in declared_modules(std::slice::from_ref(item)) {
                self.module(&module, directory);
            }
            if let Item::Macro(item) = item {
                let within = self.steps.split_off(before);
                self.macro_item(item, directory, is_root, within);
            }
        }
    }

    fn module(&mut self, module: &ItemMod, directory: &ModuleDirectory) {
        match &module.content {
            Some((_, items)) => self.items(items, &directory.inline(module), false),
            None => self.steps.push(Step::Module(directory.candidates(module))),
        }
    }

    fn macro_item(
        &mut self,
        item: &ItemMacro,
        directory: &ModuleDirectory,
        is_root: bool,
        within: Vec<Step>,
    ) {
        if let Some(name) = &item.ident {
            let body = Body::of_definition(item, self.text);
            self.steps.push(Step::Definition(name.to_string(), body));
        } else if let Some((name, items)) = called_with_items(item) {
            let items = items.into_iter().map(|one| self.text_of(one).to_owned());
            let call = Call {
                name,
                items: items.collect(),
                range: byte_range(item),
                directory: directory.clone(),
                is_root,
                otherwise: within,
            };
            self.steps.push(Step::Call(call));
        } else {
            self.steps.extend(within);
        }
    }

    fn text_of(&self, range: Range<usize>) -> &str {
        self.text.get(range).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests;
