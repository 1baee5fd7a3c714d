//! Prints the digests natively, one a line: `cargo run --example parity_native --
//! 0 300`.
#![allow(missing_docs)]

use devtools::rehearsal::rehearse;

fn main() {
    let mut numbers = std::env::args()
        .skip(1)
        .filter_map(|text| text.parse::<u64>().ok());
    let (from, to) = (numbers.next().unwrap_or(0), numbers.next().unwrap_or(300));
    for seed in from..to {
        let digest = rehearse(seed).map_or(0, |outcome| {
            outcome
                .digest
                .get(..16)
                .and_then(|digits| u64::from_str_radix(digits, 16).ok())
                .unwrap_or(0)
        });
        println!("{seed} {digest}");
    }
}
