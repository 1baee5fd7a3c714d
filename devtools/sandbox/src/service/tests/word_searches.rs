//! Tests of the providers that only search for words: Brave, Openverse, SerpApi and Serper.

mod failures;
mod refusals;

use super::*;

fn request(provider: SandboxProvider, text: &str) -> Request<Vec<u8>> {
    let get = |address: &str| Request::get(format!("{address}q={text}"));
    let request = match provider {
        SandboxProvider::Brave => get("/brave/res/v1/images/search?count=50&safesearch=strict&")
            .header("x-subscription-token", "sandbox-brave-key")
            .header("accept", "application/json"),
        SandboxProvider::Openverse => get("/openverse/v1/images/?page_size=20&"),
        SandboxProvider::SerpApi => {
            get("/serpapi/search?engine=google_images&api_key=sandbox-serpapi-key&")
        }
        _ => {
            return serper(
                "sandbox-serper-key",
                &json!({"q": text.replace('+', " "), "num": 100}),
            );
        }
    };
    request.body(Vec::new()).unwrap()
}

fn serper(key: &str, body: &Value) -> Request<Vec<u8>> {
    Request::post("/serper/images")
        .header("x-api-key", key)
        .header("content-type", "application/json")
        .body(body.to_string().into_bytes())
        .unwrap()
}

/// Sends a valid search to a provider.
pub(super) fn search(sandbox: &mut Sandbox, provider: SandboxProvider, text: &str) -> Reply {
    sandbox.respond(request(provider, text), NOW_MS)
}

const ALL: [SandboxProvider; 4] = [
    SandboxProvider::Brave,
    SandboxProvider::Openverse,
    SandboxProvider::SerpApi,
    SandboxProvider::Serper,
];

/// Returns the pointer to the list of results, and the pointers in each result to the addresses of the picture, its
/// copy and its page.
pub(super) fn members(provider: SandboxProvider) -> [&'static str; 4] {
    match provider {
        SandboxProvider::Brave => ["/results", "/properties/url", "/thumbnail/src", "/url"],
        SandboxProvider::Openverse => ["/results", "/url", "/thumbnail", "/foreign_landing_url"],
        SandboxProvider::SerpApi => ["/images_results", "/original", "/thumbnail", "/link"],
        _ => ["/images", "/imageUrl", "/thumbnailUrl", "/link"],
    }
}

#[test]
fn results_lead_to_pictures_that_can_be_read() {
    let mut sandbox = plain();
    let name = famous(&sandbox);
    for provider in ALL {
        let [list, picture, copy, page] = members(provider);
        let answer = body(&search(&mut sandbox, provider, &name));
        let results = answer.pointer(list).unwrap().as_array().unwrap().clone();
        assert!(results.len() > 2, "{provider}");
        for result in &results {
            for member in [picture, copy, page] {
                let address = result.pointer(member).unwrap().as_str().unwrap();
                let address = address.strip_prefix("http://127.0.0.1:8788").unwrap();
                let reply = get(&mut sandbox, address);
                assert_eq!(status(&reply), 200, "{provider} {address}");
                if member != page {
                    let bytes = reply.response.into_body().bytes();
                    assert!(
                        picture::inspect(&bytes).unwrap().label.is_some(),
                        "{address}"
                    );
                }
            }
        }
        let row = sandbox.calls().next().unwrap();
        assert_eq!(
            (row.provider, row.key.clone()),
            (provider, name.replace('+', " "))
        );
        assert_eq!(row.charged, provider != SandboxProvider::Openverse);
        sandbox.respond(Request::delete("/calls").body(Vec::new()).unwrap(), NOW_MS);
    }
}

#[test]
fn bad_files_and_missing_members_come_out_where_they_may() {
    let mut sandbox = sandbox(SandboxOptions::default());
    let names: Vec<String> = sandbox
        .world()
        .people
        .iter()
        .map(|person| person.name.replace(' ', "+"))
        .collect();
    let mut results = |provider| -> Vec<Value> {
        let [list, ..] = members(provider);
        let mut all = Vec::new();
        for name in &names {
            let answer = body(&search(&mut sandbox, provider, name));
            all.extend(
                answer
                    .pointer(list)
                    .and_then(Value::as_array)
                    .cloned()
                    .unwrap_or_default(),
            );
        }
        all
    };
    let brave = results(SandboxProvider::Brave);
    for member in [
        "/title",
        "/url",
        "/source",
        "/thumbnail/src",
        "/properties/url",
    ] {
        assert!(
            brave
                .iter()
                .any(|result| result.pointer(member) == Some(&Value::Null)),
            "{member}"
        );
    }
    let sized = brave
        .iter()
        .filter(|result| result["properties"].get("width").is_some())
        .count();
    assert!(sized > 0 && sized < brave.len());
    assert!(brave.iter().all(|result| {
        let original = result["properties"]["url"].as_str();
        original.is_none_or(|original| original.starts_with("http"))
    }));
    for provider in [SandboxProvider::SerpApi, SandboxProvider::Serper] {
        let [_, picture, ..] = members(provider);
        let is_raw = |result: &Value| {
            let address = result.pointer(picture).unwrap().as_str().unwrap();
            address.starts_with("x-raw-image:///")
        };
        assert!(results(provider).iter().any(is_raw), "{provider}");
    }
    let openverse = results(SandboxProvider::Openverse);
    assert!(openverse.iter().any(|result| result["creator"].is_null()));
    assert!(openverse.iter().any(|result| result["width"].is_null()));
}

#[test]
fn nothing_found_is_an_empty_list_or_a_sentence() {
    let mut sandbox = plain();
    for provider in ALL {
        let reply = search(&mut sandbox, provider, "nobody+anywhere");
        assert_eq!(status(&reply), 200, "{provider}");
        let answer = body(&reply);
        let [list, ..] = members(provider);
        if provider == SandboxProvider::SerpApi {
            assert!(answer.pointer(list).is_none());
            let text = answer["error"].as_str().unwrap();
            assert!(
                text.ends_with("hasn't returned any results for this query."),
                "{text}"
            );
            assert_eq!(answer["search_metadata"]["status"], "Success");
        } else {
            assert_eq!(answer.pointer(list), Some(&json!([])), "{provider}");
        }
    }
}

#[test]
fn openverse_counts_pages_and_keeps_to_licenses() {
    let mut sandbox = plain();
    let name = famous(&sandbox);
    let mut ask = |rest: &str| {
        body(&get(
            &mut sandbox,
            &format!("/openverse/v1/images/?q={name}&{rest}"),
        ))
    };
    let first = ask("page_size=3");
    let count = first["result_count"].as_u64().unwrap();
    assert_eq!(first["page_count"], count.div_ceil(3).min(20));
    let second = ask("page_size=3&page=2");
    assert_eq!(
        (&second["page"], &second["page_size"]),
        (&json!(2), &json!(3))
    );
    assert_ne!(first["results"][0]["id"], second["results"][0]["id"]);
    let mut sum = 0;
    for license in ["by", "by-sa", "by-nc-nd", "by-nc", "cc0", "pdm"] {
        let some = ask(&format!("license={license}"));
        sum += some["result_count"].as_u64().unwrap();
        let results = some["results"].as_array().unwrap();
        assert!(results.iter().all(|result| result["license"] == license));
    }
    assert_eq!(sum, count);
    let free = ask("license_type=commercial&license=by,by-nc");
    assert!(
        free["results"]
            .as_array()
            .unwrap()
            .iter()
            .all(|result| result["license"] == "by")
    );
}
