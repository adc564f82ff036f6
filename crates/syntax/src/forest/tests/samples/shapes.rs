//! A program with expressions, statements and patterns of all kinds.
#![allow(unused, dead_code)]

use std::collections::{BTreeMap, BTreeSet as Set, hash_map::{self}};
use std::fmt::{self};

/// What is measured.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Shape<'a, T: Clone + 'a = u8> {
    Circle { radius: f64, name: &'a str },
    Square(T, pub u8),
    Nothing = 3,
}

pub trait Area<T>: Clone + Send
where
    T: Clone,
    Self: Sized,
{
    type Output: Copy + Into<f64>;
    const SIDES: u32 = 4;

    fn area(&self, scale: T) -> Self::Output;
    fn twice(&mut self) -> f64 {
        let area: f64 = self.area(todo()).into();
        area * 2.0
    }
    fn nothing(&self) {}
}

impl<'a, T> Area<T> for Shape<'a, T>
where
    T: Clone + Into<f64>,
{
    type Output = f64;

    #[inline]
    fn area(&self, scale: T) -> f64 {
        let factor = scale.into();
        match self {
            Shape::Circle { radius, .. } if *radius > 0.0 => factor * radius * radius,
            Shape::Square(side, _) | Shape::Other(side) => {
                let side: f64 = side.clone().into();
                side * side
            }
            _ => return 0.0,
        }
    }
}

unsafe fn walk(mut shapes: Vec<Option<(u8, u8)>>, by: &dyn Fn(u8, u8) -> u8) -> Result<u8, ()> {
    let mut total = 0;
    'outer: for (idx, shape) in shapes.iter().enumerate() {
        while let Some((a, b)) = shape {
            if *a == 0 { continue 'outer; } else if *b > 1 { break } else { total += by(*a, *b); }
            total += { let inner = |x: u8, y| -> u8 { x + y }; inner(1, 2) };
        }
    }
    let Some(&last) = shapes.last() else { return Err(()) };
    let pair @ (first, ..) = (total, [1u8, 2, 3], Point { x: 1, y: (2), ..Default::default() });
    let slice = &shapes[1..=2];
    unsafe { std::mem::drop(&mut total) }
    println!("{} {:?}", total, slice);
    Ok(first)
}

const TABLE: [u8; 3] = [1, 2 + 3, { 4 }];
static mut COUNT: usize = if cfg!(test) { 1 } else { 2 };
type Callback<T> = Box<dyn for<'b> FnMut(&'b mut T, fn(u8) -> u8) -> Vec<Box<T>> + 'static>;
