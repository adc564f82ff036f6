//! What is printed: a line for each case, and a table of all at the end.

use crate::case::{Case, Origin, Target};
use crate::deletions::Deletions;
use crate::judge::Judgement;
use crate::reduction::{ReducedTest, Reduction};
use reduce_syntax::count_tokens;
use std::fmt::{self, Write};

/// What became of a case.
#[derive(Debug)]
pub struct Row {
    name: String,
    /// The size of the test's file, in tokens.
    pub before: Option<u64>,
    /// The size of the person's version.
    pub person: Option<u64>,
    after: Option<u64>,
    queries: Option<u64>,
    seconds: Option<f64>,
    is_late: bool,
    /// What the judge said.
    pub judgement: Option<Judgement>,
    /// What single deletions make of a right result, where that was asked.
    pub deletions: Option<Deletions>,
    /// What went wrong before the judge could speak.
    pub error: Option<String>,
}

impl Row {
    /// Nothing is known yet.
    pub fn new(case: &Case) -> Self {
        Row {
            name: case.name.clone(),
            before: None,
            person: None,
            after: None,
            queries: None,
            seconds: None,
            is_late: false,
            judgement: None,
            deletions: None,
            error: None,
        }
    }

    /// Takes the figures of a reduction.
    pub fn take(&mut self, case: &Case, reduction: &Reduction) {
        self.after = Some(size(case, &reduction.test));
        self.queries = reduction.queries;
        self.seconds = Some(reduction.seconds);
        self.is_late = reduction.is_late;
    }

    /// Whether the judge accepts it.
    pub fn is_right(&self) -> bool {
        self.error.is_none() && self.judgement == Some(Judgement::Right)
    }

    fn cells(&self) -> [String; 8] {
        let number = |number: Option<u64>| number.map_or("-".to_owned(), |n| n.to_string());
        let seconds = self
            .seconds
            .map_or("-".to_owned(), |seconds| format!("{seconds:.0}"));
        let judgement = match (&self.error, self.judgement) {
            (Some(_), _) | (None, None) => "no result".to_owned(),
            (None, Some(judgement)) if self.is_late => format!("{judgement} (interrupted)"),
            (None, Some(judgement)) => judgement.to_string(),
        };
        let deletions = self.deletions.map_or("-".to_owned(), |deletions| {
            let Deletions { wrong, harmless } = deletions;
            format!("{wrong} of {}", wrong + harmless)
        });
        [
            self.name.clone(),
            number(self.before),
            number(self.after),
            number(self.person),
            number(self.queries),
            seconds,
            judgement,
            deletions,
        ]
    }
}

impl fmt::Display for Row {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [
            name,
            before,
            after,
            person,
            queries,
            seconds,
            judgement,
            deletions,
        ] = self.cells();
        if let Some(error) = &self.error {
            return write!(formatter, "{name}: {error}");
        }
        write!(
            formatter,
            "{name}: {judgement}, {before} tokens, person {person}"
        )?;
        if self.after.is_some() {
            write!(
                formatter,
                ", result {after}, {queries} queries, {seconds} s"
            )?;
        }
        if self.deletions.is_some() {
            write!(
                formatter,
                ", {deletions} deletions that keep the failure lose the bug"
            )?;
        }
        Ok(())
    }
}

/// All rows as a table of Markdown.
pub fn table(rows: &[Row]) -> String {
    let mut text = String::from(
        "| case | tokens before | after | a person's | queries | seconds | judge | wrong deletions |\n\
         |---|---:|---:|---:|---:|---:|---|---:|\n",
    );
    for row in rows {
        writeln!(text, "| {} |", row.cells().join(" | ")).expect("a string takes all");
    }
    text
}

/// Which cases there are, as a table of Markdown.
pub fn list(cases: &[Case]) -> String {
    let mut text = String::from(
        "| case | bug | operator that undoes it | test | long setup |\n|---|---|---|---|---|\n",
    );
    for case in cases {
        let or_none = |text: &Option<String>| text.clone().unwrap_or("-".to_owned());
        let bug = match &case.bug.origin {
            Origin::Put(_) => case.bug.kind.clone(),
            Origin::Published { good } => {
                format!("{}, until {good}", case.bug.kind)
            }
        };
        let cells = [
            case.name.clone(),
            bug,
            or_none(&case.bug.undone_by),
            case.test.kind.clone(),
            or_none(&case.test.setup),
        ];
        writeln!(text, "| {} |", cells.join(" | ")).expect("a string takes all");
    }
    text
}

/// The size of a test in tokens, with its modules. That of a doc test is the size of its code.
pub fn size(case: &Case, test: &ReducedTest) -> u64 {
    let beside = test.beside.iter();
    let modules = beside.filter(|(path, _)| path.extension().is_some_and(|end| end == "rs"));
    let modules = modules.map(|(_, text)| count_tokens(&String::from_utf8_lossy(text)));
    let modules: u64 = modules.sum();
    let is_doc = case.test.target == Target::Doc && test.text.trim_start().starts_with("///");
    let text = if is_doc {
        code(&test.text)
    } else {
        test.text.clone()
    };
    modules + count_tokens(&text)
}

/// The code of an example in documentation.
fn code(text: &str) -> String {
    let mut is_code = false;
    let mut code = String::new();
    for line in text.lines() {
        let line = line.trim_start().trim_start_matches("///").trim();
        if line.starts_with("```") {
            is_code = !is_code;
        } else if is_code {
            code.push_str(line.trim_start_matches("# "));
            code.push('\n');
        }
    }
    code
}
