//! Reads what `-Zunpretty=hir-tree` prints, one line after the other. It may have hundreds of megabytes, so no more of
//! it is kept than the names and places that count.
//!
//! Since 1.87 or so a definition begins with `DefId(..) => OwnerNodes {`, before with `OwnerInfo {`, and its own
//! number is the first in it. Within it, `node:` is the definition itself, and `bodies:`, which begins in the same
//! column, are the bodies in it. The span of the definition is the first of those furthest to the left.

use super::spot::{SpotInText, local_paths, span};
use super::{CompilerNames, Numbers, Printed, PrintedMention, Spot};
use reduce_syntax::{FileId, poll_interruption};
use std::collections::{BTreeMap, BTreeSet};

/// The most mentions that are kept: a crate of a million tokens has fewer.
const MOST_MENTIONS: usize = 3_000_000;

/// Reads the definitions that rustc prints, each with the definitions that it mentions. Paths and files have numbers, as
/// they come again and again.
#[derive(Debug, Default)]
pub struct HirLines {
    paths: Numbers,
    files: Numbers,
    definitions: BTreeMap<u32, Definition>,
    now: Now,
    n_mentions: usize,
}

/// A definition that is being read.
#[derive(Debug, Default)]
struct Definition {
    start: Option<NumberedSpot>,
    mentions: BTreeSet<(u32, bool, Option<NumberedSpot>)>,
}

/// The numbers of a file, a line and a column.
type NumberedSpot = (u32, usize, usize);

/// The part of the printed text to which the lines that are read now belong.
#[derive(Debug, Default)]
struct Now {
    /// The definition of which the lines are, once its number was seen.
    definition: Option<u32>,
    section: Section,
    /// The column at which sections begin.
    column: Option<usize>,
    /// The column of the span that stands furthest to the left.
    leftmost: Option<usize>,
    /// The last place that rustc has printed.
    near: Option<NumberedSpot>,
}

/// A part of what is printed about a definition.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Section {
    /// A section that does not count.
    #[default]
    Other,
    /// The definition is the root of the crate, of which nothing counts.
    Root,
    /// The section after the first line of a definition.
    Begun,
    /// The section about the definition itself.
    Node,
    Bodies,
}

impl HirLines {
    /// Reads the next line, without its end.
    pub fn read(&mut self, line: &str) {
        poll_interruption();
        let content = line.trim_start();
        let column = line.len() - content.len();
        if content.ends_with("=> OwnerNodes {") || content == "OwnerInfo {" {
            self.begin(content);
            return;
        }
        self.change_section(column, content);
        match self.now.section {
            Section::Node | Section::Bodies => self.read_content(column, content),
            Section::Other | Section::Root | Section::Begun => {}
        }
    }

    /// Returns the definitions that were read. `file_of` says which file a path means, as rustc writes it.
    #[must_use]
    pub fn names(self, file_of: impl Fn(&str) -> Option<FileId>) -> CompilerNames {
        let files: Vec<Option<FileId>> = self.files.all.iter().map(|path| file_of(path)).collect();
        let spot = |(file, line, column): NumberedSpot| {
            let file = files[file as usize]?;
            Some(Spot { file, line, column })
        };
        let paths = &self.paths.all;
        let mention =
            |(path, is_in_body, near): (u32, bool, Option<NumberedSpot>)| PrintedMention {
                path: paths[path as usize].clone(),
                is_in_body,
                near: near.and_then(spot),
            };
        let printed = |one: Definition| Printed {
            start: one.start.and_then(spot),
            mentions: one.mentions.into_iter().map(mention).collect(),
        };
        let definitions = self.definitions.into_iter();
        CompilerNames {
            definitions: definitions
                .map(|(path, one)| (paths[path as usize].clone(), printed(one)))
                .collect(),
            bodies: BTreeMap::new(),
        }
    }

    /// Reads the first line of a definition, which says its path or not.
    fn begin(&mut self, header: &str) {
        let path = local_paths(header).next();
        self.now = Now {
            section: Section::Begun,
            ..Now::default()
        };
        match path {
            Some("") => self.now.section = Section::Root,
            Some(path) => self.define(path),
            None => {}
        }
    }

    fn define(&mut self, path: &str) {
        let path = self.paths.of(path);
        self.definitions.entry(path).or_default();
        self.now.definition = Some(path);
    }

    fn change_section(&mut self, column: usize, content: &str) {
        let now = &mut self.now;
        let is_key = content.starts_with(|first: char| first.is_ascii_lowercase());
        match (now.section, now.column) {
            (Section::Begun, _) if content.starts_with("node: ") => {
                now.section = Section::Node;
                now.column = Some(column);
            }
            (Section::Node | Section::Bodies | Section::Other, Some(left)) if column < left => {
                now.section = Section::Other;
                now.column = None;
            }
            (Section::Node | Section::Bodies | Section::Other, Some(left))
                if column == left && is_key =>
            {
                now.section = match content.starts_with("bodies: ") {
                    true => Section::Bodies,
                    false => Section::Other,
                };
            }
            _ => {}
        }
        if now.definition.is_none() && content.ends_with(": Crate(") {
            now.section = Section::Root;
        }
    }

    fn read_content(&mut self, column: usize, content: &str) {
        if let Some(spot) = span(content) {
            let spot = spot.map(|spot| self.numbered(spot));
            self.note_span(column, spot);
        } else if !content.starts_with("owner: ") && !content.starts_with("hir_id: ") {
            for path in local_paths(content) {
                self.mention(path);
            }
        }
    }

    fn numbered(&mut self, spot: SpotInText<'_>) -> NumberedSpot {
        (self.files.of(spot.file), spot.line, spot.column)
    }

    fn note_span(&mut self, column: usize, spot: Option<NumberedSpot>) {
        let now = &mut self.now;
        now.near = spot;
        let is_further_left = now.leftmost.is_none_or(|leftmost| column < leftmost);
        let definition = now
            .definition
            .and_then(|path| self.definitions.get_mut(&path));
        if let Some(definition) =
            definition.filter(|_| now.section == Section::Node && is_further_left)
        {
            now.leftmost = Some(column);
            definition.start = spot;
        }
    }

    /// Notes that the text that is being read mentions a definition that is neither in its own definition nor around it. The
    /// first that is named is the one that it is about.
    fn mention(&mut self, path: &str) {
        let Some(own) = self.now.definition else {
            self.define(path);
            return;
        };
        let own_path = &self.paths.all[own as usize];
        let is_nested = within(path, own_path) || within(own_path, path);
        if is_nested || self.n_mentions >= MOST_MENTIONS {
            return;
        }
        let is_in_body = self.now.section == Section::Bodies;
        let mention = (self.paths.of(path), is_in_body, self.now.near);
        let definition = self.definitions.get_mut(&own);
        let is_new = definition.is_some_and(|one| one.mentions.insert(mention));
        self.n_mentions += usize::from(is_new);
    }
}

/// Returns whether a path is that of a definition or of something in the definition.
fn within(path: &str, outer: &str) -> bool {
    let rest = path.strip_prefix(outer);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
}
