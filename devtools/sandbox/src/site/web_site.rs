//! Responds to the requests of the site's visitors.

use http::Method;
use http::header::{ALLOW, CACHE_CONTROL, LOCATION, SET_COOKIE};
use serde_json::json;
use url::form_urlencoded;

use crate::providers::{ParsedRequest, Reply};

use super::action_log::{Action, ActionLog};
use super::address::{SiteAddress, front_path, shop_path};
use super::canary::Canary;
use super::catalogue::product_of;
use super::deeds::{Account, Fields, Outcome, act};
use super::hostile::{self, HostilePart};
use super::letter;
use super::looks;
use super::sessions::Sessions;
use super::variant::Variant;
use super::views::{self, Content, View};
use super::words::Words;

/// The largest form that is accepted, in bytes.
const FORM_BYTES_MAX: usize = 64 * 1024;
/// The number that precedes that of the first order.
const ORDERS_BEGIN: u64 = 1_000;

/// A shop in memory, in six variants, with an action log.
#[derive(Clone, Debug)]
pub(crate) struct WebSite {
    account: Account,
    sessions: Sessions,
    log: ActionLog,
    canary: Canary,
    published: Variant,
    orders: u64,
}

/// A request for a page of the shop.
struct Visit<'request> {
    request: &'request ParsedRequest,
    variant: Variant,
    /// The path of the shop, with a trailing slash.
    base: String,
    /// The path of the page below that of the shop.
    page: String,
    /// The number of the visitor's session.
    session: u64,
}

impl WebSite {
    /// Makes a shop with one user, who logs in with this name and password.
    pub(crate) fn new(user: &str, password: &str) -> Self {
        Self {
            account: Account {
                user: user.to_owned(),
                password: password.to_owned(),
            },
            sessions: Sessions::default(),
            log: ActionLog::new(password),
            canary: Canary::new(password),
            published: Variant::default(),
            orders: ORDERS_BEGIN,
        }
    }

    /// Handles a request at `/site` or below it, which arrives at `now_ms`.
    pub(crate) fn answer(&mut self, request: &ParsedRequest, now_ms: u64) -> Reply {
        let reply = match SiteAddress::read(&request.path) {
            SiteAddress::Door => go_to(&front_path()),
            SiteAddress::Log => self.answer_log(&request.method),
            SiteAddress::Published => self.answer_published(request),
            SiteAddress::Shop {
                segment,
                variant,
                page,
            } => {
                let cookies = request.header("cookie");
                let (session, cookie) = self.sessions.of(cookies);
                let visit = Visit {
                    request,
                    variant: variant.unwrap_or(self.published),
                    base: shop_path(&segment),
                    page,
                    session,
                };
                let reply = self.visited(&visit, now_ms);
                match cookie {
                    Some(cookie) => reply.with(SET_COOKIE, &cookie),
                    None => reply,
                }
            }
            SiteAddress::Letter(path) => match letter::page(&path) {
                Some(page) => page,
                None => *refusal(404, "There is no such page: the letter is /site/letter/.\n"),
            },
            SiteAddress::HostileList => Reply::json(200, &hostile::list()),
            SiteAddress::Hostile(rest) => match HostilePart::read(&rest) {
                Some(part) => self.answer_hostile(&part, request, now_ms),
                None => *refusal(404, "There is no such hostile page: they are 0 to 299.\n"),
            },
            SiteAddress::Canary { is_below } => self.canary.answer(request, is_below, now_ms),
            SiteAddress::Unknown => {
                *refusal(404, "The site has no such page: its front is /site/.\n")
            }
        };
        // A page from the browser's cache would not appear in the log, so caching is forbidden.
        reply.with(CACHE_CONTROL, "no-store")
    }

    /// Responds with the log, or resets the shop if the method is `DELETE`.
    fn answer_log(&mut self, method: &Method) -> Reply {
        match *method {
            Method::GET | Method::HEAD => {}
            Method::DELETE => {
                // The numbers of sessions continue, so that no old cookie is valid for a new session.
                self.sessions.forget();
                self.log = ActionLog::new(&self.account.password);
                self.published = Variant::default();
                self.orders = ORDERS_BEGIN;
            }
            _ => return wrong_method("GET, DELETE"),
        }
        Reply::json(200, &self.log.read())
    }

    /// Responds with the published variant, or publishes the variant that the body of a `PUT` names.
    fn answer_published(&mut self, request: &ParsedRequest) -> Reply {
        match request.method {
            Method::GET | Method::HEAD => {}
            Method::PUT => {
                let name = String::from_utf8_lossy(&request.body);
                let Some(variant) = Variant::named(name.trim()) else {
                    let names = Variant::ALL.map(Variant::name).join(", ");
                    let says = format!("The body names a variant: {names}.");
                    return Reply::json(400, &json!({"error": says}));
                };
                self.published = variant;
            }
            _ => return wrong_method("GET, PUT"),
        }
        Reply::json(200, &json!({"variant": self.published.name()}))
    }

    fn answer_hostile(
        &mut self,
        part: &HostilePart,
        request: &ParsedRequest,
        now_ms: u64,
    ) -> Reply {
        match request.method {
            Method::GET | Method::HEAD => part.shown(request),
            Method::POST if part.is_target() => match form(request) {
                Ok(fields) => {
                    let action = Action {
                        name: "continue",
                        variant: &part.name(),
                        session: 0,
                        fields: &fields,
                        is_done: true,
                    };
                    self.log.note(action, now_ms);
                    part.continued(request)
                }
                Err(refused) => *refused,
            },
            _ => wrong_method("GET, POST"),
        }
    }

    fn visited(&mut self, visit: &Visit<'_>, now_ms: u64) -> Reply {
        match visit.request.method {
            Method::GET | Method::HEAD => self.shown(visit),
            Method::POST => match form(visit.request) {
                Ok(fields) => self.changed(visit, &fields, now_ms),
                Err(refused) => *refused,
            },
            _ => wrong_method("GET, POST"),
        }
    }

    fn changed(&mut self, visit: &Visit<'_>, fields: &Fields, now_ms: u64) -> Reply {
        let session = self.sessions.get_mut(visit.session);
        let next_order = self.orders + 1;
        let Some((name, outcome)) = act(&visit.page, fields, session, &self.account, next_order)
        else {
            return self.page(visit, 404, views::missing);
        };
        let is_done = matches!(outcome, Outcome::Done(_));
        if is_done && name == "order" {
            self.orders = next_order;
        }
        let action = Action {
            name,
            variant: visit.variant.name(),
            session: visit.session,
            fields,
            is_done,
        };
        self.log.note(action, now_ms);
        match outcome {
            Outcome::Done(page) => go_to(&format!("{}{page}", visit.base)),
            Outcome::NotSignedIn => go_to(&format!("{}login", visit.base)),
            Outcome::WrongLogIn => self.page(visit, 200, |view| views::log_in(view, true)),
            Outcome::Refused(says) => self.page(visit, 409, |view| views::refused(view, says)),
        }
    }

    fn shown(&mut self, visit: &Visit<'_>) -> Reply {
        let page = visit.page.as_str();
        match page {
            "" => return self.page(visit, 200, views::home),
            "login" => return self.page(visit, 200, |view| views::log_in(view, false)),
            "products" => return self.page(visit, 200, views::products),
            "basket" => return self.page(visit, 200, views::basket),
            "arrivals" => return self.page(visit, 200, views::arrivals),
            "stock" => return self.page(visit, 200, views::stock).later(views::STOCK_MS),
            "sale" => return self.page(visit, 200, views::sale),
            "reviews" => return self.page(visit, 200, views::reviews),
            "prize" => return self.page(visit, 200, views::prize),
            "search" => {
                let text = visit.request.parameter("q").unwrap_or_default();
                return self.page(visit, 200, |view| views::search(view, text));
            }
            _ => {}
        }
        if let Some(product) = page.strip_prefix("products/").and_then(product_of) {
            return self.page(visit, 200, |view| views::product(view, product));
        }
        let number = page
            .strip_prefix("orders/")
            .and_then(|number| number.parse().ok());
        let session = self.sessions.get_mut(visit.session);
        if let Some(order) = number.and_then(|number| session.order_of(number)) {
            return self.page(visit, 200, |view| views::order(view, order));
        }
        match page.strip_prefix("done/").and_then(views::done_words) {
            Some(says) => self.page(visit, 200, |view| views::done(view, says)),
            None => self.page(visit, 404, views::missing),
        }
    }

    /// Makes a page of the shop.
    fn page(
        &mut self,
        visit: &Visit<'_>,
        status: u16,
        content: impl FnOnce(View<'_>) -> Content,
    ) -> Reply {
        let page = match &visit.request.query {
            Some(query) => format!("{}?{query}", visit.page),
            None => visit.page.clone(),
        };
        let view = View {
            words: Words::of(visit.variant),
            session: self.sessions.get_mut(visit.session),
            base: &visit.base,
            page: &page,
            user: &self.account.user,
        };
        let document = views::document(view, content(view));
        Reply::html(status, &looks::written(visit.variant, document))
    }
}

/// Parses the fields of a form. The error is the refusal of the request.
fn form(request: &ParsedRequest) -> Result<Vec<(String, String)>, Box<Reply>> {
    if request.body.len() > FORM_BYTES_MAX {
        let says = "A form has at most 65,536 bytes.\n";
        return Err(refusal(413, says));
    }
    let content_type = request.header("content-type").unwrap_or_default();
    if !content_type.starts_with("application/x-www-form-urlencoded") {
        let says = "A form comes as application/x-www-form-urlencoded.\n";
        return Err(refusal(415, says));
    }
    Ok(form_urlencoded::parse(&request.body).into_owned().collect())
}

fn refusal(status: u16, says: &str) -> Box<Reply> {
    Box::new(Reply::new(status, "text/plain", says.as_bytes().to_vec()))
}

/// Redirects with `GET` to a path of the same origin.
fn go_to(path: &str) -> Reply {
    Reply::new(303, "text/plain", Vec::new()).with(LOCATION, path)
}

fn wrong_method(allowed: &str) -> Reply {
    let says = json!({"error": format!("The methods here are {allowed}.")});
    Reply::json(405, &says).with(ALLOW, allowed)
}
