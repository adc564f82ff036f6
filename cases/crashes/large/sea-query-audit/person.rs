struct SelectStatement;

fn before() -> SelectStatement {
    &SelectStatement
}
