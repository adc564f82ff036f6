struct Ends;

impl vte::Perform for Ends {
    fn esc_dispatch(&mut self, intermediates: &[u8], _: bool, _: u8) {
        assert_eq!(intermediates, []);
    }
}

#[test]
fn requests_and_their_ends_are_not_in_the_text() {
    let mut parser = vte::Parser::new();
    for byte in *b"\x1bP$q\x1b\\" {
        parser.advance(&mut Ends, byte);
    }
}
