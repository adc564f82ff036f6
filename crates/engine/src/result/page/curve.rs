//! A curve as an SVG drawing: the size of the program in tokens, on a logarithmic scale, over time or queries. It goes
//! down in stairs, as nothing changes between two steps.

use maud::{Markup, html};
use std::fmt::Write;

/// The width of the drawing, in units of its own.
const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 300.0;
/// The margin at the left side of the drawing, for words.
const LEFT: f64 = 64.0;
const RIGHT: f64 = 16.0;
const TOP: f64 = 12.0;
const BOTTOM: f64 = 44.0;

/// The horizontal axis of a curve, such as time or queries.
pub(super) struct Axis {
    /// The id of the drawing in the HTML page.
    pub(super) id: &'static str,
    /// The name of the quantity that the axis counts.
    pub(super) name: &'static str,
    /// The title of the drawing.
    pub(super) title: &'static str,
}

/// Draws a curve of these points, which go from the left to the right.
pub(super) fn curve(axis: &Axis, points: &[(f64, u64)]) -> Markup {
    let scale = Scale::of(points);
    let title_id = format!("{}-title", axis.id);
    let (most, low, high) = (scale.most, scale.low, scale.high);
    html! {
        svg.curve id=(axis.id) viewBox=(format!("0 0 {WIDTH} {HEIGHT}")) role="img" aria-labelledby=(title_id)
            data-most=(most) data-low=(low) data-high=(high)
            data-left=(LEFT) data-right=(WIDTH - RIGHT) data-top=(TOP) data-bottom=(HEIGHT - BOTTOM) {
            title id=(title_id) { (axis.title) }
            @for tokens in ticks(low, high) {
                @let y = number(scale.y(tokens));
                line.grid x1=(LEFT) x2=(WIDTH - RIGHT) y1=(y) y2=(y) {}
                text.of-y x=(LEFT - 8.0) y=(y) { (tokens) }
            }
            @for value in steps_to(most) {
                @let x = number(scale.x(value));
                line.grid x1=(x) x2=(x) y1=(TOP) y2=(HEIGHT - BOTTOM) {}
                text.of-x x=(x) y=(HEIGHT - BOTTOM + 16.0) { (value) }
            }
            text.of-x x=((LEFT + WIDTH - RIGHT) / 2.0) y=(HEIGHT - 8.0) { (axis.name) }
            text.of-x transform=(format!("translate(12 {}) rotate(-90)", (TOP + HEIGHT - BOTTOM) / 2.0)) { "tokens" }
            path.line d=(stairs(&scale, points)) {}
            circle.here r="5" cx="0" cy="0" hidden {}
        }
    }
}

/// The scale of a drawing, which says where a value on the axis and a size in tokens are drawn.
struct Scale {
    /// The largest value on the horizontal axis.
    most: f64,
    /// The smallest and the largest size of the program, in tokens.
    low: u64,
    high: u64,
}

impl Scale {
    fn of(points: &[(f64, u64)]) -> Self {
        let sizes = || points.iter().map(|(_, tokens)| (*tokens).max(1));
        let (low, high) = (sizes().min().unwrap_or(1), sizes().max().unwrap_or(1));
        let most = points.iter().map(|(at, _)| *at).fold(0.0, f64::max);
        Self {
            most: if most > 0.0 { most } else { 1.0 },
            low,
            high: high.max(low + 1),
        }
    }

    fn x(&self, value: f64) -> f64 {
        LEFT + value / self.most * (WIDTH - RIGHT - LEFT)
    }

    fn y(&self, tokens: u64) -> f64 {
        let logarithm = |size: u64| (size.max(1) as f64).ln();
        let (low, high) = (logarithm(self.low), logarithm(self.high));
        let part = (logarithm(tokens) - low) / (high - low);
        HEIGHT - BOTTOM - part * (HEIGHT - BOTTOM - TOP)
    }
}

/// Makes the SVG path of a curve, without points that would not be seen: a reduction may have more steps than the
/// drawing has room for.
fn stairs(scale: &Scale, points: &[(f64, u64)]) -> String {
    let mut path = String::new();
    let mut last: Option<(String, String)> = None;
    for (value, tokens) in points {
        let here = (number(scale.x(*value)), number(scale.y(*tokens)));
        match &last {
            None => write!(path, "M{} {}", here.0, here.1),
            Some(last) if *last == here => Ok(()),
            Some(last) => {
                let right = if last.0 == here.0 {
                    String::new()
                } else {
                    format!("H{}", here.0)
                };
                let down = if last.1 == here.1 {
                    String::new()
                } else {
                    format!("V{}", here.1)
                };
                write!(path, "{right}{down}")
            }
        }
        .expect("writing to a string does not fail");
        last = Some(here);
    }
    if points.len() == 1 {
        path.push_str(&format!("H{}", number(WIDTH - RIGHT)));
    }
    path
}

/// Formats a coordinate, with as many digits as are seen.
fn number(value: f64) -> String {
    let text = format!("{value:.1}");
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}

/// Returns round sizes between two sizes, such as 20 or 500, for the labels of the axis: fewer of
/// them where the range is large.
fn ticks(low: u64, high: u64) -> Vec<u64> {
    let powers = std::iter::successors(Some(1_u64), |power| power.checked_mul(10));
    let powers: Vec<u64> = powers.take_while(|power| *power <= high).collect();
    let few: &[u64] = match high / low {
        0..5 => &[1, 2, 3, 4, 5, 6, 7, 8, 9],
        5..1000 => &[1, 2, 5],
        _ => &[1],
    };
    let all = powers
        .iter()
        .flat_map(|power| few.iter().map(move |digit| digit * power));
    let mut ticks: Vec<u64> = all.filter(|tick| (low..=high).contains(tick)).collect();
    if ticks.is_empty() {
        ticks = vec![low, high];
    }
    ticks
}

/// Returns about five round numbers from 0 to `most`, for the labels of the axis.
fn steps_to(most: f64) -> Vec<f64> {
    let power = 10_f64.powf(most.log10().floor());
    let step = [0.2, 0.5, 1.0, 2.0]
        .into_iter()
        .map(|part| part * power)
        .find(|step| most / step <= 6.0)
        .unwrap_or(most);
    let n_steps = (most / step).floor() as u64;
    // A sum like three times 0.2 must be written as 0.6.
    let round = |value: f64| (value * 1e6).round() / 1e6;
    (0..=n_steps).map(|at| round(at as f64 * step)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const AXIS: Axis = Axis {
        id: "c",
        name: "queries",
        title: "Size",
    };

    #[test]
    fn the_line_begins_at_the_upper_left_and_ends_at_the_lower_right() {
        let text = curve(&AXIS, &[(0.0, 1000), (10.0, 100), (20.0, 10)]).into_string();
        assert!(text.contains("d=\"M64 12H404V134H744V256\""), "{text}");
    }

    #[test]
    fn a_program_that_stays_as_it_is_has_a_curve() {
        for points in [
            &[(0.0, 7)][..],
            &[(0.0, 7), (0.0, 7)],
            &[(0.0, 0), (3.0, 0)],
        ] {
            let text = curve(&AXIS, points).into_string();
            assert!(text.contains("d=\"M") && !text.contains("NaN"), "{text}");
        }
    }

    #[test]
    fn a_long_search_has_a_short_line() {
        let points = (0..200_000_u32).map(|at| (f64::from(at), u64::from(200_000 - at)));
        let points: Vec<_> = points.collect();
        assert!(stairs(&Scale::of(&points), &points).len() < 200_000);
    }

    #[test]
    fn ticks_are_round_numbers() {
        assert_eq!(ticks(25, 1290), [50, 100, 200, 500, 1000]);
        assert_eq!(ticks(3, 90_000), [10, 100, 1000, 10_000]);
        assert_eq!(ticks(6, 8), [6, 7, 8]);
        assert_eq!(ticks(52, 155), [60, 70, 80, 90, 100]);
        assert_eq!(ticks(101, 102), [101, 102]);
        assert_eq!(steps_to(60.0), [0.0, 10.0, 20.0, 30.0, 40.0, 50.0, 60.0]);
        assert_eq!(steps_to(0.7), [0.0, 0.2, 0.4, 0.6]);
        assert_eq!(steps_to(1.0), [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]);
    }
}
