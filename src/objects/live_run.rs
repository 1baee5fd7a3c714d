//! A run as its viewers and its conductor share it.

use std::rc::Rc;

use engine::run::{EventLog, StopSwitch};
use worker::{Result, SqlStorage};

use crate::engines::OpenedRun;
use crate::storage::{event_table, journal_table, json_table};
use crate::transport::bindings::now_ms;

/// The name under which is stored whether the user has asked to end the run.
const STOP_NAME: &str = "stop";

/// A run as its viewers and its conductor share it.
#[derive(Clone)]
pub(crate) struct LiveRun {
    log: Rc<EventLog>,
    stop: Rc<StopSwitch>,
    opened: OpenedRun,
}

impl LiveRun {
    /// Loads the stored run. Returns `None` where there is no run, or where its time to live is
    /// over.
    pub(crate) fn load(sql: &SqlStorage) -> Result<Option<Self>> {
        Ok(Self::stored(sql)?.filter(|live| !live.has_expired()))
    }

    /// Loads the stored run, also one whose time to live is over.
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

    /// Returns whether the run's time to live is over.
    pub(crate) fn has_expired(&self) -> bool {
        self.opened.expires_ms() <= now_ms()
    }

    /// Ends the run. The wish to end is stored first, so that it holds for a later conductor, too.
    pub(crate) fn stop(&self, sql: &SqlStorage) -> Result<()> {
        json_table::put(sql, STOP_NAME, &true)?;
        self.stop.turn_on();
        Ok(())
    }

    /// Returns the switch that says whether the user has asked to end the run.
    pub(crate) fn stop_switch(&self) -> &Rc<StopSwitch> {
        &self.stop
    }

    /// Returns the log of the events so far.
    pub(crate) fn log(&self) -> &Rc<EventLog> {
        &self.log
    }

    /// Returns how the run began.
    pub(crate) fn opened(&self) -> &OpenedRun {
        &self.opened
    }
}
