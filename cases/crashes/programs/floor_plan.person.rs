struct Meters;

fn cost(width: Meters) {
    2.0 * width;
}
