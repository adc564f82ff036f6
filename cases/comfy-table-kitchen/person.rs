use comfy_table::{ContentArrangement, Table};

#[test]
fn a_slip_without_remarks_fits_on_the_paper() {
    let mut table = Table::new();
    table.set_content_arrangement(ContentArrangement::Dynamic).set_width(12);
    table.add_row(vec!["buttermilk", ""]);
    assert_eq!(table.lines().next().unwrap().len(), 12);
}
