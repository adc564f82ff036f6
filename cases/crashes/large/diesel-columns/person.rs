struct Once;

struct Never;

trait AppearsInFromClause {
    type Count;
}

struct Table;

impl AppearsInFromClause for Table {
    type Count = Never;
}

fn inner_join<T: AppearsInFromClause<Count = Once>>() {}

fn columns_of_type() {
    inner_join::<Table>();
}
