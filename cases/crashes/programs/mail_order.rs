//! A mail order business in modules: the catalogue, the store, the packing room and the books.

pub use self::catalogue::{Article, Catalogue};
pub use self::office::*;

pub mod prelude {
    pub use crate::catalogue::*;
    pub use crate::errors::{Error, Result};
    pub use crate::store::{shelf::Shelf, Store};
    pub(crate) use std::collections::HashMap;
}

pub mod errors {
    use std::fmt;

    pub type Result<T, E = Error> = std::result::Result<T, E>;

    #[derive(Debug)]
    pub enum Error {
        UnknownArticle(u32),
        SoldOut { wanted: u32, left: u32 },
        NoAddress,
    }

    impl fmt::Display for Error {
        fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
            use Error::*;
            match self {
                UnknownArticle(number) => write!(f, "no article {}", number),
                SoldOut { wanted, left } => write!(f, "{} wanted, {} left", wanted, left),
                NoAddress => write!(f, "no address"),
            }
        }
    }

    impl std::error::Error for Error {}
}

pub mod catalogue {
    use super::errors::*;
    use std::collections::BTreeMap;

    #[derive(Debug, Clone)]
    pub struct Article {
        pub number: u32,
        pub title: String,
        pub grams: u32,
        pub price: u64,
    }

    impl Article {
        pub fn is_parcel(&self) -> bool {
            self.grams > 1000
        }
    }

    #[derive(Debug, Default)]
    pub struct Catalogue {
        articles: BTreeMap<u32, Article>,
    }

    impl Catalogue {
        pub fn add(&mut self, title: &str, grams: u32, price: u64) -> u32 {
            let number = self.articles.len() as u32 + 100;
            let article = Article { number, title: title.into(), grams, price };
            self.articles.insert(number, article);
            number
        }

        pub fn article(&self, number: u32) -> Result<&Article> {
            self.articles.get(&number).ok_or(Error::UnknownArticle(number))
        }

        pub fn search<'a>(&'a self, word: &'a str) -> impl Iterator<Item = &'a Article> + 'a {
            self.articles.values().filter(move |a| a.title.contains(word))
        }
    }
}

pub mod store {
    use crate::prelude::*;

    pub mod shelf {
        use super::super::errors::Error;

        #[derive(Debug, Clone, Copy, Default)]
        pub struct Shelf {
            pub row: u8,
            pub(in crate::store) left: u32,
        }

        impl Shelf {
            pub fn take(&mut self, wanted: u32) -> Result<(), Error> {
                if wanted > self.left {
                    return Err(Error::SoldOut { wanted, left: self.left });
                }
                self.left -= wanted;
                Ok(())
            }
        }
    }

    #[derive(Debug, Default)]
    pub struct Store {
        shelves: HashMap<u32, Shelf>,
    }

    impl Store {
        pub fn fill(&mut self, number: u32, count: u32) {
            let row = (number % 20) as u8;
            let shelf = self.shelves.entry(number).or_insert(Shelf { row, left: 0 });
            shelf.left += count;
        }

        pub fn shelf(&mut self, number: u32) -> Result<&mut Shelf> {
            self.shelves.get_mut(&number).ok_or(Error::UnknownArticle(number))
        }

        pub fn left(&self, number: u32) -> u32 {
            self.shelves.get(&number).map_or(0, |shelf| shelf.left)
        }
    }
}

pub mod orders {
    use crate::prelude::*;

    #[derive(Debug, Clone, PartialEq)]
    pub struct Position {
        pub number: u32,
        pub count: u32,
    }

    #[derive(Debug)]
    pub struct Order {
        pub customer: String,
        pub address: Option<String>,
        pub positions: Vec<Position>,
    }

    impl Order {
        pub fn new(customer: &str) -> Self {
            Order { customer: customer.to_string(), address: None, positions: vec![] }
        }

        pub fn to(mut self, address: &str) -> Self {
            self.address = Some(address.to_string());
            self
        }

        pub fn with(mut self, number: u32, count: u32) -> Self {
            match self.positions.iter_mut().find(|p| p.number == number) {
                Some(position) => position.count += count,
                None => self.positions.push(Position { number, count }),
            }
            self
        }

        pub fn total(&self, catalogue: &Catalogue) -> Result<u64> {
            let mut total = 0;
            for Position { number, count } in &self.positions {
                total += catalogue.article(*number)?.price * u64::from(*count);
            }
            Ok(total)
        }
    }
}

pub mod packing {
    pub use self::parcel::*;
    use crate::orders::*;
    use crate::prelude::*;

    mod parcel {
        #[derive(Debug, PartialEq, Eq, Clone, Copy)]
        pub enum Size {
            Letter,
            Small,
            Large,
        }

        #[derive(Debug)]
        pub struct Parcel {
            pub address: String,
            pub grams: u32,
            pub size: Size,
        }

        impl Parcel {
            pub fn postage(&self) -> u64 {
                match self.size {
                    Size::Letter => 180,
                    Size::Small => 499,
                    Size::Large => 699 + u64::from(self.grams / 1000) * 20,
                }
            }
        }
    }

    pub fn pack(order: Order, catalogue: &Catalogue) -> Result<Parcel> {
        let mut grams = 0;
        let mut is_parcel = false;
        for position in &order.positions {
            let article = catalogue.article(position.number)?;
            grams += article.grams * position.count;
            is_parcel |= article.is_parcel();
        }
        let size = match grams {
            0..=500 if !is_parcel => Size::Letter,
            0..=2000 => Size::Small,
            _ => Size::Large,
        };
        let address = order.address.ok_or(Error::NoAddress)?;
        Ok(Parcel { address, grams, size })
    }
}

mod office {
    use crate::orders::Order;
    use crate::packing::{self, Parcel};
    use crate::prelude::*;

    #[derive(Debug, Default)]
    pub struct Office {
        pub catalogue: Catalogue,
        pub store: Store,
        books: HashMap<String, u64>,
        returned: Vec<Order>,
    }

    impl Office {
        pub fn stock(&mut self, title: &str, grams: u32, price: u64, count: u32) -> u32 {
            let number = self.catalogue.add(title, grams, price);
            self.store.fill(number, count);
            number
        }

        fn reserve(&mut self, order: &Order) -> Result<()> {
            for position in &order.positions {
                self.store.shelf(position.number)?.take(position.count)?;
            }
            Ok(())
        }

        fn book(&mut self, customer: &str, amount: u64) {
            *self.books.entry(customer.to_string()).or_default() += amount;
        }

        /// Takes the articles from the shelves, packs them, and writes the bill.
        pub fn ship(&mut self, order: Order) -> Result<Parcel> {
            self.reserve(&order)?;
            let parcel = packing::pack(order, &self.catalogue)?;
            let total = order.total(&self.catalogue)? + parcel.postage();
            self.book(&order.customer, total);
            Ok(parcel)
        }

        pub fn take_back(&mut self, order: Order) -> Result<u64> {
            let total = order.total(&self.catalogue)?;
            for position in &order.positions {
                self.store.fill(position.number, position.count);
            }
            self.returned.push(order);
            Ok(total)
        }

        pub fn debt(&self, customer: &str) -> u64 {
            self.books.get(customer).copied().unwrap_or(0)
        }

        pub fn offers(&self, word: &str) -> Vec<String> {
            let found = self.catalogue.search(word);
            found
                .filter(|article| self.store.left(article.number) > 0)
                .map(|article| format!("{} ({})", article.title, article.price))
                .collect()
        }
    }
}

pub fn christmas() -> errors::Result<u64> {
    use crate::orders::Order;

    let mut office = Office::default();
    let candle = office.stock("candle", 120, 350, 40);
    let star = office.stock("paper star", 60, 899, 12);
    let order = Order::new("Lind").to("Harbour Street 4").with(candle, 4).with(star, 1);
    let parcel = office.ship(order)?;
    assert_eq!(parcel.size, packing::Size::Small);
    Ok(office.debt("Lind"))
}
