//! The standard error of a compiler as a list of remarks: diagnostics in JSON or human form, mixed with what the panic hook, the
//! signal handler and LLVM print.
//!
//! Quoted source must never count. In the human form, a diagnostic begins at the start of a line
//! while quoted source is indented or follows a line number; in the JSON form only the fields
//! `level`, `message` and `code` are looked at.

use super::backtrace;
use crate::text::escape::without_colours;
use serde::Deserialize;
use std::ops::Range;

/// The messages that the compiler prints before it panics where two compilations do not agree.
const ANNOUNCEMENTS: [&str; 2] = [
    "internal compiler error: encountered incremental compilation error with",
    "internal compiler error: re-entrant incremental verify failure",
];

/// The level of a diagnostic that tells of a bug.
const INTERNAL: &str = "error: internal compiler error";

/// A remark of the compiler.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Remark {
    /// An ordinary error; not "aborting due to ..".
    Error {
        code: Option<String>,
        message: String,
    },
    /// An internal error: `error: internal compiler error: ..`.
    Internal {
        code: Option<String>,
        message: String,
        delayed_at: Option<String>,
    },
    /// The line that announces the list of delayed bugs.
    DelayedBugsFollow,
    /// A thread panicked; the location as printed.
    Panic { location: String, message: String },
    /// An error of LLVM: `LLVM ERROR: ..`.
    Llvm(String),
    /// The stack overflowed.
    StackOverflow,
    /// The functions that follow one another again and again where the stack overflowed.
    Cycle(Vec<String>),
    /// The innermost query of the query stack.
    Query(String),
    /// A frame of the backtrace that a signal handler prints, by its symbol.
    Frame(String),
    /// Any other line that begins with a word.
    Other(String),
}

/// Returns all remarks of the compiler that matter, in order.
pub(crate) fn parse(stderr: &str) -> Vec<Remark> {
    let plain = without_colours(stderr);
    let mut lines = plain.lines().peekable();
    let mut remarks = vec![];
    while let Some(line) = lines.next() {
        match Diagnostic::from_json(line) {
            Some(diagnostic) => remarks.extend(diagnostic.into_remark()),
            None => read_plain(line, &mut lines, &mut remarks),
        }
    }
    remarks
}

/// Returns the remark in a line, if it is a diagnostic in JSON.
pub(crate) fn json_remark(line: &str) -> Option<Remark> {
    Diagnostic::from_json(line)?.into_remark()
}

/// Returns the note of the first delayed bug in JSON: where it was delayed, and the backtrace if there is one.
fn first_delay(stderr: &str) -> Option<String> {
    let diagnostics = stderr.lines().filter_map(Diagnostic::from_json);
    let mut internal = diagnostics.filter(|one| one.level == INTERNAL);
    internal.find_map(|one| delay(&one.children).map(str::to_owned))
}

/// Returns all queries of the query stack as printed, innermost first.
pub(crate) fn query_stack(stderr: &str) -> Vec<String> {
    let plain = without_colours(stderr);
    let stack = plain
        .lines()
        .skip_while(|line| !line.starts_with("query stack during panic"));
    let entries = stack
        .skip(1)
        .take_while(|line| !line.starts_with("end of query stack"));
    entries
        .filter(|line| line.starts_with('#'))
        .map(str::to_owned)
        .collect()
}

/// Returns the errors and warnings that a compiler printed as JSON, with what people see of them.
pub(crate) fn reports(stderr: &str) -> impl Iterator<Item = Report> {
    let diagnostics = stderr.lines().filter_map(Diagnostic::from_json);
    let said = diagnostics.filter(|one| one.level == "error" || one.level == "warning");
    said.map(|one| Report {
        code: one.code.map(|code| code.code),
        is_error: one.level == "error",
        rendered: one.rendered.unwrap_or_default(),
        message: one.message,
    })
}

/// Returns the places of the errors that a compiler printed as JSON: the span that each is about, if it has one.
pub(crate) fn error_spans(stderr: &str) -> Vec<Option<ErrorSpan>> {
    let with_macros = error_spans_with_macros(stderr).into_iter();
    with_macros.map(|mut spans| spans.pop()).collect()
}

/// Returns the places of the errors that a compiler printed as JSON. The last span of each is in the crate, and those before it
/// are in the macros that it calls there, the innermost first.
pub(crate) fn error_spans_with_macros(stderr: &str) -> Vec<Vec<ErrorSpan>> {
    let counted = errors(stderr).filter(|one| !one.message.starts_with("aborting due to"));
    counted.map(|one| expanded_spans(one.spans)).collect()
}

/// Returns the errors with a code of the compiler's, or with none, that a compiler printed as JSON, each with the span that it
/// is about, if it has one. What a lint forbids is no such error.
pub(crate) fn errors_with_spans(stderr: &str) -> Vec<(Remark, Option<ErrorSpan>)> {
    let with_span = |mut one: Diagnostic| {
        let span = primary_span(std::mem::take(&mut one.spans));
        Some((one.into_remark()?, span))
    };
    let errors = errors(stderr).filter(|one| !is_of_lint(one));
    errors.filter_map(with_span).collect()
}

/// An error with its labels, notes and suggestions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct WholeDiagnostic {
    pub(crate) code: Option<String>,
    pub(crate) message: String,
    /// Labels, notes and suggestions.
    pub(crate) details: Vec<String>,
    pub(crate) span: Option<ErrorSpan>,
}

/// Returns the errors that a compiler printed as JSON, without what a lint forbids.
pub(crate) fn whole_errors(stderr: &str) -> impl Iterator<Item = WholeDiagnostic> {
    let all = errors(stderr).filter(|one| one.level == "error" && !is_of_lint(one));
    let counted = all.filter(|one| error_remark(None, &one.message).is_some());
    counted.map(|mut one| {
        let labels = one.spans.iter_mut().filter_map(|span| span.label.take());
        let mut details: Vec<String> = labels.collect();
        for child in one.children {
            details.push(child.message);
            details.extend(child.spans.into_iter().filter_map(|span| span.label));
        }
        WholeDiagnostic {
            code: one.code.map(|code| code.code),
            message: one.message,
            details,
            span: primary_span(one.spans),
        }
    })
}

fn is_of_lint(one: &Diagnostic) -> bool {
    let code = one.code.as_ref();
    code.is_some_and(|code| !code.code.starts_with('E'))
}

/// Returns all errors of an output, and the messages that sum errors up.
fn errors(stderr: &str) -> impl Iterator<Item = Diagnostic> {
    let diagnostics = stderr.lines().filter_map(Diagnostic::from_json);
    diagnostics.filter(|one| one.level.starts_with("error"))
}

/// Returns the main span of a diagnostic. A part that a macro made has the place at which the crate calls the macro.
fn primary_span(spans: Vec<Span>) -> Option<ErrorSpan> {
    expanded_spans(spans).pop()
}

/// Returns the primary span, and the calls of the macros that made it, the outermost last.
fn expanded_spans(spans: Vec<Span>) -> Vec<ErrorSpan> {
    let mut expanded = Vec::new();
    let mut next = spans.into_iter().find(|span| span.is_primary);
    while let Some(mut span) = next {
        next = span.expansion.take().map(|expansion| expansion.span);
        expanded.push(span.into());
    }
    expanded
}

/// A part of a file that the compiler says something about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ErrorSpan {
    /// The file's name as the compiler prints it.
    pub(crate) file: String,
    pub(crate) bytes: Range<usize>,
}

impl From<Span> for ErrorSpan {
    fn from(span: Span) -> Self {
        Self {
            file: span.file_name,
            bytes: span.byte_start..span.byte_end,
        }
    }
}

/// Returns the parts of files that the compiler would delete, as a lint suggests. Suggestions that put something in place are
/// left out, and so are those of the lints `but_for`.
pub(crate) fn deletions(stderr: &str, but_for: &[&str]) -> Vec<Vec<ErrorSpan>> {
    let diagnostics = stderr.lines().filter_map(Diagnostic::from_json);
    let warnings = diagnostics.filter(|one| one.level == "warning" && !one.is_of(but_for));
    let suggestions = warnings.flat_map(|one| one.children);
    suggestions.filter_map(|one| deleted(one.spans)).collect()
}

/// Returns the names of which the compiler warns under one of these lints, as parts of files. Names that a macro has made are
/// left out.
pub(crate) fn warned_of(stderr: &str, lints: &[&str]) -> Vec<ErrorSpan> {
    let diagnostics = stderr.lines().filter_map(Diagnostic::from_json);
    let spans = diagnostics.filter(|one| one.is_of(lints));
    let spans = spans.flat_map(|one| one.spans);
    let names = spans.filter(|span| span.is_primary && span.expansion.is_none());
    names.map(ErrorSpan::from).collect()
}

fn deleted(spans: Vec<Span>) -> Option<Vec<ErrorSpan>> {
    let is_deletion = |span: &Span| {
        let is_certain = span.suggestion_applicability.as_deref() == Some("MachineApplicable");
        is_certain && span.suggested_replacement.as_deref() == Some("")
    };
    let is_whole = !spans.is_empty() && spans.iter().all(is_deletion);
    is_whole.then(|| spans.into_iter().map(ErrorSpan::from).collect())
}

/// An error or a warning.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Report {
    /// The code of an error, or the name of a lint.
    pub(crate) code: Option<String>,
    pub(crate) is_error: bool,
    pub(crate) message: String,
    pub(crate) rendered: String,
}

/// Returns the text with diagnostics in JSON as people see them.
pub(crate) fn rendered(stderr: &str) -> String {
    let lines = stderr.lines().map(|line| {
        let diagnostic = Diagnostic::from_json(line).and_then(|one| one.rendered);
        diagnostic.map_or_else(|| line.to_owned(), |text| text.trim_end().to_owned())
    });
    lines.collect::<Vec<_>>().join("\n")
}

type Lines<'a> = std::iter::Peekable<std::str::Lines<'a>>;

/// Reads the remark that begins with a line of plain text, with the following lines that belong to the remark.
fn read_plain(line: &str, lines: &mut Lines<'_>, remarks: &mut Vec<Remark>) {
    if let Some(panic) = read_panic(line, lines) {
        return remarks.push(panic);
    }
    if let Some(location) = line
        .trim_start_matches([' ', '='])
        .strip_prefix("note: delayed at ")
    {
        return note_delay(location, remarks);
    }
    if backtrace::begins_cycle(line) {
        return remarks.push(Remark::Cycle(backtrace::cycle(lines)));
    }
    if let Some((code, message)) = human_error(line) {
        let message = with_continuation(message, lines);
        return remarks.extend(error_remark(code, &message));
    }
    remarks.extend(single_line(line));
}

/// Returns the remark that is in a single line of plain text.
fn single_line(line: &str) -> Option<Remark> {
    if let Some(message) = line
        .strip_prefix("LLVM ERROR: ")
        .or(line.strip_prefix("rustc-LLVM ERROR: "))
    {
        return Some(Remark::Llvm(message.to_owned()));
    }
    if line.contains("no errors encountered even though") && line.starts_with("note: ") {
        return Some(Remark::DelayedBugsFollow);
    }
    if line.starts_with("note: rustc unexpectedly overflowed its stack")
        || (line.starts_with("thread '") && line.ends_with("has overflowed its stack"))
    {
        return Some(Remark::StackOverflow);
    }
    if let Some(query) = line
        .strip_prefix("#0 [")
        .and_then(|rest| rest.split(']').next())
    {
        return Some(Remark::Query(query.to_owned()));
    }
    if let Some(symbol) = frame_symbol(line) {
        return Some(Remark::Frame(symbol.to_owned()));
    }
    let is_said = line.starts_with(|c: char| c.is_alphabetic()) && !line.starts_with("note: ");
    (is_said && !line.starts_with("warning")).then(|| Remark::Other(line.to_owned()))
}

/// Returns the symbol of `/lib/libLLVM.so(SYMBOL+0x7f8)[0x7765d8125ff8]`; those of libc say nothing.
fn frame_symbol(line: &str) -> Option<&str> {
    let (module, symbol, _) = backtrace::parts_of_frame(line)?;
    (!symbol.is_empty() && !module.contains("/libc.so")).then_some(symbol)
}

/// Reads a panic, `thread 'NAME' (ID) panicked at ..`: since 1.73 the location, then the message on the next lines; before, the
/// message in quotes and then the location, on the line where the message ends.
fn read_panic(line: &str, lines: &mut Lines<'_>) -> Option<Remark> {
    let (thread, rest) = line.split_once(" panicked at ")?;
    if !thread.starts_with("thread '") {
        return None;
    }
    if let Some(location) = rest.strip_suffix(':').filter(|_| !rest.starts_with('\'')) {
        let message = panic_message(lines);
        return Some(Remark::Panic {
            location: location.to_owned(),
            message,
        });
    }
    read_old_panic(rest, lines)
}

fn read_old_panic(rest: &str, lines: &mut Lines<'_>) -> Option<Remark> {
    let mut text = rest.strip_prefix('\'')?.to_owned();
    loop {
        if let Some((message, location)) = text.rsplit_once("', ").filter(|(_, at)| is_location(at))
        {
            let (location, message) = (location.to_owned(), message.to_owned());
            return Some(Remark::Panic { location, message });
        }
        let next = lines.next_if(|line| !ends_panic(line))?;
        text.push('\n');
        text.push_str(next);
    }
}

/// Returns the lines of a message up to what the panic hook prints after it.
fn panic_message(lines: &mut Lines<'_>) -> String {
    let mut message = vec![];
    while let Some(line) = lines.next_if(|line| !ends_panic(line)) {
        message.push(line);
    }
    message.join("\n").trim().to_owned()
}

fn ends_panic(line: &str) -> bool {
    const ENDS: [&str; 11] = [
        "error: could not compile",
        "note: run with `RUST_BACKTRACE",
        "note: the compiler unexpectedly",
        "note: we would appreciate",
        "note: using internal features",
        "note: rustc ",
        "note: compiler flags",
        "stack backtrace:",
        "query stack during panic",
        "error: the compiler unexpectedly",
        "error: internal compiler error",
    ];
    let is_panic = line.starts_with("thread '") && line.contains(" panicked at ");
    is_panic
        || ENDS.iter().any(|end| line.starts_with(end))
        || Diagnostic::from_json(line).is_some()
}

/// Whether a text is `PATH:LINE:COLUMN`.
fn is_location(text: &str) -> bool {
    split_location(text).is_some()
}

/// Splits `PATH:LINE:COLUMN` into its parts.
pub(crate) fn split_location(text: &str) -> Option<(&str, u32, u32)> {
    let (rest, column) = text.trim().rsplit_once(':')?;
    let (path, line) = rest.rsplit_once(':')?;
    (!path.is_empty()).then_some((path, line.parse().ok()?, column.parse().ok()?))
}

/// Returns the location with which `bug!` begins its message, and the rest. A message that begins with a place of the program,
/// such as that of a closure, has none.
pub(crate) fn own_location(message: &str) -> Option<(&str, &str)> {
    let (location, rest) = message.split_once(": ")?;
    let (path, ..) = split_location(location)?;
    let is_whole = !path.contains(|c: char| c.is_whitespace() || "{(<`'\"".contains(c));
    (is_whole && is_of_compiler(path)).then_some((location, rest))
}

/// Whether a path is that of a source file of the compiler, of its libraries, of its tools, or of what these link.
fn is_of_compiler(path: &str) -> bool {
    const ROOTS: [&str; 5] = [
        "compiler/",
        "library/",
        "/rustc",
        "src/librustdoc/",
        "src/tools/",
    ];
    const INNER: [&str; 5] = [
        "/compiler/rustc",
        "/library/alloc/",
        "/library/core/",
        "/library/std/",
        "/registry/src/",
    ];
    let is_inner = || path.starts_with('/') && INNER.iter().any(|root| path.contains(root));
    ROOTS.iter().any(|root| path.starts_with(root)) || is_inner()
}

/// Returns the code and message of `error: ..` or `error[CODE]: ..` at the start of a line; what is internal keeps its prefix.
fn human_error(line: &str) -> Option<(Option<String>, &str)> {
    if let Some(rest) = line.strip_prefix(INTERNAL) {
        let code = rest
            .strip_prefix('[')
            .and_then(|rest| rest.split(']').next());
        return Some((code.map(str::to_owned), line));
    }
    let rest = line.strip_prefix("error")?;
    if let Some(message) = rest.strip_prefix(": ") {
        return Some((None, message));
    }
    let (code, message) = rest.strip_prefix('[')?.split_once("]: ")?;
    Some((Some(code.to_owned()), message))
}

/// Returns a message with its next lines: all up to an empty one or the one that says where the message is.
fn with_continuation(message: &str, lines: &mut Lines<'_>) -> String {
    let mut message = message.to_owned();
    let goes_on = |line: &&str| {
        let text = line.trim_start();
        !text.is_empty()
            && !text.starts_with("-->")
            && !text.starts_with("= ")
            && line.starts_with(' ')
            && !text.starts_with("::: ")
            && !text.starts_with('|')
    };
    while let Some(line) = lines.next_if(goes_on) {
        message.push('\n');
        message.push_str(line.trim());
    }
    message
}

/// Returns the remark of an error in either form; `None` for a message that only sums up other errors, or announces a panic.
fn error_remark(code: Option<String>, message: &str) -> Option<Remark> {
    const SUMMARIES: [&str; 6] = [
        "aborting due to",
        "aborting after",
        "the compiler unexpectedly panicked",
        "rustc interrupted by",
        "could not compile",
        "cannot continue compilation",
    ];
    if message.contains("no errors encountered even though") {
        return Some(Remark::DelayedBugsFollow);
    }
    // The two forms have it at different levels, and only the panic says where.
    let said = message.strip_prefix("error: ").unwrap_or(message);
    if ANNOUNCEMENTS.iter().any(|words| said.starts_with(words)) {
        return None;
    }
    if let Some(rest) = message.strip_prefix("error: internal compiler error") {
        let message = rest
            .split_once(": ")
            .map_or("", |(_, message)| message)
            .to_owned();
        return Some(Remark::Internal {
            code,
            message,
            delayed_at: None,
        });
    }
    let is_summary = SUMMARIES.iter().any(|summary| message.starts_with(summary));
    (!is_summary).then(|| Remark::Error {
        code,
        message: message.to_owned(),
    })
}

/// Adds a `delayed at` note to the internal error before it.
fn note_delay(location: &str, remarks: &mut [Remark]) {
    let location = location.split(" - ").next().unwrap_or(location).trim();
    if let Some(Remark::Internal {
        delayed_at: at @ None,
        ..
    }) = remarks.last_mut()
    {
        *at = Some(location.to_owned());
    }
}

/// A line of `--error-format=json`.
#[derive(Deserialize)]
struct Diagnostic {
    message: String,
    level: String,
    code: Option<Code>,
    #[serde(default)]
    children: Vec<Child>,
    #[serde(default)]
    rendered: Option<String>,
    #[serde(default)]
    spans: Vec<Span>,
}

#[derive(Deserialize)]
struct Span {
    file_name: String,
    byte_start: usize,
    byte_end: usize,
    is_primary: bool,
    #[serde(default)]
    label: Option<String>,
    expansion: Option<Box<Expansion>>,
    suggested_replacement: Option<String>,
    suggestion_applicability: Option<String>,
}

#[derive(Deserialize)]
struct Expansion {
    span: Span,
}

#[derive(Deserialize)]
struct Code {
    code: String,
}

#[derive(Deserialize)]
struct Child {
    message: String,
    #[serde(default)]
    spans: Vec<Span>,
}

/// Returns the text after `delayed at` in the first of some notes that has it.
fn delay(notes: &[Child]) -> Option<&str> {
    let mut notes = notes.iter();
    notes.find_map(|note| note.message.strip_prefix("delayed at "))
}

impl Diagnostic {
    /// Reads a line. Before the diagnostic there may be what a procedural macro has printed without a line's end; where that
    /// is a number and a `|`, the line quotes a source.
    fn from_json(line: &str) -> Option<Self> {
        const BEGIN: &str = r#"{"$message_type":"diagnostic","#;
        let start = match line.starts_with('{') {
            true => 0,
            false => line.find(BEGIN).filter(|&at| !line[..at].contains('|'))?,
        };
        serde_json::from_str(&line[start..]).ok()
    }

    /// Whether the diagnostic comes of one of these lints.
    fn is_of(&self, lints: &[&str]) -> bool {
        let code = self.code.as_ref();
        code.is_some_and(|code| lints.contains(&code.code.as_str()))
    }

    fn into_remark(self) -> Option<Remark> {
        if self
            .message
            .starts_with("no errors encountered even though")
        {
            return Some(Remark::DelayedBugsFollow);
        }
        let code = self.code.map(|code| code.code);
        match self.level.as_str() {
            INTERNAL => {
                let delayed_at = delay(&self.children).map(|at| {
                    at.lines()
                        .next()
                        .unwrap_or(at)
                        .split(" - ")
                        .next()
                        .unwrap_or(at)
                        .trim()
                        .to_owned()
                });
                Some(Remark::Internal {
                    code,
                    message: self.message,
                    delayed_at,
                })
            }
            "error" => error_remark(code, &self.message),
            _ => None,
        }
    }
}

/// Returns the functions that led to the first crash, the innermost first, without those that only report it. Empty where no
/// backtrace was printed.
pub(crate) fn frames(stderr: &str) -> Vec<String> {
    let plain = without_colours(stderr);
    let of_delay = first_delay(&plain);
    let text = of_delay.as_deref().unwrap_or(&plain);
    let names = backtrace::numbered(text.lines());
    let names = names
        .into_iter()
        .skip_while(|name| backtrace::is_machinery(name));
    names.map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_macro_printed_before_a_diagnostic_is_left_out() {
        let json = r#"{"$message_type":"diagnostic","message":"odd","code":null,"level":"error","spans":[],"children":[]}"#;
        let odd = Remark::Error {
            code: None,
            message: "odd".to_owned(),
        };
        assert_eq!(json_remark(&format!("noise {json}")), Some(odd));
        assert_eq!(json_remark(&format!("12 | {json}")), None);
        assert_eq!(json_remark("noise {\"message\":\"odd\"}"), None);
    }

    #[test]
    fn names_that_a_lint_is_about_are_found_but_for_those_of_macros() {
        let warning = |lint: &str, spans: &str| {
            let code = format!(r#"{{"code":"{lint}","explanation":null}}"#);
            format!(
                r#"{{"$message_type":"diagnostic","message":"never used","code":{code},"level":"warning","spans":[{spans}],"children":[],"rendered":""}}"#
            )
        };
        let span = |start: usize, is_primary: bool, expansion: &str| {
            format!(
                r#"{{"file_name":"a.rs","byte_start":{start},"byte_end":9,"is_primary":{is_primary},"expansion":{expansion}}}"#
            )
        };
        let made = format!(
            r#"{{"span":{},"macro_decl_name":"m!"}}"#,
            span(0, true, "null")
        );
        let spans = [
            span(1, false, "null"),
            span(2, true, "null"),
            span(3, true, &made),
        ]
        .join(",");
        let stderr = [
            warning("dead_code", &spans),
            warning("unused_mut", &span(4, true, "null")),
        ];
        let names = warned_of(&stderr.join("\n"), &["dead_code"]);
        let expected = ErrorSpan {
            file: "a.rs".to_owned(),
            bytes: 2..9,
        };
        assert_eq!(names, [expected]);
    }

    #[test]
    fn an_error_has_all_words_that_the_compiler_says() {
        let error = r#"{"$message_type":"diagnostic","message":"`Late` is not an iterator","code":{"code":"E0277","explanation":null},"level":"error","spans":[{"file_name":"a.rs","byte_start":95,"byte_end":99,"is_primary":true,"label":"`Late` is not an iterator","expansion":null,"suggested_replacement":null,"suggestion_applicability":null}],"children":[{"message":"the trait `Iterator` is not implemented for `Late`","level":"help","spans":[{"file_name":"a.rs","byte_start":3,"byte_end":7,"is_primary":true,"label":"required here","expansion":null,"suggested_replacement":null,"suggestion_applicability":null}]}],"rendered":""}"#;
        let others = [
            r#"{"message":"unused","code":{"code":"dead_code","explanation":null},"level":"error","spans":[],"children":[]}"#,
            r#"{"message":"aborting due to 2 previous errors","code":null,"level":"error","spans":[],"children":[]}"#,
            "thread 'rustc' panicked at a.rs:1:2:",
        ];
        let stderr = [&[error], &others[..]].concat().join("\n");
        let expected = WholeDiagnostic {
            code: Some("E0277".to_owned()),
            message: "`Late` is not an iterator".to_owned(),
            details: [
                "`Late` is not an iterator",
                "the trait `Iterator` is not implemented for `Late`",
                "required here",
            ]
            .map(str::to_owned)
            .to_vec(),
            span: Some(ErrorSpan {
                file: "a.rs".to_owned(),
                bytes: 95..99,
            }),
        };
        assert_eq!(whole_errors(&stderr).collect::<Vec<_>>(), [expected]);
        assert_eq!(whole_errors("error[E0277]: in human form").count(), 0);
    }
}
