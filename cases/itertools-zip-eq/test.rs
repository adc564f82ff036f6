//! Tables of text: rows are set against the columns of a heading.

use itertools::Itertools;
use std::collections::BTreeMap;
use std::fmt::Write;

struct Table {
    columns: Vec<String>,
    rows: Vec<BTreeMap<String, String>>,
}

fn cells(line: &str) -> impl Iterator<Item = String> + '_ {
    line.split('|').map(|cell| cell.trim().to_string())
}

impl Table {
    fn read(text: &str) -> Self {
        let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        let heading = lines.next().expect("a table has a heading");
        let columns: Vec<String> = cells(heading).collect();
        let rows = lines.map(|line| {
            let pairs = cells(line).zip_eq(columns.iter().cloned());
            pairs.map(|(cell, column)| (column, cell)).collect()
        });
        let rows = rows.collect();
        Table { columns, rows }
    }

    fn column(&self, name: &str) -> Vec<&str> {
        self.rows.iter().map(|row| row[name].as_str()).collect()
    }

    fn groups(&self, by: &str, of: &str) -> BTreeMap<&str, usize> {
        let pairs = self
            .rows
            .iter()
            .map(|row| (row[by].as_str(), row[of].as_str()));
        let groups = pairs.into_group_map();
        let counts = groups
            .into_iter()
            .map(|(key, values)| (key, values.into_iter().unique().count()));
        counts.collect()
    }

    fn print(&self) -> String {
        let mut text = self.columns.iter().join(" | ");
        for row in &self.rows {
            let cells = self.columns.iter().map(|column| &row[column]);
            write!(text, "\n{}", cells.format(" | ")).expect("a string takes all");
        }
        text
    }
}

const FLEET: &str = "
    ship      | port     | tons
    Aurora    | Bergen   | 1200
    Borealis  | Bergen   | 900
    Castor    | Tromso   | 640
";

#[test]
fn columns_are_read_by_name() {
    let fleet = Table::read(FLEET);
    assert_eq!(fleet.column("port"), ["Bergen", "Bergen", "Tromso"]);
    assert_eq!(fleet.column("tons"), ["1200", "900", "640"]);
}

#[test]
fn rows_are_grouped() {
    let fleet = Table::read(FLEET);
    let ships = fleet.groups("port", "ship");
    assert_eq!(ships["Bergen"], 2);
    assert_eq!(ships["Tromso"], 1);
}

#[test]
fn a_table_is_printed_as_it_was_read() {
    let text = Table::read(FLEET).print();
    assert_eq!(Table::read(&text).print(), text);
    assert_eq!(text.lines().nth(3), Some("Castor | Tromso | 640"));
}

#[test]
#[should_panic(expected = "end of one iterator")]
fn a_row_with_too_many_cells_is_refused() {
    Table::read("ship | port\nAurora | Bergen | 1200");
}

#[test]
#[should_panic(expected = "end of one iterator before the other")]
fn a_row_with_too_few_cells_is_refused() {
    let fleet = Table::read(FLEET);
    let mut text = fleet.print();
    assert_eq!(text.lines().count(), 4);
    text.push_str("\nDelta | Oslo");
    let longer = Table::read(&text);
    println!("{} rows", longer.rows.len());
}
