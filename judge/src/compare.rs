//! The comparison of the model's answers with the verdicts of a judge.

use crate::context::Contexts;
use crate::meaning::{Meaning, Place, Verdicts};
use crate::ours::{Answer, Answers};
use crate::text::CrateText;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::AddAssign;

/// Words that are no names of anything, or whose meaning goes without saying.
const KEYWORDS: [&str; 7] = ["self", "Self", "super", "crate", "_", "'_", "'static"];

/// How an answer of the model stands to a verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Standing {
    /// `Certain` and the same.
    Same,
    /// `Certain`, and something else.
    Contradicts,
    /// `Maybe`, with the right one among them.
    MaybeRight,
    /// `Maybe`, without the right one.
    MaybeWrong,
    /// `Outside`, and it is.
    Outside,
    /// `Outside`, and it is not.
    NotOutside,
    /// `Unknown`.
    Unknown,
    /// The model does not have this word.
    Missing,
}

impl Standing {
    /// All of them, as they are printed.
    pub const ALL: [(Self, &'static str); 8] = [
        (Self::Same, "same"),
        (Self::Contradicts, "CONTRADICTS"),
        (Self::MaybeRight, "maybe+"),
        (Self::MaybeWrong, "maybe-"),
        (Self::Outside, "outside"),
        (Self::NotOutside, "NOT OUTSIDE"),
        (Self::Unknown, "unknown"),
        (Self::Missing, "missing"),
    ];

    /// Whether the model must never stand so.
    pub fn is_failure(self) -> bool {
        matches!(self, Self::Contradicts | Self::NotOutside)
    }
}

/// What kind of name a judge spoke about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Subject {
    /// A mention of something that the crate defines at a place that the judge knows.
    Inside,
    /// The same, after a dot: a field or a method, for which types have to be known.
    Member,
    /// A mention of something that the crate defines by a macro.
    Unplaced,
    /// A mention of something from elsewhere.
    Outside,
    /// The name of a definition.
    Definition,
}

impl Subject {
    /// All of them, as they are printed.
    pub const ALL: [(Self, &'static str); 5] = [
        (Self::Inside, "inside"),
        (Self::Member, "inside, after a dot"),
        (Self::Unplaced, "inside, by a macro"),
        (Self::Outside, "outside"),
        (Self::Definition, "definitions"),
    ];

    fn of(text: &CrateText<'_>, place: Place, meant: &BTreeSet<Meaning>) -> Self {
        let before = text.tokens_before(place.file, place.at).last();
        let has = |is: fn(&Meaning) -> bool| meant.iter().any(is);
        if meant.contains(&Meaning::Inside(place)) {
            Self::Definition
        } else if has(|meaning| matches!(meaning, Meaning::Inside(_))) {
            let is_member = before.is_some_and(|before| before.text == ".");
            [Self::Inside, Self::Member][usize::from(is_member)]
        } else if has(|meaning| matches!(meaning, Meaning::Unplaced(_))) {
            Self::Unplaced
        } else {
            Self::Outside
        }
    }
}

/// A class of names that stand alike, with how many there are and the first of them.
#[derive(Debug, Clone, Default)]
pub struct Class {
    pub count: usize,
    pub examples: Vec<String>,
}

/// How many examples of a class are kept.
const EXAMPLES: usize = 3;

impl AddAssign<&Self> for Class {
    fn add_assign(&mut self, other: &Self) {
        self.count += other.count;
        let left = EXAMPLES.saturating_sub(self.examples.len());
        let examples = other.examples.iter().take(left);
        self.examples.extend(examples.cloned());
    }
}

/// The outcome for one judge, of one crate or of several.
#[derive(Debug, Clone, Default)]
pub struct Tally {
    counts: BTreeMap<(Subject, Standing), usize>,
    /// Each answer that contradicts the judge, for people.
    pub contradictions: Vec<String>,
    /// What the model leaves open and the judge does not, by the context of the name.
    pub classes: BTreeMap<(Standing, String), Class>,
}

impl Tally {
    /// How many names of a kind stand so.
    pub fn count(&self, subject: Subject, standing: Standing) -> usize {
        self.counts.get(&(subject, standing)).copied().unwrap_or(0)
    }

    /// How many names of a kind the judge spoke about.
    pub fn judged(&self, subject: Subject) -> usize {
        let all = Standing::ALL.iter();
        all.map(|&(standing, _)| self.count(subject, standing))
            .sum()
    }

    /// Of a hundred mentions that the judge resolves inside of the crate, how many the model calls
    /// `Certain` and the same.
    pub fn percent(&self, subjects: &[Subject]) -> f64 {
        let count = |subject: &Subject| self.count(*subject, Standing::Same);
        let same: usize = subjects.iter().map(count).sum();
        let judged: usize = subjects.iter().map(|&subject| self.judged(subject)).sum();
        #[expect(clippy::cast_precision_loss, reason = "counts of names are small")]
        let percent = same as f64 * 100.0 / judged.max(1) as f64;
        percent
    }
}

impl AddAssign<&Self> for Tally {
    fn add_assign(&mut self, other: &Self) {
        for (&key, count) in &other.counts {
            *self.counts.entry(key).or_default() += count;
        }
        self.contradictions
            .extend(other.contradictions.iter().cloned());
        for (key, class) in &other.classes {
            *self.classes.entry(key.clone()).or_default() += class;
        }
    }
}

/// Compares all answers with all verdicts of one judge.
pub fn compare(text: &CrateText<'_>, answers: &Answers, verdicts: &Verdicts) -> Tally {
    let contexts = Contexts::new(text);
    let mut tally = Tally::default();
    for (place, meant) in verdicts.iter() {
        if KEYWORDS.contains(&text.name(place)) {
            continue;
        }
        let subject = Subject::of(text, place, meant);
        let standing = standing(text, verdicts, place, answers.get(&place));
        *tally.counts.entry((subject, standing)).or_default() += 1;
        let is_settled = matches!(standing, Standing::Same | Standing::Outside);
        if is_settled {
            continue;
        }
        let line = line(text, place, answers.get(&place), meant);
        if standing.is_failure() {
            tally.contradictions.push(line.clone());
        }
        let class = contexts.describe(text, place, subject, meant);
        let this = Class {
            count: 1,
            examples: vec![line],
        };
        *tally.classes.entry((standing, class)).or_default() += &this;
    }
    tally
}

fn standing(
    text: &CrateText<'_>,
    verdicts: &Verdicts,
    place: Place,
    answer: Option<&Answer>,
) -> Standing {
    let meant = verdicts.get(place).into_iter().flatten();
    let mut meant = meant.peekable();
    match answer {
        None => Standing::Missing,
        Some(Answer::Unknown) => Standing::Unknown,
        Some(Answer::Outside) if meant.any(|one| *one == Meaning::Outside) => Standing::Outside,
        Some(Answer::Outside) => Standing::NotOutside,
        Some(Answer::Certain(ours)) => {
            let is_same = meant.any(|meaning| is_same(text, verdicts, *ours, meaning));
            [Standing::Contradicts, Standing::Same][usize::from(is_same)]
        }
        Some(Answer::Maybe(ours)) => {
            let mut any = |&one: &Place| meant.clone().any(|two| is_same(text, verdicts, one, two));
            let is_right = ours.iter().any(&mut any);
            [Standing::MaybeWrong, Standing::MaybeRight][usize::from(is_right)]
        }
    }
}

/// Whether the definition that the model names is the one that the judge means. It is too if one of them
/// stands for the other: an import for what it imports, a trait's item for that of an `impl`, a variable
/// of one alternative of a pattern for that of another.
fn is_same(text: &CrateText<'_>, verdicts: &Verdicts, ours: Place, theirs: &Meaning) -> bool {
    let by_ours = verdicts.get(ours);
    match theirs {
        Meaning::Inside(place) => {
            let by_theirs = verdicts.get(*place);
            *place == ours
                || by_ours.is_some_and(|meant| meant.contains(theirs))
                || by_theirs.is_some_and(|meant| meant.contains(&Meaning::Inside(ours)))
        }
        Meaning::Unplaced(name) => text.name(ours) == name,
        Meaning::Outside => by_ours.is_some_and(|meant| meant.contains(theirs)),
    }
}

fn line(
    text: &CrateText<'_>,
    place: Place,
    answer: Option<&Answer>,
    meant: &BTreeSet<Meaning>,
) -> String {
    let theirs: Vec<_> = meant.iter().map(|one| meaning(text, one)).collect();
    let ours = match answer {
        None => "no word".to_owned(),
        Some(Answer::Certain(place)) => format!("certain {}", text.shown(*place)),
        Some(Answer::Maybe(places)) => {
            let places = places.iter().take(4).map(|&place| text.shown(place));
            format!("maybe {}", places.collect::<Vec<_>>().join(", "))
        }
        Some(Answer::Outside) => "outside".to_owned(),
        Some(Answer::Unknown) => "unknown".to_owned(),
    };
    let (shown, name) = (text.shown(place), text.name(place));
    format!(
        "{shown} `{name}`: ours {ours}; theirs {}",
        theirs.join(" and ")
    )
}

fn meaning(text: &CrateText<'_>, meaning: &Meaning) -> String {
    match meaning {
        Meaning::Inside(place) => text.shown(*place),
        Meaning::Unplaced(name) => format!("`{name}` made by a macro"),
        Meaning::Outside => "outside".to_owned(),
    }
}

#[cfg(test)]
mod tests;
