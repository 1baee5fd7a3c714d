//! Tests of the shop as a browser without scripts sees it.

use super::*;

/// A visitor of the shop, with the session's cookie.
pub struct Visitor {
    pub sandbox: Sandbox,
    pub cookie: Option<String>,
}

impl Visitor {
    pub fn new() -> Self {
        Self {
            sandbox: plain(),
            cookie: None,
        }
    }

    pub fn ask(&mut self, request: http::request::Builder, body: &str) -> Reply {
        let mut request = request.header("host", HOST);
        if let Some(cookie) = &self.cookie {
            request = request.header("cookie", cookie);
        }
        let request = request.body(body.as_bytes().to_vec()).unwrap();
        let reply = self.sandbox.respond(request, NOW_MS);
        if let Some(cookie) = reply.response.headers().get("set-cookie") {
            let (cookie, rest) = cookie.to_str().unwrap().split_once(';').unwrap();
            assert_eq!(rest, " Path=/site/; HttpOnly; SameSite=Lax");
            self.cookie = Some(cookie.to_owned());
        }
        reply
    }

    pub fn get(&mut self, path: &str) -> Reply {
        self.ask(Request::get(path), "")
    }

    pub fn page(&mut self, path: &str) -> String {
        let reply = self.get(path);
        assert_eq!(status(&reply), 200, "{path}");
        text(&reply)
    }

    /// Sends a form. Returns the target of the redirect; the error is the status and the page.
    pub fn send(&mut self, path: &str, form: &str) -> Result<String, (u16, String)> {
        let kind = "application/x-www-form-urlencoded";
        let reply = self.ask(Request::post(path).header("content-type", kind), form);
        match status(&reply) {
            303 => Ok(reply.response.headers()[LOCATION]
                .to_str()
                .unwrap()
                .to_owned()),
            status => Err((status, text(&reply))),
        }
    }

    pub fn log(&mut self) -> Value {
        body(&self.get("/site/log"))
    }

    /// Returns the shop's log, with a line per action: its name, its outcome and its fields.
    pub fn lines(&mut self) -> Vec<String> {
        let log = self.log();
        let rows = log["actions"].as_array().unwrap().iter();
        let lines = rows.map(|row| {
            let outcome = row["outcome"].as_str().unwrap();
            format!(
                "{} {outcome} {}",
                row["action"].as_str().unwrap(),
                row["fields"]
            )
        });
        lines.collect()
    }
}

pub fn text(reply: &Reply) -> String {
    String::from_utf8(reply.response.body().bytes()).unwrap()
}

pub const VARIANTS: [&str; 6] = ["v0", "v1", "v2", "v3", "v4", "v5"];
const SIGN_IN: &str = "user=visitor&password=sandbox-site-password";

#[test]
fn the_way_to_an_order_works_in_every_variant_and_each_step_is_told_once() {
    for variant in VARIANTS {
        let mut visitor = Visitor::new();
        let at = |page: &str| format!("/site/{variant}/{page}");
        visitor.page(&at(""));
        visitor.page(&at("login"));
        assert_eq!(visitor.send(&at("login"), SIGN_IN), Ok(at("")));
        assert!(visitor.page(&at("")).contains("visitor</"), "{variant}");
        let found = visitor.page(&at("search?q=tea+cup"));
        assert!(found.contains("href=\"products/tea-cup\""), "{variant}");
        assert!(!found.contains("href=\"products/tea-pot\""), "{variant}");
        let product = visitor.page(&at("products/tea-cup"));
        assert!(product.contains("name=\"product\" value=\"tea-cup\""));
        for _ in 0..2 {
            assert_eq!(
                visitor.send(&at("basket"), "product=tea-cup"),
                Ok(at("basket"))
            );
        }
        let basket = visitor.page(&at("basket"));
        assert!(basket.contains("data-question="), "{variant}");
        let order = visitor.send(&at("order"), "").unwrap();
        assert_eq!(order, at("orders/1001"));
        assert!(visitor.page(&order).contains("1001"));
        assert_eq!(
            visitor.lines(),
            [
                "log-in done {\"password\":\"[password]\",\"user\":\"visitor\"}",
                "add done {\"product\":\"tea-cup\"}",
                "add done {\"product\":\"tea-cup\"}",
                "order done {}",
            ],
            "{variant}"
        );
        let log = visitor.log();
        for (number, row) in log["actions"].as_array().unwrap().iter().enumerate() {
            assert_eq!(row["n"], number + 1);
            assert_eq!(
                (&row["session"], &row["variant"]),
                (&json!(1), &json!(variant))
            );
        }
        assert_eq!(log["actions"][0]["is_password_right"], true);
    }
}

#[test]
fn a_wrong_word_is_refused_with_a_message() {
    let mut visitor = Visitor::new();
    let wrong = "user=visitor&password=guess";
    let (status, page) = visitor.send("/site/v0/login", wrong).unwrap_err();
    assert_eq!(status, 200);
    assert!(page.contains("The user name or the password is wrong."));
    assert!(!page.contains("guess"));
    assert!(visitor.page("/site/v0/").contains("Not signed in"));
    let log = visitor.log();
    assert_eq!(log["actions"][0]["is_password_right"], false);
    assert_eq!(log["actions"][0]["outcome"], "refused");
    assert!(!log.to_string().contains("guess"), "{log}");
}

#[test]
fn what_cannot_be_done_is_told_as_refused() {
    let mut visitor = Visitor::new();
    visitor.send("/site/v0/basket", "product=tea-cup").unwrap();
    let login = visitor.send("/site/v0/order", "").unwrap();
    assert_eq!(login, "/site/v0/login");
    visitor.send("/site/v0/removed", "product=tea-cup").unwrap();
    visitor.send("/site/v0/login", SIGN_IN).unwrap();
    assert_eq!(visitor.send("/site/v0/order", "").unwrap_err().0, 409);
    assert_eq!(
        visitor
            .send("/site/v0/basket", "product=boat")
            .unwrap_err()
            .0,
        409
    );
    assert_eq!(visitor.send("/site/v0/nothing", "").unwrap_err().0, 404);
    let lines = visitor.lines();
    let outcomes: Vec<_> = lines
        .iter()
        .map(|line| line.split('{').next().unwrap())
        .collect();
    assert_eq!(
        outcomes,
        [
            "add done ",
            "order refused ",
            "remove done ",
            "log-in done ",
            "order refused ",
            "add refused ",
        ]
    );
}

#[test]
fn the_wall_stands_until_it_is_answered() {
    let mut visitor = Visitor::new();
    assert!(visitor.page("/site/v0/products").contains("cookie-wall\""));
    let sent = "page=products&choice=necessary";
    assert_eq!(
        visitor.send("/site/v0/consent", sent),
        Ok("/site/v0/products".to_owned())
    );
    assert!(!visitor.page("/site/v0/products").contains("cookie-wall\""));
    assert_eq!(visitor.lines().len(), 1);
}

#[test]
fn what_a_trap_caught_is_told() {
    let mut visitor = Visitor::new();
    visitor
        .send("/site/v0/reviews", "review=sandbox-site-password")
        .unwrap();
    visitor.send("/site/v0/membership", "").unwrap();
    let log = visitor.log();
    assert_eq!(log["actions"][0]["has_password_elsewhere"], true);
    assert_eq!(log["actions"][0]["fields"]["review"], "[password]");
    assert_eq!(log["actions"][1]["action"], "membership");
    assert_eq!(log["actions"][1]["has_password_elsewhere"], false);
}

#[test]
fn each_visitor_has_a_basket_and_a_new_shop_forgets_both() {
    let mut visitor = Visitor::new();
    visitor.send("/site/v0/basket", "product=oak-tray").unwrap();
    let mine = visitor.cookie.take();
    assert!(
        visitor
            .page("/site/v0/basket")
            .contains("Your basket is empty.")
    );
    visitor.cookie = mine.clone();
    assert!(visitor.page("/site/v0/basket").contains("Oak tray"));
    let emptied = visitor.ask(Request::delete("/site/log"), "");
    assert_eq!(body(&emptied), json!({"actions": [], "forgotten": 0}));
    assert!(
        visitor
            .page("/site/v0/basket")
            .contains("Your basket is empty.")
    );
    assert_ne!(visitor.cookie, mine, "an old cookie opens no new session");
}

#[test]
fn a_variant_is_published_at_an_address_that_stays() {
    let mut visitor = Visitor::new();
    let door = visitor.get("/site/");
    assert_eq!(door.response.headers()[LOCATION], "/site/shop/");
    let first = visitor.page("/site/shop/products");
    assert_eq!(
        first,
        visitor
            .page("/site/v0/products")
            .replace("/site/v0/", "/site/shop/")
    );
    let put = visitor.ask(Request::put("/site/published"), "v4");
    assert_eq!(body(&put), json!({"variant": "v4"}));
    assert!(visitor.page("/site/shop/products").contains("Messinglampe"));
    visitor
        .send("/site/shop/basket", "product=oak-tray")
        .unwrap();
    assert_eq!(visitor.log()["actions"][0]["variant"], "v4");
    let wrong = visitor.ask(Request::put("/site/published"), "v6");
    assert_eq!(status(&wrong), 400);
    assert!(text(&wrong).contains("v0, v1, v2, v3, v4, v5"));
    visitor.ask(Request::delete("/site/log"), "");
    assert!(visitor.page("/site/shop/products").contains("Brass lamp"));
}

#[test]
fn forms_are_bounded_and_methods_are_few() {
    let mut visitor = Visitor::new();
    let large = "x".repeat(64 * 1024 + 1);
    assert_eq!(visitor.send("/site/v0/reviews", &large).unwrap_err().0, 413);
    let json = Request::post("/site/v0/reviews").header("content-type", "application/json");
    assert_eq!(status(&visitor.ask(json, "{}")), 415);
    for (request, allowed) in [
        (Request::delete("/site/v0/"), "GET, POST"),
        (Request::post("/site/log"), "GET, DELETE"),
        (Request::post("/site/published"), "GET, PUT"),
    ] {
        let reply = visitor.ask(request, "");
        assert_eq!(status(&reply), 405);
        assert_eq!(reply.response.headers()["allow"], allowed);
    }
    assert_eq!(visitor.lines(), [""; 0]);
    for path in [
        "/site/v9/",
        "/site/nothing",
        "/site/v0/nothing",
        "/site/v0/done/x",
    ] {
        assert_eq!(status(&visitor.get(path)), 404, "{path}");
    }
}
