//! The keys that callers of a sandbox need.

/// The credentials that a caller must send. They only give access to a sandbox, so they need not be secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SandboxCredentials {
    /// The key of Google's search, sent as `x-goog-api-key` or `key`.
    pub google_key: String,
    /// The id of Google's search engine, sent as `cx`.
    pub google_cx: String,
    /// The id of the AWS key, in the scope of a signature.
    pub aws_access_key_id: String,
    /// The secret of the AWS key, with which requests are signed.
    pub aws_secret_access_key: String,
    /// The session token of a temporary AWS key; if there is one, it must be sent and signed.
    pub aws_session_token: Option<String>,
    /// The AWS region, in the scope of a signature.
    pub aws_region: String,
    /// Gemini's key, sent as `x-goog-api-key`.
    pub gemini_key: String,
    /// The Gemini models that exist; the first is the one to use.
    pub gemini_models: Vec<String>,
    /// Cloudflare's id of the account, in Workers AI's address.
    pub workers_ai_account_id: String,
    /// The bearer token for Workers AI.
    pub workers_ai_token: String,
    /// The only model that Workers AI has.
    pub workers_ai_model: String,
    /// The bearer token for the chat completions.
    pub openai_key: String,
    /// The only model that the chat completions have.
    pub openai_model: String,
    /// Brave's key, sent as `X-Subscription-Token`.
    pub brave_key: String,
    /// SerpApi's key, sent as `api_key`.
    pub serpapi_key: String,
    /// Serper's key, sent as `X-API-KEY`.
    pub serper_key: String,
    /// The bearer token for the recogniser by portraits.
    pub references_token: String,
    /// The name of the user who can sign in to the site's shop.
    pub site_user: String,
    /// The password of the user who can sign in to the site's shop.
    pub site_password: String,
}

impl Default for SandboxCredentials {
    fn default() -> Self {
        Self {
            google_key: "sandbox-google-key".to_owned(),
            google_cx: "sandbox-engine".to_owned(),
            aws_access_key_id: "SANDBOXACCESSKEY".to_owned(),
            aws_secret_access_key: "sandbox-secret-access-key".to_owned(),
            aws_session_token: None,
            aws_region: "us-east-1".to_owned(),
            gemini_key: "sandbox-gemini-key".to_owned(),
            gemini_models: [
                "gemini-3.5-flash-lite",
                "gemini-3.5-flash",
                "gemini-3.8-flash",
                "gemini-3.7-flash",
                "gemini-3.6-flash",
                "gemini-3.1-flash-lite",
                "gemini-2.5-flash-lite",
            ]
            .map(str::to_owned)
            .to_vec(),
            workers_ai_account_id: "sandbox-account".to_owned(),
            workers_ai_token: "sandbox-cloudflare-token".to_owned(),
            workers_ai_model: "@cf/meta/llama-3.3-70b-instruct-fp8-fast".to_owned(),
            openai_key: "sandbox-openai-key".to_owned(),
            openai_model: "sandbox-model".to_owned(),
            brave_key: "sandbox-brave-key".to_owned(),
            serpapi_key: "sandbox-serpapi-key".to_owned(),
            serper_key: "sandbox-serper-key".to_owned(),
            references_token: "sandbox-references-token".to_owned(),
            site_user: "visitor".to_owned(),
            site_password: "sandbox-site-password".to_owned(),
        }
    }
}

impl SandboxCredentials {
    /// Returns the Gemini model to use, or an empty text if there is none.
    #[must_use]
    pub fn gemini_model(&self) -> &str {
        self.gemini_models.first().map_or("", String::as_str)
    }
}
