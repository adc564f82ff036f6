//! Attacks in a reduction with all passes; `tests/hostile.rs` has them with few.

use crate::support::hostile::check_attacks;

#[test]
fn candidates_that_attack_with_all_passes_change_nothing() {
    check_attacks(&[]);
}
