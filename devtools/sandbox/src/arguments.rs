//! Parses the program's arguments by hand: they are few, and each mistake gets its own message.

use std::fs;

use super::fault_plan::FaultPlan;
use super::options::{Latency, SandboxOptions, SearchEngine};
use super::providers::{ModelHabit, SandboxProvider};
use super::world::{World, own_world};

/// The text that `--help` prints.
pub const HELP: &str = "\
A stand-in for image searches, image hosts, recogniser, planner and Wikidata, over one world.

Usage: sandbox [OPTIONS]
  --port NUMBER         the port on 127.0.0.1 (default 8788; 0 takes a free one)
  --host-origin ORIGIN  scheme, host and port of all links, if not http://127.0.0.1:PORT
  --world FILE          the world to answer from (default: the project's own)
  --latency LIST        milliseconds by provider: google=300,image=400,rekognition=500,gemini=900,
                        also of commons, brave, openverse, serpapi, serper, wikidata,
                        references
  --fault FILE          a JSON list of {\"provider\",\"call\"|\"from\",\"to\"|\"every\",\"kind\"}
  --engine NAME         kind (every wording brings photos of whom it names) or literal (a photo's page has
                        every word of the query) behind Google, Brave, SerpApi and Serper (default kind)
  --captions SHARE      how many of the people in a photo its page names (default 1)
  --lies SHARE          how many pages name somebody close to those who are shown, who is not (default 0)
  --copies SHARE        how many hits are copies, smaller or cut, of photos before them (default 0)
  --noise SHARE         how many hits show only others (default 0)
  --webp SHARE          how many photos are WebP files, which the recogniser does not take (default 0)
  --injected SHARE      how many titles hold an order, as if it came from a program (default 0)
  --miss SHARE          how many faces are missed (default 0.15)
  --weak SHARE          how many confidences are below 80 (default 0)
  --traps SHARE         how many photos show people together who never met: collages, generated
                        pictures, wax figures, and photos with somebody twice (default 0)
  --lookalikes SHARE    how many faces are recognised as somebody else (default 0)
  --ugly on|off         dead, mislabelled, cut and slow images among the good, and titles as real pages
                        have them (default on)
  --magnify NUMBER      photos so many times as wide and high, as cameras take them (1 to 10, default 1)
  --tps NUMBER          the recogniser's limit of requests per second (default none)
  --region REGION       the recogniser's region (default us-east-1)
  --session-token TOKEN the token of a temporary recogniser's key, to be sent and signed (default none)
  --model-habit NAME    a bad habit of the models where an automaton asks them (default none)
  --check FILE          read a world file, say what is in it, and end
  --help                this
";

/// What the program is to do.
#[derive(Clone, Debug, PartialEq)]
pub enum SandboxTask {
    /// Print [`HELP`] and end.
    Help,
    /// Read this world file and describe it.
    Check(String),
    /// Serve until a signal ends the program.
    Serve(Box<ServeSettings>),
}

/// The settings for serving: the address to listen at, and the files to read first.
#[derive(Clone, Debug, PartialEq)]
pub struct ServeSettings {
    /// The port on the loopback interface.
    pub port: u16,
    /// The path of the world file; by default the built-in world is served.
    pub world: Option<String>,
    /// The origin that all links begin with; `None` for the listening address.
    pub origin: Option<String>,
    /// The path of the fault file ([`FaultPlan::parse`]); without one, nothing fails.
    pub faults: Option<String>,
    /// The options that the arguments set; [`Self::load`] fills in the origin and the faults.
    pub options: SandboxOptions,
}

/// Parses the arguments, which must not include the program's name. The error is a sentence for the user.
pub fn parse(arguments: impl IntoIterator<Item = String>) -> Result<SandboxTask, String> {
    let mut settings = ServeSettings {
        port: 8788,
        world: None,
        origin: None,
        faults: None,
        options: SandboxOptions::default(),
    };
    let mut check = None;
    let mut arguments = arguments.into_iter();
    while let Some(argument) = arguments.next() {
        let (name, value) = match argument.split_once('=') {
            Some((name, value)) if name.starts_with("--") => {
                (name.to_owned(), Some(value.to_owned()))
            }
            _ => (argument, None),
        };
        if matches!(name.as_str(), "--help" | "-h") {
            return Ok(SandboxTask::Help);
        }
        if !NAMES.contains(&name.as_str()) {
            return Err(format!("there is no argument {name:?}; --help lists all"));
        }
        let value = value.or_else(|| arguments.next());
        let value = value.ok_or_else(|| format!("{name} needs a value; --help shows which"))?;
        if name == "--check" {
            check = Some(value);
        } else {
            settings.set(&name, value)?;
        }
    }
    Ok(check.map_or_else(
        || SandboxTask::Serve(Box::new(settings)),
        SandboxTask::Check,
    ))
}

const NAMES: [&str; 23] = [
    "--port",
    "--host-origin",
    "--world",
    "--latency",
    "--fault",
    "--engine",
    "--captions",
    "--lies",
    "--copies",
    "--noise",
    "--webp",
    "--injected",
    "--miss",
    "--weak",
    "--traps",
    "--lookalikes",
    "--ugly",
    "--magnify",
    "--tps",
    "--region",
    "--session-token",
    "--model-habit",
    "--check",
];

impl ServeSettings {
    fn set(&mut self, name: &str, value: String) -> Result<(), String> {
        let options = &mut self.options;
        match name {
            "--port" => {
                self.port = value
                    .parse()
                    .map_err(|_| format!("--port needs a number from 0 to 65535, not {value:?}"))?;
            }
            "--host-origin" => {
                let origin = value.trim_end_matches('/');
                if !(origin.starts_with("http://") || origin.starts_with("https://")) {
                    return Err(format!(
                        "--host-origin needs http:// or https://, not {value:?}"
                    ));
                }
                self.origin = Some(origin.to_owned());
            }
            "--world" => self.world = Some(value),
            "--fault" => self.faults = Some(value),
            "--latency" => options.latency = latency(&value)?,
            "--engine" => {
                options.engine = match value.as_str() {
                    "kind" => SearchEngine::Kind,
                    "literal" => SearchEngine::Literal,
                    _ => return Err(format!("--engine is kind or literal, not {value:?}")),
                };
            }
            "--captions" => options.captions = share(name, &value)?,
            "--lies" => options.lies = share(name, &value)?,
            "--copies" => options.lists.copies = share(name, &value)?,
            "--noise" => options.lists.noise = share(name, &value)?,
            "--webp" => options.webp = share(name, &value)?,
            "--injected" => options.injected = share(name, &value)?,
            "--miss" => options.rules.miss = share(name, &value)?,
            "--weak" => options.rules.weak = share(name, &value)?,
            "--traps" => options.rules.traps = share(name, &value)?,
            "--lookalikes" => options.rules.lookalikes = share(name, &value)?,
            "--ugly" => {
                options.bad_images = match value.as_str() {
                    "on" => true,
                    "off" => false,
                    _ => return Err(format!("--ugly is on or off, not {value:?}")),
                };
            }
            "--region" => {
                options.credentials.aws_region = region(&value)
                    .ok_or_else(|| format!("--region needs one like eu-west-1, not {value:?}"))?;
            }
            "--magnify" => {
                let times = value.parse().ok().filter(|times| (1..=10).contains(times));
                options.magnification =
                    times.ok_or_else(|| format!("--magnify needs 1 to 10, not {value:?}"))?;
            }
            "--model-habit" => options.model_habit = Some(habit(&value)?),
            "--session-token" if value.trim().is_empty() => {
                return Err("--session-token needs a token, not nothing".to_owned());
            }
            "--session-token" => options.credentials.aws_session_token = Some(value),
            _ => {
                let limit = value.parse::<u32>().ok().filter(|limit| *limit > 0);
                let limit =
                    limit.ok_or_else(|| format!("--tps needs a number from 1, not {value:?}"))?;
                options.recognitions_per_second_max = Some(limit);
            }
        }
        Ok(())
    }

    /// Reads the world file and the fault file that the arguments name. The error is a sentence for the user.
    pub fn load(self) -> Result<(World, SandboxOptions), String> {
        let world = match &self.world {
            Some(path) => read_world(path)?,
            None => own_world().map_err(|error| error.to_string())?,
        };
        let mut options = self.options;
        if let Some(path) = &self.faults {
            let json = read(path)?;
            options.faults = FaultPlan::parse(&json).map_err(|error| format!("{path}: {error}"))?;
        }
        Ok((world, options))
    }
}

/// Reads a world file. The error is a sentence that names the file.
pub fn read_world(path: &str) -> Result<World, String> {
    World::parse(&read(path)?).map_err(|error| format!("{path}: {error}"))
}

fn read(path: &str) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("cannot read {path}: {error}"))
}

/// Reads a share from 0 to 1. The error is a sentence that names the argument.
pub fn share(name: &str, value: &str) -> Result<f64, String> {
    let share = value
        .parse::<f64>()
        .ok()
        .filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| format!("{name} needs a share from 0 to 1, not {value:?}"))
}

fn habit(name: &str) -> Result<ModelHabit, String> {
    ModelHabit::named(name).ok_or_else(|| {
        let names: Vec<_> = ModelHabit::ALL.iter().map(|(name, _)| *name).collect();
        format!("--model-habit is one of {}, not {name:?}", names.join(", "))
    })
}

fn region(text: &str) -> Option<String> {
    let is_part = |part: &str| {
        !part.is_empty()
            && part
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
    };
    let is_region = text.contains('-') && text.split('-').all(is_part);
    is_region.then(|| text.to_owned())
}

fn latency(list: &str) -> Result<Latency, String> {
    let mut latency = Latency::default();
    for entry in list.split(',') {
        let wrong = || format!("--latency needs entries like google=300, not {entry:?}");
        let (name, digits) = entry.trim().split_once('=').ok_or_else(wrong)?;
        let provider = SandboxProvider::named(name).ok_or_else(|| {
            let names = SandboxProvider::ALL.map(SandboxProvider::name).join(", ");
            format!("--latency knows {names}, not {name:?}")
        })?;
        let delay_ms: u64 = digits.parse().map_err(|_| wrong())?;
        match provider {
            SandboxProvider::Google => latency.google_ms = delay_ms,
            SandboxProvider::Image => latency.image_ms = delay_ms,
            SandboxProvider::Rekognition => latency.rekognition_ms = delay_ms,
            SandboxProvider::Gemini => latency.gemini_ms = delay_ms,
            SandboxProvider::WorkersAi => latency.workers_ai_ms = delay_ms,
            SandboxProvider::OpenAi => latency.openai_ms = delay_ms,
            SandboxProvider::Commons => latency.commons_ms = delay_ms,
            SandboxProvider::Brave => latency.brave_ms = delay_ms,
            SandboxProvider::Openverse => latency.openverse_ms = delay_ms,
            SandboxProvider::SerpApi => latency.serpapi_ms = delay_ms,
            SandboxProvider::Serper => latency.serper_ms = delay_ms,
            SandboxProvider::Wikidata => latency.wikidata_ms = delay_ms,
            SandboxProvider::References => latency.references_ms = delay_ms,
        }
    }
    Ok(latency)
}

#[cfg(test)]
mod tests;
