//! Computes with numbers that a trace has written.

use super::literal::number;

/// The number that `left op= right` leaves, with the suffix of its type.
pub(super) fn computed(left: &str, operator: &str, right: &str) -> Option<String> {
    let ((one, left_type), (other, right_type)) = (number(left)?, number(right)?);
    let result = match operator {
        "+=" => one.checked_add(other)?,
        "-=" => one.checked_sub(other)?,
        "*=" => one.checked_mul(other)?,
        _ => return None,
    };
    // A number without a suffix has the type of the other.
    let ty = match left_type {
        "i32" => right_type,
        other => other,
    };
    Some(match ty {
        "i32" => result.to_string(),
        ty => format!("{result}_{ty}"),
    })
}

#[cfg(test)]
mod tests {
    use super::computed;

    #[test]
    fn numbers_are_computed_in_their_type() {
        let check = |left, operator, right, expected: Option<&str>| {
            assert_eq!(computed(left, operator, right).as_deref(), expected);
        };
        check("4_u8", "+=", "1", Some("5_u8"));
        check("0", "-=", "2_i64", Some("-2_i64"));
        check("2", "*=", "3", Some("6"));
        check("2", "/=", "3", None);
        check("a", "+=", "3", None);
    }
}
