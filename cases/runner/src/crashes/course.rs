//! The course of a reduction: the size of the program after so many queries. `report.html` tells of each step.

use anyhow::{Context, Result};
use serde::Deserialize;

/// The numbers of queries after which the table of the large programs has the size.
pub const QUERIES: [u64; 4] = [1, 5, 20, 100];

/// The programs that were the best so far.
#[derive(Debug, Deserialize)]
pub struct Course {
    states: Vec<State>,
}

/// A program that was the best so far: what made it, its tokens, and the queries until then.
#[derive(Debug, Deserialize)]
struct State(
    #[expect(dead_code, reason = "part of the form")] String,
    u64,
    u64,
);

impl Course {
    /// Reads it from the text of `report.html`.
    pub fn read(page: &str) -> Result<Self> {
        const START: &str = "<script type=\"application/json\" id=\"data\">";
        let (_, data) = page.split_once(START).context("the report has no data")?;
        let (data, _) = data
            .split_once("</script>")
            .context("its data has no end")?;
        Ok(serde_json::from_str(data)?)
    }

    /// The tokens that were left after so many queries.
    pub fn after(&self, queries: u64) -> Option<u64> {
        let mut states = self.states.iter().rev();
        let State(_, tokens, _) = states.find(|State(_, _, until)| *until <= queries)?;
        Some(*tokens)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_size_is_that_of_the_last_step_until_then() {
        let page = "<p><script type=\"application/json\" id=\"data\">{\"files\":[],\"states\":\
            [[\"the original\",90,0],[\"a\",50,3],[\"b\",40,3],[\"c\",9,21]]}</script>";
        let course = Course::read(page).unwrap();
        assert_eq!(
            QUERIES.map(|queries| course.after(queries)),
            [90, 40, 40, 9].map(Some)
        );
        assert!(Course::read("<p>").is_err());
    }
}
