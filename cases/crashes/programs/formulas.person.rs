struct Parser(u8);

impl Parser {
    fn name(&mut self) -> &mut u8 {
        &mut self.0
    }

    fn exchange(&mut self) {
        let a = self.name();
        self.name();
        a;
    }
}
