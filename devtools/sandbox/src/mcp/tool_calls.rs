//! Executes the tools on the desktop.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use super::desktop::Desktop;
use super::element::Element;
use super::screen::picture;
use super::tools::{complaint, tool_of};

/// The only template picture that the sandbox finds on its screen, in base64. Tests send it.
const KNOWN_TEMPLATE: &str = "aWNvbg==";

/// The outcome of a tool call.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Called {
    /// The tool was executed, with this `result` for the client.
    Executed(Value),
    /// The arguments are invalid, and nothing was executed; the `result` names the mistake.
    Refused(Value),
    /// There is no such tool.
    Unknown,
}

/// Calls a tool.
pub(super) fn call(desktop: &mut Desktop, name: &str, arguments: &Value) -> Called {
    let Some(tool) = tool_of(name) else {
        return Called::Unknown;
    };
    if let Some(complaint) = complaint(&tool, arguments) {
        let says = format!("Invalid arguments for {name}: {complaint}");
        return Called::Refused(failed(&says));
    }
    Called::Executed(execute(desktop, name, arguments))
}

fn execute(desktop: &mut Desktop, name: &str, arguments: &Value) -> Value {
    desktop.look();
    let text = |name: &str| arguments.get(name).and_then(Value::as_str);
    let number = |name: &str| arguments.get(name).and_then(Value::as_f64);
    match name {
        "find_text" => find_text(desktop, text("text").unwrap_or_default(), text("app_name")),
        "find_image" => find_image(desktop, text("template_image_base64")),
        "list_windows" => list_windows(desktop, text("app_name")),
        "list_apps" => list_apps(desktop, text("app_name")),
        "take_screenshot" => take_screenshot(desktop, arguments),
        "focus_window" => focus_window(desktop, arguments),
        "launch_app" => {
            let app = text("app_name").unwrap_or_default();
            if desktop.launch(app) {
                said(&format!("Launched {app}"))
            } else {
                failed(&format!("There is no app {app}"))
            }
        }
        "click" => {
            let (x, y) = (
                number("x").unwrap_or_default(),
                number("y").unwrap_or_default(),
            );
            desktop.click(x, y);
            said(&format!("Clicked at ({x}, {y})"))
        }
        "type_text" => {
            let typed = text("text").unwrap_or_default();
            if desktop.type_text(typed) {
                said(&format!("Typed {} characters", typed.chars().count()))
            } else {
                failed("No field has the focus")
            }
        }
        "press_key" => {
            let key = text("key").unwrap_or_default();
            desktop.press(key);
            said(&format!("Pressed {key}"))
        }
        _ => said("Scrolled"),
    }
}

fn said(text: &str) -> Value {
    json!({"content": [{"type": "text", "text": text}], "isError": false})
}

fn failed(text: &str) -> Value {
    json!({"content": [{"type": "text", "text": text}], "isError": true})
}

fn found(element: &Element, text: &str) -> Value {
    let (x, y) = element.center();
    json!({
        "text": text, "x": x, "y": y, "confidence": 0.98, "role": element.role,
        "bounds": {"x": element.left, "y": element.top, "width": element.width, "height": element.height},
    })
}

/// Finds a text on the screen. If nothing matches, the result has two blocks: an empty list, and the texts of the
/// elements on the screen.
fn find_text(desktop: &Desktop, text: &str, app: Option<&str>) -> Value {
    let elements = desktop.elements(app);
    let wanted = text.to_lowercase();
    let mut matches: Vec<_> = elements
        .iter()
        .flat_map(|element| element.texts().map(move |text| (element, text)))
        .filter(|(_, text)| !wanted.is_empty() && text.to_lowercase().contains(&wanted))
        .collect();
    matches.sort_by_key(|(_, text)| text.to_lowercase() != wanted);
    if !matches.is_empty() {
        let matches: Vec<_> = matches
            .into_iter()
            .map(|(element, text)| found(element, text))
            .collect();
        return said(&json!(matches).to_string());
    }
    let labels: Vec<_> = elements.iter().map(|element| element.text()).collect();
    let offered = json!({"available_elements": labels}).to_string();
    json!({"content": [{"type": "text", "text": "[]"}, {"type": "text", "text": offered}], "isError": false})
}

fn find_image(desktop: &Desktop, template: Option<&str>) -> Value {
    let elements = desktop.elements(None);
    let save = elements.iter().find(|element| element.label == "Save");
    let matches: Vec<_> = save
        .filter(|_| template == Some(KNOWN_TEMPLATE))
        .map(|element| {
            let (x, y) = element.center();
            json!({"score": 0.97, "center": {"x": x, "y": y}, "scale": 1.0, "rotation": 0.0, "screen_x": x, "screen_y": y})
        })
        .into_iter()
        .collect();
    said(&json!(matches).to_string())
}

fn list_windows(desktop: &Desktop, app: Option<&str>) -> Value {
    let windows = desktop.windows.iter().filter_map(|window| {
        let owner = desktop.apps.iter().find(|app| app.pid == window.pid && app.is_running)?;
        app.is_none_or(|name| owner.name.eq_ignore_ascii_case(name)).then(|| {
            json!({
                "id": window.id, "name": window.title, "owner_name": owner.name, "owner_pid": owner.pid,
                "bounds": {"x": 0, "y": 0, "width": 320, "height": 280}, "layer": 0, "is_on_screen": true,
            })
        })
    });
    let windows: Vec<_> = windows.collect();
    said(&json!(windows).to_string())
}

fn list_apps(desktop: &Desktop, name: Option<&str>) -> Value {
    let apps = desktop.apps.iter().filter(|app| app.is_running);
    let apps = apps.filter(|app| name.is_none_or(|name| app.name.eq_ignore_ascii_case(name)));
    let apps: Vec<_> = apps
        .map(|app| {
            json!({
                "name": app.name, "bundle_id": format!("org.example.{}", app.name.to_lowercase()),
                "pid": app.pid, "is_active": app.pid == desktop.active_pid, "is_hidden": false,
            })
        })
        .collect();
    said(&json!(apps).to_string())
}

fn focus_window(desktop: &mut Desktop, arguments: &Value) -> Value {
    let number = |name: &str| arguments.get(name).and_then(Value::as_u64);
    let by_window = number("window_id").and_then(|id| {
        let window = desktop.windows.iter().find(|window| window.id == id);
        window.map(|window| window.pid)
    });
    let by_name = arguments.get("app_name").and_then(Value::as_str);
    let by_name = by_name.and_then(|name| desktop.app(name).map(|app| app.pid));
    match number("pid").or(by_window).or(by_name) {
        Some(pid) if desktop.activate(pid) => said("Focused the window"),
        _ => failed("There is no such window"),
    }
}

/// Takes a screenshot: a picture, its description, and the text in it.
fn take_screenshot(desktop: &Desktop, arguments: &Value) -> Value {
    let app = arguments.get("app_name").and_then(Value::as_str);
    let elements = desktop.elements(app);
    let (png, width, height) = picture(&elements);
    let known = json!({"screenshot_id": "s1", "width": width, "height": height});
    let mut content = vec![
        json!({"type": "image", "data": STANDARD.encode(png), "mimeType": "image/png"}),
        json!({"type": "text", "text": known.to_string()}),
    ];
    if arguments.get("include_ocr").and_then(Value::as_bool) == Some(true) {
        let texts: Vec<_> = elements
            .iter()
            .flat_map(|element| element.texts())
            .collect();
        content.push(json!({"type": "text", "text": texts.join("\n")}));
    }
    json!({"content": content, "isError": false})
}

#[cfg(test)]
mod tests {
    use super::*;

    fn executed(desktop: &mut Desktop, name: &str, arguments: &Value) -> Value {
        match call(desktop, name, arguments) {
            Called::Executed(result) => result,
            other => panic!("{name}: {other:?}"),
        }
    }

    fn text(result: &Value, block: usize) -> Value {
        serde_json::from_str(result["content"][block]["text"].as_str().unwrap()).unwrap()
    }

    #[test]
    fn a_text_is_found_by_its_label_or_by_what_was_typed() {
        let mut desktop = Desktop::default();
        let name = text(
            &executed(&mut desktop, "find_text", &json!({"text": "name"})),
            0,
        );
        assert_eq!((&name[0]["x"], &name[0]["y"]), (&json!(140), &json!(75)));
        let none = executed(&mut desktop, "find_text", &json!({"text": "Store"}));
        assert_eq!(text(&none, 0), json!([]));
        assert_eq!(
            text(&none, 1)["available_elements"],
            json!(["Name", "Amount", "Save", "Clear", "No orders yet"])
        );
        executed(&mut desktop, "click", &json!({"x": 140, "y": 75}));
        executed(&mut desktop, "type_text", &json!({"text": "Ann"}));
        let typed = text(
            &executed(&mut desktop, "find_text", &json!({"text": "Ann"})),
            0,
        );
        assert_eq!(
            (&typed[0]["text"], &typed[0]["role"]),
            (&json!("Ann"), &json!("textfield"))
        );
        let other = executed(
            &mut desktop,
            "find_text",
            &json!({"text": "Ann", "app_name": "Notes"}),
        );
        assert_eq!(text(&other, 1)["available_elements"], json!(["Body"]));
    }

    #[test]
    fn arguments_are_checked_before_anything_happens() {
        let mut desktop = Desktop::default();
        for (name, arguments, says) in [
            ("click", json!({"x": 1}), "y is required"),
            ("click", json!({"x": "1", "y": 2}), "x has a value"),
            (
                "click",
                json!({"x": 1, "y": 2, "button": "wheel"}),
                "button has a value",
            ),
            ("click", json!([1, 2]), "must be an object"),
            (
                "type_text",
                json!({"text": "x".repeat(10_001)}),
                "text has a value",
            ),
            (
                "launch_app",
                json!({"app_name": null}),
                "app_name is required",
            ),
            ("list_apps", json!({"name": "Notes"}), "name is not known"),
        ] {
            match call(&mut desktop, name, &arguments) {
                Called::Refused(result) => {
                    assert_eq!(result["isError"], true);
                    assert!(
                        result["content"][0]["text"]
                            .as_str()
                            .unwrap()
                            .contains(says),
                        "{result}"
                    );
                }
                other => panic!("{name} {arguments}: {other:?}"),
            }
        }
        assert_eq!(call(&mut desktop, "dance", &json!({})), Called::Unknown);
    }

    #[test]
    fn windows_and_apps_are_listed_and_focused() {
        let mut desktop = Desktop::default();
        let apps = text(&executed(&mut desktop, "list_apps", &json!({})), 0);
        assert_eq!(
            (&apps[0]["name"], &apps[0]["is_active"]),
            (&json!("Ledger"), &json!(true))
        );
        let windows = text(
            &executed(&mut desktop, "list_windows", &json!({"app_name": "Notes"})),
            0,
        );
        assert_eq!(
            (windows.as_array().unwrap().len(), &windows[0]["id"]),
            (1, &json!(4))
        );
        for (arguments, active) in [
            (json!({"window_id": 4}), 302),
            (json!({"app_name": "ledger"}), 301),
            (json!({"pid": 302}), 302),
        ] {
            assert_eq!(
                executed(&mut desktop, "focus_window", &arguments)["isError"],
                false
            );
            assert_eq!(desktop.active_pid, active);
        }
        assert_eq!(
            executed(&mut desktop, "focus_window", &json!({"pid": 9}))["isError"],
            true
        );
        assert_eq!(
            executed(&mut desktop, "launch_app", &json!({"app_name": "Chess"}))["isError"],
            true
        );
    }

    #[test]
    fn a_screenshot_is_a_picture_with_what_is_known_of_it() {
        let mut desktop = Desktop::default();
        let shot = executed(
            &mut desktop,
            "take_screenshot",
            &json!({"include_ocr": true}),
        );
        let file = STANDARD
            .decode(shot["content"][0]["data"].as_str().unwrap())
            .unwrap();
        let size = imagesize::blob_size(&file).unwrap();
        assert_eq!((size.width, size.height), (320, 280));
        assert_eq!(text(&shot, 1)["width"], 320);
        assert!(
            shot["content"][2]["text"]
                .as_str()
                .unwrap()
                .starts_with("Name\nAmount\nSave")
        );
        let found = executed(
            &mut desktop,
            "find_image",
            &json!({"template_image_base64": KNOWN_TEMPLATE}),
        );
        assert_eq!(text(&found, 0)[0]["screen_y"], 155);
        let nothing = executed(&mut desktop, "find_image", &json!({}));
        assert_eq!(text(&nothing, 0), json!([]));
    }
}
