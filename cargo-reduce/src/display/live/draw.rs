//! Draws the live view: figures at the top, the code on the left, the curve of the sizes and the passes on the right, and at the
//! bottom what was said last and the keys. What does not fit is left out, the least important first.

use super::code;
use super::paint::Paint;
use super::view::View;
use crate::display::progress::time;
use ratatui::Frame;
use ratatui::layout::{Alignment, Constraint, Layout, Rect};
use ratatui::symbols::Marker;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Axis, Block, Borders, Chart, Dataset, GraphType, Paragraph};
use reduce_engine::{PassStatistics, escape};
use reduce_protocol::JobState;
use std::time::Instant;

/// The number of columns of the curve of sizes and the list of passes, at the right of the live view.
const SIDE_WIDTH: u16 = 34;
/// The fewest columns of a terminal in which the curve and the passes are shown beside the code.
const LEAST_FOR_SIDE: u16 = 70;
/// The fewest lines of the live view's middle part in which the curve is shown.
const LEAST_FOR_CURVE: u16 = 12;
/// The fewest lines of a terminal in which code is shown, rather than figures and keys alone.
const LEAST_FOR_CODE: u16 = 9;
/// The fewest lines of a terminal in which the failure is shown.
const LEAST_FOR_FAILURE: u16 = 18;
/// The space between two figures in the same line.
const GAP: &str = "   ";

/// Draws the whole live view.
pub(crate) fn draw(frame: &mut Frame<'_>, view: &View, paint: Paint, now: Instant) {
    let area = frame.area();
    let figures = figures(view, area.height, now);
    let n_figures = figures.len() as u16;
    let has_code = area.height >= LEAST_FOR_CODE;
    let [top, body, said, keys] = Layout::vertical([
        Constraint::Length(n_figures),
        Constraint::Min(0),
        Constraint::Length(u16::from(has_code)),
        Constraint::Length(u16::from(area.height > n_figures)),
    ])
    .areas(area);
    let figures = figures.into_iter().map(|line| Line::from(escaped(&line)));
    frame.render_widget(Paragraph::new(figures.collect::<Vec<_>>()), top);
    title(frame, view, paint, top, now);
    if has_code {
        draw_body(frame, view, paint, body, now);
        let text = view.said.as_deref().unwrap_or_default();
        frame.render_widget(Line::styled(escaped(text), paint.said()), said);
    }
    frame.render_widget(keys_line(view, paint, area.width), keys);
}

/// Returns a text on one line, with nothing in it that acts on a terminal, as it may come from the user's program.
fn escaped(text: &str) -> String {
    escape::line(text).into_owned()
}

/// The lines at the top, the first of which is the title's.
fn figures(view: &View, height: u16, now: Instant) -> Vec<String> {
    let all = [
        Some(String::new()),
        Some(sizes(view, now)),
        Some(doing(view, now)),
        view.failure.clone().filter(|_| height >= LEAST_FOR_FAILURE),
    ];
    // With so little room the sizes alone matter.
    let skipped = usize::from(height < 3);
    let lines = all.into_iter().flatten().skip(skipped);
    lines.take(usize::from(height.clamp(1, 4))).collect()
}

fn title(frame: &mut Frame<'_>, view: &View, paint: Paint, top: Rect, now: Instant) {
    if top.height < 2 {
        return;
    }
    let first = Rect { height: 1, ..top };
    let job = view.job.map(|job| format!("{GAP}job {job}"));
    let left = Line::from(vec![
        Span::styled("cargo reduce", paint.strong()),
        Span::raw(job.unwrap_or_default()),
        Span::raw(GAP),
        Span::styled(view.state.name(), paint.key()),
    ]);
    let right = Line::from(time(view.elapsed(now))).alignment(Alignment::Right);
    frame.render_widget(right, first);
    frame.render_widget(left, first);
}

/// Describes the sizes of the program, the queries and the workers in one line.
fn sizes(view: &View, now: Instant) -> String {
    let Some(progress) = &view.progress else {
        return "before the search".to_owned();
    };
    let (now_tokens, start) = (progress.tokens_now, progress.tokens_at_start);
    // All of them are gone only where none is left.
    let gone = start.saturating_sub(now_tokens) * 100 / start.max(1);
    let workers = view.live.figures.workers;
    let mut parts = vec![
        format!("{now_tokens}/{start} tokens (-{gone} %)"),
        format!("{} queries ({:.1}/s)", progress.queries, view.rate(now)),
        format!("{} cache hits", progress.cache_hits),
    ];
    if workers > 0 {
        let busy = view.live.queries_under_way;
        parts.push(format!("{busy}/{workers} workers"));
    }
    parts.join(GAP)
}

/// Describes the stage that is under way, and when it was last of use.
fn doing(view: &View, now: Instant) -> String {
    let Some(progress) = &view.progress else {
        let activity = view.activity.as_ref();
        return activity.map_or_else(|| "waiting".to_owned(), |one| one.line(now));
    };
    let pass = format!("{} (round {})", progress.pass, progress.round);
    let gain = view.last_gain().map(|(at, gain)| {
        let ago = time((view.elapsed(now) - at).max(0.0));
        format!("{GAP}last gain {ago} ago: {gain} tokens")
    });
    let skipped = match view.live.figures.skipped.len() {
        0 => String::new(),
        many => format!("{GAP}{many} skipped"),
    };
    pass + &gain.unwrap_or_default() + &skipped
}

fn draw_body(frame: &mut Frame<'_>, view: &View, paint: Paint, body: Rect, now: Instant) {
    if body.width < LEAST_FOR_SIDE {
        return draw_code(frame, view, paint, body);
    }
    let [left, side] =
        Layout::horizontal([Constraint::Min(0), Constraint::Length(SIDE_WIDTH)]).areas(body);
    draw_code(frame, view, paint, left);
    if body.height < LEAST_FOR_CURVE {
        return draw_passes(frame, view, paint, side);
    }
    let [curve, passes] =
        Layout::vertical([Constraint::Percentage(45), Constraint::Min(0)]).areas(side);
    draw_curve(frame, view, paint, curve, now);
    draw_passes(frame, view, paint, passes);
}

/// Draws a line with a title above an area, and returns the part of the area that is left for its contents.
fn framed(frame: &mut Frame<'_>, area: Rect, title: String, paint: Paint) -> Rect {
    let block = Block::new()
        .borders(Borders::TOP)
        .border_style(paint.margin())
        .title(Span::raw(format!(" {title} ")));
    let inner = block.inner(area);
    frame.render_widget(block, area);
    // The area on the right begins after an empty column.
    Rect {
        width: inner.width.saturating_sub(1),
        ..inner
    }
}

fn draw_code(frame: &mut Frame<'_>, view: &View, paint: Paint, area: Rect) {
    let Some(file) = view.files.get(view.file) else {
        framed(frame, area, "no program yet".to_owned(), paint);
        return;
    };
    let mut title = escaped(file.place.as_str());
    if view.files.len() > 1 {
        title += &format!(" ({} of {} files)", view.file + 1, view.files.len());
    }
    if view.live.is_on_trial {
        title += ", on trial";
    }
    let inner = framed(frame, area, title, paint);
    let Some(text) = &file.text else {
        let message = "The program is too long to be shown. The passes go on all the same.";
        return frame.render_widget(Line::from(message), inner);
    };
    let parts: Vec<_> = view.parts().cloned().collect();
    let lines = code::lines(text, &parts, view.line, inner.height.into(), paint);
    frame.render_widget(Paragraph::new(lines), inner);
}

/// The sizes over time, on a logarithmic scale: each size lasts until the next.
fn draw_curve(frame: &mut Frame<'_>, view: &View, paint: Paint, area: Rect, now: Instant) {
    let sizes = &view.live.sizes;
    let inner = framed(frame, area, "tokens over time".to_owned(), paint);
    let (Some(first), Some(last)) = (sizes.first(), sizes.last()) else {
        return;
    };
    let logarithm = |tokens: u64| (tokens.max(1) as f64).log10();
    let elapsed = view.elapsed(now).max(last.seconds);
    let ends = sizes.iter().skip(1).map(|next| next.seconds);
    let ends = ends.chain([elapsed]);
    let steps = sizes.iter().zip(ends).flat_map(|(size, end)| {
        let height = logarithm(size.tokens);
        [(size.seconds, height), (end, height)]
    });
    let points: Vec<(f64, f64)> = steps.collect();
    let least = sizes.iter().map(|size| size.tokens).min().unwrap_or(1);
    let most = sizes.iter().map(|size| size.tokens).max().unwrap_or(1);
    // A flat curve needs some height, too.
    let bounds = [
        logarithm(least),
        logarithm(most).max(logarithm(least) + 0.1),
    ];
    let data = Dataset::default()
        .marker(Marker::Braille)
        .graph_type(GraphType::Line)
        .style(paint.curve())
        .data(&points);
    let x = Axis::default()
        .bounds([first.seconds.min(elapsed), elapsed])
        .labels([time(first.seconds), time(elapsed)]);
    let y = Axis::default()
        .bounds(bounds)
        .labels([least.to_string(), most.to_string()]);
    let chart = Chart::new(vec![data])
        .x_axis(x)
        .y_axis(y)
        .legend_position(None);
    frame.render_widget(chart, inner);
}

/// The passes with what they brought: those that brought most, and the one under way.
fn draw_passes(frame: &mut Frame<'_>, view: &View, paint: Paint, area: Rect) {
    let inner = framed(frame, area, "passes".to_owned(), paint);
    let width = usize::from(inner.width).saturating_sub(16).max(8);
    let head = Line::styled(format!(" {:<width$} tokens queries", ""), paint.margin());
    let room = usize::from(inner.height).saturating_sub(1);
    let current = view
        .progress
        .as_ref()
        .map(|progress| progress.pass.as_str());
    let rows = most_useful(&view.live.figures.passes, current, room);
    let skipped = &view.live.figures.skipped;
    let rows = rows.into_iter().map(|pass| {
        let is_current = Some(pass.pass.as_str()) == current;
        let mark = if is_current { ">" } else { " " };
        let note = if skipped.contains(&pass.pass) {
            "*"
        } else {
            ""
        };
        let name: String = format!("{}{note}", pass.pass).chars().take(width).collect();
        let row = format!(
            "{mark}{name:<width$} {:>6} {:>7}",
            pass.tokens, pass.queries
        );
        match is_current {
            true => Line::styled(row, paint.strong()),
            false => Line::from(row),
        }
    });
    let lines: Vec<Line<'_>> = std::iter::once(head).chain(rows).collect();
    frame.render_widget(Paragraph::new(lines), inner);
}

/// Returns as many passes as fit, those first that brought most; the current one is among them.
fn most_useful<'p>(
    passes: &'p [PassStatistics],
    current: Option<&str>,
    room: usize,
) -> Vec<&'p PassStatistics> {
    let mut all: Vec<&PassStatistics> = passes.iter().collect();
    all.sort_by_key(|pass| std::cmp::Reverse((pass.tokens, pass.queries)));
    let is_current = |pass: &&PassStatistics| Some(pass.pass.as_str()) == current;
    if let Some(at) = all.iter().position(is_current).filter(|at| *at >= room) {
        let last = room.saturating_sub(1);
        all.swap(at, last);
    }
    all.truncate(room);
    all
}

/// The keys that do something at the moment, in short words where there is little room.
fn keys_line(view: &View, paint: Paint, width: u16) -> Line<'static> {
    let pause = ("p", "pause", "pause");
    let resume = ("p", "go on", "go on");
    let skip = ("s", "skip pass", "skip");
    let finish = ("f", "finish soon", "finish");
    let edit = ("e", "edit", "edit");
    let detach = ("d", "detach", "detach");
    let stop = ("q", "stop", "stop");
    let keys = match view.state {
        JobState::Stopping => vec![("Ctrl-C", "leave at once", "leave")],
        JobState::Finishing | JobState::Waiting => vec![detach, stop],
        JobState::Paused => vec![resume, finish, edit, detach, stop],
        _ => vec![pause, skip, finish, edit, detach, stop],
    };
    let here = keys.into_iter();
    let here = here.filter(|(key, ..)| *key != "d" || view.job.is_some());
    let is_narrow = width < LEAST_FOR_SIDE;
    let spans = here.flat_map(|(key, long, short)| {
        let what = match is_narrow {
            true => format!(" {short} "),
            false => format!(" {long}{GAP}"),
        };
        [Span::styled(key, paint.key()), Span::raw(what)]
    });
    Line::from_iter(spans)
}

#[cfg(test)]
mod tests {
    use super::super::view::tests::{live_job, searching};
    use super::*;
    use ratatui::Terminal;
    use ratatui::backend::TestBackend;
    use reduce_engine::{Event, LivePart};

    /// The screen as text, without blanks at the ends of lines.
    fn screen(view: &View, (width, height): (u16, u16), paint: Paint, now: Instant) -> String {
        let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
        terminal
            .draw(|frame| draw(frame, view, paint, now))
            .unwrap();
        let cells = terminal.backend().buffer().content();
        let lines = cells.chunks(width.into()).map(|line| {
            let line: String = line.iter().map(|cell| cell.symbol()).collect();
            line.trim_end().to_owned() + "\n"
        });
        lines.collect()
    }

    #[test]
    fn a_search_in_80_columns_and_24_lines() {
        let (view, now) = searching();
        insta::assert_snapshot!(screen(&view, (80, 24), Paint::PLAIN, now));
    }

    #[test]
    fn a_search_in_120_columns_and_40_lines() {
        let (mut view, now) = searching();
        view.say("warning: the disk is slow");
        insta::assert_snapshot!(screen(&view, (120, 40), Paint::PLAIN, now));
    }

    #[test]
    fn a_narrow_screen_has_the_code_alone_and_a_low_one_the_figures() {
        let (view, now) = searching();
        insta::assert_snapshot!(screen(&view, (44, 12), Paint::PLAIN, now));
        insta::assert_snapshot!(screen(&view, (60, 5), Paint::PLAIN, now));
    }

    #[test]
    fn no_size_is_too_small() {
        let (view, now) = searching();
        for width in 1..100 {
            for height in 1..30 {
                let text = screen(&view, (width, height), Paint::PLAIN, now);
                assert!(!text.trim().is_empty() || width < 5, "{width} x {height}");
            }
        }
        assert!(screen(&view, (30, 1), Paint::PLAIN, now).starts_with("76/1290 tokens"));
    }

    #[test]
    fn before_the_search_it_says_what_is_done() {
        let now = Instant::now();
        let mut view = View::new(None, now);
        let what = "running `cargo check`".to_owned();
        view.event(&Event::Preparing { what }, now);
        let text = screen(&view, (80, 24), Paint::PLAIN, now);
        assert!(text.contains("running `cargo check`, 0.0 s"), "{text}");
        assert!(text.contains("no program yet"), "{text}");
        assert!(!text.contains("detach"), "nothing would go on: {text}");
    }

    #[test]
    fn without_colours_the_part_under_trial_is_reversed_and_nothing_is_coloured() {
        use ratatui::style::{Color, Modifier};
        let (view, now) = searching();
        let mut terminal = Terminal::new(TestBackend::new(80, 24)).unwrap();
        terminal
            .draw(|frame| draw(frame, &view, Paint::PLAIN, now))
            .unwrap();
        let cells = terminal.backend().buffer().content();
        assert!(
            cells
                .iter()
                .all(|cell| (cell.fg, cell.bg) == (Color::Reset, Color::Reset))
        );
        let reversed = cells
            .iter()
            .filter(|cell| cell.modifier.contains(Modifier::REVERSED));
        let reversed: String = reversed.map(|cell| cell.symbol()).collect();
        assert_eq!(reversed, "type Entry = T;");
    }

    #[test]
    fn what_acts_on_a_terminal_does_not_get_there() {
        let (mut view, now) = searching();
        view.say("warning: \u{1b}[2J\u{202e}");
        view.failure = Some("bug: \u{9b}2J".to_owned());
        let text = screen(&view, (80, 24), Paint::PLAIN, now);
        assert!(
            text.contains("\\u{1b}[2J\\u{202e}") && text.contains("\\u{9b}2J"),
            "{text}"
        );
    }

    #[test]
    fn a_program_that_is_too_long_or_has_several_files_says_so() {
        let (mut view, now) = searching();
        let mut job = live_job();
        let files = job.live.files.as_mut().unwrap();
        files.push(files[0].clone());
        files[1].place = "reduced/a.rs".into();
        files[1].text = None;
        job.live.parts = vec![LivePart {
            file: 1,
            bytes: 0..1,
        }];
        view.update(job, now);
        let text = screen(&view, (80, 24), Paint::PLAIN, now);
        assert!(text.contains("reduced/a.rs (2 of 2 files)"), "{text}");
        assert!(text.contains("too long to be shown"), "{text}");
    }

    #[test]
    fn not_all_is_gone_as_long_as_something_is_left() {
        let (mut view, now) = searching();
        let progress = view.progress.as_mut().unwrap();
        (progress.tokens_now, progress.tokens_at_start) = (102, 61_753);
        assert!(sizes(&view, now).starts_with("102/61753 tokens (-99 %)"));
        view.progress.as_mut().unwrap().tokens_now = 0;
        assert!(sizes(&view, now).starts_with("0/61753 tokens (-100 %)"));
    }

    #[test]
    fn skipped_passes_are_counted_and_have_a_mark() {
        let (mut view, now) = searching();
        view.live.figures.skipped = vec!["delete_items".to_owned()];
        let text = screen(&view, (80, 24), Paint::PLAIN, now);
        assert!(text.contains("60 tokens   1 skipped\n"), "{text}");
        assert!(text.contains(" delete_items* "), "{text}");
    }

    #[test]
    fn the_pass_under_way_is_among_those_that_are_shown() {
        let (view, _) = searching();
        let names = |room| {
            let rows = most_useful(&view.live.figures.passes, Some("delete_parts"), room);
            rows.into_iter()
                .map(|pass| pass.pass.as_str())
                .collect::<Vec<_>>()
        };
        assert_eq!(names(1), ["delete_parts"]);
        assert_eq!(names(2), ["keep_slice", "delete_parts"]);
        assert_eq!(names(5), ["keep_slice", "delete_items", "delete_parts"]);
    }
}
