//! The pages of the final chain's photos that were opened, or given up.

use domain::EvidenceRef;

use crate::machine::interface::{CaptureReport, Captured, PhotoPage};

/// What came of each page. Nothing of it is evidence.
#[derive(Debug, Clone, Default)]
pub struct Captures {
    settled: Vec<CaptureReport>,
    are_stopped: bool,
}

impl Captures {
    /// Notes what came of a page.
    pub fn note(&mut self, report: CaptureReport) {
        self.settled.push(report);
    }

    /// Notes that no further page is opened, since the user ended the run.
    pub fn stop(&mut self) {
        self.are_stopped = true;
    }

    /// Returns whether the user ended the run.
    pub fn are_stopped(&self) -> bool {
        self.are_stopped
    }

    /// Returns whether it is known what came of a page.
    pub fn is_settled(&self, page: &PhotoPage) -> bool {
        self.settled.iter().any(|report| report.page == *page)
    }

    /// Returns the picture of the page that shows a photo.
    pub fn of_photo(&self, reference: EvidenceRef) -> Option<&Captured> {
        let mut reports = self.settled.iter();
        let report = reports.find(|report| report.page.photos.contains(&reference))?;
        report.result.as_ref().ok()
    }
}
