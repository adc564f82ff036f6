//! What was seen, by service.

use crate::probe::Answer;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Report {
    #[serde(flatten)]
    answers: BTreeMap<String, Vec<Answer>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    note: Option<String>,
}

impl Report {
    pub fn add(&mut self, service: &str, answer: Answer) {
        self.answers.entry(service.to_owned()).or_default().push(answer);
    }

    pub fn down(&self) -> usize {
        let last = self.answers.values().filter_map(|answers| answers.last());
        last.filter(|answer| !matches!(answer, Answer::Up { .. })).count()
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (service, answers) in &self.answers {
            let up = answers.iter().filter(|answer| matches!(answer, Answer::Up { .. }));
            writeln!(f, "{service:<20} {} of {}", up.count(), answers.len())?;
        }
        match &self.note {
            Some(note) => writeln!(f, "{note}"),
            None => Ok(()),
        }
    }
}
