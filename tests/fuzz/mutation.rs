//! Mutates inputs: by bytes, by words of a dictionary, by the values of a JSON text.

use fastrand::Rng;
use serde_json::Value;

/// Longer inputs are truncated: most bugs need few bytes, and short inputs are fast.
const BYTES_MAX: usize = 8_192;

/// Numbers at typical limits.
const NUMBERS: [&str; 14] = [
    "0",
    "-1",
    "1",
    "79",
    "80",
    "255",
    "256",
    "65535",
    "4294967296",
    "18446744073709551615",
    "-9223372036854775809",
    "1e308",
    "1e-999",
    "0.1",
];

/// Returns a new input made from the corpus.
pub fn mutated(corpus: &[Vec<u8>], dictionary: &[&str], random: &mut Rng) -> Vec<u8> {
    let mut input = rather_short(corpus, random).to_vec();
    if random.u8(..4) == 0
        && let Some(changed) = with_changed_value(&input, corpus, random)
    {
        input = changed;
    }
    for _ in 0..random.usize(..5) {
        change(&mut input, corpus, dictionary, random);
    }
    input.truncate(BYTES_MAX);
    input
}

/// Returns one of the corpus, preferably a short one: new coverage often comes from long inputs, which would soon slow
/// down the others.
fn rather_short<'corpus>(corpus: &'corpus [Vec<u8>], random: &mut Rng) -> &'corpus [u8] {
    let mut chosen = &corpus[random.usize(..corpus.len())];
    let draws = if random.u8(..8) == 0 { 0 } else { 3 };
    for _ in 0..draws {
        let other = &corpus[random.usize(..corpus.len())];
        if other.len() < chosen.len() {
            chosen = other;
        }
    }
    chosen
}

fn change(input: &mut Vec<u8>, corpus: &[Vec<u8>], dictionary: &[&str], random: &mut Rng) {
    let at = random.usize(..=input.len());
    let some = at..input.len().min(at + random.usize(..17));
    match random.u8(..10) {
        0 => set(input, at, |byte| byte ^ (1 << (at % 8))),
        1 => {
            let byte = random.u8(..);
            set(input, at, |_| byte);
        }
        2 => input.insert(at, random.u8(..)),
        3 => drop(input.drain(some)),
        4 => {
            let copy = input[some].repeat(random.usize(1..9));
            insert(input, random.usize(..=at), &copy);
        }
        5 => input.truncate(at),
        6 => {
            let other = &corpus[random.usize(..corpus.len())];
            let from = random.usize(..=other.len());
            let until = other.len().min(from + random.usize(..257));
            insert(input, at, &other[from..until]);
        }
        7 => {
            let number = NUMBERS[random.usize(..NUMBERS.len())];
            input.splice(some, number.bytes());
        }
        8 => {
            let bytes = [0x00, 0xFF, 0x7F, 0x80, 0x01][random.usize(..5)];
            for byte in &mut input[some] {
                *byte = bytes;
            }
        }
        _ if dictionary.is_empty() => set(input, at, |byte| byte.wrapping_add(1)),
        _ => {
            let word = dictionary[random.usize(..dictionary.len())];
            if random.bool() {
                input.splice(some, word.bytes());
            } else {
                insert(input, at, word.as_bytes());
            }
        }
    }
}

fn set(input: &mut [u8], at: usize, to: impl Fn(u8) -> u8) {
    if let Some(byte) = input.get_mut(at) {
        *byte = to(*byte);
    }
}

fn insert(input: &mut Vec<u8>, at: usize, bytes: &[u8]) {
    input.splice(at..at, bytes.iter().copied());
}

/// Returns a JSON text with one value replaced, removed or duplicated.
fn with_changed_value(input: &[u8], corpus: &[Vec<u8>], random: &mut Rng) -> Option<Vec<u8>> {
    let mut text: Value = serde_json::from_slice(input).ok()?;
    let other: Value = serde_json::from_slice(&corpus[random.usize(..corpus.len())]).ok()?;
    let count = values(&text);
    let other = nth(&other, random.usize(..values(&other)))?.clone();
    let place = nth_mut(&mut text, random.usize(..count))?;
    match random.u8(..6) {
        0 => *place = Value::Null,
        1 => *place = Value::Array(vec![place.take()]),
        2 => *place = Value::String(NUMBERS[random.usize(..NUMBERS.len())].to_owned()),
        3 => match place {
            Value::Array(list) if !list.is_empty() => {
                let one = list[random.usize(..list.len())].clone();
                list.extend(vec![one; random.usize(1..70)]);
            }
            Value::Object(members) => {
                members.insert(random.alphanumeric().to_string(), other);
            }
            _ => *place = Value::Bool(true),
        },
        4 => match place {
            Value::Array(list) => drop(list.pop()),
            Value::Object(members) if !members.is_empty() => {
                let key = members.keys().nth(random.usize(..members.len()))?.clone();
                members.remove(&key);
            }
            Value::String(words) => *words = words.repeat(random.usize(..40)),
            _ => *place = Value::Null,
        },
        _ => *place = other,
    }
    serde_json::to_vec(&text).ok()
}

/// Counts the values of a text, including itself.
pub fn values(text: &Value) -> usize {
    1 + match text {
        Value::Array(list) => list.iter().map(values).sum(),
        Value::Object(members) => members.values().map(values).sum(),
        _ => 0,
    }
}

fn nth(text: &Value, mut number: usize) -> Option<&Value> {
    if number == 0 {
        return Some(text);
    }
    number -= 1;
    let inner: Box<dyn Iterator<Item = &Value>> = match text {
        Value::Array(list) => Box::new(list.iter()),
        Value::Object(members) => Box::new(members.values()),
        _ => return None,
    };
    for value in inner {
        let count = values(value);
        if number < count {
            return nth(value, number);
        }
        number -= count;
    }
    None
}

/// Returns the value with this number, in text order.
pub fn nth_mut(text: &mut Value, mut number: usize) -> Option<&mut Value> {
    if number == 0 {
        return Some(text);
    }
    number -= 1;
    let inner: Box<dyn Iterator<Item = &mut Value>> = match text {
        Value::Array(list) => Box::new(list.iter_mut()),
        Value::Object(members) => Box::new(members.values_mut()),
        _ => return None,
    };
    for value in inner {
        let count = values(value);
        if number < count {
            return nth_mut(value, number);
        }
        number -= count;
    }
    None
}
