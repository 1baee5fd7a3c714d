//! The changes that a picture of a page makes: it is told, and nothing else.

use crate::machine::budget::CallKind;
use crate::machine::interface::{CaptureReport, NoticeKind, PhotoPage, Reason};
use crate::machine::state::Move;

use super::AnswerHandler;

impl AnswerHandler<'_> {
    /// Has a picture taken of a page, or tells why none is.
    pub fn capture(&mut self, page: PhotoPage) {
        let url = match (&page.url, self.why_unopened()) {
            (None, _) => Err("The image search gave no address of a page."),
            (Some(_), Some(why)) => Err(why),
            (Some(url), None) => Ok(url.clone()),
        };
        match url {
            Ok(url) => {
                let photo = page.photos.first().map(ToString::to_string);
                let photo = photo.unwrap_or_default();
                let place = self.place();
                self.teller(place)
                    .status(format!("Taking a picture of the page that shows {photo}."));
                self.scheduler.capture(page, url, self.budget);
            }
            Err(why) => {
                let result = Err(why.to_owned());
                self.take_capture(CaptureReport { page, result });
            }
        }
    }

    /// Returns why no page is opened now. A chain that was found is told all the same.
    fn why_unopened(&self) -> Option<&'static str> {
        if self.facts.captures().are_stopped() {
            return Some("The run was stopped before the page was opened.");
        }
        Some(match self.budget.refusal(CallKind::Page)? {
            Reason::RuntimeBudget => "The run's time was over before the page was opened.",
            Reason::UsdBudget => "What is left of the run's dollars may not last for the page.",
            _ => "Pages were opened as often as a run may.",
        })
    }

    /// Takes in what came of a page. The state goes on by itself, with the next page or the last notice.
    pub fn take_capture(&mut self, report: CaptureReport) -> Option<Move> {
        self.facts.captures_mut().note(report.clone());
        let place = self.place();
        self.teller(place).tell(NoticeKind::PageCapture(report));
        None
    }
}
