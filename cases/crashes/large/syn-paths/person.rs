fn visit_macro<'m, 'ast>(invocation: &'m u8) -> &'ast u8 {
    invocation
}
