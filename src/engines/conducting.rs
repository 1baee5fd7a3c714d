//! Conducts a run of any engine.

use domain::RunToken;
use engine::run::{ConductOutcome, RecordLimits, SavedRun};
use platform::{Artifacts, Browsers, Children, Effects, RememberedPhotos, SentSecrets, WriteError};
use settings::{Caps, Providers};

use super::{EngineName, EveryEngine, with_engine};

impl EngineName {
    /// Conducts a run of this engine: see [`engine::run::conduct`].
    pub async fn conduct<E>(
        self,
        effects: &E,
        (providers, caps): (&Providers, &Caps),
        run: &RunToken,
        saved: &SavedRun,
        record: RecordLimits,
    ) -> Result<ConductOutcome, WriteError>
    where
        E: Effects + Artifacts + Browsers + Children + RememberedPhotos + SentSecrets,
    {
        with_engine!(self, G => {
            let conducting =
                engine::run::conduct::<_, G>(effects, providers, caps, &EveryEngine, run, saved, record);
            Box::pin(conducting).await
        })
    }
}
