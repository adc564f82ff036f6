struct Order;

fn pack(_: Order) {}

fn ship(order: Order) {
    pack(order);
    &order;
}
