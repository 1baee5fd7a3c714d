//! Places people in a photo in rows, the front rows lower and larger.

use super::keyed_rng::KeyedRng;
use super::label::LabelledFace;

/// The position of a person's head, in pixels.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spot {
    /// The person's index in the photo's list of people.
    pub position: usize,
    pub x: f32,
    pub y: f32,
    /// Half the width of the head, in pixels.
    pub scale: f32,
    pub turn_degrees: f32,
    /// The direction of the face, from -1 (left) to 1 (right).
    pub gaze: f32,
}

/// Places `count` people. Those in the back come first, so that painting in this order overlaps correctly.
pub(super) fn spots(count: usize, width: f32, height: f32, rng: KeyedRng) -> Vec<Spot> {
    let rows = row_sizes(count);
    let (deepest, front) = (rows.len(), rows.last().copied().unwrap_or(0));
    let room = width / (front.max(2) as f32 + 0.35);
    let mut spots = Vec::with_capacity(count);
    for (row, size) in rows.into_iter().enumerate() {
        // Rows are counted from the back, but depth from the front: it is 0 in the front row.
        let depth = deepest - 1 - row;
        let far = depth as f32;
        let scale = (room / 3.05).min(height * head_share(count)) * 0.94_f32.powf(far);
        let ground = height * ([0.47, 0.62, 0.7].get(deepest - 1).copied().unwrap_or(0.7));
        let base = ground - far * scale * 2.5;
        for place in 0..size {
            let position = spots.len();
            let own = rng.nested("spot", position);
            let center = slot(place, size, front.saturating_sub(depth % 2));
            let turned = -center.signum() * own.span("turn", -1.0, 3.0);
            let stagger = own.span("stagger", -0.05, 0.05);
            spots.push(Spot {
                position,
                x: width / 2.0 + (center + stagger) * room * spread(front),
                y: base + own.span("height", -0.26, 0.16) * scale,
                scale: scale * own.span("size", 0.95, 1.05),
                turn_degrees: turned + own.span("lean", -3.0, 3.0),
                gaze: (-center * 0.35 + own.span("gaze", -0.5, 0.5)).clamp(-1.0, 1.0),
            });
        }
    }
    spots
}

/// Returns the position of the person at `place` in a row of `size` people: the distance from the middle, in slots. A
/// row has its people either in the slots of the front row or between them, so that everybody is visible.
fn slot(place: usize, size: usize, slots: usize) -> f32 {
    let slots = slots.max(size);
    let number = match size {
        0 | 1 => (slots as f32 - 1.0) / 2.0,
        _ => ((place * (slots - 1)) as f32 / (size - 1) as f32).round(),
    };
    number - (slots as f32 - 1.0) / 2.0
}

/// Returns the number of people in each row, from back to front. The row behind the front row is shorter than the front
/// row.
fn row_sizes(count: usize) -> Vec<usize> {
    match count {
        0 => Vec::new(),
        1..=4 => vec![count],
        5..=9 => vec![(count - 1) / 2, count - (count - 1) / 2],
        _ => {
            let front = (count + 1).div_ceil(3);
            vec![count + 1 - 2 * front, front - 1, front]
        }
    }
}

fn head_share(count: usize) -> f32 {
    match count {
        0 | 1 => 0.19,
        2 => 0.172,
        3 | 4 => 0.16,
        5..=9 => 0.135,
        _ => 0.1,
    }
}

/// Returns the share of the picture's width that a row fills. It is smaller for a few people, who stand close together.
fn spread(size: usize) -> f32 {
    match size {
        0..=2 => 0.86,
        3 => 0.94,
        _ => 1.0,
    }
}

impl Spot {
    /// Returns the face box in fractions of the picture, clipped at its edges.
    pub(super) fn face(&self, person: usize, width: f32, height: f32) -> LabelledFace {
        let round = |value: f32| f64::from((value.clamp(0.0, 1.0) * 10_000.0).round()) / 10_000.0;
        let left = round((self.x - self.scale) / width);
        let top = round((self.y - self.scale * 1.2) / height);
        let right = round((self.x + self.scale) / width);
        let bottom = round((self.y + self.scale * 1.25) / height);
        LabelledFace {
            person,
            left,
            top,
            width: right - left,
            height: bottom - top,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everybody_has_a_place_inside_the_picture() {
        for count in 0..40 {
            let spots = spots(count, 480.0, 320.0, KeyedRng::new(9));
            assert_eq!(spots.len(), count);
            for spot in spots {
                assert!(
                    (0.0..480.0).contains(&spot.x) && (0.0..320.0).contains(&spot.y),
                    "{spot:?}"
                );
                assert!(spot.scale > 3.0, "{count}: {spot:?}");
                let face = spot.face(0, 480.0, 320.0);
                assert!(face.width > 0.0 && face.height > 0.0);
            }
        }
    }
}
