//! What people read: a line for each judge of each crate, and sums with the largest classes of names that
//! the model leaves open.

use crate::compare::{Class, Standing, Subject, Tally};
use std::collections::BTreeMap;

/// Of a hundred mentions that a judge resolves inside of the crates, how many the model has to call `Certain`
/// and the same.
const ENOUGH: f64 = 93.0;

/// How many classes of open names are printed.
const CLASSES: usize = 25;

/// Mentions that a judge resolves inside of a crate.
const INSIDE: [Subject; 2] = [Subject::Inside, Subject::Member];

/// The outcome of all crates so far.
#[derive(Debug, Default)]
pub struct Report {
    totals: BTreeMap<&'static str, Tally>,
}

impl Report {
    /// Prints and adds the outcome of a crate for one judge.
    pub fn add(&mut self, judge: &'static str, tally: Tally) {
        print(judge, &tally);
        for contradiction in &tally.contradictions {
            println!("    {contradiction}");
        }
        *self.totals.entry(judge).or_default() += &tally;
    }

    /// Prints the sums.
    pub fn print_total(&self) {
        println!("total");
        for (judge, total) in &self.totals {
            print(judge, total);
            print_classes(total);
        }
    }

    /// Whether nothing contradicts a judge, and enough is certain.
    pub fn holds(&self) -> bool {
        let is_enough =
            |total: &Tally| total.judged(Subject::Inside) == 0 || total.percent(&INSIDE) >= ENOUGH;
        let mut totals = self.totals.values();
        totals.all(|total| total.contradictions.is_empty() && is_enough(total))
    }
}

fn print(judge: &str, tally: &Tally) {
    let (all, paths) = (tally.percent(&INSIDE), tally.percent(&INSIDE[..1]));
    println!(
        "  {judge}: certain and the same {all:.1} %, but for what stands after a dot {paths:.1} %"
    );
    for (subject, name) in Subject::ALL {
        let counts = Standing::ALL.iter().filter_map(|&(standing, name)| {
            let count = tally.count(subject, standing);
            (count > 0).then(|| format!("{name} {count}"))
        });
        let counts: Vec<_> = counts.collect();
        if !counts.is_empty() {
            println!(
                "    {name} {}: {}",
                tally.judged(subject),
                counts.join(", ")
            );
        }
    }
}

fn print_classes(total: &Tally) {
    let mut classes: Vec<(&(Standing, String), &Class)> = total.classes.iter().collect();
    classes.sort_by_key(|(_, class)| std::cmp::Reverse(class.count));
    for ((standing, name), class) in classes.into_iter().take(CLASSES) {
        let standings = Standing::ALL.iter();
        let standing = standings.clone().find(|one| one.0 == *standing);
        let standing = standing.map_or("", |one| one.1);
        println!("    {} {standing}: {name}", class.count);
        for example in &class.examples {
            println!("        {example}");
        }
    }
}
