//! A run as shared by its viewers and its conductor.

use std::rc::Rc;

use engine::run::{EventLog, StopSwitch};
use worker::{Result, SqlStorage};

use crate::engines::OpenedRun;
use crate::storage::{event_table, journal_table, json_table};
use crate::transport::bindings::now_ms;

/// The name under which the object stores that a stop was requested.
const STOP_NAME: &str = "stop";

/// A run as shared by its viewers and its conductor.
#[derive(Clone)]
pub(crate) struct LiveRun {
    log: Rc<EventLog>,
    stop: Rc<StopSwitch>,
    opened: OpenedRun,
}

impl LiveRun {
    /// Loads the stored run. Returns `None` if there is no run or the run has expired.
    pub(crate) fn load(sql: &SqlStorage) -> Result<Option<Self>> {
        Ok(Self::stored(sql)?.filter(|live| !live.has_expired()))
    }

    /// Loads the stored run even if it has expired.
    pub(crate) fn stored(sql: &SqlStorage) -> Result<Option<Self>> {
        let first = journal_table::first(sql)?;
        let opened = first.and_then(|json| OpenedRun::of_first_entry(&json));
        let Some(opened) = opened else {
            return Ok(None);
        };
        let stop = StopSwitch::default();
        if json_table::get::<bool>(sql, STOP_NAME)? == Some(true) {
            stop.turn_on();
        }
        Ok(Some(Self {
            log: Rc::new(event_table::load(
                sql,
                opened.run(),
                opened.engine().event_kinds(),
            )?),
            stop: Rc::new(stop),
            opened,
        }))
    }

    /// Returns whether the run has expired.
    pub(crate) fn has_expired(&self) -> bool {
        self.opened.expires_ms() <= now_ms()
    }

    /// Stops the run. The request is stored first, so that it also reaches a later conductor.
    pub(crate) fn stop(&self, sql: &SqlStorage) -> Result<()> {
        json_table::put(sql, STOP_NAME, &true)?;
        self.stop.turn_on();
        Ok(())
    }

    /// Returns the switch that is on once a stop was requested.
    pub(crate) fn stop_switch(&self) -> &Rc<StopSwitch> {
        &self.stop
    }

    /// Returns the log of the events so far.
    pub(crate) fn log(&self) -> &Rc<EventLog> {
        &self.log
    }

    /// Returns the run's first journal entry.
    pub(crate) fn opened(&self) -> &OpenedRun {
        &self.opened
    }
}
