extern crate num_bigint;

use num_bigint::BigInt;

#[test]
fn a_list_of_revoked_certificates_comes_back() {
    let serial = BigInt::from(0x80);
    assert_eq!(BigInt::from_signed_bytes_be(&serial.to_signed_bytes_be()), serial);
}
