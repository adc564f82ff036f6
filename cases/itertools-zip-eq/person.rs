use itertools::Itertools;

#[test]
#[should_panic(expected = "end of one iterator before the other")]
fn a_row_with_too_few_cells_is_refused() {
    [0; 2].iter().zip_eq([0; 3]).count();
}
