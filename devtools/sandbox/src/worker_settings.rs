//! The settings with which a Worker uses a sandbox in place of all providers.

use super::options::SandboxOptions;

/// The names of the limits that have a default if everybody may start runs.
const NO_LIMITS: [&str; 6] = [
    "DAILY_SEARCHES",
    "DAILY_RECOGNITIONS",
    "DAILY_USD",
    "LIVE_RUNS_MAX",
    "LIVE_RUNS_PER_CLIENT_MAX",
    "STARTS_PER_MINUTE_MAX",
];

impl SandboxOptions {
    /// Returns the names and values of the settings for all providers. `IMAGE_SEARCH` and `PLANNER` name the first
    /// provider of their kind.
    #[must_use]
    pub fn worker_settings(&self) -> Vec<(&'static str, String)> {
        let keys = &self.credentials;
        let below = |path: &str| format!("{}{path}", self.origin);
        let mut settings = vec![
            ("IMAGE_SEARCH", "google".to_owned()),
            ("GOOGLE_API_KEY", keys.google_key.clone()),
            ("GOOGLE_CX", keys.google_cx.clone()),
            ("GOOGLE_BASE", self.origin.clone()),
            ("BRAVE_API_KEY", keys.brave_key.clone()),
            ("BRAVE_BASE", below("/brave")),
            ("SERPAPI_API_KEY", keys.serpapi_key.clone()),
            ("SERPAPI_BASE", below("/serpapi")),
            ("SERPER_API_KEY", keys.serper_key.clone()),
            ("SERPER_BASE", below("/serper")),
            ("OPENVERSE_BASE", below("/openverse")),
            ("COMMONS_BASE", below("/commons")),
            ("CONTACT", "operator@example.org".to_owned()),
            ("PEOPLE", "wikidata".to_owned()),
            ("WIKIDATA_BASE", below("/wikidata")),
            ("AWS_ACCESS_KEY_ID", keys.aws_access_key_id.clone()),
            ("AWS_SECRET_ACCESS_KEY", keys.aws_secret_access_key.clone()),
            ("AWS_REGION", keys.aws_region.clone()),
            ("REKOGNITION_ENDPOINT", self.origin.clone()),
            // The sandbox recognises as fast as the machine can, unless `--tps` limits it.
            ("RECOGNITIONS_PER_SECOND", "1000".to_owned()),
            ("REFERENCES_BASE", below("/references")),
            ("REFERENCES_TOKEN", keys.references_token.clone()),
            ("PLANNER", "gemini".to_owned()),
            ("GEMINI_API_KEY", keys.gemini_key.clone()),
            ("GEMINI_BASE", self.origin.clone()),
            ("GEMINI_MODEL", keys.gemini_model().to_owned()),
            ("CLOUDFLARE_ACCOUNT_ID", keys.workers_ai_account_id.clone()),
            ("CLOUDFLARE_API_TOKEN", keys.workers_ai_token.clone()),
            ("WORKERS_AI_BASE", below("/cloudflare")),
            ("WORKERS_AI_MODEL", keys.workers_ai_model.clone()),
            ("OPENAI_BASE", below("/openai/v1")),
            ("OPENAI_API_KEY", keys.openai_key.clone()),
            ("OPENAI_MODEL", keys.openai_model.clone()),
            ("VISION_MODEL", format!("gemini/{}", keys.gemini_model())),
            ("PRICE_VISION_IN_USD_PER_MILLION", "0.3".to_owned()),
            ("PRICE_VISION_OUT_USD_PER_MILLION", "2.5".to_owned()),
            ("MCP_SERVERS", desk(&self.origin)),
            // Everybody may use the desktop of the MCP server.
            ("PUBLIC_WORKFLOWS", "any".to_owned()),
            // A Worker only uses Turnstile if its two keys are set, too. The secret key is `sandbox-turnstile-secret`.
            ("TURNSTILE_BASE", self.origin.clone()),
            ("IMAGE_ORIGIN_ALLOWED", self.origin.clone()),
        ];
        // Calls of the sandbox cost nothing, so no limit is necessary.
        settings.extend(NO_LIMITS.map(|name| (name, "none".to_owned())));
        settings.push(("PUBLIC_BUDGETS", "caps".to_owned()));
        let token = keys.aws_session_token.clone();
        settings.extend(token.map(|token| ("AWS_SESSION_TOKEN", token)));
        settings
    }
}

/// Returns the setting for the MCP server, which is trusted because the hints of its tools are reliable.
fn desk(origin: &str) -> String {
    format!(r#"{{"desk":{{"url":"{origin}/mcp/desk","trusted":true}}}}"#)
}
