//! A macro that declares a type for each list algorithm.

/// Declares a list algorithm: a [`Search`](crate::Search) whose candidates are subsets.
macro_rules! list_search {
    ($(#[$attribute:meta])* $name:ident($machine:ty)) => {
        $(#[$attribute])*
        #[derive(Debug)]
        pub struct $name(crate::speculative::Speculative<$machine>);

        impl $name {
            fn run(machine: $machine) -> Self {
                Self(crate::speculative::Speculative::from_machine(machine))
            }
        }

        impl crate::search::Search for $name {
            type Candidate = crate::subset::Subset;

            fn propose(&mut self) -> Option<(crate::search::Ticket, Self::Candidate)> {
                self.0.propose()
            }

            fn answer(
                &mut self,
                ticket: crate::search::Ticket,
                interesting: bool,
            ) -> crate::search::Answered<Self::Candidate> {
                self.0.answer(ticket, interesting)
            }

            fn is_done(&self) -> bool {
                self.0.is_done()
            }
        }
    };
}

pub(crate) use list_search;
