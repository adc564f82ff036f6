enum Opcode {
    A,
    B = 256,
}

const _: () = assert!(size_of::<Opcode>() == 1);
