//! The values of a test, as far as they are known, and the reasons why an expression has none.

use super::literal::key_of;

/// The number of a place in the store, where a variable or a part of one is.
pub(super) type Slot = usize;

/// A value of the test, as far as it is known.
#[derive(Debug, Clone)]
pub(super) enum Value {
    /// A literal.
    Known(String),
    /// A struct, tuple or variant whose parts are apart.
    Made(Made),
    Reference {
        to: Slot,
        is_mut: bool,
    },
    /// A closure, by its number.
    Closure(usize),
    /// An iterator chain that calls nothing until its variable is named, by its number.
    Waiting(usize),
    /// A variable of the straight line, or a part of one.
    Variable {
        text: String,
        is_clean: bool,
    },
    /// An expression that the straight line has yet to evaluate.
    Expression {
        text: String,
        is_clean: bool,
    },
    /// No value yet, or `()`.
    Unit,
}

impl Value {
    /// The value, as one in which the code under test has a part if it is yet to be evaluated.
    pub(super) fn tainted(self) -> Self {
        match self {
            Self::Expression { text, .. } => Self::Expression {
                text,
                is_clean: false,
            },
            other => other,
        }
    }
}

/// A value that is made of parts.
#[derive(Debug, Clone)]
pub(super) struct Made {
    /// The path of the struct, variant or collection; nothing for a tuple or an array.
    pub(super) path: String,
    /// The parts, by name, number or key.
    pub(super) fields: Vec<(String, Slot)>,
    pub(super) form: MadeForm,
}

/// The form of a value that is made of parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MadeForm {
    /// A tuple, or what has its parts in parentheses.
    Numbered,
    /// Parts with names.
    Named,
    /// A list of the standard library, or an array.
    Listed,
    /// The elements that an iterator of the standard library has yet to give.
    Iterated,
    /// A map of the standard library, by the literals of its keys.
    Keyed,
}

/// A reason why an expression has no value.
#[derive(Debug)]
pub(super) enum Stop {
    Return(Value),
    /// The function is left as this result of the code under test is an error, or is nothing.
    Fails {
        text: String,
        is_clean: bool,
    },
    Break,
    Continue,
    /// The run ends here.
    End,
    /// The function that is walked through has a branch that has to stay and leaves it, so that it is called.
    Unresolved,
    /// The straight line cannot be written, for this reason.
    GiveUp(&'static str),
}

/// The stop where a value does not have the parts that the code takes from it.
pub(super) const UNLIKE: Stop = Stop::GiveUp("a value has other parts than the code takes from it");

pub(super) type Evaluated = Result<Value, Stop>;

impl Made {
    pub(super) fn slot(&self, name: &str) -> Option<Slot> {
        let is_meant = |known: &str| match self.form {
            MadeForm::Keyed => key_of(known) == key_of(name),
            _ => known == name,
        };
        let mut fields = self.fields.iter();
        let found = fields.find(|(known, _)| is_meant(known));
        found.map(|(_, slot)| *slot)
    }
}
