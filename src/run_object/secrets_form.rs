//! The form in which secrets are handed to a run's object: the one place where they are written.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serializer};

use domain::Secret;

/// Writes secrets as an object from names to texts.
pub(super) fn serialize<S: Serializer>(
    secrets: &BTreeMap<String, Secret>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_map(secrets.iter().map(|(name, secret)| (name, secret.reveal())))
}

/// Reads secrets as [`serialize`] writes them.
pub(super) fn deserialize<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<BTreeMap<String, Secret>, D::Error> {
    let texts = BTreeMap::<String, String>::deserialize(deserializer)?;
    let secrets = texts.into_iter();
    Ok(secrets.map(|(name, text)| (name, text.into())).collect())
}
