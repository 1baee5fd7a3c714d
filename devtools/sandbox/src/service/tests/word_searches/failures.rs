//! Tests of the failures of each search.

use super::*;

/// Checks that the response to each fault has the member and value in the table.
fn check(provider: SandboxProvider, table: &[(&str, &str, &str)]) {
    for (kind, pointer, value) in table {
        let reply = ask_any(&mut faulty(provider, kind), provider);
        let answer = body(&reply);
        assert_eq!(answer.pointer(pointer), Some(&json!(value)), "{kind}");
    }
}

#[test]
fn each_fault_of_brave_has_its_body() {
    check(
        SandboxProvider::Brave,
        &[
            (
                "token-invalid-422",
                "/error/code",
                "SUBSCRIPTION_TOKEN_INVALID",
            ),
            (
                "token-invalid-list-422",
                "/errors/0/code",
                "SUBSCRIPTION_TOKEN_INVALID",
            ),
            (
                "subscription-not-found-404",
                "/error/code",
                "SUBSCRIPTION_NOT_FOUND",
            ),
            (
                "option-not-in-plan-400",
                "/error/code",
                "OPTION_NOT_IN_PLAN",
            ),
            ("validation-422", "/error/code", "VALIDATION"),
            ("server-error-500", "/error/code", "INTERNAL"),
            ("rate-limited-429", "/error/code", "RATE_LIMITED"),
            ("rate-limited-list-429", "/errors/0/code", "RATE_LIMITED"),
            ("quota-limited-429", "/error/code", "QUOTA_LIMITED"),
            ("quota-limited-list-429", "/errors/0/code", "QUOTA_LIMITED"),
        ],
    );
}

#[test]
fn each_fault_of_openverse_has_its_body() {
    check(
        SandboxProvider::Openverse,
        &[
            (
                "unauthorized-401",
                "/detail",
                "Incorrect authentication credentials.",
            ),
            (
                "bad-request-400",
                "/detail/license/0",
                "License 'x' does not exist.",
            ),
            (
                "throttled-429",
                "/detail",
                "Request was throttled. Expected available in 2 seconds.",
            ),
            ("throttled-bare", "/detail", "Request was throttled."),
            (
                "throttled-day",
                "/detail",
                "Request was throttled. Expected available in 51840 seconds.",
            ),
            (
                "server-error-500",
                "/detail",
                "An internal server error occurred.",
            ),
        ],
    );
}

#[test]
fn each_fault_of_serpapi_has_its_body() {
    check(
        SandboxProvider::SerpApi,
        &[
            (
                "bad-key-401",
                "/error",
                "Invalid API key. Your API key should be here: https://serpapi.com/manage-api-key",
            ),
            (
                "out-of-searches-429",
                "/error",
                "Your account has run out of searches.",
            ),
            (
                "missing-query-400",
                "/error",
                "Missing query `q` parameter.",
            ),
            ("search-failed", "/search_metadata/status", "Error"),
        ],
    );
}

#[test]
fn each_fault_of_serper_has_its_body() {
    check(
        SandboxProvider::Serper,
        &[
            ("unauthorized-403", "/message", "Unauthorized."),
            ("no-credits-400", "/message", "Not enough credits"),
            ("rate-limited-429", "/message", "Too many requests"),
        ],
    );
}

#[test]
fn only_some_say_how_long_to_wait() {
    for (provider, kind, wait) in [
        (SandboxProvider::Openverse, "throttled-429", Some("2")),
        (SandboxProvider::Openverse, "throttled-bare", None),
        (SandboxProvider::Openverse, "throttled-day", Some("51840")),
        (SandboxProvider::Brave, "rate-limited-429", None),
    ] {
        let reply = ask_any(&mut faulty(provider, kind), provider);
        let header = reply.response.headers().get(RETRY_AFTER);
        assert_eq!(
            header.map(|wait| wait.to_str().unwrap()),
            wait,
            "{provider} {kind}"
        );
    }
}
