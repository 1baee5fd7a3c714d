//! Places on a page.

/// A point of a page, in CSS pixels from the left and the top of the document.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    /// The distance from the left.
    pub x: f64,
    /// The distance from the top.
    pub y: f64,
}

/// A box of a page, in CSS pixels from the left and the top of the document.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Area {
    /// The distance of the box from the left.
    pub x: f64,
    /// The distance of the box from the top.
    pub y: f64,
    /// The width of the box.
    pub width: f64,
    /// The height of the box.
    pub height: f64,
}

impl Area {
    /// Returns the point of the box where an action happens: at this share of its width, and at half
    /// its height.
    #[must_use]
    pub fn point(&self, percentage: f64) -> Point {
        Point {
            x: self.x + self.width * percentage,
            y: self.y + self.height / 2.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_action_happens_at_a_share_of_the_width_and_half_the_height() {
        let area = Area {
            x: 300.0,
            y: 400.0,
            width: 100.0,
            height: 50.0,
        };
        assert_eq!(area.point(0.25), Point { x: 325.0, y: 425.0 });
        assert_eq!(area.point(0.5), Point { x: 350.0, y: 425.0 });
    }
}
