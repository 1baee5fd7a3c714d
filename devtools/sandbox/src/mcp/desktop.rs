//! A desktop in memory: apps, windows, and a form that can be filled in.

use super::element::{App, Element, Window};

/// The state of a desktop: its apps, its windows and its focus.
#[derive(Clone, Debug)]
pub(super) struct Desktop {
    pub(super) apps: Vec<App>,
    pub(super) windows: Vec<Window>,
    /// The process id of the frontmost app.
    pub(super) active_pid: u64,
    /// The label of the focused field; `None` if no field has the focus.
    focus: Option<String>,
    orders: u32,
    /// The number of further looks at the screen until the latest order is saved.
    saving: u32,
}

const LEDGER_PID: u64 = 301;
const NOTES_PID: u64 = 302;
const CALCULATOR_PID: u64 = 303;
/// The number of looks at the screen after which an order is saved.
const SAVING_LOOKS: u32 = 2;
/// The most characters that a field holds.
const FIELD_CHARS_MAX: usize = 1_000;

impl Default for Desktop {
    fn default() -> Self {
        let form = [
            Element::new("Name", "textfield", 0),
            Element::new("Amount", "textfield", 1),
            Element::new("Save", "button", 2),
            Element::new("Clear", "button", 3),
            Element {
                value: "No orders yet".to_owned(),
                ..Element::new("Status", "label", 4)
            },
        ];
        let app = |name, pid, is_running| App {
            name,
            pid,
            is_running,
        };
        Self {
            apps: vec![
                app("Ledger", LEDGER_PID, true),
                app("Notes", NOTES_PID, true),
                app("Calculator", CALCULATOR_PID, false),
            ],
            windows: vec![
                Window {
                    id: 3,
                    title: "Ledger - Orders".to_owned(),
                    pid: LEDGER_PID,
                    elements: form.into(),
                },
                Window {
                    id: 4,
                    title: "Notes".to_owned(),
                    pid: NOTES_PID,
                    elements: vec![Element::new("Body", "textfield", 0)],
                },
            ],
            active_pid: LEDGER_PID,
            focus: None,
            orders: 0,
            saving: 0,
        }
    }
}

impl Desktop {
    /// Returns the running app with this name.
    pub(super) fn app(&self, name: &str) -> Option<&App> {
        let mut apps = self.apps.iter().filter(|app| app.is_running);
        apps.find(|app| app.name.eq_ignore_ascii_case(name))
    }

    /// Returns the elements of an app's windows; without a name, of the frontmost app.
    pub(super) fn elements(&self, app: Option<&str>) -> Vec<&Element> {
        let pid = match app {
            Some(name) => self.app(name).map(|app| app.pid),
            None => Some(self.active_pid),
        };
        let windows = self.windows.iter().filter(|window| Some(window.pid) == pid);
        windows.flat_map(|window| &window.elements).collect()
    }

    /// Counts a look at the screen. An order is saved after a number of looks instead of a time.
    pub(super) fn look(&mut self) {
        if self.saving == 0 {
            return;
        }
        self.saving -= 1;
        if self.saving == 0 {
            self.orders += 1;
            let orders = self.orders;
            let name = self.value("Name");
            let amount = self.value("Amount");
            self.say(&format!("Saved order {orders}: {name}, {amount}"));
            self.clear();
        }
    }

    /// Brings a running app to the front. Returns false if no running app has this process id.
    pub(super) fn activate(&mut self, pid: u64) -> bool {
        let is_there = self.apps.iter().any(|app| app.is_running && app.pid == pid);
        if is_there {
            self.active_pid = pid;
            self.focus = None;
        }
        is_there
    }

    /// Starts an app and brings it to the front. Returns false if no app has this name.
    pub(super) fn launch(&mut self, name: &str) -> bool {
        let app = self
            .apps
            .iter_mut()
            .find(|app| app.name.eq_ignore_ascii_case(name));
        let Some(app) = app else {
            return false;
        };
        app.is_running = true;
        let pid = app.pid;
        let title = app.name.to_owned();
        if !self.windows.iter().any(|window| window.pid == pid) {
            self.windows.push(Window {
                id: pid,
                title,
                pid,
                elements: vec![
                    Element::new("Multiply", "button", 0),
                    Element::new("Divide", "button", 1),
                ],
            });
        }
        self.activate(pid)
    }

    /// Clicks at a point and returns the label of the element there; `None` if there is no element.
    pub(super) fn click(&mut self, x: f64, y: f64) -> Option<String> {
        let hit = self
            .elements(None)
            .into_iter()
            .find(|element| element.holds(x, y))?;
        let (label, role) = (hit.label.clone(), hit.role);
        match (role, label.as_str()) {
            ("textfield", _) => self.focus = Some(label.clone()),
            (_, "Save") => self.save(),
            (_, "Clear") => self.clear(),
            _ => {}
        }
        Some(label)
    }

    /// Types into the focused field. Returns false if no field has the focus.
    pub(super) fn type_text(&mut self, text: &str) -> bool {
        let Some(label) = self.focus.clone() else {
            return false;
        };
        match self.element_mut(self.active_pid, &label) {
            Some(field) => {
                let room = FIELD_CHARS_MAX.saturating_sub(field.value.chars().count());
                field.value.extend(text.chars().take(room));
                true
            }
            None => false,
        }
    }

    /// Presses a key: Tab focuses the next field, Return or Enter presses the button, and Backspace deletes a
    /// character.
    pub(super) fn press(&mut self, key: &str) {
        match (key, self.focus.as_deref()) {
            ("Tab", Some("Name")) => self.focus = Some("Amount".to_owned()),
            ("Return" | "Enter", _) if self.active_pid == LEDGER_PID => self.save(),
            ("Backspace", Some(label)) => {
                let label = label.to_owned();
                if let Some(field) = self.element_mut(self.active_pid, &label) {
                    field.value.pop();
                }
            }
            _ => {}
        }
    }

    fn save(&mut self) {
        if self.value("Name").is_empty() || self.value("Amount").parse::<f64>().is_err() {
            self.say("Please fill in Name and Amount");
            return;
        }
        self.saving = SAVING_LOOKS;
        self.say("Saving ...");
    }

    fn clear(&mut self) {
        for label in ["Name", "Amount"] {
            if let Some(field) = self.element_mut(LEDGER_PID, label) {
                field.value.clear();
            }
        }
        if self.active_pid == LEDGER_PID {
            self.focus = None;
        }
    }

    fn say(&mut self, text: &str) {
        if let Some(status) = self.element_mut(LEDGER_PID, "Status") {
            text.clone_into(&mut status.value);
        }
    }

    /// Returns the value of the form element with this label, whether the element is visible or not.
    fn value(&self, label: &str) -> String {
        let windows = self
            .windows
            .iter()
            .filter(|window| window.pid == LEDGER_PID);
        let mut elements = windows.flat_map(|window| &window.elements);
        let element = elements.find(|element| element.label == label);
        element
            .map(|element| element.value.clone())
            .unwrap_or_default()
    }

    fn element_mut(&mut self, pid: u64, label: &str) -> Option<&mut Element> {
        let windows = self.windows.iter_mut().filter(|window| window.pid == pid);
        let mut elements = windows.flat_map(|window| &mut window.elements);
        elements.find(|element| element.label == label)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn status(desktop: &Desktop) -> String {
        desktop.value("Status")
    }

    fn click(desktop: &mut Desktop, label: &str) {
        let elements = desktop.elements(None);
        let (x, y) = elements
            .iter()
            .find(|element| element.label == label)
            .unwrap()
            .center();
        assert_eq!(desktop.click(x as f64, y as f64).as_deref(), Some(label));
    }

    #[test]
    fn a_form_can_really_be_filled() {
        let mut desktop = Desktop::default();
        click(&mut desktop, "Save");
        assert_eq!(status(&desktop), "Please fill in Name and Amount");
        click(&mut desktop, "Name");
        assert!(desktop.type_text("Ann"));
        desktop.press("Tab");
        assert!(desktop.type_text("12.55"));
        desktop.press("Backspace");
        click(&mut desktop, "Save");
        assert_eq!(status(&desktop), "Saving ...");
        desktop.look();
        desktop.look();
        assert_eq!(status(&desktop), "Saved order 1: Ann, 12.5");
        assert_eq!(desktop.value("Name"), "");
        assert!(!desktop.type_text("nobody has the focus"));
    }

    #[test]
    fn an_order_is_saved_behind_another_window() {
        let mut desktop = Desktop::default();
        click(&mut desktop, "Name");
        desktop.type_text("Ann");
        click(&mut desktop, "Amount");
        desktop.type_text("3");
        desktop.press("Return");
        assert!(desktop.activate(NOTES_PID));
        click(&mut desktop, "Body");
        desktop.look();
        desktop.look();
        assert_eq!(status(&desktop), "Saved order 1: Ann, 3");
        assert!(desktop.type_text("the focus stays"));
        desktop.press("Return");
        assert_eq!(status(&desktop), "Saved order 1: Ann, 3");
    }

    #[test]
    fn a_field_takes_no_more_than_it_holds() {
        let mut desktop = Desktop::default();
        click(&mut desktop, "Name");
        desktop.type_text(&"é".repeat(FIELD_CHARS_MAX + 5));
        assert_eq!(desktop.value("Name").chars().count(), FIELD_CHARS_MAX);
        let elements = desktop.elements(None);
        assert_eq!(elements[0].texts().count(), 2);
        assert_eq!(elements[4].texts().collect::<Vec<_>>(), ["No orders yet"]);
    }

    #[test]
    fn an_app_that_does_not_run_is_launched() {
        let mut desktop = Desktop::default();
        assert!(desktop.app("calculator").is_none());
        assert!(desktop.launch("calculator") && !desktop.launch("Chess"));
        assert!(desktop.app("calculator").is_some());
        let labels: Vec<_> = desktop
            .elements(None)
            .iter()
            .map(|element| &element.label)
            .collect();
        assert_eq!(labels, ["Multiply", "Divide"]);
        assert!(desktop.activate(LEDGER_PID) && !desktop.activate(9));
    }
}
