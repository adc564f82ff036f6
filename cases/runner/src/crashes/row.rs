//! What is printed of the crashes: a line for each, and a table of all at the end.

use super::course::{Course, QUERIES};
use super::source::CrashCase;
use crate::process::{Ended, OwnUse};
use reduce_syntax::count_tokens;
use serde_json::Value;
use std::fmt::{self, Write};
use std::time::Duration;

/// What became of a case.
#[derive(Debug)]
pub struct Row {
    name: String,
    /// Tokens of the input, of the result, and of the person's version.
    before: Option<u64>,
    after: Option<u64>,
    person: Option<u64>,
    queries: Option<u64>,
    /// CPU time of cargo-reduce and all that it started.
    cpu: Option<Duration>,
    wall: Option<Duration>,
    is_late: bool,
    /// Queries that kept only what the failure names, and how many of them were accepted.
    slices: Option<[u64; 2]>,
    /// How many crates the result still links besides std.
    linked: usize,
    /// The CPU time and memory of cargo-reduce, without what it started.
    own: Option<OwnUse>,
    /// CPU seconds of the compiler in the search, and our own time there, as the result tells them.
    compiler: Option<f64>,
    overhead: Option<f64>,
    /// The largest resident set of a compiler run, in bytes.
    compiler_peak: Option<u64>,
    /// The course of the reduction of a large program.
    pub course: Option<Course>,
    is_large: bool,
    /// Whether the result fails by its own command.
    pub does_reproduce: Option<bool>,
    /// What went wrong before that was known.
    pub error: Option<String>,
}

impl Row {
    /// Nothing is known yet.
    pub fn new(case: &CrashCase) -> Self {
        Row {
            name: case.name.clone(),
            before: None,
            after: None,
            person: None,
            queries: None,
            cpu: None,
            wall: None,
            is_late: false,
            slices: None,
            linked: 0,
            own: None,
            compiler: None,
            overhead: None,
            compiler_peak: None,
            course: None,
            is_large: case.is_large,
            does_reproduce: None,
            error: None,
        }
    }

    /// Takes the size of the person's version.
    pub fn take_person(&mut self, text: &str) {
        self.person = Some(count_tokens(text));
    }

    /// Takes what the reduction cost.
    pub fn take_time(&mut self, ended: &Ended, wall: Duration) {
        self.cpu = Some(ended.cpu);
        self.wall = Some(wall);
        self.is_late = ended.is_late;
        self.own = Some(ended.own);
    }

    /// Takes the figures of `reduction.json`.
    pub fn take_figures(&mut self, json: &Value) {
        self.before = json["tokens_before"].as_u64();
        self.after = json["tokens_after"].as_u64();
        self.queries = json["queries"].as_u64();
        self.compiler = json["compiler_cpu_seconds"].as_f64();
        self.overhead = json["overhead_seconds"].as_f64();
        self.compiler_peak = json["peak_memory_bytes"].as_u64();
        self.slices = slices(json);
        let linked = ["auxiliary", "compiled"].map(|key| json["crates"][key].as_array());
        self.linked = linked.into_iter().flatten().map(Vec::len).sum();
    }

    /// Whether nothing is wrong with it.
    pub fn is_right(&self) -> bool {
        self.error.is_none() && self.does_reproduce != Some(false)
    }

    /// What is said of the result.
    fn said(&self) -> String {
        let said = match (&self.error, self.does_reproduce) {
            (Some(_), _) => "no result",
            (None, None) => "not reduced",
            (None, Some(false)) => "fails no more",
            (None, Some(true)) => "fails",
        };
        let mut said = said.to_owned();
        if self.linked > 0 {
            write!(said, ", links {}", self.linked).expect("a string takes all");
        }
        if self.is_late {
            said.push_str(" (interrupted)");
        }
        said
    }

    /// The cells of the table of the large programs.
    fn large_cells(&self) -> Vec<String> {
        let mebibytes = |bytes: Option<u64>| number(bytes.map(|bytes| bytes >> 20));
        let after = |queries| self.course.as_ref()?.after(queries);
        let mut cells = vec![self.name.clone(), number(self.before), number(self.person)];
        cells.extend(QUERIES.map(|queries| number(after(queries))));
        cells.extend([number(self.after), number(self.queries)]);
        cells.push(seconds(self.cpu));
        cells.extend([self.compiler, self.overhead].map(tenths));
        cells.push(seconds(self.own.map(|own| own.cpu)));
        cells.extend([self.compiler_peak, self.own.map(|own| own.peak)].map(mebibytes));
        cells.extend([self.linked.to_string()]);
        cells
    }

    fn cells(&self) -> [String; 10] {
        [
            self.name.clone(),
            number(self.before),
            number(self.after),
            number(self.person),
            number(self.queries),
            seconds(self.cpu),
            seconds(self.wall),
            number(self.slices.map(|[tried, _]| tried)),
            number(self.slices.map(|[_, accepted]| accepted)),
            self.said(),
        ]
    }
}

fn seconds(time: Option<Duration>) -> String {
    tenths(time.map(|time| time.as_secs_f64()))
}

fn tenths(seconds: Option<f64>) -> String {
    seconds.map_or("-".to_owned(), |seconds| format!("{seconds:.1}"))
}

fn number(number: Option<u64>) -> String {
    number.map_or("-".to_owned(), |number| number.to_string())
}

/// How many slices were tried and accepted.
fn slices(json: &Value) -> Option<[u64; 2]> {
    let mut passes = json["passes"].as_array()?.iter();
    let slice = passes.find(|pass| pass["pass"] == "keep_slice")?;
    Some([slice["tried"].as_u64()?, slice["accepted"].as_u64()?])
}

impl fmt::Display for Row {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(error) = &self.error {
            return write!(formatter, "{}: {error}", self.name);
        }
        let [
            name,
            before,
            after,
            person,
            queries,
            cpu,
            _,
            tried,
            accepted,
            said,
        ] = self.cells();
        if self.does_reproduce.is_none() {
            return write!(formatter, "{name}: fails as it should, person {person}");
        }
        write!(
            formatter,
            "{name}: {said}, {before} tokens to {after}, person {person}, {queries} queries, {cpu} s CPU, \
             {accepted} of {tried} slices"
        )
    }
}

/// All rows as a table of Markdown, with the median of the queries.
pub fn table(rows: &[Row]) -> String {
    let mut text = String::from(
        "| case | tokens before | after | a person's | queries | CPU seconds | seconds | slices tried | accepted | result |\n\
         |---|---:|---:|---:|---:|---:|---:|---:|---:|---|\n",
    );
    for row in rows {
        writeln!(text, "| {} |", row.cells().join(" | ")).expect("a string takes all");
    }
    let sliced = rows
        .iter()
        .filter(|row| row.slices.is_some_and(|[_, accepted]| accepted > 0));
    let queries = rows.iter().filter_map(|row| row.queries).collect();
    writeln!(
        text,
        "\nA slice was accepted in {} of {}; the median of the queries is {}.",
        sliced.count(),
        rows.len(),
        median(queries).map_or("unknown".to_owned(), |median| median.to_string())
    )
    .expect("a string takes all");
    text
}

/// The rows of large programs as a table of Markdown with how each went on; `None` if there are none.
pub fn large_table(rows: &[Row]) -> Option<String> {
    let mut rows = rows.iter().filter(|row| row.is_large).peekable();
    rows.peek()?;
    let mut text = String::from("| large case | tokens before | a person's |");
    for queries in QUERIES {
        write!(text, " after {queries} |").expect("a string takes all");
    }
    text.push_str(
        " at the end | queries | CPU seconds | of its compilers | overhead | of cargo-reduce itself | MiB of a compiler | of cargo-reduce | links |\n|---|",
    );
    text.push_str(&"---:|".repeat(11 + QUERIES.len()));
    for row in rows {
        write!(text, "\n| {} |", row.large_cells().join(" | ")).expect("a string takes all");
    }
    text.push('\n');
    Some(text)
}

/// The upper median.
fn median(mut numbers: Vec<u64>) -> Option<u64> {
    numbers.sort_unstable();
    numbers.get(numbers.len() / 2).copied()
}

/// Which cases there are, as a table of Markdown. A program that is reduced in two ways has one row.
pub fn list(cases: &[CrashCase]) -> String {
    let mut text = String::from("| case | what it is | what stays |\n|---|---|---|\n");
    for ways in cases.chunk_by(|one, next| one.person == next.person) {
        let names: Vec<&str> = ways.iter().map(|case| case.name.as_str()).collect();
        let CrashCase { kind, says, .. } = &ways[0];
        writeln!(text, "| {} | {kind} | `` {says} `` |", names.join(", "))
            .expect("a string takes all");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::source::{Goal, Source};
    use super::*;
    use std::path::PathBuf;

    fn case() -> CrashCase {
        CrashCase {
            name: "a".to_owned(),
            kind: String::new(),
            source: Source::Program(String::new()),
            goal: Goal::Crash,
            says: String::new(),
            flags: vec![],
            person: PathBuf::new(),
            is_large: false,
        }
    }

    #[test]
    fn a_result_says_how_many_crates_it_links() {
        let mut row = Row::new(&case());
        let json = r#"{"tokens_after":9,"crates":{"auxiliary":["b"],"compiled":["c","d"]}}"#;
        row.take_figures(&serde_json::from_str(json).unwrap());
        row.does_reproduce = Some(true);
        assert_eq!(row.said(), "fails, links 3");
        row.does_reproduce = Some(false);
        row.is_late = true;
        assert_eq!(row.said(), "fails no more, links 3 (interrupted)");
    }

    #[test]
    fn a_large_program_has_a_row_of_its_own_figures() {
        let page = "<script type=\"application/json\" id=\"data\">{\"states\":[[\"\",90,0],[\"\",8,5]]}</script>";
        let json = r#"{"tokens_before":90,"tokens_after":7,"queries":30,"compiler_cpu_seconds":2.06,
            "overhead_seconds":1.5,"peak_memory_bytes":3145728}"#;
        let mut row = Row::new(&case());
        assert!(large_table(&[Row::new(&case())]).is_none());
        row.is_large = true;
        row.take_figures(&serde_json::from_str(json).unwrap());
        row.course = Some(Course::read(page).unwrap());
        let table = large_table(&[row]).unwrap();
        let last = table.lines().last();
        let cells = "| a | 90 | - | 90 | 8 | 8 | 8 | 7 | 30 | - | 2.1 | 1.5 | - | 3 | - | 0 |";
        assert_eq!(last, Some(cells));
        let columns = table.lines().map(|line| line.matches('|').count());
        assert_eq!(columns.collect::<Vec<_>>(), [17; 3]);
    }

    #[test]
    fn slices_are_those_of_their_pass() {
        let json = r#"{"passes":[{"pass":"delete_items","tried":9,"accepted":8},
            {"pass":"keep_slice","tried":6,"accepted":1}]}"#;
        assert_eq!(slices(&serde_json::from_str(json).unwrap()), Some([6, 1]));
        assert_eq!(slices(&serde_json::from_str("{}").unwrap()), None);
    }

    #[test]
    fn the_median_is_in_the_middle() {
        assert_eq!(median(vec![9, 1, 5]), Some(5));
        assert_eq!(median(vec![]), None);
    }
}
