//! Tests of the reduction of trees through its public interface: the figures of the paper by hand,
//! properties that must hold for any tree and any predicate, and deep and wide trees.

mod figures;
#[path = "../algorithms/harness.rs"]
mod harness;
mod large;
mod model;
mod problem;
mod properties;
mod sample;
mod tickets;
