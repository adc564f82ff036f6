//! The ground of a garden: somebody has measured heights, and wants to know where the rain goes.

use delaunator::{triangulate, Point, Triangulation};
use std::collections::BTreeMap;

#[derive(Debug, Clone, Copy, PartialEq)]
struct Spot {
    x: f64,
    y: f64,
    height: f64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Direction {
    North,
    East,
    South,
    West,
    Nowhere,
}

#[derive(Debug, Default)]
struct Survey {
    spots: Vec<Spot>,
}

impl Survey {
    /// Spots at each crossing of a grid, `step` metres apart.
    fn grid(columns: u32, rows: u32, step: f64, height: impl Fn(f64, f64) -> f64) -> Self {
        let mut survey = Survey::default();
        for row in 0..rows {
            for column in 0..columns {
                let (x, y) = (f64::from(column) * step, f64::from(row) * step);
                survey.add(x, y, height(x, y));
            }
        }
        survey
    }

    fn add(&mut self, x: f64, y: f64, height: f64) -> &mut Self {
        self.spots.push(Spot { x, y, height });
        self
    }

    fn without(mut self, is_wrong: impl Fn(&Spot) -> bool) -> Self {
        self.spots.retain(|spot| !is_wrong(spot));
        self
    }

    fn mesh(&self) -> Option<Mesh> {
        let points: Vec<Point> = self
            .spots
            .iter()
            .map(|spot| Point {
                x: spot.x,
                y: spot.y,
            })
            .collect();
        let triangulation = triangulate(&points);
        if triangulation.is_empty() {
            return None;
        }
        Some(Mesh::new(self.spots.clone(), triangulation))
    }
}

#[derive(Debug, Clone, Copy)]
struct Face {
    corners: [Spot; 3],
}

impl Face {
    /// Across the face, as a vector that is not yet of length one.
    fn normal(&self) -> (f64, f64, f64) {
        let [a, b, c] = self.corners;
        let (ux, uy, uz) = (b.x - a.x, b.y - a.y, b.height - a.height);
        let (vx, vy, vz) = (c.x - a.x, c.y - a.y, c.height - a.height);
        (uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx)
    }

    /// Seen from above.
    fn area(&self) -> f64 {
        self.normal().2.abs() / 2.0
    }

    fn mean_height(&self) -> f64 {
        self.corners.iter().map(|spot| spot.height).sum::<f64>() / 3.0
    }

    /// Where water flows that falls on it.
    fn drains(&self) -> Direction {
        let (x, y, z) = self.normal();
        let (dx, dy) = (x / z, y / z);
        if dx.is_nan() || dy.is_nan() || dx.hypot(dy) < 0.001 {
            Direction::Nowhere
        } else if dx.abs() >= dy.abs() {
            if dx > 0.0 { Direction::East } else { Direction::West }
        } else if dy > 0.0 {
            Direction::North
        } else {
            Direction::South
        }
    }
}

#[derive(Debug)]
struct Mesh {
    faces: Vec<Face>,
    border: Vec<Spot>,
}

impl Mesh {
    fn new(spots: Vec<Spot>, triangulation: Triangulation) -> Self {
        let faces = triangulation
            .triangles
            .chunks_exact(3)
            .map(|corners| Face {
                corners: [spots[corners[0]], spots[corners[1]], spots[corners[2]]],
            })
            .collect();
        let border = triangulation.hull.iter().map(|&spot| spots[spot]).collect();
        Mesh { faces, border }
    }

    fn area(&self) -> f64 {
        self.faces.iter().map(Face::area).sum()
    }

    /// How much ground is above a height, in cubic metres.
    fn volume_above(&self, height: f64) -> f64 {
        let mut volume = 0.0;
        for face in &self.faces {
            let above = face.mean_height() - height;
            if above > 0.0 {
                volume += above * face.area();
            }
        }
        volume
    }

    /// How many faces there are of each direction.
    fn drains(&self) -> BTreeMap<Direction, usize> {
        let mut drains = BTreeMap::new();
        for face in &self.faces {
            *drains.entry(face.drains()).or_insert(0) += 1;
        }
        drains
    }

    fn fence(&self) -> f64 {
        let next = self.border.iter().cycle().skip(1);
        let sides = self.border.iter().zip(next);
        sides.map(|(a, b)| (a.x - b.x).hypot(a.y - b.y)).sum()
    }
}

fn is_near(left: f64, right: f64) -> bool {
    (left - right).abs() < 1e-9
}

#[test]
fn two_spots_are_no_ground() {
    let mut survey = Survey::default();
    survey.add(0.0, 0.0, 1.0).add(4.0, 0.0, 2.0);
    assert!(survey.mesh().is_none());
}

#[test]
fn the_fence_is_as_long_as_the_border() {
    let mesh = Survey::grid(2, 2, 5.0, |_, _| 0.0).mesh().unwrap();
    assert!(is_near(mesh.fence(), 20.0));
    assert!(is_near(mesh.area(), 25.0));
}

#[test]
fn a_hill_has_its_volume() {
    let mut survey = Survey::grid(2, 2, 6.0, |_, _| 1.0);
    survey.add(3.0, 3.0, 4.0);
    let mesh = survey.mesh().unwrap();
    assert!(is_near(mesh.volume_above(1.0), 36.0));
    assert!(is_near(mesh.volume_above(2.5), 0.0));
    let around = [Direction::North, Direction::East, Direction::South, Direction::West];
    assert_eq!(mesh.drains(), around.map(|direction| (direction, 1)).into());
}

#[test]
fn a_slope_to_the_west_drains_to_the_west() {
    let terrace = |x: f64, y: f64| if y > 13.0 { 9.0 } else { 0.2 * x };
    let survey = Survey::grid(5, 4, 4.5, terrace);
    assert_eq!(survey.spots.len(), 20);

    let mesh = survey.without(|spot| spot.height > 4.0).mesh().unwrap();
    assert!(is_near(mesh.area(), 162.0));
    assert!(is_near(mesh.fence(), 54.0));
    assert_eq!(mesh.drains(), BTreeMap::from([(Direction::West, 16)]));
}
