//! Tests of the model that carries out instructions: its turns in each provider's format, and a form that it fills in
//! with the real answers of an MCP server.

use super::mcp_modern::{log, modern_call};
use super::planners::{complete, run_model};
use super::*;

const TASK: &str = "Fill in the order. Type \"Ann\" into \"Name\", then press \"Tab\" and type \"12.5\". Click \"Save\". Read \"Saved order\".";
const NAMES: [&str; 4] = ["find_text", "click", "type_text", "press_key"];

/// A model's turn: a tool call, or its last words.
enum Said {
    Call(String, Value),
    End(String),
}

/// A conversation in the format of one provider.
trait Dialect {
    /// Requests the next turn of the model.
    fn ask(&mut self, sandbox: &mut Sandbox) -> Said;
    /// Adds the answer to the model's tool call.
    fn tell(&mut self, text: &str);
}

fn parameters() -> Value {
    json!({"type": "object", "properties": {"text": {"type": "string"}}, "additionalProperties": true})
}

struct Gemini {
    body: Value,
}

pub fn gemini_body(text: &str) -> Value {
    let functions = NAMES.map(|name| {
        json!({"name": name, "description": "A tool.", "parametersJsonSchema": parameters()})
    });
    json!({
        "systemInstruction": {"parts": [{"text": "You carry out one step."}]},
        "contents": [{"role": "user", "parts": [{"text": text}]}],
        "tools": [{"functionDeclarations": functions}],
    })
}

impl Gemini {
    fn contents(&mut self) -> &mut Vec<Value> {
        self.body["contents"].as_array_mut().unwrap()
    }
}

impl Dialect for Gemini {
    fn ask(&mut self, sandbox: &mut Sandbox) -> Said {
        let reply = plan(sandbox, &self.body);
        let answer = body(&reply);
        assert_eq!(status(&reply), 200, "{answer}");
        assert!(
            answer["usageMetadata"]["promptTokenCount"]
                .as_u64()
                .unwrap()
                > 20
        );
        let content = answer["candidates"][0]["content"].clone();
        self.contents().push(content.clone());
        let part = &content["parts"][0];
        match part["functionCall"]["name"].as_str() {
            Some(name) => Said::Call(name.to_owned(), part["functionCall"]["args"].clone()),
            None => Said::End(part["text"].as_str().unwrap().to_owned()),
        }
    }

    fn tell(&mut self, text: &str) {
        let call = self.contents().last().unwrap()["parts"][0]["functionCall"].clone();
        let response =
            json!({"name": call["name"], "id": call["id"], "response": {"result": text}});
        let parts = json!([{"functionResponse": response}]);
        self.contents()
            .push(json!({"role": "user", "parts": parts}));
    }
}

struct OpenAi {
    body: Value,
}

pub fn openai_body(text: &str) -> Value {
    let tools = NAMES.map(|name| {
        let function = json!({"name": name, "description": "A tool.", "parameters": parameters()});
        json!({"type": "function", "function": function})
    });
    let messages = json!([{"role": "system", "content": "You carry out one step."},
        {"role": "user", "content": text}]);
    json!({"model": "sandbox-model", "messages": messages, "tools": tools})
}

impl OpenAi {
    fn messages(&mut self) -> &mut Vec<Value> {
        self.body["messages"].as_array_mut().unwrap()
    }
}

impl Dialect for OpenAi {
    fn ask(&mut self, sandbox: &mut Sandbox) -> Said {
        let reply = complete(sandbox, &self.body);
        let answer = body(&reply);
        assert_eq!(status(&reply), 200, "{answer}");
        assert!(answer["usage"]["prompt_tokens"].as_u64().unwrap() > 20);
        let choice = &answer["choices"][0];
        self.messages().push(choice["message"].clone());
        let function = &choice["message"]["tool_calls"][0]["function"];
        match function["name"].as_str() {
            Some(name) => {
                assert_eq!(choice["finish_reason"], "tool_calls");
                let arguments = function["arguments"].as_str().unwrap();
                Said::Call(name.to_owned(), serde_json::from_str(arguments).unwrap())
            }
            None => Said::End(choice["message"]["content"].as_str().unwrap().to_owned()),
        }
    }

    fn tell(&mut self, text: &str) {
        let id = self.messages().last().unwrap()["tool_calls"][0]["id"].clone();
        let answer = json!({"role": "tool", "tool_call_id": id, "content": text});
        self.messages().push(answer);
    }
}

struct WorkersAi {
    body: Value,
}

pub fn workers_ai_body(text: &str) -> Value {
    let mut body = openai_body(text);
    body.as_object_mut().unwrap().remove("model");
    body
}

impl Dialect for WorkersAi {
    fn ask(&mut self, sandbox: &mut Sandbox) -> Said {
        let reply = run_model(sandbox, &self.body);
        let answer = body(&reply);
        assert_eq!(status(&reply), 200, "{answer}");
        let result = &answer["result"];
        assert!(result["usage"]["prompt_tokens"].as_u64().unwrap() > 20);
        let call = &result["tool_calls"][0];
        let messages = self.body["messages"].as_array_mut().unwrap();
        messages.push(json!({"role": "assistant", "content": call.to_string()}));
        match call["name"].as_str() {
            Some(name) => Said::Call(name.to_owned(), call["arguments"].clone()),
            None => Said::End(result["response"].as_str().unwrap().to_owned()),
        }
    }

    fn tell(&mut self, text: &str) {
        let messages = self.body["messages"].as_array_mut().unwrap();
        let call = messages.last().unwrap()["content"].as_str().unwrap();
        let call: Value = serde_json::from_str(call).unwrap();
        messages.push(json!({"role": "tool", "name": call["name"], "content": text}));
    }
}

/// Lets a model call the real tools until it is done, and returns its last words.
fn work(sandbox: &mut Sandbox, dialect: &mut dyn Dialect) -> String {
    for number in 1..30 {
        match dialect.ask(sandbox) {
            Said::End(text) => return text,
            Said::Call(tool, arguments) => {
                let answer = body(&modern_call(number, &tool, &arguments).send(sandbox));
                let content = answer["result"]["content"].as_array().unwrap().iter();
                let texts: Vec<_> = content
                    .map(|block| block["text"].as_str().unwrap())
                    .collect();
                dialect.tell(&format!(
                    "The tool answered:\n~~~~\n{}\n~~~~",
                    texts.join("\n")
                ));
            }
        }
    }
    panic!("the model does not end");
}

#[test]
fn the_form_is_filled_in_every_dialect() {
    let dialects: [Box<dyn Dialect>; 3] = [
        Box::new(Gemini {
            body: gemini_body(TASK),
        }),
        Box::new(OpenAi {
            body: openai_body(TASK),
        }),
        Box::new(WorkersAi {
            body: workers_ai_body(TASK),
        }),
    ];
    for mut dialect in dialects {
        let mut sandbox = plain();
        let text = work(&mut sandbox, dialect.as_mut());
        let verdict: Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
        assert_eq!(verdict["step_complete"], true, "{text}");
        let summary = verdict["summary"].as_str().unwrap();
        assert!(
            summary.ends_with("I read \"Saved order 1: Ann, 12.5\"."),
            "{summary}"
        );
        let expect = [
            "1 find_text",
            "2 click",
            "3 type_text",
            "4 press_key",
            "5 type_text",
            "6 find_text",
            "7 click",
            "8 find_text",
            "9 find_text",
        ];
        assert_eq!(log(&mut sandbox), expect);
    }
}

#[test]
fn no_tool_that_is_not_given_is_called() {
    let mut sandbox = plain();
    let mut asked = gemini_body("Click \"Save\".");
    asked["toolConfig"] =
        json!({"functionCallingConfig": {"mode": "VALIDATED", "allowedFunctionNames": ["click"]}});
    let text = work(&mut sandbox, &mut Gemini { body: asked });
    assert!(text.contains("I have no tool find_text"), "{text}");
    let mut asked = openai_body("Click \"Save\".");
    asked["tool_choice"] = json!("none");
    let text = work(&mut sandbox, &mut OpenAi { body: asked });
    assert!(text.contains("I have no tool find_text"), "{text}");
}

fn picture_of_the_screen(sandbox: &mut Sandbox) -> String {
    let shot = body(&modern_call(1, "take_screenshot", &json!({})).send(sandbox));
    shot["result"]["content"][0]["data"]
        .as_str()
        .unwrap()
        .to_owned()
}

#[test]
fn pictures_are_seen_and_counted() {
    let mut sandbox = plain();
    let data = picture_of_the_screen(&mut sandbox);
    let asked = "The step is:\nx\nThe tool take_screenshot gave these pictures.";
    let image = json!({"inlineData": {"mimeType": "image/png", "data": data}});
    let parts = json!([{"text": asked}, image]);
    let answer = body(&plan(
        &mut sandbox,
        &json!({"contents": [{"role": "user", "parts": parts}]}),
    ));
    let text = answer["candidates"][0]["content"]["parts"][0]["text"]
        .as_str()
        .unwrap();
    assert!(text.contains("320 by 280"), "{text}");
    let details = &answer["usageMetadata"]["promptTokensDetails"];
    assert_eq!(details[1], json!({"modality": "IMAGE", "tokenCount": 258}));
    let url = json!({"url": format!("data:image/png;base64,{data}")});
    let parts = json!([{"type": "text", "text": asked}, {"type": "image_url", "image_url": url}]);
    let messages = json!([{"role": "user", "content": parts}]);
    let chat = json!({"model": "sandbox-model", "messages": messages});
    let answer = body(&complete(&mut sandbox, &chat));
    let text = answer["choices"][0]["message"]["content"].as_str().unwrap();
    assert!(text.contains("320 by 280"), "{text}");
    assert!(answer["usage"]["prompt_tokens"].as_u64().unwrap() > 255);
}

#[test]
fn what_is_asked_as_json_is_answered_as_json() {
    let mut sandbox = plain();
    let asked = "The user wants to interact with \"store\". These are the elements, one a line:\n~~~~\nName\nSave\n~~~~\nAnswer";
    let schema =
        json!({"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]});
    let config = json!({"responseMimeType": "application/json", "responseJsonSchema": schema});
    let contents = json!([{"role": "user", "parts": [{"text": asked}]}]);
    let answer = body(&plan(
        &mut sandbox,
        &json!({"contents": contents, "generationConfig": config}),
    ));
    assert_eq!(
        answer["candidates"][0]["content"]["parts"][0]["text"],
        "{\"name\":\"Save\"}"
    );
    let format = json!({"type": "json_schema", "json_schema": schema});
    let messages = json!([{"role": "user", "content": asked}]);
    let answer = body(&run_model(
        &mut sandbox,
        &json!({"messages": messages, "response_format": format}),
    ));
    assert_eq!(answer["result"]["response"], json!({"name": "Save"}));
}
