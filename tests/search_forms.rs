//! The stored forms of every run, as those of an investigation.

use visual_degrees::engines::investigation::stored::InvestigationEngine;
use visual_degrees::{engine, journal, run_object};

pub type AnswerEntry = journal::AnswerEntry<InvestigationEngine>;
pub type Creation = run_object::CreationOf<InvestigationEngine>;
pub type Entry = journal::Entry<InvestigationEngine>;
pub type Fork = run_object::ForkOf<InvestigationEngine>;
pub type Opened = engine::Opened<InvestigationEngine>;
pub type RebuiltRun = journal::RebuiltRun<InvestigationEngine>;
