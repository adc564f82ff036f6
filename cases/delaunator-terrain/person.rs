use delaunator::{triangulate, Point};

#[test]
fn a_slope_to_the_west_drains_to_the_west() {
    let points = [(0., 0.), (1., 0.), (2., 0.), (0., 1.)].map(|(x, y)| Point { x, y });
    assert_eq!(triangulate(&points).triangles.len(), 6);
}
