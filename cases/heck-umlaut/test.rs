//! Names of columns in databases, from the headings of spreadsheets.

use heck::{ToKebabCase, ToLowerCamelCase, ToShoutySnakeCase, ToSnakeCase, ToTitleCase};
use rstest::{fixture, rstest};
use std::collections::HashSet;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Database {
    Lower,
    Upper,
    Document,
}

struct Naming {
    database: Database,
    taken: HashSet<String>,
    longest: usize,
}

impl Naming {
    fn new(database: Database) -> Self {
        let longest = match database {
            Database::Lower => 24,
            Database::Upper => 18,
            Database::Document => 40,
        };
        Naming {
            database,
            taken: HashSet::new(),
            longest,
        }
    }

    fn styled(&self, heading: &str) -> String {
        match self.database {
            Database::Lower => heading.to_snake_case(),
            Database::Upper => heading.to_shouty_snake_case(),
            Database::Document => heading.to_lower_camel_case(),
        }
    }

    /// A name that no column has yet.
    fn column(&mut self, heading: &str) -> String {
        let styled: String = self.styled(heading).chars().take(self.longest).collect();
        let mut name = styled.clone();
        let mut number = 2;
        while !self.taken.insert(name.clone()) {
            name = format!("{styled}{number}");
            number += 1;
        }
        name
    }
}

#[fixture]
fn lower() -> Naming {
    let mut naming = Naming::new(Database::Lower);
    for heading in ["Id", "Created at"] {
        naming.column(heading);
    }
    naming
}

#[rstest]
#[case("id", "id2")]
#[case("createdAt", "created_at2")]
#[case("Unit Price (EUR)", "unit_price_eur")]
fn names_are_not_taken_twice(mut lower: Naming, #[case] heading: &str, #[case] expected: &str) {
    assert_eq!(lower.column(heading), expected);
}

#[rstest]
#[case(Database::Lower, "Invoice Number", "invoice_number")]
#[case(Database::Upper, "XMLHttpRequest", "XML_HTTP_REQUEST")]
#[case(Database::Document, "date-of-birth", "dateOfBirth")]
#[case(Database::Upper, "a very long heading indeed", "A_VERY_LONG_HEADIN")]
#[case(Database::Lower, "Größe derLieferung", "größe_der_lieferung")]
#[case(Database::Document, "2nd reminder", "2ndReminder")]
fn names_of_columns_follow_the_style_of_the_database(
    #[case] database: Database,
    #[case] heading: &str,
    #[case] expected: &str,
) {
    let mut naming = Naming::new(database);
    assert_eq!(naming.column("Key"), naming.styled("key"));
    assert_eq!(naming.column(heading), expected);
}

#[rstest]
fn headings_are_shown_as_titles(#[values("unit_price", "unitPrice", "UNIT-PRICE")] name: &str) {
    assert_eq!(name.to_title_case(), "Unit Price");
    assert_eq!(name.to_kebab_case(), "unit-price");
}
