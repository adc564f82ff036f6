//! Numbers for texts that are repeated often.

use std::collections::HashMap;

/// Texts with numbers, in the order in which they were added.
#[derive(Debug, Default)]
pub(super) struct Numbers {
    pub(super) all: Vec<String>,
    by_text: HashMap<String, u32>,
}

impl Numbers {
    pub(super) fn of(&mut self, text: &str) -> u32 {
        if let Some(&number) = self.by_text.get(text) {
            return number;
        }
        let number =
            u32::try_from(self.all.len()).expect("there are fewer names than bytes in 4 GB");
        self.all.push(text.to_owned());
        self.by_text.insert(text.to_owned(), number);
        number
    }
}
