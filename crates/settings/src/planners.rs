//! Reads the settings of planners: their order, how to reach them, and the prices of their tokens.

use std::rc::Rc;

use providers::{Planner, gemini, openai, workers_ai};

use crate::providers::PricedPlanner;
use crate::reader::{Binding, SettingsReader};

/// The factor from dollars per million tokens to billionths of a dollar per token.
const PER_MILLION: f64 = 1e3;
/// The planners that `PLANNER` may name; `none` disables them.
const PLANNERS: [&str; 4] = ["gemini", "workers-ai", "openai", "none"];
/// The prices of an input and an output token of each model, in billionths of a dollar, from the lists of 2026-11.
/// `gemini-3.8-flash` costs half as much until the end of 2026.
const MODEL_PRICES: [(&str, (u64, u64)); 5] = [
    (gemini::MODEL_DEFAULT, (300, 2_500)),
    ("gemini-3.5-flash", (1_500, 9_000)),
    ("gemini-3.6-flash", (1_500, 7_500)),
    ("gemini-3.8-flash", (1_500, 7_500)),
    (workers_ai::MODEL_DEFAULT, (290, 2_250)),
];

impl<F: Fn(&str) -> Option<String>> SettingsReader<F> {
    /// Reads the planners in the order in which they are asked.
    pub(crate) fn planners(&mut self) -> Vec<PricedPlanner> {
        let mut list = self
            .list("PLANNER", &PLANNERS)
            .unwrap_or_else(|| self.planners_with_keys());
        if list.contains(&"none") {
            if list.len() > 1 {
                self.note_wrong("PLANNER", "names none together with others");
            }
            list.clear();
        }
        list.into_iter().map(|id| self.planner(id)).collect()
    }

    /// Reads `VISION_MODEL`, like `gemini/gemini-3.5-flash`. It names a service, which is configured like the planner
    /// of that name, and the vision model of that service.
    pub(crate) fn vision(&mut self) -> Option<PricedPlanner> {
        let text = self.text("VISION_MODEL")?;
        let (id, model) = text.split_once('/').unwrap_or((&text, ""));
        let id = PLANNERS
            .into_iter()
            .find(|known| *known == id && *known != "none");
        let (Some(id), false) = (id, model.is_empty()) else {
            let what = "must be gemini, workers-ai or openai, a slash, and a model of it";
            self.note_wrong("VISION_MODEL", what);
            return None;
        };
        let of_service = self.planner(id);
        let planner = of_service.planner.with_model(model);
        let is_free = (of_service.token_in_nano_usd, of_service.token_out_nano_usd) == (0, 0);
        let known = listed_prices(model).or(is_free.then_some((0, 0)));
        Some(self.metered(planner, "VISION", known))
    }

    fn planners_with_keys(&self) -> Vec<&'static str> {
        let keys = [
            ("gemini", "GEMINI_API_KEY"),
            ("workers-ai", "CLOUDFLARE_API_TOKEN"),
            ("openai", "OPENAI_MODEL"),
        ];
        let set = keys.into_iter().filter(|(_, key)| self.text(key).is_some());
        set.map(|(id, _)| id).collect()
    }

    fn planner(&mut self, id: &str) -> PricedPlanner {
        match id {
            "gemini" => {
                let planner = gemini::GeminiSettings {
                    base: self.address("GEMINI_BASE", gemini::BASE_DEFAULT),
                    key: self.needed("GEMINI_API_KEY").into(),
                    model: self.text_or("GEMINI_MODEL", gemini::MODEL_DEFAULT),
                };
                let known = listed_prices(&planner.model);
                self.metered(Rc::new(planner), "GEMINI", known)
            }
            "workers-ai" => {
                let model = self.text_or("WORKERS_AI_MODEL", workers_ai::MODEL_DEFAULT);
                let known = listed_prices(&model);
                let access = self.workers_ai();
                let planner = workers_ai::WorkersAiSettings { model, access };
                self.metered(Rc::new(planner), "WORKERS_AI", known)
            }
            _ => {
                let planner = openai::OpenAiSettings {
                    base: self.address("OPENAI_BASE", openai::BASE_DEFAULT),
                    key: self.text("OPENAI_API_KEY").map(Into::into),
                    model: self.needed("OPENAI_MODEL"),
                };
                // The model has no known price. If it runs on the operator's own machine, it is free.
                let is_own = !planner.base.starts_with("https:");
                let known = is_own.then_some((0, 0));
                self.metered(Rc::new(planner), "OPENAI", known)
            }
        }
    }

    /// Reads how to access Workers AI: by REST, or through the Worker's binding if no token is set.
    fn workers_ai(&mut self) -> workers_ai::Access {
        if self.text("CLOUDFLARE_API_TOKEN").is_some() {
            return workers_ai::Access::Rest {
                base: self.address("WORKERS_AI_BASE", workers_ai::BASE_DEFAULT),
                account_id: self.needed("CLOUDFLARE_ACCOUNT_ID"),
                token: self.needed("CLOUDFLARE_API_TOKEN").into(),
            };
        }
        if !self.has(Binding::Ai) {
            let what = "workers-ai needs CLOUDFLARE_API_TOKEN, or the binding AI in wrangler.toml";
            self.note_wrong("PLANNER", what);
        }
        workers_ai::Access::Binding
    }

    /// Sets a planner's prices from `PRICE_{NAME}_IN_USD_PER_MILLION` and `..._OUT_...`, or from the list prices. If
    /// the model has no list price, these settings are required.
    fn metered(
        &mut self,
        planner: Rc<dyn Planner>,
        name: &str,
        known: Option<(u64, u64)>,
    ) -> PricedPlanner {
        let mut price = |way: &str, known: Option<u64>| {
            let own = format!("PRICE_{name}_{way}_USD_PER_MILLION");
            let of_any = format!("PRICE_LLM_{way}_USD_PER_MILLION");
            if known.is_none() && self.text(&of_any).is_none() {
                self.needed(&own);
            }
            self.price(&[&own, &of_any], known.unwrap_or_default(), PER_MILLION)
        };
        PricedPlanner {
            planner,
            token_in_nano_usd: price("IN", known.map(|(read, _)| read)),
            token_out_nano_usd: price("OUT", known.map(|(_, written)| written)),
        }
    }
}

/// Returns the list prices of a model, or of the model that is billed in its place after its retirement; `None` if
/// there are none.
fn listed_prices(model: &str) -> Option<(u64, u64)> {
    let model = gemini::replacement(model).unwrap_or(model);
    let found = MODEL_PRICES.iter().find(|(listed, _)| *listed == model);
    found.map(|(_, prices)| *prices)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reader::Bindings;
    use crate::reader::among;

    const GEMINI: (&str, &str) = ("GEMINI_API_KEY", "k");

    /// Returns the prices of a million input and output tokens, or the faults.
    fn prices(settings: &[(&str, &str)], has_ai: bool) -> Result<Vec<(u64, u64)>, Vec<String>> {
        let mut reader =
            SettingsReader::new(among(settings), Bindings::among([(Binding::Ai, has_ai)]));
        let planners = reader.planners();
        let wrong = reader.into_wrong();
        if !wrong.is_empty() {
            return Err(wrong);
        }
        let prices = |one: &PricedPlanner| (one.token_in_nano_usd, one.token_out_nano_usd);
        Ok(planners.iter().map(prices).collect())
    }

    #[test]
    fn workers_ai_needs_a_token_or_the_binding() {
        let chosen = ("PLANNER", "workers-ai");
        assert_eq!(
            prices(&[chosen], false).unwrap_err(),
            ["PLANNER (workers-ai needs CLOUDFLARE_API_TOKEN, or the binding AI in wrangler.toml)"]
        );
        assert_eq!(prices(&[chosen], true).unwrap(), [(290, 2_250)]);
        let by_rest = [
            chosen,
            ("CLOUDFLARE_API_TOKEN", "t"),
            ("CLOUDFLARE_ACCOUNT_ID", "a"),
        ];
        assert_eq!(prices(&by_rest, false).unwrap(), [(290, 2_250)]);
    }

    #[test]
    fn a_listed_model_has_its_own_price() {
        assert_eq!(prices(&[GEMINI], false).unwrap(), [(300, 2_500)]);
        let dearer = [GEMINI, ("GEMINI_MODEL", "gemini-3.5-flash")];
        assert_eq!(prices(&dearer, false).unwrap(), [(1_500, 9_000)]);
        let own = [&dearer[..], &[("PRICE_GEMINI_OUT_USD_PER_MILLION", "1")]].concat();
        assert_eq!(prices(&own, false).unwrap(), [(1_500, 1_000)]);
    }

    #[test]
    fn a_model_that_is_no_more_costs_what_answers_in_its_place_costs() {
        for (model, expected) in [
            ("gemini-2.5-pro", (1_500, 7_500)),
            ("gemini-2.5-flash", (300, 2_500)),
        ] {
            let settings = [GEMINI, ("GEMINI_MODEL", model)];
            assert_eq!(prices(&settings, false).unwrap(), [expected], "{model}");
        }
        // This model is not retired, but has no list price.
        let stays = [GEMINI, ("GEMINI_MODEL", "gemini-2.5-flash-lite")];
        assert!(prices(&stays, false).is_err());
    }

    #[test]
    fn a_model_that_is_not_listed_needs_a_price() {
        let other = [GEMINI, ("GEMINI_MODEL", "gemini-next")];
        let names = ["IN", "OUT"].map(|way| format!("PRICE_GEMINI_{way}_USD_PER_MILLION"));
        assert_eq!(prices(&other, false).unwrap_err(), names);
        let own = [
            &other[..],
            &[(&*names[0], "0.5"), ("PRICE_LLM_OUT_USD_PER_MILLION", "3")],
        ];
        assert_eq!(prices(&own.concat(), false).unwrap(), [(500, 3_000)]);
        let bound = [("PLANNER", "workers-ai"), ("WORKERS_AI_MODEL", "@cf/x/y")];
        let names = ["IN", "OUT"].map(|way| format!("PRICE_WORKERS_AI_{way}_USD_PER_MILLION"));
        assert_eq!(prices(&bound, true).unwrap_err(), names);
    }

    #[test]
    fn a_model_on_ones_own_machine_is_free_and_one_of_the_web_is_not() {
        let model = ("OPENAI_MODEL", "llama");
        let own = [model, ("OPENAI_BASE", "http://127.0.0.1:11434/v1")];
        assert_eq!(prices(&own, false).unwrap(), [(0, 0)]);
        let names = ["IN", "OUT"].map(|way| format!("PRICE_OPENAI_{way}_USD_PER_MILLION"));
        assert_eq!(prices(&[model], false).unwrap_err(), names);
    }
}
