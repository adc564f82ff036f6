//! Shopping lists and recipes that a family shares: everybody changes them without a connection, and the
//! versions are merged when they are at home again.

use std::collections::BTreeMap;
use std::fmt;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Version(u32);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Change {
    Add { after: &'static str, lines: &'static [&'static str] },
    Delete { from: &'static str, count: usize },
    Replace { line: &'static str, by: &'static str },
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Note {
    lines: Vec<String>,
}

impl Note {
    fn new(text: &str) -> Self {
        Note {
            lines: text.lines().map(|line| line.trim().to_owned()).collect(),
        }
    }

    fn find(&self, line: &str) -> usize {
        let found = self.lines.iter().position(|other| other == line);
        found.unwrap_or_else(|| panic!("there is no line `{}`", line))
    }

    fn change(&mut self, change: &Change) {
        match *change {
            Change::Add { after, lines } => {
                let at = self.find(after) + 1;
                let lines = lines.iter().map(|&line| line.to_owned());
                self.lines.splice(at..at, lines);
            }
            Change::Delete { from, count } => {
                let at = self.find(from);
                self.lines.drain(at..at + count);
            }
            Change::Replace { line, by } => {
                let at = self.find(line);
                self.lines[at] = by.to_owned();
            }
        }
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for line in &self.lines {
            writeln!(f, "{}", line)?;
        }
        Ok(())
    }
}

#[derive(Debug, PartialEq, Eq)]
enum Merged {
    /// Nobody has changed it since.
    Same(Version),
    Clean(Version),
    /// Nothing was stored; this is shown to whoever came last.
    Conflict { shown: String },
}

/// A note with all its versions.
struct Shared {
    versions: BTreeMap<Version, Note>,
}

impl Shared {
    fn new(text: &str) -> Self {
        let mut versions = BTreeMap::new();
        versions.insert(Version(1), Note::new(text));
        Shared { versions }
    }

    fn last(&self) -> (Version, &Note) {
        let (version, note) = self.versions.iter().next_back().expect("there is a first one");
        (*version, note)
    }

    fn copy(&self, owner: &'static str) -> Copy {
        let (base, note) = self.last();
        Copy {
            owner,
            base,
            note: note.clone(),
            changes: 0,
        }
    }

    fn put(&mut self, copy: &Copy) -> Merged {
        let (last, ours) = self.last();
        if copy.note == *ours {
            return Merged::Same(last);
        }
        let base = &self.versions[&copy.base];
        let (base, ours, theirs) = (base.to_string(), ours.to_string(), copy.note.to_string());
        match diffy::merge(&base, &ours, &theirs) {
            Ok(text) => {
                let next = Version(last.0 + 1);
                self.versions.insert(next, Note::new(&text));
                Merged::Clean(next)
            }
            Err(text) => {
                let marks = text.lines().filter(|line| line.starts_with(">>>>>>>"));
                let shown = format!("{}: {} places", copy.owner, marks.count());
                Merged::Conflict { shown }
            }
        }
    }

    fn text(&self) -> Vec<&str> {
        self.last().1.lines.iter().map(String::as_str).collect()
    }
}

struct Copy {
    owner: &'static str,
    base: Version,
    note: Note,
    changes: usize,
}

impl Copy {
    fn play(mut self, changes: &[Change]) -> Self {
        for change in changes {
            self.note.change(change);
            self.changes += 1;
        }
        self
    }
}

const SOUP: &str = "Pumpkin soup
    one pumpkin
    two onions
    ginger
    cream
    Cook for half an hour.
    Serve it hot.";

#[test]
fn who_changed_nothing_gets_the_last_version() {
    let mut soup = Shared::new(SOUP);
    let copy = soup.copy("Mia");
    assert_eq!(copy.changes, 0);
    assert_eq!(soup.put(&copy), Merged::Same(Version(1)));
}

#[test]
fn changes_at_different_places_are_merged() {
    let mut soup = Shared::new(SOUP);
    let mia = soup.copy("Mia").play(&[Change::Replace {
        line: "ginger",
        by: "much ginger",
    }]);
    let ole = soup.copy("Ole").play(&[Change::Add {
        after: "Serve it hot.",
        lines: &["Mia likes bread with it."],
    }]);
    assert_eq!(soup.put(&mia), Merged::Clean(Version(2)));
    assert_eq!(soup.put(&ole), Merged::Clean(Version(3)));
    assert_eq!(soup.text()[3], "much ginger");
    assert_eq!(soup.text().last(), Some(&"Mia likes bread with it."));
}

#[test]
fn two_answers_to_one_question_are_a_conflict() {
    let mut soup = Shared::new(SOUP);
    let replace = |by| [Change::Replace { line: "cream", by }];
    let mia = soup.copy("Mia").play(&replace("coconut milk"));
    let ole = soup.copy("Ole").play(&replace("sour cream"));
    assert_eq!(soup.put(&mia), Merged::Clean(Version(2)));
    let shown = "Ole: 1 places".to_owned();
    assert_eq!(soup.put(&ole), Merged::Conflict { shown });
}

#[test]
fn what_one_deletes_and_the_other_continues_is_a_conflict() {
    let mut soup = Shared::new(SOUP);
    let first = soup.copy("Mia").play(&[
        Change::Replace {
            line: "two onions",
            by: "three onions",
        },
        Change::Add {
            after: "Pumpkin soup",
            lines: &["for four"],
        },
    ]);
    assert_eq!(soup.put(&first), Merged::Clean(Version(2)));

    let mia = soup.copy("Mia").play(&[Change::Delete {
        from: "ginger",
        count: 1,
    }]);
    let ole = soup.copy("Ole").play(&[Change::Add {
        after: "ginger",
        lines: &["a little nutmeg", "salt"],
    }]);
    assert_eq!(soup.put(&mia), Merged::Clean(Version(3)));
    let shown = "Ole: 1 places".to_owned();
    assert_eq!(soup.put(&ole), Merged::Conflict { shown });
    assert_eq!(soup.text().len(), 7);
}
