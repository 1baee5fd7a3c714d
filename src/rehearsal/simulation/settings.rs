//! The settings under which a run is conducted in memory.

use std::collections::BTreeMap;

use crate::sandbox::SandboxOptions;
use crate::session::Settings;

/// The settings that lead to the sandbox, and to nothing else.
#[must_use]
pub fn sandbox_settings(options: &SandboxOptions, more: &[(&str, &str)]) -> Settings {
    let keys = &options.credentials;
    let mut settings: BTreeMap<&str, &str> = BTreeMap::from([
        ("GOOGLE_API_KEY", keys.google_key.as_str()),
        ("GOOGLE_CX", keys.google_cx.as_str()),
        ("GOOGLE_BASE", options.origin.as_str()),
        ("AWS_ACCESS_KEY_ID", keys.aws_access_key_id.as_str()),
        ("AWS_SECRET_ACCESS_KEY", keys.aws_secret_access_key.as_str()),
        ("AWS_REGION", keys.aws_region.as_str()),
        ("REKOGNITION_ENDPOINT", options.origin.as_str()),
        ("GEMINI_API_KEY", keys.gemini_key.as_str()),
        ("GEMINI_BASE", options.origin.as_str()),
        ("GEMINI_MODEL", keys.gemini_model()),
        ("IMAGE_ORIGIN_ALLOWED", options.origin.as_str()),
        ("PUBLIC", "1"),
    ]);
    settings.extend(more.iter().copied());
    Settings::read(|name| settings.get(name).map(|value| (*value).to_owned()))
}
