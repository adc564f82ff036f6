use weezl::{decode::Decoder, encode::Encoder, BitOrder};

#[test]
fn a_picture_with_much_noise_comes_back() {
    let pixels: Vec<u8> = (0..6000_u32).map(|at| (at * at >> 8) as u8).collect();
    let (mut codes, mut unpacked) = (Vec::new(), Vec::new());
    let _ = Encoder::new(BitOrder::Lsb, 8).into_stream(&mut codes).encode_all(&pixels[..]);
    let _ = Decoder::new(BitOrder::Lsb, 8).into_stream(&mut unpacked).decode_all(&codes[..]);
    assert!(unpacked == pixels);
}
