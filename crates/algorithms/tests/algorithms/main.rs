//! Tests of the algorithms through their public interface: the papers' own figures, properties that
//! must hold for any list and any predicate, and the simulation of WDD, IV-D.

mod harness;
mod predicate;
mod properties;
mod reference;
mod simulated_list;
mod simulation;
mod speculation;
mod waves;
