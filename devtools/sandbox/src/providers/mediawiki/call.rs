//! Parses an API call as MediaWiki does, which warns more often than it refuses.

use serde_json::{Map, Value, json};

use super::super::reply::Reply;
use super::super::request::ParsedRequest;
use super::edge::refuse_unidentified;
use super::errors::{answer, error};
use super::site::Site;

/// The parameters that every action takes.
const MAIN: [&str; 18] = [
    "action",
    "format",
    "formatversion",
    "maxlag",
    "smaxage",
    "maxage",
    "assert",
    "assertuser",
    "requestid",
    "servedby",
    "curtimestamp",
    "responselanginfo",
    "origin",
    "uselang",
    "utf8",
    "ascii",
    "errorformat",
    "errorlang",
];
const SEARCH_LETTERS_MAX: usize = 300;
/// The most values that a list may have.
const LIST_MAX: usize = 50;

/// An API call whose parameters are parsed one by one. Its answer has a warning for each unusual parameter.
#[derive(Debug)]
pub(in crate::providers) struct ApiCall<'request> {
    request: &'request ParsedRequest,
    site: Site,
    /// Whether the answer is in the newer format, `formatversion=2`.
    is_modern: bool,
    warnings: Vec<(&'static str, String)>,
}

impl<'request> ApiCall<'request> {
    /// Checks the client and the requested format. A call without `format=json` is answered with an HTML page.
    pub(in crate::providers) fn open(
        site: Site,
        request: &'request ParsedRequest,
    ) -> Result<Self, Box<Reply>> {
        refuse_unidentified(request)?;
        let call = |is_modern| Self {
            request,
            site,
            is_modern,
            warnings: Vec::new(),
        };
        if request.parameter("format") != Some("json") {
            return Err(Box::new(Reply::html(
                200,
                "<!DOCTYPE html>\n<title>MediaWiki API result</title>\n<p>This is the HTML representation of the JSON format. HTML is good for debugging, but is unsuitable for application use.\n<p>Specify the <var>format</var> parameter to change the output format.\n",
            )));
        }
        match request.parameter("formatversion") {
            None | Some("1") => Ok(call(false)),
            Some("2" | "latest") => Ok(call(true)),
            Some(other) => Err(call(false).unrecognised("formatversion", other)),
        }
    }

    pub(in crate::providers) fn is_modern(&self) -> bool {
        self.is_modern
    }

    /// Returns the text of a parameter. If it occurs several times, the last one counts, as in PHP.
    pub(in crate::providers) fn text(&self, name: &str) -> Option<&'request str> {
        let mut latest_first = self.request.parameters.iter().rev();
        let (_, text) = latest_first.find(|(known, _)| known == name)?;
        Some(text.as_str()).filter(|text| !text.is_empty())
    }

    pub(in crate::providers) fn required(&self, name: &str) -> Result<&'request str, Box<Reply>> {
        self.text(name).ok_or_else(|| {
            self.error(
                "missingparam",
                &format!("The \"{name}\" parameter must be set."),
            )
        })
    }

    /// Returns the text to search for. Cirrus accepts at most 300 characters.
    pub(in crate::providers) fn search_text(
        &self,
        name: &str,
    ) -> Result<&'request str, Box<Reply>> {
        let text = self.required(name)?;
        let length = text.chars().count();
        if length <= SEARCH_LETTERS_MAX {
            return Ok(text);
        }
        let info = format!(
            "Search request is longer than the maximum allowed length. ({length} > {SEARCH_LETTERS_MAX})"
        );
        Err(self.error("cirrussearch-query-too-long", &info))
    }

    /// Returns the value of a parameter, or `None` if it is not set. A value that is not in `choices` is refused.
    pub(in crate::providers) fn choice(
        &self,
        name: &str,
        choices: &[&'static str],
    ) -> Result<Option<&'static str>, Box<Reply>> {
        let Some(value) = self.text(name) else {
            return Ok(None);
        };
        let known = choices.iter().find(|choice| **choice == value);
        match known {
            Some(known) => Ok(Some(known)),
            None => Err(self.unrecognised(name, value)),
        }
    }

    /// Returns the values of a list such as `a|b`. A list that is too long is refused.
    pub(in crate::providers) fn list(&self, name: &str) -> Result<Vec<&'request str>, Box<Reply>> {
        let text = self.text(name).unwrap_or_default();
        let values: Vec<&str> = text.split('|').filter(|value| !value.is_empty()).collect();
        if values.len() > LIST_MAX {
            return Err(self.error(
                "toomanyvalues",
                &format!(
                    "Too many values supplied for parameter \"{name}\". The limit is {LIST_MAX}."
                ),
            ));
        }
        Ok(values)
    }

    /// Returns the known values of a list. The answer warns of all others.
    pub(in crate::providers) fn known_list(
        &mut self,
        module: &'static str,
        name: &str,
        known: &[&str],
    ) -> Result<Vec<&'request str>, Box<Reply>> {
        let values = self.list(name)?;
        let (values, unknown): (Vec<&str>, Vec<&str>) =
            values.into_iter().partition(|value| known.contains(value));
        if !unknown.is_empty() {
            let plural = if unknown.len() == 1 { "" } else { "s" };
            let unknown = unknown.join(", ");
            self.warn(
                module,
                format!("Unrecognized value{plural} for parameter \"{name}\": {unknown}"),
            );
        }
        Ok(values)
    }

    /// Returns a count between 1 and `most`. If it is out of bounds, it is clamped and the answer warns of it.
    pub(in crate::providers) fn limit(
        &mut self,
        module: &'static str,
        name: &str,
        otherwise: usize,
        most: usize,
    ) -> Result<usize, Box<Reply>> {
        let asked = match self.text(name) {
            None => return Ok(otherwise),
            Some("max") => return Ok(most),
            Some(_) => self.number(name)?.unwrap_or(0),
        };
        let within = asked.clamp(1, i64::try_from(most).unwrap_or(i64::MAX));
        if within != asked {
            self.warn(
                module,
                format!(
                    "The value \"{asked}\" for parameter \"{name}\" must be between 1 and {most}."
                ),
            );
        }
        Ok(usize::try_from(within).unwrap_or(otherwise))
    }

    pub(in crate::providers) fn number(&self, name: &str) -> Result<Option<i64>, Box<Reply>> {
        let Some(digits) = self.text(name) else {
            return Ok(None);
        };
        digits.parse().map(Some).map_err(|_| {
            self.error(
                "badinteger",
                &format!("Invalid value \"{digits}\" for integer parameter \"{name}\"."),
            )
        })
    }

    /// Adds a warning for every parameter that is neither in `known` nor common to all actions. Like the real API, it
    /// does not refuse such parameters.
    pub(in crate::providers) fn warn_of_unrecognised(&mut self, known: &[&str]) {
        let names = self
            .request
            .parameters
            .iter()
            .map(|(name, _)| name.as_str());
        let mut unknown: Vec<&str> = names
            .filter(|name| !known.contains(name) && !MAIN.contains(name))
            .collect();
        unknown.dedup();
        if !unknown.is_empty() {
            let plural = if unknown.len() == 1 { "" } else { "s" };
            let unknown = unknown.join(", ");
            self.warn(
                "main",
                format!("Unrecognized parameter{plural}: {unknown}."),
            );
        }
    }

    pub(in crate::providers) fn warn(&mut self, module: &'static str, text: String) {
        self.warnings.push((module, text));
    }

    pub(in crate::providers) fn error(&self, code: &str, info: &str) -> Box<Reply> {
        Box::new(error(self.site, self.is_modern, code, info))
    }

    pub(in crate::providers) fn unrecognised(&self, name: &str, value: &str) -> Box<Reply> {
        let info = format!("Unrecognized value for parameter \"{name}\": {value}.");
        self.error("badvalue", &info)
    }

    /// Returns the value of a flag that is set: `true` in the newer format, an empty text in the older one.
    pub(in crate::providers) fn flag(&self) -> Value {
        if self.is_modern {
            json!(true)
        } else {
            json!("")
        }
    }

    /// Returns the answer with this body. The warnings come first.
    pub(in crate::providers) fn finish(self, body: Map<String, Value>) -> Reply {
        let mut whole = Map::new();
        if !self.warnings.is_empty() {
            let mut modules: Map<String, Value> = Map::new();
            for (module, text) in &self.warnings {
                let member = if self.is_modern { "warnings" } else { "*" };
                let before = modules.get(*module).and_then(|told| told.get(member));
                let text = match before.and_then(Value::as_str) {
                    Some(before) => format!("{before}\n{text}"),
                    None => text.clone(),
                };
                let mut told = Map::new();
                told.insert(member.to_owned(), text.into());
                modules.insert((*module).to_owned(), Value::Object(told));
            }
            whole.insert("warnings".to_owned(), Value::Object(modules));
        }
        whole.extend(body);
        answer(&Value::Object(whole))
    }
}
