//! The state of the live view: it is fed with events, and with answers about how the job is, and says what is drawn and what
//! a key asks for. It knows neither a terminal nor a clock.

use crate::display::activity::Activity;
use crate::display::progress::per_second;
use camino::Utf8PathBuf;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use reduce_engine::{Event, LiveFile, LiveState, Progress};
use reduce_protocol::{JobCommand, JobId, JobState, LiveJob};
use std::collections::VecDeque;
use std::ops::Range;
use std::time::{Duration, Instant};

/// The time, until now, over which the rate of queries is computed.
const RATE_TIME: Duration = Duration::from_secs(10);
/// The number of lines below the first shown line that the part under trial may be before the code is scrolled.
const LINES_IN_SIGHT: usize = 4;

/// The state of the live view.
#[derive(Debug)]
pub(crate) struct View {
    /// The job of the daemon; `None` where the engine is in this process.
    pub(super) job: Option<JobId>,
    pub(super) began: Instant,
    /// The activity before the search.
    pub(super) activity: Option<Activity>,
    /// The failure that is reduced, on one line.
    pub(super) failure: Option<String>,
    pub(super) progress: Option<Progress>,
    /// The number of queries at some times lately.
    queries: VecDeque<(Instant, u64)>,
    pub(super) state: JobState,
    pub(super) live: LiveState,
    /// When the job last told the view its state.
    looked: Instant,
    pub(super) files: Vec<LiveFile>,
    output: Option<Utf8PathBuf>,
    /// The index in `files` of the file that the view shows.
    pub(super) file: usize,
    /// The line at which the part under trial is.
    pub(super) line: usize,
    /// The last message for the person at the keyboard.
    pub(super) said: Option<String>,
    /// The last line of those that wait to be printed.
    held: Option<String>,
}

/// A wish of the person at the keyboard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Wish {
    /// The person wants the search to end now, with the best result so far.
    Stop,
    /// The person wants to leave the job, which goes on.
    Detach,
    /// The person wants this command about the job to be carried out.
    Tell(JobCommand),
    /// The person wants to edit this file of the best program so far.
    Edit(Utf8PathBuf),
    /// The person wants to stop this process and return to the shell, as by Ctrl-Z.
    Suspend,
    /// The person wants the whole screen to be drawn again.
    Redraw,
}

impl View {
    /// Makes the view of a job of the daemon, or of an engine in this process.
    pub(crate) fn new(job: Option<JobId>, now: Instant) -> Self {
        Self {
            job,
            began: now,
            activity: None,
            failure: None,
            progress: None,
            queries: VecDeque::new(),
            state: JobState::Running,
            live: LiveState::default(),
            looked: now,
            files: Vec::new(),
            output: None,
            file: 0,
            line: 0,
            said: None,
            held: None,
        }
    }

    /// Takes an event of the reduction into the state of the live view.
    pub(crate) fn event(&mut self, event: &Event, now: Instant) {
        let activity = Activity::of(event, self.activity.as_ref(), now);
        self.activity = activity.or(self.activity.take());
        match event {
            Event::BaselineFound { signature, .. } => self.failure = Some(signature.clone()),
            Event::Progress(progress) => {
                self.queries.push_back((now, progress.queries));
                self.forget_old_rates(now);
                self.progress = Some(progress.clone());
            }
            _ => {}
        }
    }

    /// Takes the reported state of the job into the state of the live view.
    pub(crate) fn update(&mut self, job: LiveJob, now: Instant) {
        let LiveJob {
            state,
            output,
            mut live,
            listeners: _,
        } = job;
        if let Some(files) = live.files.take() {
            self.files = files;
        }
        (self.state, self.output, self.looked) = (state, Some(output), now);
        self.live = live;
        self.follow_trial();
    }

    /// Returns the number of the program that the view shows.
    pub(crate) fn program(&self) -> u64 {
        self.live.program
    }

    /// Whether the job is paused, with no query under way.
    pub(crate) fn is_still(&self) -> bool {
        self.state == JobState::Paused && self.live.queries_under_way == 0
    }

    /// Shows a message to the person at the keyboard.
    pub(crate) fn say(&mut self, message: impl Into<String>) {
        self.said = Some(message.into());
    }

    /// Notes the last line of the text that waits until the view is closed. A new one is shown as a message.
    pub(crate) fn note_held(&mut self, line: Option<String>) {
        if line.is_some() && line != self.held {
            self.said.clone_from(&line);
            self.held = line;
        }
    }

    /// Returns the wish that a key stands for.
    pub(crate) fn wish(&mut self, key: KeyEvent) -> Option<Wish> {
        let is_control = key.modifiers.contains(KeyModifiers::CONTROL);
        let is_searched = matches!(self.state, JobState::Running | JobState::Paused);
        match key.code {
            KeyCode::Char('c') if is_control => Some(Wish::Stop),
            KeyCode::Char('z') if is_control => Some(Wish::Suspend),
            KeyCode::Char('l') if is_control => Some(Wish::Redraw),
            KeyCode::Char(_) if is_control => None,
            KeyCode::Char('q') => Some(Wish::Stop),
            KeyCode::Char('d') if self.job.is_some() => Some(Wish::Detach),
            // A job that ends does that first.
            _ if !is_searched => None,
            KeyCode::Char('p') => self.pause_or_resume(),
            KeyCode::Char('s') => self.skip(),
            KeyCode::Char('f') => {
                self.say("The search ends, and the best program so far becomes the result.");
                Some(Wish::Tell(JobCommand::Finish))
            }
            KeyCode::Char('e') => self.edit(),
            _ => None,
        }
    }

    fn pause_or_resume(&mut self) -> Option<Wish> {
        let command = match self.state {
            JobState::Paused => JobCommand::Resume,
            _ => JobCommand::Pause,
        };
        self.say(match command {
            JobCommand::Pause => "Paused: no query is made until you press p again.",
            _ => "The job goes on.",
        });
        Some(Wish::Tell(command))
    }

    fn skip(&mut self) -> Option<Wish> {
        let Some(pass) = self.live.figures.pass.clone() else {
            self.say("Nothing that can be skipped is under way.");
            return None;
        };
        self.say(format!(
            "This run of `{pass}` is skipped after the next answer."
        ));
        Some(Wish::Tell(JobCommand::Skip(Some(pass))))
    }

    fn edit(&mut self) -> Option<Wish> {
        let shown = self.files.get(self.file);
        let path = shown.and_then(|file| Some(self.output.as_ref()?.join(&file.place)));
        match path {
            Some(path) => {
                self.say("Opening your editor once the queries under way are answered.");
                Some(Wish::Edit(path))
            }
            None => {
                self.say("There is no program to edit yet.");
                None
            }
        }
    }

    /// Returns the seconds since the start of the job.
    pub(super) fn elapsed(&self, now: Instant) -> f64 {
        let since = |at: Instant| now.saturating_duration_since(at).as_secs_f64();
        if self.live.elapsed_seconds > 0.0 {
            return self.live.elapsed_seconds + since(self.looked);
        }
        since(self.began)
    }

    /// Returns the seconds from the start of the job to the last step that made the program smaller, and the tokens that it removed.
    pub(super) fn last_gain(&self) -> Option<(f64, u64)> {
        let pairs = self.live.sizes.windows(2).rev();
        let mut gains = pairs.filter_map(|pair| {
            let gain = pair[0].tokens.checked_sub(pair[1].tokens)?;
            (gain > 0).then_some((pair[1].seconds, gain))
        });
        gains.next()
    }

    /// Returns the number of queries a second lately.
    pub(super) fn rate(&self, now: Instant) -> f64 {
        let Some((since, before)) = self.queries.front() else {
            return 0.0;
        };
        let queries = self.queries.back().map_or(0, |last| last.1);
        let seconds = now.saturating_duration_since(*since).as_secs_f64();
        per_second(queries.saturating_sub(*before), seconds)
    }

    /// The parts of the file that is shown that are under trial, in order.
    pub(super) fn parts(&self) -> impl Iterator<Item = &Range<usize>> {
        let parts = self.live.parts.iter();
        parts
            .filter(|part| part.file == self.file)
            .map(|part| &part.bytes)
    }

    fn forget_old_rates(&mut self, now: Instant) {
        let is_old = |at: Instant| now.saturating_duration_since(at) > RATE_TIME;
        while self.queries.len() > 2 && self.queries.front().is_some_and(|(at, _)| is_old(*at)) {
            self.queries.pop_front();
        }
    }

    /// Shows the first part under trial, unless it is in sight.
    fn follow_trial(&mut self) {
        if self.file >= self.files.len() {
            (self.file, self.line) = (0, 0);
        }
        let Some(part) = self.live.parts.first() else {
            return;
        };
        let text = self
            .files
            .get(part.file)
            .and_then(|file| file.text.as_ref());
        let before = text.and_then(|text| text.get(..part.bytes.start));
        let line = before.map_or(0, |before| before.matches('\n').count());
        let in_sight = self.line..self.line + LINES_IN_SIGHT;
        if part.file != self.file || !in_sight.contains(&line) {
            (self.file, self.line) = (part.file, line);
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use reduce_engine::{LiveFigures, LivePart, PassStatistics, Size};

    pub(in super::super) const CODE: &str = "trait Ledger {\n    type Entry;\n}\n\nstruct Book<T>(T);\n\nimpl<T> Ledger for Book<T> {\n    type Entry = T;\n}\n\nfn settle<L: Ledger>(_: L::Entry) {}\n\nfn main() {\n\tsettle::<Book<u8>>(1);\n}\n";

    fn key(code: char) -> KeyEvent {
        KeyEvent::new(KeyCode::Char(code), KeyModifiers::NONE)
    }

    fn pass(name: &str, queries: u64, tokens: u64) -> PassStatistics {
        PassStatistics {
            pass: name.to_owned(),
            tried: queries + 3,
            queries,
            accepted: 1,
            tokens,
            seconds: 1.0,
        }
    }

    pub(in super::super) fn live_job() -> LiveJob {
        let size = |seconds, tokens| Size { seconds, tokens };
        let text = Some(CODE.to_owned());
        let start = CODE.find("type Entry = T;").unwrap();
        LiveJob {
            state: JobState::Running,
            listeners: 1,
            output: "/out".into(),
            live: LiveState {
                program: 4,
                files: Some(vec![LiveFile {
                    place: "reduced.rs".into(),
                    text,
                }]),
                is_on_trial: false,
                parts: vec![LivePart {
                    file: 0,
                    bytes: start..start + "type Entry = T;".len(),
                }],
                queries_under_way: 2,
                sizes: vec![size(2.0, 1290), size(5.0, 136), size(20.0, 76)],
                elapsed_seconds: 62.0,
                figures: LiveFigures {
                    pass: Some("delete_parts".to_owned()),
                    workers: 2,
                    passes: vec![
                        pass("keep_slice", 2, 1154),
                        pass("delete_items", 31, 60),
                        pass("delete_parts", 12, 0),
                    ],
                    skipped: vec![],
                },
            },
        }
    }

    /// A view of a search, and the time at which it is looked at.
    pub(in super::super) fn searching() -> (View, Instant) {
        let began = Instant::now();
        let mut view = View::new(Some(JobId(3)), began);
        let progress = |queries| {
            Event::Progress(Progress {
                pass: "delete_parts".to_owned(),
                round: 2,
                tokens_now: 76,
                tokens_at_start: 1290,
                queries,
                cache_hits: 45,
                elapsed_seconds: 60.0,
            })
        };
        let found = Event::BaselineFound {
            noun: "crash".to_owned(),
            signature: "bug: impossible case reached".to_owned(),
            command: String::new(),
            compiler: String::new(),
            tokens: 1290,
            files: 1,
        };
        view.event(&found, began);
        view.event(&progress(212), began + Duration::from_secs(58));
        view.event(&progress(312), began + Duration::from_secs(62));
        let now = began + Duration::from_secs(62);
        view.update(live_job(), now);
        (view, now)
    }

    #[test]
    fn the_figures_are_those_of_now() {
        let (view, now) = searching();
        assert_eq!(view.rate(now), 25.0);
        assert_eq!(view.last_gain(), Some((20.0, 60)));
        assert_eq!(view.elapsed(now + Duration::from_secs(3)), 65.0);
        assert_eq!(view.line, 7);
    }

    #[test]
    fn a_program_that_is_known_is_not_told_again() {
        let (mut view, now) = searching();
        let mut again = live_job();
        (again.live.files, again.live.parts) = (None, vec![]);
        view.update(again, now);
        assert_eq!(view.files.len(), 1);
        assert_eq!(
            (view.program(), view.line),
            (4, 7),
            "the code stays where it was"
        );
    }

    #[test]
    fn keys_are_wishes() {
        let (mut view, _) = searching();
        let mut wish = |code| view.wish(key(code));
        assert_eq!(wish('q'), Some(Wish::Stop));
        assert_eq!(wish('d'), Some(Wish::Detach));
        assert_eq!(wish('p'), Some(Wish::Tell(JobCommand::Pause)));
        assert_eq!(wish('f'), Some(Wish::Tell(JobCommand::Finish)));
        let skip = JobCommand::Skip(Some("delete_parts".to_owned()));
        assert_eq!(wish('s'), Some(Wish::Tell(skip)));
        assert_eq!(wish('e'), Some(Wish::Edit("/out/reduced.rs".into())));
        assert_eq!(wish('x'), None);
        view.state = JobState::Paused;
        assert_eq!(view.wish(key('p')), Some(Wish::Tell(JobCommand::Resume)));
        view.state = JobState::Finishing;
        assert_eq!(
            [key('p'), key('e'), key('f')].map(|key| view.wish(key)),
            [None, None, None]
        );
        let control = KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL);
        assert_eq!(view.wish(control), Some(Wish::Stop));
    }

    #[test]
    fn a_key_that_has_no_use_yet_says_why() {
        let mut view = View::new(None, Instant::now());
        for (code, part) in [('s', "Nothing that can be skipped"), ('e', "no program")] {
            assert_eq!(view.wish(key(code)), None);
            assert!(
                view.said.as_ref().unwrap().contains(part),
                "{:?}",
                view.said
            );
        }
        assert_eq!(view.wish(key('d')), None, "nothing would go on");
    }
}
