trait Cost {}

impl<T> Cost for Vec<T> where Vec<Box<T>>: Cost {}
