//! The things that Commons and Wikidata share: MediaWiki's API, its search syntax, and the rules of the servers in
//! front.

mod call;
mod cirrus;
mod edge;
mod errors;
mod faults;
mod matching;
mod site;

pub(super) use call::ApiCall;
pub(super) use cirrus::CirrusQuery;
pub(super) use edge::{missing_agent, refuse_unidentified_but_browsers};
pub(super) use faults::throttled;
pub(crate) use faults::{MediaWikiFault, reply as fault_reply};
pub(super) use matching::{PageFacts, PageText, Statement};
pub(crate) use site::Site;
