//! A rectangle of the picture, in pixels.

use std::ops::Range;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Area {
    pub x: usize,
    pub y: usize,
    pub width: usize,
    pub height: usize,
}

impl Area {
    pub fn new(x: usize, y: usize, width: usize, height: usize) -> Self {
        Self {
            x,
            y,
            width,
            height,
        }
    }

    pub fn right(&self) -> usize {
        self.x + self.width
    }

    pub fn bottom(&self) -> usize {
        self.y + self.height
    }

    pub fn middle(&self) -> usize {
        self.x + self.width / 2
    }

    /// Returns the `x` in this area, and so far from its sides, that is nearest to another.
    pub fn nearest(&self, x: usize, inset: usize) -> usize {
        x.min(self.right().saturating_sub(inset))
            .max(self.x + inset)
    }

    /// Returns the area `step` below this one.
    pub fn below(self, step: usize) -> Self {
        let y = self.bottom() + step;
        Self { y, ..self }
    }

    /// Returns some parts of this area, which is cut into `all` of the same width with gaps between
    /// them.
    pub fn part(self, parts: Range<usize>, all: usize, gap: usize) -> Self {
        let end = |parts: usize| (self.width + gap) * parts / all.max(1);
        let (start, end) = (end(parts.start), end(parts.end));
        Self {
            x: self.x + start,
            width: (end - start).saturating_sub(gap),
            ..self
        }
    }

    /// Returns whether all of `other` lies in this area.
    pub fn holds(&self, other: &Self) -> bool {
        self.x <= other.x
            && self.y <= other.y
            && other.right() <= self.right()
            && other.bottom() <= self.bottom()
    }

    /// Returns whether the two share more than a border.
    pub fn overlaps(&self, other: &Self) -> bool {
        self.x < other.right()
            && other.x < self.right()
            && self.y < other.bottom()
            && other.y < self.bottom()
    }
}

#[test]
fn the_parts_of_an_area_fill_it_side_by_side() {
    let area = Area::new(7, 5, 100, 20);
    for all in 1..12 {
        let parts: Vec<Area> = (0..all).map(|at| area.part(at..at + 1, all, 4)).collect();
        assert_eq!(parts[0].x, area.x);
        assert_eq!(parts[all - 1].right(), area.right());
        for pair in parts.windows(2) {
            assert_eq!(pair[1].x, pair[0].right() + 4);
            assert!(area.holds(&pair[0]) && !pair[0].overlaps(&pair[1]));
        }
    }
    assert!(area.overlaps(&Area::new(106, 24, 1, 1)));
    assert!(!area.overlaps(&area.below(0)));
    assert_eq!([0, 50, 200].map(|x| area.nearest(x, 3)), [10, 50, 104]);
}
