trait TableNotEqual<T> {}

fn inner_join<T: TableNotEqual<()>>() {}

fn columns_of_type() {
    inner_join::<()>();
}
