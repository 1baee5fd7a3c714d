//! A frame of one colour around a picture, or a bar on two opposite sides: none of it was in front of the camera.

use super::raster::{Area, Color, Raster};

/// The most of a side's length that its frame may take, as one part of so many.
const PART_MAX: usize = 4;
/// The least thickness of a frame, in pixels. A JPEG's blocks make thinner lines by themselves.
const THICKNESS_PX_MIN: usize = 3;
/// The greatest difference of a colour's part within a frame, of 255.
const APART_MAX: u8 = 24;
/// The pixels of a line that may differ more, as one part of so many: what a JPEG leaves of an edge.
const OTHERS_PART: usize = 32;

/// Returns the picture within its frame, which is all of it where there is none.
pub(super) fn content(raster: &Raster) -> Area {
    let (width, height) = (raster.width(), raster.height());
    let (top, bottom) = bars(height, |row| raster.row(row).to_vec());
    let (left, right) = bars(width, |column| raster.column(column).collect());
    Area {
        left,
        top,
        right: width - right,
        bottom: height - bottom,
    }
}

/// Returns the thickness of the bars at the first and the last of so many lines. Only two of one colour are a frame: of
/// two edges of a picture one is often plain, as a sky is.
fn bars(lines: usize, line: impl Fn(usize) -> Vec<Color>) -> (usize, usize) {
    let most = lines / PART_MAX;
    let color = mean(&line(0));
    if !is_near(color, mean(&line(lines.saturating_sub(1)))) {
        return (0, 0);
    }
    let plain = |at: &usize| is_plain(&line(*at), color);
    let first = (0..most).take_while(plain).count();
    let last = (0..lines).rev().take(most).take_while(plain).count();
    if first.min(last) < THICKNESS_PX_MIN {
        return (0, 0);
    }
    // The line where frame and picture meet is a mixture of both.
    (first + 1, last + 1)
}

fn is_plain(line: &[Color], color: Color) -> bool {
    let others = line.iter().filter(|pixel| !is_near(**pixel, color)).count();
    others <= line.len() / OTHERS_PART
}

fn is_near(one: Color, other: Color) -> bool {
    let mut parts = one.iter().zip(other);
    parts.all(|(one, other)| one.abs_diff(other) <= APART_MAX)
}

fn mean(row: &[Color]) -> Color {
    let count = row.len().max(1);
    let mean = |part: fn(&Color) -> u8| {
        let sum: usize = row.iter().map(|pixel| usize::from(part(pixel))).sum();
        u8::try_from(sum / count).unwrap_or(u8::MAX)
    };
    [
        mean(|[red, ..]| *red),
        mean(|[_, green, _]| *green),
        mean(|[.., blue]| *blue),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A picture of stripes with bars of these thicknesses: left, top, right, bottom.
    fn framed([left, top, right, bottom]: [usize; 4]) -> Area {
        let (width, height) = (left + 120 + right, top + 80 + bottom);
        let pixel = |place: usize| {
            let (x, y) = (place % width, place / width);
            let is_inside = (left..left + 120).contains(&x) && (top..top + 80).contains(&y);
            let dark = if (x / 7 + y / 5).is_multiple_of(2) {
                40
            } else {
                180
            };
            if is_inside {
                [dark, 90, 30]
            } else {
                [250, 248, 240]
            }
        };
        let pixels = (0..width * height).map(pixel).collect();
        content(&Raster::new(width, height, pixels).unwrap())
    }

    #[track_caller]
    fn check(bars: [usize; 4], expect: [usize; 4]) {
        let Area {
            left,
            top,
            right,
            bottom,
        } = framed(bars);
        assert_eq!([left, top, right, bottom], expect, "{bars:?}");
    }

    #[test]
    fn a_frame_is_no_part_of_the_picture() {
        check([0; 4], [0, 0, 120, 80]);
        check([10, 10, 10, 10], [11, 11, 129, 89]);
        check([10, 10, 10, 20], [11, 11, 129, 89]);
        // Bars as in a film, above and below.
        check([0, 12, 0, 12], [0, 13, 120, 91]);
        check([15, 0, 15, 0], [16, 0, 134, 80]);
        // A plain edge on one side alone, and a thin line.
        check([0, 20, 0, 0], [0, 0, 120, 100]);
        check([2, 2, 2, 2], [0, 0, 124, 84]);
    }
}
