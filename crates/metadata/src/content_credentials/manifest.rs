//! One manifest: its claim, its actions, and the metadata of the IPTC in it.

use domain::Statement;
use minicbor::Decoder;
use minicbor::data::Type;
use minicbor::decode::Error;
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::findings::Findings;
use crate::source_type::{SourceType, source_type};

/// The most programs that actions may refer to by their number.
const AGENTS_MAX: usize = 32;

// The beginnings of the labels. Further assertions with the same label have a number after it, as in
// `c2pa.actions.v2__1`, and newer ones a version.
const ACTIONS: &[u8] = b"c2pa.actions";
const CLAIM: &[u8] = b"c2pa.claim";
const SIGNATURE: &[u8] = b"c2pa.signature";
const IPTC_METADATA: [&[u8]; 3] = [b"stds.iptc", b"c2pa.metadata", b"cawg.metadata"];

/// What a manifest has claimed so far. Claim and signature come after the assertions, or before them.
#[derive(Default)]
pub(super) struct Manifest {
    /// The meanings of the source types that were found.
    generated: Option<Agent>,
    composed: Option<Agent>,
    captured: Option<Agent>,
    /// The program that made the manifest.
    claim_generator: Option<String>,
    is_signed: bool,
}

/// The program that is responsible for an action, if it is named.
struct Agent(Option<String>);

impl Manifest {
    /// Returns whether the content of a box with this label is read.
    pub(super) fn has_use_for(label: &[u8]) -> bool {
        let others = [ACTIONS, CLAIM, SIGNATURE];
        let mut all = others.iter().chain(&IPTC_METADATA);
        all.any(|known| label.starts_with(known))
    }

    /// Reads the content of a box.
    pub(super) fn read(&mut self, label: &[u8], content: &[u8], findings: &mut Findings) {
        if label.starts_with(SIGNATURE) {
            self.is_signed |= !content.is_empty();
        } else if label.starts_with(ACTIONS) {
            self.read_actions(content, findings);
        } else if label.starts_with(CLAIM) {
            self.claim_generator = claim_generator(content);
            if let Some(name) = &self.claim_generator {
                findings.program(name, Statement::ContentCredentials);
            }
        } else if let Ok(metadata) = serde_json::from_slice::<IptcMetadata>(content)
            && let Some(uri) = metadata.digital_source_type
        {
            let uri = uri.get().trim_matches(['[', ']', '{', '}', '"']);
            self.note(Some(uri), None);
        }
    }

    fn read_actions(&mut self, content: &[u8], findings: &mut Findings) {
        let agents = software_agents(content);
        each_action(content, |action| {
            let numbered = action.agent_number.and_then(|number| agents.get(number));
            let agent = action.agent.or(numbered.copied());
            if let Some(agent) = agent {
                findings.program(agent, Statement::ContentCredentials);
            }
            self.note(action.source_type, agent);
        });
    }

    /// Notes a source type, unless an earlier one of the same meaning was found.
    fn note(&mut self, uri: Option<&str>, agent: Option<&str>) {
        let place = match uri.and_then(source_type) {
            Some(SourceType::Generated) => &mut self.generated,
            Some(SourceType::Composed) => &mut self.composed,
            Some(SourceType::Captured) => &mut self.captured,
            None => return,
        };
        place.get_or_insert_with(|| Agent(agent.map(str::to_owned)));
    }

    /// Tells what the whole manifest says.
    pub(super) fn end(self, findings: &mut Findings) {
        let name = |agent: Agent| agent.0.or_else(|| self.claim_generator.clone());
        if let Some(agent) = self.generated {
            findings.generated(Statement::ContentCredentials, name(agent).as_deref());
        }
        if let Some(agent) = self.composed {
            findings.composed(Statement::ContentCredentials, name(agent).as_deref());
        }
        if let Some(agent) = self.captured {
            findings.captured(name(agent).as_deref(), self.is_signed);
        }
    }
}

/// The one property that is read of an assertion with metadata of the IPTC, which is JSON-LD.
#[derive(Deserialize)]
struct IptcMetadata<'json> {
    #[serde(rename = "Iptc4xmpExt:DigitalSourceType", borrow)]
    digital_source_type: Option<&'json RawValue>,
}

/// What an action says.
#[derive(Default)]
struct Action<'cbor> {
    source_type: Option<&'cbor str>,
    /// The program that is responsible, by its name or by its number among the assertion's programs.
    agent: Option<&'cbor str>,
    agent_number: Option<usize>,
}

/// Returns the name of the program that made the manifest: a text in the first version, and a map or a list of maps.
fn claim_generator(claim: &[u8]) -> Option<String> {
    let (mut name, mut information) = (None, None);
    // What was read before an error counts, here and below.
    let _ = each_entry(&mut Decoder::new(claim), |key, decoder| {
        match key {
            "claim_generator" => name = text(decoder)?,
            "claim_generator_info" if is_list(decoder)? => each_item(decoder, |decoder| {
                information = information.or(agent(decoder)?);
                Ok(())
            })?,
            "claim_generator_info" => information = agent(decoder)?,
            _ => decoder.skip()?,
        }
        Ok(())
    });
    information.or(name).map(str::to_owned)
}

/// Returns the programs of an assertion about actions, to which actions refer by their number.
fn software_agents(assertion: &[u8]) -> Vec<&str> {
    let mut agents = Vec::new();
    let _ = each_entry(&mut Decoder::new(assertion), |key, decoder| {
        if key != "softwareAgents" {
            return decoder.skip();
        }
        each_item(decoder, |decoder| {
            let name = agent(decoder)?;
            if agents.len() < AGENTS_MAX {
                agents.push(name.unwrap_or_default());
            }
            Ok(())
        })
    });
    agents
}

/// Hands every action of an assertion to `take`, and every template of actions.
fn each_action<'cbor>(assertion: &'cbor [u8], mut take: impl FnMut(Action<'cbor>)) {
    let _ = each_entry(&mut Decoder::new(assertion), |key, decoder| {
        if !matches!(key, "actions" | "templates") {
            return decoder.skip();
        }
        each_item(decoder, |decoder| {
            take(action(decoder)?);
            Ok(())
        })
    });
}

fn action<'cbor>(decoder: &mut Decoder<'cbor>) -> Result<Action<'cbor>, Error> {
    let mut action = Action::default();
    each_entry(decoder, |key, decoder| {
        match key {
            "digitalSourceType" => action.source_type = text(decoder)?,
            "softwareAgent" => action.agent = agent(decoder)?,
            "softwareAgentIndex" if decoder.datatype()? == Type::U8 => {
                action.agent_number = Some(usize::from(decoder.u8()?));
            }
            _ => decoder.skip()?,
        }
        Ok(())
    })?;
    Ok(action)
}

/// Reads a program: its name, or a map that has it.
fn agent<'cbor>(decoder: &mut Decoder<'cbor>) -> Result<Option<&'cbor str>, Error> {
    if decoder.datatype()? == Type::String {
        return text(decoder);
    }
    let mut name = None;
    each_entry(decoder, |key, decoder| {
        if key == "name" {
            name = text(decoder)?;
            Ok(())
        } else {
            decoder.skip()
        }
    })?;
    Ok(name)
}

/// Reads a text; `None`, and passed over, if it is something else.
fn text<'cbor>(decoder: &mut Decoder<'cbor>) -> Result<Option<&'cbor str>, Error> {
    if decoder.datatype()? == Type::String {
        return decoder.str().map(Some);
    }
    decoder.skip()?;
    Ok(None)
}

fn is_list(decoder: &Decoder) -> Result<bool, Error> {
    Ok(matches!(
        decoder.datatype()?,
        Type::Array | Type::ArrayIndef
    ))
}

/// Hands every entry of a map to `read`, which reads its value. Passes over what is no map, and over keys that are no
/// texts.
fn each_entry<'cbor>(
    decoder: &mut Decoder<'cbor>,
    mut read: impl FnMut(&'cbor str, &mut Decoder<'cbor>) -> Result<(), Error>,
) -> Result<(), Error> {
    if !matches!(decoder.datatype()?, Type::Map | Type::MapIndef) {
        return decoder.skip();
    }
    let mut left = decoder.map()?;
    while has_next(decoder, &mut left)? {
        match text(decoder)? {
            Some(key) => read(key, decoder)?,
            None => decoder.skip()?,
        }
    }
    Ok(())
}

/// Hands every item of a list to `read`. Passes over what is no list.
fn each_item<'cbor>(
    decoder: &mut Decoder<'cbor>,
    mut read: impl FnMut(&mut Decoder<'cbor>) -> Result<(), Error>,
) -> Result<(), Error> {
    if !is_list(decoder)? {
        return decoder.skip();
    }
    let mut left = decoder.array()?;
    while has_next(decoder, &mut left)? {
        read(decoder)?;
    }
    Ok(())
}

/// Returns whether a map or list goes on. If its length is not known, its end is a break.
fn has_next(decoder: &mut Decoder, left: &mut Option<u64>) -> Result<bool, Error> {
    match left {
        Some(0) => Ok(false),
        Some(left) => {
            *left -= 1;
            Ok(true)
        }
        None if decoder.datatype()? == Type::Break => {
            decoder.set_position(decoder.position() + 1);
            Ok(false)
        }
        None => Ok(true),
    }
}
