//! Reads the settings that are dollars: prices, and limits of what is spent.

use crate::reader::{NONE, SettingsReader};

/// The largest price or limit, in dollars.
const USD_MAX: f64 = 10_000.0;
/// The billionths of a dollar in a dollar.
pub(crate) const NANO_USD_PER_USD: f64 = 1e9;

impl<F: Fn(&str) -> Option<String>> SettingsReader<F> {
    /// Reads dollars and returns them in billionths, `None` where the setting says `none`, or the
    /// default where it is not set or wrong.
    pub(crate) fn usd_or_none(&mut self, name: &str, default: Option<u64>) -> Option<u64> {
        let text = match self.text(name) {
            None => return default,
            Some(text) if text == NONE => return None,
            Some(text) => text,
        };
        let nano_usd = nano_usd_of(&text, NANO_USD_PER_USD);
        if nano_usd.is_none() {
            self.note_wrong(
                name,
                &format!("must be dollars from 0 to {USD_MAX}, or none"),
            );
        }
        nano_usd.or(default)
    }

    /// Reads a price in dollars a thousand or a million, and returns it in billionths of a dollar
    /// each. The first of these settings that is set counts.
    pub(crate) fn price(&mut self, names: &[&str], default: u64, nano_usd_per_unit: f64) -> u64 {
        let mut set = names
            .iter()
            .filter_map(|name| Some((*name, self.text(name)?)));
        let Some((name, text)) = set.next() else {
            return default;
        };
        nano_usd_of(&text, nano_usd_per_unit).unwrap_or_else(|| {
            self.note_wrong(name, &format!("must be dollars from 0 to {USD_MAX}"));
            default
        })
    }
}

/// Returns dollars a unit in billionths each, or `None` where the text says no such dollars.
fn nano_usd_of(text: &str, nano_usd_per_unit: f64) -> Option<u64> {
    let usd = text.parse::<f64>().ok();
    let usd = usd.filter(|usd| (0.0..=USD_MAX).contains(usd))?;
    // The number is at most 1e13.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let nano_usd = (usd * nano_usd_per_unit).round() as u64;
    Some(nano_usd)
}
