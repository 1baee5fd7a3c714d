//! The settings of a run in memory.

use std::collections::BTreeMap;

use sandbox::SandboxOptions;
use settings::{Binding, Bindings, Settings};
use visual_degrees::engines::EngineName;

/// Returns settings with which a run uses nothing but the sandbox. If they include `IMAGES`, the platform converts
/// photos.
#[must_use]
pub fn sandbox_settings(options: &SandboxOptions, more: &[(&str, &str)]) -> Settings {
    let mut settings: BTreeMap<&str, String> = options.worker_settings().into_iter().collect();
    settings.insert("PUBLIC", "1".to_owned());
    let more = more
        .iter()
        .map(|(name, value)| (*name, (*value).to_owned()));
    settings.extend(more);
    let lookup = |name: &str| settings.get(name).cloned();
    let bindings = Bindings::among([
        (Binding::Images, settings.contains_key("IMAGES")),
        (Binding::Database, settings.contains_key("MEMORY")),
    ]);
    Settings::read(lookup, bindings, &EngineName::variables())
}
