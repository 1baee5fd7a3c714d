//! XMP (ISO 16684-1): the properties of IPTC, Exif and others that say how and when a photo was made, as RDF in XML.
//!
//! RDF has several forms for one property: an attribute, an element with a text, an element with an attribute
//! `rdf:resource`, an element with a list. They are told apart only as far as needed: a value belongs to the nearest
//! element that is not of RDF itself.

use domain::{DateSource, Statement, Taken};
use quick_xml::NsReader;
use quick_xml::XmlVersion::Implicit1_0;
use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::{BytesRef, BytesStart, Event};
use quick_xml::name::{LocalName, Namespace, NamespaceResolver, ResolveResult};

use crate::findings::Findings;
use crate::generators::{self, is_labelled};

/// The largest packet that is read, in bytes. The rest of a larger one is passed over.
const PACKET_BYTES_MAX: usize = 262_144;
/// The longest value that is read, in bytes.
const VALUE_BYTES_MAX: usize = 16_384;
/// The deepest nesting of elements. XMP needs some ten.
const DEPTH_MAX: usize = 64;

const AIGC: &str = "http://www.tc260.org.cn/ns/AIGC/1.0/";
const DUBLIN_CORE: &str = "http://purl.org/dc/elements/1.1/";
const EXIF: &str = "http://ns.adobe.com/exif/1.0/";
const HISTORY: &str = "http://ns.adobe.com/xap/1.0/sType/ResourceEvent#";
const IPTC_EXTENSION: &str = "http://iptc.org/std/Iptc4xmpExt/2008-02-29/";
const PHOTOSHOP: &str = "http://ns.adobe.com/photoshop/1.0/";
const RDF: &str = "http://www.w3.org/1999/02/22-rdf-syntax-ns#";
const TIFF: &str = "http://ns.adobe.com/tiff/1.0/";
const XMP: &str = "http://ns.adobe.com/xap/1.0/";

/// The properties that are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Property {
    /// The digital source type of the IPTC.
    SourceType,
    /// The AI system used, of the IPTC (2025.1).
    AiSystem,
    /// The label of GB 45438-2025, as JSON.
    AigcLabel,
    /// A program that has written the file.
    Program,
    Make,
    Model,
    /// A creator, or who is to be credited.
    Credit,
    /// A description or a comment.
    Text,
    DateTimeOriginal,
    DateCreated,
}

impl Property {
    fn of(namespace: &str, name: &str) -> Option<Self> {
        Some(match (namespace, name) {
            (IPTC_EXTENSION, "DigitalSourceType" | "DigitalSourceFileType") => Self::SourceType,
            (IPTC_EXTENSION, "AISystemUsed") => Self::AiSystem,
            (AIGC, "AIGC") => Self::AigcLabel,
            (XMP, "CreatorTool") | (TIFF, "Software") | (HISTORY, "softwareAgent") => Self::Program,
            (TIFF, "Make") => Self::Make,
            (TIFF, "Model") => Self::Model,
            (DUBLIN_CORE, "creator") | (PHOTOSHOP, "Credit" | "Source") => Self::Credit,
            (DUBLIN_CORE, "description") | (EXIF, "UserComment") => Self::Text,
            (EXIF, "DateTimeOriginal") => Self::DateTimeOriginal,
            (PHOTOSHOP, "DateCreated") => Self::DateCreated,
            _ => return None,
        })
    }
}

/// Reads an XMP packet in UTF-8.
pub(crate) fn read(packet: &[u8], findings: &mut Findings) {
    let packet = packet.get(..PACKET_BYTES_MAX).unwrap_or(packet);
    let text = match std::str::from_utf8(packet) {
        Ok(text) => text,
        Err(error) => {
            let valid = packet.get(..error.valid_up_to());
            std::str::from_utf8(valid.unwrap_or_default()).unwrap_or_default()
        }
    };
    let mut values = Values::default();
    let mut reader = NsReader::from_str(text.trim_start_matches('\u{FEFF}'));
    // What was read before an error counts.
    while let Ok(event) = reader.read_event() {
        let is_too_deep = !values.take(&event, reader.resolver(), findings);
        if is_too_deep || matches!(event, Event::Eof) {
            break;
        }
    }
    findings.camera(values.make.as_deref(), values.model.as_deref());
}

/// Returns the namespace and the local name; the namespace is empty if there is none.
fn resolved<'name>(
    (namespace, name): (ResolveResult<'name>, LocalName<'name>),
) -> (&'name str, &'name str) {
    let namespace = match namespace {
        ResolveResult::Bound(Namespace(namespace)) => namespace,
        ResolveResult::Unbound | ResolveResult::Unknown(_) => "",
    };
    (namespace, name.into_inner())
}

/// The elements that are open, and the value of the innermost one.
#[derive(Default)]
struct Values {
    /// For each open element, the property to which its text belongs.
    open: Vec<Option<Property>>,
    text: String,
    make: Option<String>,
    model: Option<String>,
}

impl Values {
    /// Takes an event; returns `false` if elements are nested too deeply.
    fn take(
        &mut self,
        event: &Event,
        resolver: &NamespaceResolver,
        findings: &mut Findings,
    ) -> bool {
        match event {
            Event::Start(element) => {
                self.end_text(findings);
                let property = self.element(element, resolver, findings);
                self.open.push(property);
            }
            Event::Empty(element) => {
                self.end_text(findings);
                let _ = self.element(element, resolver, findings);
            }
            Event::End(_) => {
                self.end_text(findings);
                self.open.pop();
            }
            Event::Text(text) => self.add(text),
            Event::CData(text) => self.add(text),
            Event::GeneralRef(reference) => self.add_reference(reference),
            _ => {}
        }
        self.open.len() <= DEPTH_MAX
    }

    /// Reads the attributes of an element; returns the property to which its text belongs.
    fn element(
        &mut self,
        element: &BytesStart,
        resolver: &NamespaceResolver,
        findings: &mut Findings,
    ) -> Option<Property> {
        let (namespace, name) = resolved(resolver.resolve_element(element.name()));
        let property = if namespace == RDF {
            self.open.last().copied().flatten()
        } else {
            Property::of(namespace, name)
        };
        // Without a check for repeated names, which takes time in proportion to the square of their number.
        for attribute in element.attributes().with_checks(false).flatten() {
            let (namespace, name) = resolved(resolver.resolve_attribute(attribute.key));
            let of_attribute = if (namespace, name) == (RDF, "resource") {
                property
            } else {
                Property::of(namespace, name)
            };
            if let Some(property) = of_attribute
                && attribute.value.len() <= VALUE_BYTES_MAX
                && let Ok(value) = attribute.normalized_value(Implicit1_0)
            {
                self.note(property, &value, findings);
            }
        }
        property
    }

    fn add(&mut self, text: &str) {
        let is_wanted = self.open.last().is_some_and(Option::is_some);
        if is_wanted && self.text.len().saturating_add(text.len()) <= VALUE_BYTES_MAX {
            self.text.push_str(text);
        }
    }

    fn add_reference(&mut self, reference: &BytesRef) {
        if let Ok(Some(character)) = reference.resolve_char_ref() {
            self.add(character.encode_utf8(&mut [0; 4]));
        } else if let Some(text) = resolve_predefined_entity(reference) {
            self.add(text);
        }
    }

    /// Notes the text since the last tag.
    fn end_text(&mut self, findings: &mut Findings) {
        let text = std::mem::take(&mut self.text);
        if let Some(property) = self.open.last().copied().flatten() {
            self.note(property, &text, findings);
        }
    }

    fn note(&mut self, property: Property, value: &str, findings: &mut Findings) {
        let value = value.trim();
        if value.is_empty() {
            return;
        }
        match property {
            Property::SourceType => findings.source_type(value),
            Property::AiSystem => findings.generated(Statement::Iptc, Some(value)),
            Property::AigcLabel if is_labelled(value) => {
                findings.generated(Statement::AigcLabel, generators::program(value));
            }
            Property::AigcLabel => {}
            Property::Program => findings.program(value, Statement::Software),
            Property::Make => self.make = Some(value.to_owned()),
            Property::Model => self.model = Some(value.to_owned()),
            Property::Credit => findings.credit(value),
            Property::Text => findings.text(value),
            Property::DateTimeOriginal => findings.taken(Taken::read(value, DateSource::Camera)),
            Property::DateCreated => findings.taken(Taken::read(value, DateSource::Caption)),
        }
    }
}
