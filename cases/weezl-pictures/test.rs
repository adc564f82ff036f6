//! Pictures of a small game. They have few colours, and are packed as in GIF files: codes of variable
//! length, in blocks of at most 255 bytes.

use std::io::{self, Write};
use weezl::{decode::Decoder, encode::Encoder, BitOrder};

type Colour = u8;

const SKY: Colour = 0;
const GRASS: Colour = 1;
const STONE: Colour = 2;
const SNOW: Colour = 3;

/// Random numbers that are the same each time.
struct Dice(u32);

impl Dice {
    fn roll(&mut self, sides: u32) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 17;
        self.0 ^= self.0 << 5;
        self.0 % sides
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Picture {
    width: usize,
    /// The bits that a colour takes.
    depth: u8,
    pixels: Vec<Colour>,
}

impl Picture {
    fn new(width: usize, height: usize, depth: u8) -> Self {
        Picture {
            width,
            depth,
            pixels: vec![SKY; width * height],
        }
    }

    fn height(&self) -> usize {
        self.pixels.len() / self.width
    }

    fn set(&mut self, x: usize, y: usize, colour: Colour) {
        assert!(colour < 1 << self.depth, "the palette has no colour {}", colour);
        let width = self.width;
        if let Some(pixel) = self.pixels.get_mut(y * width + x) {
            *pixel = colour;
        }
    }

    /// Ground from a height on, with hills that are as long as `wave`.
    fn ground(mut self, height: usize, wave: usize) -> Self {
        for x in 0..self.width {
            let hill = (x % wave).min(wave - x % wave) / 2;
            for y in height.saturating_sub(hill)..self.height() {
                self.set(x, y, GRASS);
            }
        }
        self
    }

    fn wall(mut self, left: usize, top: usize, width: usize, height: usize) -> Self {
        for y in top..top + height {
            for x in left..left + width {
                let is_joint = y % 4 == 0 || (x + y / 4 * 3) % 6 == 0;
                self.set(x, y, if is_joint { GRASS } else { STONE });
            }
        }
        self
    }

    /// Each pixel gets a random colour, where `is_hit` says so.
    fn noise(mut self, dice: &mut Dice, is_hit: impl Fn(Colour) -> bool) -> Self {
        let colours = 1 << self.depth;
        for pixel in &mut self.pixels {
            if is_hit(*pixel) {
                *pixel = dice.roll(colours) as Colour;
            }
        }
        self
    }

    fn snow(mut self, dice: &mut Dice, flakes: usize) -> Self {
        for _ in 0..flakes {
            let x = dice.roll(self.width as u32) as usize;
            let y = dice.roll(self.height() as u32) as usize;
            self.set(x, y, SNOW);
        }
        self
    }
}

/// Bytes in blocks, each with its length in front, and an empty one at the end.
fn write_blocks(bytes: &[u8], mut out: impl Write) -> io::Result<()> {
    for block in bytes.chunks(255) {
        out.write_all(&[block.len() as u8])?;
        out.write_all(block)?;
    }
    out.write_all(&[0])
}

fn read_blocks(mut blocks: &[u8]) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    loop {
        let (&length, rest) = blocks.split_first().ok_or(io::ErrorKind::UnexpectedEof)?;
        let length = usize::from(length);
        if length == 0 {
            return Ok(bytes);
        }
        let block = rest.get(..length).ok_or(io::ErrorKind::UnexpectedEof)?;
        bytes.extend_from_slice(block);
        blocks = &rest[length..];
    }
}

fn pack(picture: &Picture) -> io::Result<Vec<u8>> {
    let depth = picture.depth.max(2);
    let mut packed = Vec::new();
    packed.extend_from_slice(&(picture.width as u16).to_le_bytes());
    packed.extend_from_slice(&(picture.height() as u16).to_le_bytes());
    packed.push(depth);
    let mut codes = Vec::new();
    let mut encoder = Encoder::new(BitOrder::Lsb, depth);
    encoder.into_stream(&mut codes).encode_all(&picture.pixels[..]).status?;
    write_blocks(&codes, &mut packed)?;
    Ok(packed)
}

fn unpack(packed: &[u8]) -> io::Result<Picture> {
    if packed.len() < 5 {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    let number = |at: usize| usize::from(u16::from_le_bytes([packed[at], packed[at + 1]]));
    let (width, height, depth) = (number(0), number(2), packed[4]);
    let codes = read_blocks(&packed[5..])?;
    let mut pixels = Vec::new();
    let mut decoder = Decoder::new(BitOrder::Lsb, depth);
    decoder.into_stream(&mut pixels).decode_all(&codes[..]).status?;
    if pixels.len() != width * height {
        return Err(io::ErrorKind::InvalidData.into());
    }
    Ok(Picture {
        width,
        depth,
        pixels,
    })
}

/// Whether a picture is the same after it was packed.
fn is_kept(picture: &Picture) -> bool {
    let packed = pack(picture).expect("memory can be written");
    match unpack(&packed) {
        Ok(unpacked) => unpacked == *picture,
        Err(_) => false,
    }
}

#[test]
fn a_block_has_its_length_in_front() {
    let mut blocks = Vec::new();
    write_blocks(&[7; 260], &mut blocks).unwrap();
    assert_eq!((blocks[0], blocks[256], blocks.len()), (255, 5, 263));
    assert_eq!(read_blocks(&blocks).unwrap(), [7; 260]);
    let error = read_blocks(&blocks[..100]).unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::UnexpectedEof);
}

#[test]
fn a_picture_of_one_colour_is_small() {
    let picture = Picture::new(160, 100, 2);
    assert!(pack(&picture).unwrap().len() < 200);
    assert!(is_kept(&picture));
}

#[test]
fn a_landscape_comes_back() {
    let picture = Picture::new(96, 64, 4).ground(40, 24).wall(30, 20, 12, 18);
    assert!(is_kept(&picture));
    assert!(pack(&picture).unwrap().len() < picture.pixels.len() / 8);
}

#[test]
fn a_picture_with_much_noise_comes_back() {
    let mut dice = Dice(2020);
    let snowfall = Picture::new(96, 64, 3).ground(50, 16).snow(&mut dice, 300);
    assert!(is_kept(&snowfall), "snowfall");

    let broken = Picture::new(160, 120, 4)
        .ground(20, 30)
        .wall(40, 10, 60, 40)
        .noise(&mut dice, |colour| colour != SKY);
    assert_eq!(broken.height(), 120);
    assert!(is_kept(&broken), "broken screen");
}
