struct IntervalSet {
    ranges: Vec<u8>,
}

impl IntervalSet {
    fn union(&mut self) {
        self.ranges.extend(&self.ranges);
    }
}
