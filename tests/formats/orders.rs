//! Calls to a run's object, and how requests are refused.

use std::collections::BTreeMap;

use domain::{CallPrices, Limits, Name, Sha256Digest, WikidataNumber, WordUse, YearRange};
use engine::Problem;
use investigation::machine::Request;
use investigation::wire::Order;
use visual_degrees::auth::{CreatorKey, KeyClaim, KeyUse};

use crate::search_forms::Creation;

fn request() -> Request {
    Request {
        person_a: Name::parse("Jean Valjean").unwrap().into(),
        person_b: Name::parse("Cosette").unwrap().into(),
        avoid: vec![Name::parse("Javert").unwrap()],
        limits: Limits::default(),
        sources: Vec::new(),
    }
}

const ORDER: &str = r#"{"version":1,"personA":"Jean Valjean","personB":"Cosette","avoid":["Javert"],"plan":"both-ends","pace":"quick","hops":6,"threshold":80,"images":5,"searches":20,"polish":0,"recognitions":100,"llm":12,"runtimeMs":120000}"#;

#[test]
fn order_format_unchanged_and_read_back() {
    let order = Order::new(&request());
    assert_eq!(serde_json::to_string(&order).unwrap(), ORDER);
    let read: Order = serde_json::from_str(ORDER).unwrap();
    assert_eq!(read.request(), Ok(request()));
}

#[test]
fn an_order_with_numbers_and_money_is_read_back() {
    let mut request = request();
    request.person_a.wikidata = WikidataNumber::parse("Q1");
    request.limits.nano_usd_max = Some(50_000_000);
    let prices = CallPrices {
        search_nano_usd_max: 5,
        recognition_nano_usd_max: 3,
        planner_nano_usd_max: 2,
        ..CallPrices::default()
    };
    let order = Order::new(&request).with_prices(prices);
    let expected = ORDER
        .replace(r#","avoid""#, r#","wikidataA":"Q1","avoid""#)
        .replace(
            r#""runtimeMs":120000"#,
            r#""runtimeMs":120000,"money":{"nanoUsdMax":50000000,"search":5,"recognition":3,"plan":2}"#,
        );
    assert_eq!(serde_json::to_string(&order).unwrap(), expected);
    request.limits.prices = prices;
    assert_eq!(order.request(), Ok(request));
    let wrong = expected.replace("Q1", "1");
    let wrong: Order = serde_json::from_str(&wrong).unwrap();
    assert!(wrong.request().is_err());
}

#[test]
fn an_order_that_opens_pages_says_so_and_others_are_stored_as_before() {
    let mut request = request();
    request.limits.captures_pages = true;
    let prices = CallPrices {
        page_nano_usd_max: 500,
        ..CallPrices::default()
    };
    let order = Order::new(&request).with_prices(prices);
    let expected = ORDER.replace(r#","runtimeMs""#, r#","capture":true,"runtimeMs""#);
    assert_eq!(serde_json::to_string(&order).unwrap(), expected);
    assert_eq!(order.request(), Ok(request.clone()));
    request.limits.nano_usd_max = Some(9);
    let with_money = Order::new(&request).with_prices(prices);
    let with_money = serde_json::to_string(&with_money).unwrap();
    let money = r#""money":{"nanoUsdMax":9,"search":0,"recognition":0,"plan":0,"page":500}"#;
    assert!(with_money.contains(money), "{with_money}");
    request.limits.captures_pages = false;
    let without = Order::new(&request).with_prices(prices);
    let without = serde_json::to_string(&without).unwrap();
    assert!(
        !without.contains("capture") && !without.contains("page"),
        "{without}"
    );
}

#[test]
fn an_order_whose_run_reads_captions_says_so() {
    let mut request = request();
    for (words, members) in [
        (WordUse::Hints, r#","captions":true,"runtimeMs""#),
        (
            WordUse::Doubts,
            r#","captions":true,"words":true,"runtimeMs""#,
        ),
        (
            WordUse::HintsFirst,
            r#","captions":true,"words":true,"hintsFirst":true,"runtimeMs""#,
        ),
    ] {
        request.limits.words = words;
        let order = Order::new(&request);
        let expected = ORDER.replace(r#","runtimeMs""#, members);
        assert_eq!(serde_json::to_string(&order).unwrap(), expected);
        assert_eq!(order.request(), Ok(request.clone()));
    }
    for unknown in [r#","words":true"#, r#","captions":true,"hintsFirst":true"#] {
        let unknown = ORDER.replace(r#","runtimeMs""#, &format!(r#"{unknown},"runtimeMs""#));
        let order: Order = serde_json::from_str(&unknown).unwrap();
        assert!(order.request().is_err());
    }
}

#[test]
fn an_order_whose_run_weighs_prices_says_them_without_a_limit_of_money() {
    let mut request = request();
    request.limits.words = WordUse::HintsFirst;
    let prices = CallPrices {
        recognition_nano_usd_max: 3,
        ..CallPrices::default()
    };
    let order = Order::new(&request).with_prices(prices);
    let text = serde_json::to_string(&order).unwrap();
    let stored = r#""prices":{"search":0,"recognition":3,"plan":0}"#;
    assert!(text.contains(stored), "{text}");
    request.limits.prices = prices;
    assert_eq!(order.request(), Ok(request.clone()));
    request.limits.words = WordUse::Doubts;
    let before = Order::new(&request).with_prices(prices);
    let text = serde_json::to_string(&before).unwrap();
    assert!(!text.contains("prices"), "{text}");
}

#[test]
fn an_order_for_photos_of_some_years_says_so() {
    let mut request = request();
    request.limits.years = YearRange {
        since: Some(1998),
        until: Some(2019),
    };
    let order = Order::new(&request);
    let members = r#","since":1998,"until":2019,"runtimeMs""#;
    let expected = ORDER.replace(r#","runtimeMs""#, members);
    assert_eq!(serde_json::to_string(&order).unwrap(), expected);
    assert_eq!(order.request(), Ok(request));
    let reversed = expected.replace("1998", "2020");
    let order: Order = serde_json::from_str(&reversed).unwrap();
    assert!(order.request().is_err());
}

#[test]
fn an_order_that_confirms_its_chain_says_so() {
    let mut request = request();
    request.limits.confirm_searches_max = 2;
    let order = Order::new(&request);
    let expected = ORDER.replace(r#""polish":0,"#, r#""polish":0,"confirm":2,"#);
    assert_eq!(serde_json::to_string(&order).unwrap(), expected);
    assert_eq!(order.request(), Ok(request));
}

#[test]
fn creation_and_reservation_formats_unchanged() {
    let order = Order::new(&request());
    let creation: Creation = Creation {
        run: "s1.k3".into(),
        order: order.clone(),
        creator: None,
        fork: None,
        secrets: BTreeMap::default(),
        starter: None,
        host: None,
        key: None,
        kept_until_ms: None,
    };
    let expected = format!(r#"{{"run":"s1.k3","order":{ORDER}}}"#);
    assert_eq!(serde_json::to_string(&creation).unwrap(), expected);
    assert_eq!(
        serde_json::from_str::<Creation>(&expected).unwrap(),
        creation
    );
    let creation = Creation {
        host: Some("degrees.example:8787".into()),
        ..creation
    };
    let expected = format!(r#"{{"run":"s1.k3","order":{ORDER},"host":"degrees.example:8787"}}"#);
    assert_eq!(serde_json::to_string(&creation).unwrap(), expected);
    assert_eq!(
        serde_json::from_str::<Creation>(&expected).unwrap(),
        creation
    );
    let creation = Creation {
        host: None,
        secrets: [("PASSWORD".to_owned(), "hush".into())].into(),
        ..creation
    };
    let expected = format!(r#"{{"run":"s1.k3","order":{ORDER},"secrets":{{"PASSWORD":"hush"}}}}"#);
    assert_eq!(serde_json::to_string(&creation).unwrap(), expected);
    assert_eq!(
        serde_json::from_str::<Creation>(&expected).unwrap(),
        creation
    );
    let digest = Sha256Digest::new([1; 32]);
    let creation = Creation {
        secrets: BTreeMap::default(),
        key: Some(KeyClaim {
            key: digest.to_string(),
            used_for: KeyUse::new(&digest, &digest),
        }),
        kept_until_ms: Some(7),
        ..creation
    };
    let ones = "01".repeat(32);
    let expected = format!(
        r#"{{"run":"s1.k3","order":{ORDER},"key":{{"key":"{ones}","use":{{"salt":"{ones}","question":"{ones}"}}}},"kept_until_ms":7}}"#
    );
    assert_eq!(serde_json::to_string(&creation).unwrap(), expected);
    assert_eq!(
        serde_json::from_str::<Creation>(&expected).unwrap(),
        creation
    );
    let creator = serde_json::to_string(&CreatorKey::of(&"a secret".into())).unwrap();
    let digest = "984ca5162200734c592148f1820b71057f098573d138666b48663e4e30cd8d3a";
    assert_eq!(creator, format!(r#"{{"digest":"{digest}"}}"#));
}

#[test]
fn problem_format_unchanged() {
    let json = |problem: &Problem| serde_json::to_string(problem).unwrap();
    assert_eq!(
        json(&Problem::field(
            "hops",
            "must be a whole number from 1 to 6"
        )),
        r#"{"type":"about:blank","title":"Bad request","status":400,"detail":"“hops” must be a whole number from 1 to 6.","field":"hops"}"#
    );
    let missing = json(&Problem::missing_settings(&["GOOGLE_CX".into()]));
    assert!(
        missing.contains(r#""status":503"#) && missing.ends_with(r#""missing":["GOOGLE_CX"]}"#)
    );
}
