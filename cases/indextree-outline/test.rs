//! The outline of a text whose headings begin with `#`.

use indextree::{Arena, NodeEdge, NodeId};
use std::collections::HashMap;
use std::error::Error;

#[derive(Debug, Clone, PartialEq)]
struct Section {
    title: String,
    level: usize,
    words: usize,
}

struct Outline {
    arena: Arena<Section>,
    root: NodeId,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Move {
    Up,
    Down,
}

impl Outline {
    fn parse(text: &str) -> Result<Self, Box<dyn Error>> {
        let mut arena = Arena::new();
        let root = arena.new_node(Section {
            title: String::new(),
            level: 0,
            words: 0,
        });
        let mut current = root;
        for line in text.lines() {
            let level = line.chars().take_while(|&c| c == '#').count();
            if level == 0 {
                arena[current].get_mut().words += line.split_whitespace().count();
                continue;
            }
            let parent = current
                .ancestors(&arena)
                .find(|&id| arena[id].get().level < level)
                .ok_or("no section is above")?;
            if arena[parent].get().level + 1 != level {
                return Err(format!("`{line}` skips a level").into());
            }
            let title = line[level..].trim().to_string();
            let words = title.split_whitespace().count();
            current = parent.append_value(Section { title, level, words }, &mut arena);
        }
        Ok(Outline { arena, root })
    }

    fn find(&self, title: &str) -> Option<NodeId> {
        self.root
            .descendants(&self.arena)
            .find(|&id| self.arena[id].get().title == title)
    }

    fn words(&self, section: NodeId) -> usize {
        section
            .descendants(&self.arena)
            .map(|id| self.arena[id].get().words)
            .sum()
    }

    /// Such as `2.1`.
    fn number(&self, section: NodeId) -> String {
        let mut numbers: Vec<String> = section
            .ancestors(&self.arena)
            .take_while(|&id| id != self.root)
            .map(|id| id.preceding_siblings(&self.arena).count().to_string())
            .collect();
        numbers.reverse();
        numbers.join(".")
    }

    fn shift(&mut self, section: NodeId, direction: Move) -> bool {
        let node = &self.arena[section];
        let neighbour = match direction {
            Move::Up => node.previous_sibling(),
            Move::Down => node.next_sibling(),
        };
        match (neighbour, direction) {
            (Some(other), Move::Up) => other.insert_before(section, &mut self.arena),
            (Some(other), Move::Down) => other.insert_after(section, &mut self.arena),
            (None, _) => return false,
        }
        true
    }

    fn markup(&self) -> String {
        let mut text = String::new();
        for edge in self.root.traverse(&self.arena) {
            match edge {
                NodeEdge::Start(id) if id == self.root => {}
                NodeEdge::Start(id) => {
                    text += &format!("<{}>", self.arena[id].get().title.to_lowercase());
                }
                NodeEdge::End(id) if id == self.root => {}
                NodeEdge::End(_) => text += "</>",
            }
        }
        text
    }
}

const BOOK: &str = "\
A book about bread, in three chapters.
# Flour
Wheat is the usual one.
## Rye
It needs acid.
## Spelt
It is old.
# Water
Not too warm.
# Oven
Hot, and with steam.
## Stone
Slow to heat.
### Care
Never wash it.
";

#[test]
fn sections_have_numbers() -> Result<(), Box<dyn Error>> {
    let outline = Outline::parse(BOOK)?;
    let numbers: Vec<String> = outline
        .root
        .descendants(&outline.arena)
        .skip(1)
        .map(|id| outline.number(id))
        .collect();
    assert_eq!(numbers, ["1", "1.1", "1.2", "2", "3", "3.1", "3.1.1"]);
    Ok(())
}

#[test]
fn a_level_cannot_be_skipped() {
    let error = Outline::parse("# Flour\n### Rye\n").err().map(|error| error.to_string());
    assert_eq!(error.as_deref(), Some("`### Rye` skips a level"));
    assert!(Outline::parse("").is_ok());
}

#[test]
fn sections_are_moved_with_what_they_contain() {
    let mut outline = Outline::parse(BOOK).unwrap();
    let oven = outline.find("Oven").unwrap();
    let flour = outline.find("Flour").unwrap();
    assert!(outline.shift(oven, Move::Up));
    assert!(outline.shift(flour, Move::Down));
    assert!(!outline.shift(oven, Move::Up));
    assert_eq!(
        outline.markup(),
        "<oven><stone><care></></></><flour><rye></><spelt></></><water></>"
    );
    assert_eq!(outline.number(flour), "2");
}

#[test]
fn the_whole_book_has_all_words() {
    let outline = Outline::parse(BOOK).unwrap();
    let lines = BOOK.lines().map(|line| line.trim_start_matches('#'));
    let all: usize = lines.map(|line| line.split_whitespace().count()).sum();
    assert_eq!(outline.words(outline.root), all);
}

#[test]
fn the_words_of_each_chapter_are_counted() -> Result<(), Box<dyn Error>> {
    let mut outline = Outline::parse(BOOK)?;
    let rye = outline.find("Rye").ok_or("there is rye")?;
    assert_eq!(outline.number(rye), "1.1");
    assert!(outline.shift(rye, Move::Down));
    assert_eq!(outline.number(rye), "1.2");

    let chapters: Vec<NodeId> = outline.root.children(&outline.arena).collect();
    assert_eq!(chapters.len(), 3);
    let words: HashMap<&str, usize> = chapters
        .iter()
        .map(|&id| (outline.arena[id].get().title.as_str(), outline.words(id)))
        .collect();
    assert_eq!(words["Flour"], 14);
    assert_eq!(words["Oven"], 13);
    assert_eq!(words["Water"], 4);
    let longest = words.values().max();
    assert_eq!(longest, Some(&14));
    Ok(())
}
