struct Ledger(u8);

impl Ledger {
    fn late(&self) -> std::slice::Iter<'_, u8> {
        [].iter()
    }

    fn charge(&mut self) {}

    fn remind(&mut self) {
        for _ in self.late() {
            self.charge();
        }
    }
}
