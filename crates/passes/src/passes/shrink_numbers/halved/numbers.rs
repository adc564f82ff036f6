//! Computes smaller numbers for the literal of a number.

use syn::{LitFloat, LitInt};

/// Returns a half and three quarters of an integer, so that something near a bound is found in few steps, and the
/// integer without its suffix.
pub(super) fn smaller(int: &LitInt) -> Vec<String> {
    let Ok(value) = int.base10_parse::<u128>() else {
        return Vec::new();
    };
    let quarter = (value / 4).max(1).min(value);
    let mut smaller = vec![value / 2, value - quarter];
    smaller.retain(|less| *less > 1);
    smaller.dedup();
    let suffix = int.suffix();
    let plain = (!suffix.is_empty() && value > 1).then(|| value.to_string());
    let smaller = smaller.into_iter().map(|less| format!("{less}{suffix}"));
    plain.into_iter().chain(smaller).collect()
}

/// Returns the rounder numbers for a float: one, a half, and the part before the point.
pub(super) fn rounder(float: &LitFloat) -> Vec<String> {
    /// The number above which a float's digits are not all exact.
    const LARGE: f64 = 1e6;
    let Ok(value) = float.base10_parse::<f64>() else {
        return Vec::new();
    };
    let suffix = float.suffix();
    let plain = (!suffix.is_empty()).then(|| float.base10_digits().to_owned());
    let mut rounder: Vec<f64> = match value {
        _ if value <= 1.0 => vec![],
        _ if value > LARGE => vec![1.0],
        _ => vec![1.0, (value / 2.0).floor(), value.floor()],
    };
    rounder.retain(|one| *one >= 1.0 && *one < value);
    rounder.dedup();
    let rounder = rounder.into_iter().map(|one| format!("{one:.1}{suffix}"));
    plain.into_iter().chain(rounder).collect()
}
