//! A family of functions: those of one signature, with their calls.

use crate::ids::{CallId, DefId, WordId};

/// Functions of one signature: a function, or the member of a trait with those of its impls.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Family {
    /// The functions of the family; that of a trait comes before those of its impls.
    pub functions: Vec<DefId>,
    /// The calls that mean, or may mean, one of the functions. A call that may mean several families is one
    /// of each.
    pub calls: Vec<CallId>,
    /// The other words that mean one of the functions, or may do so.
    pub mentions: Vec<WordId>,
}
