//! Tiles of a map, as the viewer of a small device keeps them: those on the screen, and around it
//! as many as there is room for.

use hashlink::LruCache;
use std::collections::BTreeMap;
use std::fmt;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Tile {
    zoom: u8,
    x: u32,
    y: u32,
}

impl Tile {
    fn parent(self) -> Option<Tile> {
        let zoom = self.zoom.checked_sub(1)?;
        Some(Tile {
            zoom,
            x: self.x / 2,
            y: self.y / 2,
        })
    }
}

impl fmt::Display for Tile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}/{}", self.zoom, self.x, self.y)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Picture {
    bytes: usize,
    version: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Battery {
    Full,
    Low,
    Empty,
}

#[derive(Debug, Clone, Copy)]
enum Event {
    Pan { dx: i32, dy: i32 },
    ZoomIn,
    ZoomOut,
    Battery(Battery),
    NewData,
}

struct Server {
    versions: BTreeMap<u8, u32>,
    requests: usize,
}

impl Server {
    fn fetch(&mut self, tile: Tile) -> Picture {
        self.requests += 1;
        Picture {
            bytes: 1000 + 10 * usize::from(tile.zoom),
            version: self.versions.get(&tile.zoom).copied().unwrap_or(1),
        }
    }
}

struct ViewerBuilder {
    capacity: usize,
    width: u32,
    height: u32,
    start: Tile,
}

impl ViewerBuilder {
    fn new() -> Self {
        let start = Tile {
            zoom: 4,
            x: 7,
            y: 7,
        };
        ViewerBuilder {
            capacity: 12,
            width: 2,
            height: 1,
            start,
        }
    }

    fn capacity(mut self, capacity: usize) -> Self {
        self.capacity = capacity;
        self
    }

    fn screen(mut self, width: u32, height: u32) -> Self {
        self.width = width;
        self.height = height;
        self
    }

    fn start(mut self, zoom: u8, x: u32, y: u32) -> Self {
        self.start = Tile { zoom, x, y };
        self
    }

    fn build(self) -> Viewer {
        let mut viewer = Viewer {
            cache: LruCache::new(self.capacity),
            full_capacity: self.capacity,
            size: (self.width, self.height),
            corner: self.start,
            server: Server {
                versions: BTreeMap::new(),
                requests: 0,
            },
            battery: Battery::Full,
        };
        viewer.draw();
        viewer
    }
}

struct Viewer {
    cache: LruCache<Tile, Picture>,
    full_capacity: usize,
    size: (u32, u32),
    corner: Tile,
    server: Server,
    battery: Battery,
}

impl Viewer {
    fn on_screen(&self) -> Vec<Tile> {
        let mut tiles = Vec::new();
        for dy in 0..self.size.1 {
            for dx in 0..self.size.0 {
                tiles.push(Tile {
                    x: self.corner.x + dx,
                    y: self.corner.y + dy,
                    ..self.corner
                });
            }
        }
        tiles
    }

    fn draw(&mut self) {
        for tile in self.on_screen() {
            if self.cache.get(&tile).is_none() {
                let picture = self.server.fetch(tile);
                self.cache.insert(tile, picture);
            }
        }
    }

    fn handle(&mut self, event: Event) {
        match event {
            Event::Pan { dx, dy } => {
                self.corner.x = self.corner.x.saturating_add_signed(dx);
                self.corner.y = self.corner.y.saturating_add_signed(dy);
            }
            Event::ZoomIn => {
                self.corner.zoom += 1;
                self.corner.x *= 2;
                self.corner.y *= 2;
            }
            Event::ZoomOut => {
                if let Some(parent) = self.corner.parent() {
                    self.corner = parent;
                }
            }
            Event::Battery(battery) => {
                let on_screen = (self.size.0 * self.size.1) as usize;
                let capacity = match battery {
                    Battery::Full => self.full_capacity,
                    Battery::Low => on_screen,
                    Battery::Empty => 0,
                };
                self.battery = battery;
                self.cache.set_capacity(capacity);
                if battery == Battery::Empty {
                    return;
                }
            }
            Event::NewData => {
                *self.server.versions.entry(self.corner.zoom).or_insert(1) += 1;
                let zoom = self.corner.zoom;
                self.cache.retain(|tile, _| tile.zoom != zoom);
            }
        }
        self.draw();
    }

    fn play(&mut self, events: &[Event]) -> &mut Self {
        for &event in events {
            self.handle(event);
        }
        self
    }

    fn kept(&self) -> Vec<String> {
        self.cache.iter().map(|(tile, _)| tile.to_string()).collect()
    }

    fn bytes(&self) -> usize {
        self.cache.iter().map(|(_, picture)| picture.bytes).sum()
    }
}

const EAST: Event = Event::Pan { dx: 1, dy: 0 };
const WEST: Event = Event::Pan { dx: -1, dy: 0 };
const SOUTH: Event = Event::Pan { dx: 0, dy: 1 };

#[test]
fn what_was_seen_is_not_fetched_again() {
    let mut viewer = ViewerBuilder::new().build();
    viewer.play(&[EAST, EAST, WEST, WEST]);
    assert_eq!(viewer.server.requests, 4);
    assert_eq!(viewer.kept(), ["4/10/7", "4/9/7", "4/7/7", "4/8/7"]);
}

#[test]
fn the_tile_seen_longest_ago_goes_first() {
    let mut viewer = ViewerBuilder::new().capacity(3).build();
    viewer.play(&[SOUTH]);
    assert_eq!(viewer.kept(), ["4/8/7", "4/7/8", "4/8/8"]);
}

#[test]
fn new_data_replaces_the_tiles_of_this_zoom() {
    let mut viewer = ViewerBuilder::new().build();
    viewer.play(&[Event::ZoomOut, Event::NewData]);
    assert_eq!(viewer.kept(), ["4/7/7", "4/8/7", "3/3/3", "3/4/3"]);
    let tile = Tile { zoom: 3, x: 4, y: 3 };
    assert_eq!(viewer.cache.peek(&tile).map(|picture| picture.version), Some(2));
}

#[test]
fn with_an_empty_battery_one_tile_has_to_go() {
    let mut viewer = ViewerBuilder::new().screen(1, 1).build();
    viewer.handle(Event::Battery(Battery::Empty));
    assert!(viewer.cache.is_empty());
    assert_eq!(viewer.battery, Battery::Empty);
}

#[test]
fn a_low_battery_leaves_only_the_tiles_on_screen() {
    let mut viewer = ViewerBuilder::new().start(5, 3, 9).screen(2, 1).build();
    viewer.play(&[EAST, SOUTH, WEST]);
    assert_eq!(viewer.server.requests, 6);
    assert_eq!(viewer.kept().len(), 6);
    viewer.play(&[Event::ZoomIn, Event::ZoomOut]);
    assert_eq!(viewer.bytes(), 6 * 1050 + 2 * 1060);

    viewer.handle(Event::Battery(Battery::Low));
    assert_eq!(viewer.cache.capacity(), 2);
    assert_eq!(viewer.kept(), ["5/3/10", "5/4/10"]);

    viewer.play(&[Event::Battery(Battery::Full), EAST]);
    assert_eq!(viewer.kept().len(), 3);
}
