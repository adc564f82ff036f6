//! Slips that a small printer in a kitchen makes of the orders. Its paper is narrow, and lines that are
//! too long jam it.

use comfy_table::presets::{ASCII_HORIZONTAL_ONLY, ASCII_MARKDOWN};
use comfy_table::{CellAlignment, ColumnConstraint, ContentArrangement, Table, Width};
use std::collections::BTreeMap;
use std::fmt;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Station {
    Grill,
    Cold,
    Bar,
}

impl fmt::Display for Station {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Station::Grill => "grill",
            Station::Cold => "cold kitchen",
            Station::Bar => "bar",
        })
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Item {
    count: u32,
    dish: &'static str,
    station: Station,
    remark: Option<&'static str>,
    done: bool,
}

#[derive(Debug, Default)]
struct Order {
    table: u32,
    guests: u32,
    items: Vec<Item>,
}

impl Order {
    fn at(table: u32, guests: u32) -> Self {
        Order {
            table,
            guests,
            ..Order::default()
        }
    }

    fn item(mut self, count: u32, dish: &'static str, station: Station) -> Self {
        self.items.push(Item {
            count,
            dish,
            station,
            remark: None,
            done: false,
        });
        self
    }

    /// A remark for the item that was added last.
    fn remark(mut self, remark: &'static str) -> Self {
        if let Some(item) = self.items.last_mut() {
            item.remark = Some(remark);
        }
        self
    }

    fn finish(&mut self, station: Station) {
        for item in self.items.iter_mut().filter(|item| item.station == station) {
            item.done = true;
        }
    }

    fn stations(&self) -> BTreeMap<Station, Vec<&Item>> {
        let mut stations: BTreeMap<Station, Vec<&Item>> = BTreeMap::new();
        for item in &self.items {
            stations.entry(item.station).or_default().push(item);
        }
        stations
    }
}

#[derive(Debug, PartialEq, Eq)]
enum Jam {
    NoPaper,
    TooWide { line: usize, columns: usize },
}

struct Printer {
    columns: u16,
    /// How many lines are left on the roll.
    lines: usize,
    frame: &'static str,
    printed: Vec<String>,
}

impl Printer {
    fn new(columns: u16) -> Self {
        Printer {
            columns,
            lines: 200,
            frame: ASCII_MARKDOWN,
            printed: Vec::new(),
        }
    }

    /// The table of a slip: how many, what, how, and a tick for each that is done.
    fn table(&self, items: &[&Item]) -> Table {
        let mut table = Table::new();
        table
            .load_preset(self.frame)
            .set_content_arrangement(ContentArrangement::Dynamic)
            .set_width(self.columns);
        for item in items {
            table.add_row(vec![
                item.count.to_string(),
                item.dish.to_owned(),
                item.remark.unwrap_or_default().to_owned(),
                if item.done { "x" } else { "" }.to_owned(),
            ]);
        }
        if let Some(column) = table.column_mut(0) {
            column.set_cell_alignment(CellAlignment::Right);
            column.set_constraint(ColumnConstraint::UpperBoundary(Width::Fixed(5)));
        }
        table
    }

    fn feed(&mut self, text: &str) -> Result<(), Jam> {
        for line in text.lines() {
            let columns = line.chars().count();
            if columns > usize::from(self.columns) {
                return Err(Jam::TooWide {
                    line: self.printed.len() + 1,
                    columns,
                });
            }
            self.lines = self.lines.checked_sub(1).ok_or(Jam::NoPaper)?;
            self.printed.push(line.trim_end().to_owned());
        }
        Ok(())
    }

    /// A slip for each station that has something to do.
    fn print(&mut self, order: &Order) -> Result<usize, Jam> {
        let stations = order.stations();
        for (station, items) in &stations {
            self.feed(&format!("{station:<13} table {}", order.table))?;
            if order.guests > 6 {
                self.feed(&format!("{} guests", order.guests))?;
            }
            let table = self.table(items);
            self.feed(&table.to_string())?;
            self.feed("\n")?;
        }
        Ok(stations.len())
    }
}

fn dinner() -> Order {
    Order::at(7, 8)
        .item(2, "trout with almonds and potatoes", Station::Grill)
        .remark("one without butter")
        .item(1, "lamb chops", Station::Grill)
        .item(3, "salad of the house with goat cheese", Station::Cold)
        .item(12, "mineral water", Station::Bar)
}

#[test]
fn each_station_has_its_slip() {
    let mut printer = Printer::new(60);
    let order = Order::at(3, 2)
        .item(1, "toast", Station::Grill)
        .remark("dark")
        .item(2, "tea", Station::Bar)
        .remark("green");
    assert_eq!(printer.print(&order), Ok(2));
    assert_eq!(printer.printed[0], "grill         table 3");
    assert_eq!(printer.printed[1].replace(' ', ""), "|1|toast|dark||");
}

#[test]
fn large_parties_are_announced() {
    let mut printer = Printer::new(60);
    printer.print(&dinner()).unwrap();
    let announced = printer.printed.iter().filter(|line| *line == "8 guests");
    assert_eq!(announced.count(), 3);
}

#[test]
fn without_paper_nothing_is_printed() {
    let mut printer = Printer::new(60);
    printer.lines = 4;
    assert_eq!(printer.print(&dinner()), Err(Jam::NoPaper));
}

#[test]
fn a_slip_without_remarks_fits_on_the_paper() {
    let mut order = dinner();
    order.finish(Station::Grill);
    let mut printer = Printer::new(32);
    printer.frame = ASCII_HORIZONTAL_ONLY;
    assert_eq!(printer.print(&order), Ok(3));
    let widest = printer.printed.iter().map(|line| line.chars().count()).max();
    assert!(widest <= Some(32));

    let second = Order::at(9, 2).item(1, "bread with butter and chives", Station::Cold);
    printer.frame = ASCII_MARKDOWN;
    assert_eq!(printer.print(&second), Ok(1));
}
