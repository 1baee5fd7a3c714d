//! Looks at the documents of a page, and takes screenshots of its viewport that show no secrets.

use std::collections::VecDeque;
use std::rc::Rc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use domain::page::{
    Area, Condition, Item, Look, PageElement, PagePicture, PageView, Query, Signals,
};
use mask::Mask;
use serde_json::{Value, json};

use crate::connection::DevTools;
use crate::driven_browser::DrivenBrowser;
use crate::world::{Frame, ScriptError};

/// The pause before looking again for an element that the look waits for, in milliseconds.
pub(crate) const ELEMENT_AGAIN_MS: u64 = 100;
const ITEMS_MAX: usize = 1_000;
const ELEMENTS_MAX: usize = 200;
/// The most UTF-16 units of an element's text, of a title, and of a part of an element's description.
const TEXT_CHARS_MAX: usize = 100;
const TITLE_CHARS_MAX: usize = 200;
const PART_CHARS_MAX: usize = 40;
/// The JPEG qualities that are tried in order until a screenshot is small enough.
const QUALITIES: [u32; 3] = [60, 30, 10];
/// The largest screenshot, in bytes.
const PICTURE_BYTES_MAX: usize = 400_000;
/// The longest time for one screenshot, in milliseconds.
const PICTURE_MS_MAX: u64 = 5_000;
/// The most tries of a picture of a page that changes meanwhile.
const PICTURES_MAX: u32 = 3;
const RESTLESS: &str =
    "There is no picture of the page: it changes all the time, and might show a secret.";

/// The most documents that one look goes through, and how deep frames in frames are.
const FRAMES_MAX: usize = 50;
const DEPTH_MAX: usize = 8;
/// How often one look is made again since closed shadow trees were found.
const REVEALED_MAX: usize = 10;
/// The longest time for the answer of a frame, in milliseconds. A frame that hangs does not keep the page from being
/// seen.
const FRAME_MS_MAX: u64 = 1_000;
/// What is between the selectors of a frame and of an element inside of it.
const STEP: &str = " >> ";
/// The script that tells whether queries find nothing in the empty page.
const BLANK_SCRIPT: &str = include_str!("script/blank.js");
const MORE_TEXTS: &str = "Not all texts of the page were looked at: they are too many, or the browser is slow to tell \
                          what lies above them.";
const MORE_FRAMES: &str = "The page has more frames than are looked at.";

/// What one glance at the documents of a page gives.
pub(crate) enum Glance {
    /// A document has not been quiet for as long as wanted, but for so many milliseconds.
    Restless(u64),
    /// All documents are quiet.
    Seen(Sight),
}

/// What the documents of a page show.
pub(crate) struct Sight {
    pub view: PageView,
    /// The positions of the queries whose selectors are invalid.
    pub unreadable: Vec<usize>,
}

/// A document that is still to be asked.
struct Part {
    frame: Rc<Frame>,
    /// The selectors of the frames that the document is in.
    around: String,
    /// Which part of the document can be seen, and where it is in the page's; null for the page's own document.
    view: Value,
    place: Value,
    /// The queries that are answered in the document, by their positions in the look.
    queries: Vec<(usize, Value)>,
    /// Whether the document's texts and elements are listed.
    is_listed: bool,
}

/// What the answers of all documents have shown so far.
#[derive(Default)]
struct Shown {
    url: Option<String>,
    title: String,
    items: Option<Vec<(Value, String)>>,
    is_cut: bool,
    elements: Vec<Value>,
    found: Vec<usize>,
    unreadable: Vec<usize>,
    unanswered: Vec<usize>,
}

/// Asks the page's document, and those of its frames, what they show. If one has been quiet for less than `quiet_ms`,
/// the answer is only for how long it has been.
pub(crate) async fn glance<D: DevTools>(
    browser: &DrivenBrowser<D>,
    look: &Look,
    quiet_ms: u64,
    until_ms: u64,
) -> Result<Glance, ScriptError> {
    let mut shown = Shown::default();
    let mut parts = VecDeque::from([Part {
        frame: browser.world.page(),
        around: String::new(),
        view: Value::Null,
        place: Value::Null,
        queries: look.queries.iter().map(query).enumerate().collect(),
        is_listed: true,
    }]);
    let (mut asked, mut revealed) = (0, 0);
    while let Some(part) = parts.pop_front() {
        let is_page = part.frame.around().is_none();
        if asked >= FRAMES_MAX || part.frame.depth() > DEPTH_MAX {
            browser.events.borrow_mut().remarks.add(MORE_FRAMES);
            shown.leave(&part);
            for left in &parts {
                shown.leave(left);
            }
            break;
        }
        asked += 1;
        let queries: Vec<&Value> = part.queries.iter().map(|(_, query)| query).collect();
        let wish = json!({
            "quiet": quiet_ms, "queries": queries, "elements": look.wants_elements,
            "reach": browser.mask.reach_units(), "lists": part.is_listed, "view": part.view, "place": part.place,
        });
        let part_until_ms = if is_page {
            until_ms
        } else {
            until_ms.min(browser.now_ms().saturating_add(FRAME_MS_MAX))
        };
        let asking = browser.script_in(&part.frame, "look", &wish, part_until_ms);
        let answer = match asking.await {
            Ok(answer) => answer,
            Err(error) if is_page => return Err(error),
            Err(_) => {
                let remark = format!("The frame {} could not be looked at.", told(browser, &part));
                browser.events.borrow_mut().remarks.add(&remark);
                shown.leave(&part);
                continue;
            }
        };
        if let Some(quiet) = restless_for_ms(&answer) {
            return Ok(Glance::Restless(quiet));
        }
        remark_tried(browser, &answer);
        // A page that adds closed shadow trees all the time is looked at as it is, after some of them.
        if revealed < REVEALED_MAX && browser.reveal(&part.frame, &answer, part_until_ms).await {
            revealed += 1;
            asked -= 1;
            parts.push_front(part);
            continue;
        }
        for inner in shown.take_in(&part, answer) {
            let number = inner.number;
            let inside =
                browser
                    .world
                    .inside(&browser.connection, &part.frame, number, part_until_ms);
            // A frame that is gone by now shows nothing.
            if let Ok(frame) = inside.await {
                parts.push_back(Part {
                    frame,
                    around: inner.around,
                    view: inner.view,
                    place: inner.place,
                    queries: inner.queries,
                    is_listed: inner.is_listed,
                });
            }
        }
    }
    if shown.is_cut {
        browser.events.borrow_mut().remarks.add(MORE_TEXTS);
    }
    let (view, unreadable) = shown.into_view(&browser.mask);
    Ok(Glance::Seen(Sight { view, unreadable }))
}

/// Returns what the empty page shows in which a run begins; `None` if a query may find something in it or is invalid, or
/// if the browser does not answer. A usual look then tells. A small script is asked, since the page's script would take a
/// tenth of a short run's time there.
pub(crate) async fn blank_view<D: DevTools>(
    browser: &DrivenBrowser<D>,
    look: &Look,
    until_ms: u64,
) -> Option<PageView> {
    let queries = look.queries.iter();
    let queries: Vec<Value> = queries
        .map(|query| json!([query.by.as_str(), query.selector]))
        .collect();
    let expression = format!("({BLANK_SCRIPT})({})", Value::from(queries));
    let params = json!({"expression": expression, "returnByValue": true});
    let answer = browser.command("Runtime.evaluate", params, until_ms).await;
    let shows_nothing = answer.ok()?.pointer("/result/value")? == true;
    shows_nothing.then(|| PageView {
        signals: Signals {
            url: Some("about:blank".to_owned()),
            items: Some(Vec::new()),
            ..Signals::default()
        },
        ..PageView::default()
    })
}

/// Adds a remark about each of the things that a document has tried to use and that are taken away from pages.
fn remark_tried<D: DevTools>(browser: &DrivenBrowser<D>, answer: &Value) {
    let tried = answer.get("tried").and_then(Value::as_array);
    for name in tried.into_iter().flatten().filter_map(Value::as_str) {
        let name = name.strip_prefix("webkit").unwrap_or(name);
        let remark = format!("The page tried to use {name}, which pages do not have here.");
        browser.events.borrow_mut().remarks.add(&remark);
    }
}

fn told<D: DevTools>(browser: &DrivenBrowser<D>, part: &Part) -> String {
    browser.mask.shortened(&part.around, TEXT_CHARS_MAX, "...")
}

fn query(query: &Query) -> Value {
    let (condition, expected) = match &query.condition {
        Condition::Present => ("present", None),
        Condition::Visible => ("visible", None),
        Condition::Shown => ("shown", None),
        Condition::Text(text) => ("text", Some(text)),
        Condition::Value(value) => ("value", Some(value)),
        Condition::Enabled => ("enabled", None),
        Condition::Checked => ("checked", None),
    };
    // What people would name is anywhere for them, in frames, too.
    let is_anywhere = matches!(query.condition, Condition::Shown | Condition::Text(_));
    json!({
        "by": query.by.as_str(), "selector": query.selector, "condition": condition, "expected": expected,
        "anywhere": is_anywhere,
    })
}

/// Returns how long a document has been quiet, in milliseconds; `None` if the answer is a complete look.
fn restless_for_ms(answer: &Value) -> Option<u64> {
    if answer.get("title").is_some() {
        return None;
    }
    let quiet_ms = answer
        .get("quiet")
        .and_then(Value::as_f64)
        .unwrap_or_default();
    // The time is between 0 and some years, so the conversion is harmless.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "clamped"
    )]
    let quiet_ms = quiet_ms.clamp(0.0, 1e12) as u64;
    Some(quiet_ms)
}

/// A frame of a document that was asked, in which the look goes on.
struct Inner {
    number: u64,
    around: String,
    view: Value,
    place: Value,
    queries: Vec<(usize, Value)>,
    is_listed: bool,
}

impl Shown {
    /// Adds a document's answer. Returns the frames in which the look goes on: those that can be seen, and those that
    /// queries lead into.
    fn take_in(&mut self, part: &Part, mut answer: Value) -> Vec<Inner> {
        let mut take = |name: &str| answer.get_mut(name).map(Value::take).unwrap_or_default();
        let items = take("items");
        self.is_cut |= take("isCut") == true;
        let (url, title) = (take("url"), take("title"));
        let address = |selector: Value| format!("{}{}", part.around, string(selector));
        if part.frame.around().is_none() {
            self.title = text(title);
            self.url = url.as_str().map(str::to_owned);
            self.items = items.is_array().then(Vec::new);
        }
        let mut flat = list(items).into_iter();
        while let (Some(items), Some(said), Some(selector)) =
            (&mut self.items, flat.next(), flat.next())
        {
            items.push((said, address(selector)));
        }
        for mut element in list(take("elements")) {
            for name in ["selector", "named"] {
                if let Some(selector) = element.get_mut(name)
                    && selector.as_str().is_some_and(|it| !it.is_empty())
                {
                    *selector = address(selector.take()).into();
                }
            }
            self.elements.push(element);
        }
        let mut inner: Vec<Inner> = list(take("frames"))
            .into_iter()
            .filter_map(|mut frame| {
                let mut take =
                    |name: &str| frame.get_mut(name).map(Value::take).unwrap_or_default();
                Some(Inner {
                    number: take("number").as_u64()?,
                    around: address(take("selector")) + STEP,
                    view: take("view"),
                    place: take("place"),
                    queries: Vec::new(),
                    is_listed: true,
                })
            })
            .collect();
        for (found, (position, query)) in list(take("found")).into_iter().zip(&part.queries) {
            match found {
                Value::Bool(true) => self.found.push(*position),
                Value::Null => self.unreadable.push(*position),
                Value::Object(mut led) => {
                    let number = led.get("frame").and_then(Value::as_u64);
                    let steps = led.get_mut("steps").map(Value::take);
                    let mut query = query.clone();
                    if let (Some(members), Some(steps)) = (query.as_object_mut(), steps) {
                        members.insert("steps".to_owned(), steps);
                    }
                    lead(&mut inner, number.unwrap_or_default(), *position, query);
                }
                _ if query.get("anywhere") == Some(&Value::Bool(true)) => {
                    for frame in inner.iter_mut().filter(|frame| frame.is_listed) {
                        frame.queries.push((*position, query.clone()));
                    }
                }
                _ => {}
            }
        }
        inner
    }

    /// Notes that the queries of a document are not answered.
    fn leave(&mut self, part: &Part) {
        let positions = part.queries.iter().map(|(position, _)| *position);
        self.unanswered.extend(positions);
        self.is_cut |= part.is_listed;
    }

    /// Returns the view of the page. Texts with a limit are cut here, after secrets are removed from them. Texts that
    /// are never cut are passed on with their secrets.
    fn into_view(mut self, mask: &Mask) -> (PageView, Vec<usize>) {
        self.found.sort_unstable();
        self.unanswered.extend(&self.unreadable);
        self.unanswered.sort_unstable();
        self.unanswered.dedup();
        let mut elements: Vec<PageElement> = self
            .elements
            .into_iter()
            .take(ELEMENTS_MAX)
            .filter_map(element)
            .collect();
        // If a selector contains a secret, it would find nothing once the secret is hidden, so its element is omitted.
        elements.retain(|element| !mask.is_in(&element.selector));
        for element in &mut elements {
            element.named = element.named.take().filter(|named| !mask.is_in(named));
        }
        mask.shorten(
            elements.iter_mut().map(|one| &mut one.text),
            TEXT_CHARS_MAX,
            "",
        );
        let names = elements
            .iter_mut()
            .flat_map(|one| [&mut one.tag, &mut one.role]);
        mask.shorten(names, TEXT_CHARS_MAX, "");
        let view = PageView {
            elements,
            signals: Signals {
                title: mask.shortened(&self.title, TITLE_CHARS_MAX, ""),
                url: self.url,
                is_cut: self.is_cut || self.items.as_ref().is_some_and(|all| all.len() > ITEMS_MAX),
                items: self.items.map(|items| self::items(items, mask)),
                found: self.found,
                unanswered: self.unanswered,
            },
        };
        (view, self.unreadable)
    }
}

/// Adds a query to the frame in which it goes on.
fn lead(inner: &mut Vec<Inner>, number: u64, position: usize, query: Value) {
    if let Some(known) = inner.iter_mut().find(|one| one.number == number) {
        known.queries.push((position, query));
        return;
    }
    inner.push(Inner {
        number,
        around: String::new(),
        view: Value::Null,
        place: Value::Null,
        queries: vec![(position, query)],
        is_listed: false,
    });
}

fn items(shown: Vec<(Value, String)>, mask: &Mask) -> Vec<Item> {
    let shown = shown.into_iter().take(ITEMS_MAX);
    let mut items: Vec<Item> = shown
        .map(|(said, selector)| Item {
            text: text(said),
            selector,
        })
        .collect();
    mask.shorten(
        items.iter_mut().map(|item| &mut item.text),
        TEXT_CHARS_MAX,
        "...",
    );
    items
}

/// Describes an element for users by its tag, id, text and classes, which the page's script has sent in `parts`.
pub(crate) fn described(parts: &[Value], mask: &Mask) -> String {
    let mut parts: Vec<String> = parts
        .iter()
        .map(|part| part.as_str().unwrap_or_default())
        .map(str::to_owned)
        .collect();
    mask.shorten(&mut parts, PART_CHARS_MAX, "");
    let mut parts = parts.into_iter();
    let mut name = parts.next().unwrap_or_default();
    let (id, said) = (parts.next(), parts.next());
    for (sign, part) in id
        .map(|id| ('#', id))
        .into_iter()
        .chain(parts.map(|part| ('.', part)))
    {
        if !part.is_empty() {
            name.push(sign);
            name.push_str(&part);
        }
    }
    match said.filter(|said| !said.is_empty()) {
        Some(said) => format!("{name} \"{said}\""),
        None => name,
    }
}

fn element(mut value: Value) -> Option<PageElement> {
    let area = value.get_mut("area").map(Value::take)?;
    let mut take = |name: &str| value.get_mut(name).map(Value::take).unwrap_or_default();
    let selector = string(take("selector"));
    let number = |at: usize| area.get(at).and_then(Value::as_f64);
    let named = string(take("named"));
    (!selector.is_empty()).then_some(())?;
    Some(PageElement {
        selector,
        named: (!named.is_empty()).then_some(named),
        tag: text(take("tag")),
        role: text(take("role")),
        text: text(take("text")),
        area: Area {
            x: number(0)?,
            y: number(1)?,
            width: number(2)?,
            height: number(3)?,
        },
    })
}

/// Returns a text of the script's answer, or `***` if the script left it out for lack of space.
fn text(value: Value) -> String {
    match value {
        Value::Null => "***".to_owned(),
        value => string(value),
    }
}

fn string(value: Value) -> String {
    match value {
        Value::String(text) => text,
        _ => String::new(),
    }
}

fn list(value: Value) -> Vec<Value> {
    match value {
        Value::Array(values) => values,
        _ => Vec::new(),
    }
}

/// Takes a screenshot in which these elements are numbered; `None` if that fails, or if the screenshot might show a secret.
///
/// The page's scripts go on meanwhile: a browser that stops them drops what they wait for. So in a run with secrets the page
/// is inspected before and after, and what changes in between is not shown.
pub(crate) async fn take_picture<D: DevTools>(
    browser: &DrivenBrowser<D>,
    elements: &[PageElement],
    until_ms: u64,
) -> Option<PagePicture> {
    let until_ms = until_ms.min(browser.now_ms().saturating_add(PICTURE_MS_MAX));
    let mut is_restless = false;
    for _ in 0..PICTURES_MAX {
        let before = inspect(browser, until_ms).await?;
        let Some(picture) = take_inspected(browser, &before, elements, until_ms).await else {
            continue;
        };
        if browser.mask.is_empty() || inspect(browser, until_ms).await? == before {
            return Some(picture);
        }
        is_restless = true;
    }
    if is_restless {
        browser.events.borrow_mut().remarks.add(RESTLESS);
    }
    None
}

async fn inspect<D: DevTools>(browser: &DrivenBrowser<D>, until_ms: u64) -> Option<Value> {
    let inspected = browser.script("inspect", &Value::Null, until_ms).await;
    inspected.ok()
}

async fn take_inspected<D: DevTools>(
    browser: &DrivenBrowser<D>,
    inspected: &Value,
    elements: &[PageElement],
    until_ms: u64,
) -> Option<PagePicture> {
    let hidden = hidden_fields(browser, inspected)?;
    let numbered: Vec<Value> = elements
        .iter()
        .map(|element| json!([element.area.x, element.area.y]))
        .collect();
    let is_covered = !hidden.is_empty() || !numbered.is_empty();
    if is_covered {
        let wish = json!({"hidden": hidden, "numbered": numbered});
        let page = browser.world.page();
        let call = browser
            .world
            .call_once(&browser.connection, &page, "cover", &wish, until_ms);
        if call.await.ok()?.as_bool() != Some(true) {
            return None;
        }
    }
    let jpeg = capture(browser, until_ms).await;
    if is_covered {
        let page = browser.world.page();
        let call = browser.world.call_once(
            &browser.connection,
            &page,
            "uncover",
            &Value::Null,
            until_ms,
        );
        if call.await.ok()?.as_bool() != Some(true) {
            return None;
        }
    }
    Some(PagePicture { jpeg: jpeg? })
}

/// Returns the positions of the fields to cover; `None` if a secret is visible outside of fields.
fn hidden_fields<D: DevTools>(browser: &DrivenBrowser<D>, inspected: &Value) -> Option<Vec<usize>> {
    let mask = &browser.mask;
    let shown = inspected.get("shown")?.as_str()?;
    if mask.is_in(shown) {
        return None;
    }
    let fields = inspected.get("values")?.as_array()?;
    let is_hidden = |field: &&(usize, &Value)| {
        let holds = |name: &str| field.1.get(name).and_then(Value::as_bool) == Some(true);
        let value = field.1.get("value").and_then(Value::as_str);
        let is_secret = value.is_none_or(|value| mask.is_in(value));
        // A page may pass a secret to its frames, which cannot be inspected.
        holds("always") || is_secret || (holds("frame") && !mask.is_empty())
    };
    let fields: Vec<(usize, &Value)> = fields.iter().enumerate().collect();
    Some(
        fields
            .iter()
            .filter(is_hidden)
            .map(|field| field.0)
            .collect(),
    )
}

async fn capture<D: DevTools>(browser: &DrivenBrowser<D>, until_ms: u64) -> Option<Vec<u8>> {
    for quality in QUALITIES {
        let params = json!({"format": "jpeg", "quality": quality, "optimizeForSpeed": true});
        let answer = browser
            .command("Page.captureScreenshot", params, until_ms)
            .await
            .ok()?;
        let jpeg = STANDARD.decode(answer.get("data")?.as_str()?).ok()?;
        if jpeg.len() <= PICTURE_BYTES_MAX {
            return Some(jpeg);
        }
    }
    None
}
