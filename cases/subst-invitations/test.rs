//! Invitations that a sports club sends to its members: texts with variables, of which a member may have
//! some, and the club has others.

use std::collections::{BTreeMap, HashMap};
use subst::VariableMap;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Occasion {
    Meeting,
    Match,
    Anniversary,
}

#[derive(Debug, Clone, Default)]
struct Member {
    number: u32,
    fields: HashMap<String, String>,
    absent: bool,
}

impl Member {
    fn new(number: u32) -> Self {
        Member {
            number,
            ..Member::default()
        }
    }

    fn with(mut self, field: &str, value: &str) -> Self {
        self.fields.insert(field.to_owned(), value.to_owned());
        self
    }

    fn absent(mut self) -> Self {
        self.absent = true;
        self
    }
}

/// What a text may name: first what is known of the member, then what the club says to all.
struct Known<'a> {
    member: &'a Member,
    club: &'a BTreeMap<&'static str, String>,
}

impl<'a> VariableMap<'a> for Known<'_> {
    type Value = String;

    fn get(&'a self, key: &str) -> Option<String> {
        if key == "number" {
            return Some(format!("{:04}", self.member.number));
        }
        let own = self.member.fields.get(key).filter(|value| !value.is_empty());
        own.or_else(|| self.club.get(key)).cloned()
    }
}

#[derive(Debug, PartialEq, Eq)]
struct Letter {
    to: u32,
    subject: String,
    body: String,
}

#[derive(Debug, PartialEq, Eq)]
struct Failed {
    number: u32,
    reason: String,
}

struct Mailing {
    club: BTreeMap<&'static str, String>,
    texts: HashMap<Occasion, (&'static str, &'static str)>,
    members: Vec<Member>,
}

impl Mailing {
    fn new(name: &str) -> Self {
        let mut club = BTreeMap::new();
        club.insert("club", name.to_owned());
        club.insert("place", "the hall at the river".to_owned());
        Mailing {
            club,
            texts: HashMap::new(),
            members: Vec::new(),
        }
    }

    fn text(mut self, occasion: Occasion, subject: &'static str, body: &'static str) -> Self {
        self.texts.insert(occasion, (subject, body));
        self
    }

    fn members(mut self, members: impl IntoIterator<Item = Member>) -> Self {
        self.members.extend(members);
        self.members.sort_by_key(|member| member.number);
        self
    }

    fn write(&self, member: &Member, text: &str) -> Result<String, Failed> {
        let known = Known {
            member,
            club: &self.club,
        };
        subst::substitute(text, &known).map_err(|error| Failed {
            number: member.number,
            reason: error.to_string(),
        })
    }

    fn letters(&self, occasion: Occasion) -> Result<Vec<Letter>, Failed> {
        let Some(&(subject, body)) = self.texts.get(&occasion) else {
            return Ok(Vec::new());
        };
        let mut letters = Vec::new();
        for member in self.members.iter().filter(|member| !member.absent) {
            let mut lines = Vec::new();
            for line in body.lines().map(str::trim) {
                let line = self.write(member, line)?;
                if !line.is_empty() {
                    lines.push(line);
                }
            }
            letters.push(Letter {
                to: member.number,
                subject: self.write(member, subject)?,
                body: lines.join("\n"),
            });
        }
        Ok(letters)
    }
}

fn handball() -> Mailing {
    Mailing::new("HC Aue")
        .text(
            Occasion::Meeting,
            "${club}: meeting of all members",
            "Dear ${title:${first}},
             we meet in $place.

             Your number is $number.",
        )
        .text(
            Occasion::Match,
            "Final in $place \\{no entrance fee\\}",
            "Bring ${guest:a friend}!",
        )
        .text(
            Occasion::Anniversary,
            "50 years of $club",
            "${greeting:Dear ${first:friend} of the club}, we celebrate
             on ${day:Saturday} in ${place}.",
        )
        .members([
            Member::new(12).with("first", "Paula").with("guest", "Tim"),
            Member::new(7).with("first", "Enno").with("title", "Dr. Enno Behr"),
            Member::new(31).with("first", "Ruth").absent(),
        ])
}

#[test]
fn letters_are_sorted_and_who_is_absent_gets_none() {
    let letters = handball().letters(Occasion::Match).unwrap();
    let to: Vec<u32> = letters.iter().map(|letter| letter.to).collect();
    assert_eq!(to, [7, 12]);
    assert_eq!(letters[0].subject, "Final in the hall at the river {no entrance fee}");
    assert_eq!(letters[0].body, "Bring a friend!");
    assert_eq!(letters[1].body, "Bring Tim!");
}

#[test]
fn an_occasion_without_a_text_has_no_letters() {
    let mailing = Mailing::new("HC Aue").members([Member::new(1)]);
    assert_eq!(mailing.letters(Occasion::Meeting), Ok(Vec::new()));
}

#[test]
fn a_variable_that_nobody_knows_is_an_error() {
    let mailing = Mailing::new("HC Aue")
        .text(Occasion::Match, "Hello $first", "")
        .members([Member::new(3)]);
    let failed = Failed {
        number: 3,
        reason: "No such variable: $first".to_owned(),
    };
    assert_eq!(mailing.letters(Occasion::Match), Err(failed));
}

#[test]
fn nobody_is_left_without_a_greeting() {
    let mailing = handball().members([
        Member::new(40).with("greeting", "Hello champion").with("day", "Friday"),
        Member::new(41).with("first", ""),
    ]);
    let letters = mailing.letters(Occasion::Anniversary).unwrap();
    assert_eq!(letters.len(), 4);
    assert!(letters.iter().all(|letter| letter.subject == "50 years of HC Aue"));
    let firsts: Vec<&str> = letters
        .iter()
        .filter_map(|letter| letter.body.lines().next())
        .collect();
    assert_eq!(
        firsts,
        [
            "Dear Enno of the club, we celebrate",
            "Dear Paula of the club, we celebrate",
            "Hello champion, we celebrate",
            "Dear friend of the club, we celebrate",
        ]
    );
    assert_eq!(letters[2].body.lines().last(), Some("on Friday in the hall at the river."));
}
