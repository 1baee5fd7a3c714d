//! The run that an instance of its object knows of.

use std::rc::Rc;

use worker::{Result, SqlStorage};

use crate::journal::{Entry, Opened};
use crate::session::{EventLog, StopSwitch};

use super::clock::now_ms;
use super::{event_table, journal_table, json_table};

/// Under this name stands whether the user has asked to end the run.
const STOP_NAME: &str = "stop";

/// A run as its viewers and its conductor share it.
#[derive(Clone)]
pub(super) struct LiveRun {
    log: Rc<EventLog>,
    stop: Rc<StopSwitch>,
    opened: Rc<Opened>,
}

impl LiveRun {
    /// The stored run; none where there is none, or its time to live is over.
    pub(super) fn load(sql: &SqlStorage) -> Result<Option<Self>> {
        Ok(Self::stored(sql)?.filter(|live| !live.has_expired()))
    }

    /// The stored run, also one whose time to live is over.
    pub(super) fn stored(sql: &SqlStorage) -> Result<Option<Self>> {
        let entries = journal_table::entries(sql)?;
        let first = entries.first().map(|json| Entry::from_json(json));
        let Some(Ok(Entry::Opened(opened))) = first else {
            return Ok(None);
        };
        let stop = StopSwitch::default();
        if json_table::get::<bool>(sql, STOP_NAME)? == Some(true) {
            stop.turn_on();
        }
        Ok(Some(Self {
            log: Rc::new(event_table::load(sql, &opened.run)?),
            stop: Rc::new(stop),
            opened: Rc::new(opened),
        }))
    }

    /// Whether its time to live is over.
    pub(super) fn has_expired(&self) -> bool {
        self.opened.expires_ms <= now_ms()
    }

    /// Ends the run. That is stored first: it holds for a later conductor, too.
    pub(super) fn stop(&self, sql: &SqlStorage) -> Result<()> {
        json_table::put(sql, STOP_NAME, &true)?;
        self.stop.turn_on();
        Ok(())
    }

    /// Whether the user has asked to end it.
    pub(super) fn stop_switch(&self) -> &Rc<StopSwitch> {
        &self.stop
    }

    /// The events so far.
    pub(super) fn log(&self) -> &Rc<EventLog> {
        &self.log
    }

    /// How it began.
    pub(super) fn opened(&self) -> &Opened {
        &self.opened
    }
}
