//! The stored forms of runs, for those of an investigation.

use engine::journal;
use investigation::wire::InvestigationEngine;
use visual_degrees::run_object;

pub type AnswerEntry = journal::AnswerEntry<InvestigationEngine>;
pub type Creation = run_object::CreationOf<InvestigationEngine>;
pub type Entry = journal::Entry<InvestigationEngine>;
pub type Fork = run_object::ForkOf<InvestigationEngine>;
pub type Opened = engine::Opened<InvestigationEngine>;
pub type RebuiltRun = journal::RebuiltRun<InvestigationEngine>;
