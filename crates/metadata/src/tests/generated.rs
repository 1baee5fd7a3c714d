//! Every form in which a file says that it was generated.

use domain::{Making, Statement};

use super::builders::{
    ARTIST, COMMENT, DESCRIPTION, GENERATED, MAKE, MODEL, SOFTWARE, action_store, exif, exif_jpeg,
    exif_segment, iptc_segment, jpeg, jumbf_jpeg, png, png_text, text, tiff, webp, xmp, xmp_jpeg,
};
use super::{is_generated, says_nothing};

const PARAMETERS: &str = "a ball at a manor\nNegative prompt: blurry\nSteps: 20, Sampler: Euler a, \
    CFG scale: 7, Seed: 965400086, Size: 512x512, Model: v1-5";
const LABEL: &str = r#"{"Label":"1","ContentProducer":"001191110102MACQD9K64010000"}"#;

/// Returns the same Exif data, XMP packet or boxes in each kind of file.
fn in_every_file(tiff: &[u8], packet: &str, boxes: &[u8]) -> [Vec<Vec<u8>>; 3] {
    let international = ["XML:com.adobe.xmp\0\0\0\0\0", packet].concat();
    [
        vec![
            jpeg(&[exif_segment(tiff)]),
            png(&[(b"eXIf", tiff.to_vec())]),
            webp(&[(b"EXIF", tiff.to_vec())]),
            webp(&[(b"EXIF", [b"Exif\0\0", tiff].concat())]),
        ],
        vec![
            jpeg(&[super::builders::xmp_segment(packet)]),
            png(&[(b"iTXt", international.into_bytes())]),
            webp(&[(b"XMP ", packet.as_bytes().to_vec())]),
        ],
        vec![
            jumbf_jpeg(boxes, 60_000),
            png(&[(b"caBX", boxes.to_vec())]),
            webp(&[(b"C2PA", boxes.to_vec())]),
        ],
    ]
}

#[test]
fn every_block_is_found_in_every_kind_of_file() {
    let tiff = exif(&[(SOFTWARE, "Midjourney v6")]);
    let packet = xmp(
        &format!(r#"Iptc4xmpExt:DigitalSourceType="{GENERATED}""#),
        "",
    );
    let boxes = action_store(&[
        ("digitalSourceType", text(GENERATED)),
        ("softwareAgent", text("Adobe Firefly 3")),
    ]);
    let [exif, xmp, boxes] = in_every_file(&tiff, &packet, &boxes);
    for file in exif {
        is_generated(&file, Statement::Software, Some("Midjourney"));
    }
    for file in xmp {
        is_generated(&file, Statement::Iptc, None);
    }
    for file in boxes {
        is_generated(&file, Statement::ContentCredentials, Some("Adobe Firefly"));
    }
}

#[test]
fn the_source_type_is_read_in_every_form_of_rdf() {
    for (attributes, elements) in [
        (
            format!("Iptc4xmpExt:DigitalSourceType='{GENERATED}'"),
            String::new(),
        ),
        (
            String::new(),
            format!("<Iptc4xmpExt:DigitalSourceType>{GENERATED}</Iptc4xmpExt:DigitalSourceType>"),
        ),
        (
            String::new(),
            format!("<Iptc4xmpExt:DigitalSourceType rdf:resource='{GENERATED}'/>"),
        ),
        (
            String::new(),
            format!(
                "<Iptc4xmpExt:DigitalSourceType><rdf:Bag>\n <rdf:li>{GENERATED}</rdf:li>\n</rdf:Bag></Iptc4xmpExt:DigitalSourceType>"
            ),
        ),
        // Under another prefix, and in a structure.
        (
            String::new(),
            format!(
                "<xmpMM:Pantry><rdf:Bag><rdf:li><rdf:Description xmlns:i='http://iptc.org/std/Iptc4xmpExt/2008-02-29/' i:DigitalSourceType='{GENERATED}'/></rdf:li></rdf:Bag></xmpMM:Pantry>"
            ),
        ),
        (
            String::new(),
            format!(
                "<DigitalSourceType xmlns='http://iptc.org/std/Iptc4xmpExt/2008-02-29/'><![CDATA[{GENERATED}]]></DigitalSourceType>"
            ),
        ),
    ] {
        is_generated(&xmp_jpeg(&attributes, &elements), Statement::Iptc, None);
    }
}

#[test]
fn a_property_of_the_same_name_in_another_namespace_is_another_one() {
    let other = format!("xmlns:i='urn:x' i:DigitalSourceType='{GENERATED}'");
    says_nothing(&xmp_jpeg(&other, ""));
    says_nothing(&xmp_jpeg(&format!("DigitalSourceType='{GENERATED}'"), ""));
    // Unknown prefix: this cannot be resolved, and is passed over.
    says_nothing(&xmp_jpeg(&format!("i:DigitalSourceType='{GENERATED}'"), ""));
}

#[test]
fn other_properties_of_xmp_name_generators() {
    #[track_caller]
    fn check(elements: &str, statement: Statement, by: &str) {
        is_generated(&xmp_jpeg("", elements), statement, Some(by));
    }
    check(
        "<photoshop:Credit>Made with Google AI</photoshop:Credit>",
        Statement::Iptc,
        "Google AI",
    );
    check(
        "<photoshop:Credit>Edited with Google AI</photoshop:Credit>",
        Statement::Iptc,
        "Google AI",
    );
    check(
        "<dc:creator><rdf:Seq><rdf:li>Midjourney</rdf:li></rdf:Seq></dc:creator>",
        Statement::Iptc,
        "Midjourney",
    );
    check(
        "<xmp:CreatorTool>reve.com</xmp:CreatorTool>",
        Statement::Software,
        "Reve",
    );
    check(
        "<xmpMM:History><rdf:Seq><rdf:li stEvt:softwareAgent='Adobe Firefly'/></rdf:Seq></xmpMM:History>",
        Statement::Software,
        "Adobe Firefly",
    );
    check(
        "<Iptc4xmpExt:AISystemUsed>Some New Model</Iptc4xmpExt:AISystemUsed>",
        Statement::Iptc,
        "Some New Model",
    );
}

#[test]
fn the_chinese_label_is_read_where_generators_write_it() {
    let quoted = LABEL.replace('"', "&quot;");
    let user_comment = r#"{"AIGC": {"Label": "2", "ProduceID": "7"}}"#;
    for file in [
        xmp_jpeg("", &format!("<TC260:AIGC>{quoted}</TC260:AIGC>")),
        xmp_jpeg("", &format!("<TC260:AIGC>{LABEL}</TC260:AIGC>")),
        xmp_jpeg(&format!("TC260:AIGC='{LABEL}'"), ""),
        png_text("AIGC", LABEL),
        exif_jpeg(&[(COMMENT, user_comment)]),
        exif_jpeg(&[(COMMENT, &format!("ASCII\0\0\0{user_comment}"))]),
    ] {
        is_generated(&file, Statement::AigcLabel, None);
    }
    let suspected = LABEL.replace("\"1\"", "\"3\"");
    says_nothing(&xmp_jpeg(
        "",
        &format!("<TC260:AIGC>{suspected}</TC260:AIGC>"),
    ));
    says_nothing(&png_text("AIGC", &suspected));
}

#[test]
fn texts_of_generators_in_a_png_are_known_by_their_keywords() {
    #[track_caller]
    fn check(keyword: &str, value: &str, by: Option<&str>) {
        is_generated(&png_text(keyword, value), Statement::GeneratorText, by);
    }
    check("parameters", PARAMETERS, None);
    check(
        "prompt",
        r#"{"3":{"class_type":"KSampler"}}"#,
        Some("ComfyUI"),
    );
    check("workflow", r#"{"nodes":[]}"#, Some("ComfyUI"));
    check("prompt", "a ball", None);
    check("sd-metadata", "{}", Some("InvokeAI"));
    check("invokeai_metadata", "{}", Some("InvokeAI"));
    check("Dream", "a ball -s 50", Some("InvokeAI"));
    check("generation_data", "{}", None);
    check("use_stable_diffusion_model", "x", Some("Easy Diffusion"));
    let job = "a ball at a manor --v 6.0 Job ID: 0d1c9d9c-6f5b-4ff6-9cd8-26b4d0d1b6f8";
    check("Description", job, Some("Midjourney"));
    is_generated(
        &png_text("Software", "NovelAI"),
        Statement::Software,
        Some("NovelAI"),
    );
    is_generated(
        &png_text("Source", "Stable Diffusion XL 9CC2F394"),
        Statement::Software,
        Some("Stable Diffusion"),
    );
}

#[test]
fn compressed_texts_are_known_by_their_keywords_alone() {
    let compressed = png(&[(b"zTXt", b"parameters\0\0\x78\x9C".to_vec())]);
    is_generated(&compressed, Statement::GeneratorText, None);
    let international = png(&[(b"iTXt", b"prompt\0\x01\0\0\0\x78\x9C".to_vec())]);
    is_generated(&international, Statement::GeneratorText, None);
    let plain = png(&[(b"iTXt", b"workflow\0\0\0de\0\xC3\xA9\0{}".to_vec())]);
    is_generated(&plain, Statement::GeneratorText, Some("ComfyUI"));
}

#[test]
fn parameters_are_read_from_the_user_comment_in_every_code() {
    let utf_16 = |order: fn(u16) -> [u8; 2]| {
        let units = PARAMETERS.encode_utf16().flat_map(order);
        [b"UNICODE\0".to_vec(), units.collect()].concat()
    };
    for comment in [
        [b"ASCII\0\0\0", PARAMETERS.as_bytes()].concat(),
        [b"\0\0\0\0\0\0\0\0", PARAMETERS.as_bytes()].concat(),
        PARAMETERS.as_bytes().to_vec(),
        utf_16(u16::to_be_bytes),
        utf_16(u16::to_le_bytes),
    ] {
        for is_little in [true, false] {
            let tiff = tiff(is_little, &[(COMMENT, 7, comment.clone())]);
            let file = jpeg(&[exif_segment(&tiff)]);
            is_generated(&file, Statement::GeneratorText, None);
        }
    }
}

#[test]
fn exif_data_of_generators_are_known() {
    #[track_caller]
    fn check(texts: &[(u16, &str)], statement: Statement, by: &str) {
        is_generated(&exif_jpeg(texts), statement, Some(by));
    }
    check(&[(MAKE, "Ideogram AI")], Statement::Software, "Ideogram");
    check(&[(SOFTWARE, "DALL·E 3")], Statement::Software, "DALL·E");
    check(&[(ARTIST, "DALL-E")], Statement::Iptc, "DALL·E");
    let graphs = [
        (MAKE, r#"workflow:{"nodes":[]}"#),
        (MODEL, r#"prompt:{"3":{}}"#),
    ];
    check(&graphs, Statement::GeneratorText, "ComfyUI");
    let signature = format!("Signature: {}==", "aB3+".repeat(80));
    let signed = [
        (DESCRIPTION, signature.as_str()),
        (ARTIST, "0d1c9d9c-6f5b-4ff6-9cd8-26b4d0d1b6f8"),
    ];
    check(&signed, Statement::GeneratorText, "Grok");
    says_nothing(&exif_jpeg(&signed[..1]));
    says_nothing(&exif_jpeg(&signed[1..]));
}

#[test]
fn iptc_iim_names_generators() {
    for (number, words, statement, by) in [
        (
            65,
            "Stable Diffusion",
            Statement::Software,
            "Stable Diffusion",
        ),
        (80, "Midjourney", Statement::Iptc, "Midjourney"),
        (110, "Made with Google AI", Statement::Iptc, "Google AI"),
        (115, "Generated Photos", Statement::Iptc, "Generated Photos"),
    ] {
        let file = jpeg(&[iptc_segment(&[(number, words)])]);
        is_generated(&file, statement, Some(by));
    }
}

#[test]
fn a_composite_is_composed() {
    for term in ["composite", "compositeCapture"] {
        let file = xmp_jpeg(&format!("Iptc4xmpExt:DigitalSourceType='{term}'"), "");
        let expected = Making::Composed {
            by: None,
            statement: Statement::Iptc,
        };
        assert_eq!(crate::read(&file).making, Some(expected));
    }
}
