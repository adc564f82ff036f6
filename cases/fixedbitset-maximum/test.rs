//! Prime numbers up to some millions, and the gaps between them.

use fixedbitset::FixedBitSet;

const LIMIT: usize = 3_000_000;

/// The primes below `limit`, as a set.
fn sieve(limit: usize) -> FixedBitSet {
    let mut primes = FixedBitSet::with_capacity(limit);
    primes.insert_range(2..);
    let mut prime = 2;
    while prime * prime < limit {
        if primes.contains(prime) {
            for multiple in (prime * prime..limit).step_by(prime) {
                primes.set(multiple, false);
            }
        }
        prime += 1;
    }
    primes
}

/// The same in the plainest way.
fn plain_sieve(limit: usize) -> Vec<bool> {
    let mut primes = vec![true; limit];
    primes[..2].fill(false);
    for number in 2..limit {
        if !primes[number] {
            continue;
        }
        let mut multiple = number * 2;
        while multiple < limit {
            primes[multiple] = false;
            multiple += number;
        }
    }
    primes
}

/// The distances between neighbours that occur.
fn gaps(primes: &FixedBitSet) -> FixedBitSet {
    let mut gaps = FixedBitSet::with_capacity(256);
    let mut ones = primes.ones();
    let Some(mut last) = ones.next() else {
        return gaps;
    };
    for prime in ones {
        gaps.insert(prime - last);
        last = prime;
    }
    gaps
}

#[test]
fn the_first_primes_are_found() {
    let primes: Vec<usize> = sieve(30).ones().collect();
    assert_eq!(primes, [2, 3, 5, 7, 11, 13, 17, 19, 23, 29]);
}

#[test]
fn twins_are_neighbours_with_a_gap_of_two() {
    let primes = sieve(1000);
    let twins = primes.ones().filter(|&prime| primes.contains(prime + 2));
    assert_eq!(twins.count(), 35);
}

#[test]
fn the_largest_gap_is_bounded() {
    let primes = sieve(LIMIT);
    let plain = plain_sieve(LIMIT);
    assert_eq!(primes.len(), plain.len());
    for (number, &is_prime) in plain.iter().enumerate() {
        assert_eq!(primes.contains(number), is_prime, "{number}");
    }
    let n_primes = plain.iter().filter(|&&is_prime| is_prime).count();
    assert_eq!(primes.count_ones(..), n_primes);

    let few = sieve(200);
    let gaps = gaps(&few);
    assert_eq!(gaps.minimum(), Some(1));
    assert_eq!(gaps.maximum(), Some(14));
}
