#[repr(u8)]
enum Opcode {
    A = 255,
    B,
}
