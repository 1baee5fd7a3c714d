//! Makes files with metadata, byte by byte. Their pixels are missing, since nothing reads them.

/// The tags that tests write most.
pub const DESCRIPTION: u16 = 0x010E;
pub const MAKE: u16 = 0x010F;
pub const MODEL: u16 = 0x0110;
pub const SOFTWARE: u16 = 0x0131;
pub const ARTIST: u16 = 0x013B;
pub const TAKEN: u16 = 0x9003;
pub const COMMENT: u16 = 0x9286;

/// The source types of the IPTC.
pub const GENERATED: &str =
    "http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia";
pub const CAPTURED: &str = "http://cv.iptc.org/newscodes/digitalsourcetype/digitalCapture";

/// Makes Exif data with these texts, those of the Exif directory included.
pub fn exif(texts: &[(u16, &str)]) -> Vec<u8> {
    let values = texts.iter().map(|(tag, text)| {
        let bytes = [text.as_bytes(), b"\0"].concat();
        (*tag, if *tag == COMMENT { 7 } else { 2 }, bytes)
    });
    tiff(true, &values.collect::<Vec<_>>())
}

/// Makes Exif data in either byte order. Each value has a tag, a type of one byte, and its bytes.
pub fn tiff(is_little: bool, values: &[(u16, u16, Vec<u8>)]) -> Vec<u8> {
    let short = |value: usize| {
        let value = u16::try_from(value).unwrap();
        if is_little {
            value.to_le_bytes()
        } else {
            value.to_be_bytes()
        }
    };
    let long = |value: usize| {
        let value = u32::try_from(value).unwrap();
        if is_little {
            value.to_le_bytes()
        } else {
            value.to_be_bytes()
        }
    };
    let (picture, exif): (Vec<_>, Vec<_>) = values.iter().partition(|(tag, ..)| *tag < 0x9000);
    let directory_bytes = |entries: usize| 2 + entries * 12 + 4;
    let exif_at = 8 + directory_bytes(picture.len() + 1);
    let mut values_at = exif_at + directory_bytes(exif.len());
    let mut head = if is_little {
        b"II*\0".to_vec()
    } else {
        b"MM\0*".to_vec()
    };
    head.extend(long(8));
    let mut tail = Vec::new();
    for (directory, has_pointer) in [(picture, true), (exif, false)] {
        head.extend(short(directory.len() + usize::from(has_pointer)));
        for (tag, kind, bytes) in directory {
            head.extend(short(usize::from(*tag)));
            head.extend(short(usize::from(*kind)));
            head.extend(long(bytes.len()));
            if bytes.len() <= 4 {
                let mut field = bytes.clone();
                field.resize(4, 0);
                head.extend(field);
            } else {
                head.extend(long(values_at));
                values_at += bytes.len();
                tail.extend_from_slice(bytes);
            }
        }
        if has_pointer {
            head.extend(short(0x8769));
            head.extend(short(4));
            head.extend(long(1));
            head.extend(long(exif_at));
        }
        head.extend([0; 4]);
    }
    [head, tail].concat()
}

/// Makes a JPEG of segments, each a marker and its content.
pub fn jpeg(segments: &[(u8, Vec<u8>)]) -> Vec<u8> {
    let mut file = vec![0xFF, 0xD8];
    let jfif = (0xE0, b"JFIF\0\x01\x01\0\0\x01\0\x01\0\0".to_vec());
    for (marker, content) in [&jfif].into_iter().chain(segments) {
        let length = u16::try_from(content.len() + 2).unwrap();
        file.extend([0xFF, *marker]);
        file.extend(length.to_be_bytes());
        file.extend(content);
    }
    file.extend(b"\xFF\xDA\0\x02\x12\x34\xFF\xD9");
    file
}

/// Makes a PNG of chunks, each a type and its data.
pub fn png(chunks: &[(&[u8; 4], Vec<u8>)]) -> Vec<u8> {
    let mut file = b"\x89PNG\r\n\x1A\n".to_vec();
    let all = [(b"IHDR", vec![0; 13]), (b"IDAT", vec![7; 5])];
    for (kind, data) in all.iter().chain(chunks).chain(&[(b"IEND", Vec::new())]) {
        file.extend(u32::try_from(data.len()).unwrap().to_be_bytes());
        file.extend(*kind);
        file.extend(data);
        file.extend([0; 4]);
    }
    file
}

/// Makes a PNG with one text.
pub fn png_text(keyword: &str, text: &str) -> Vec<u8> {
    png(&[(b"tEXt", format!("{keyword}\0{text}").into_bytes())])
}

/// Makes a WebP of chunks, each a type and its data.
pub fn webp(chunks: &[(&[u8; 4], Vec<u8>)]) -> Vec<u8> {
    let mut body = b"WEBP".to_vec();
    for (kind, data) in [(b"VP8X", vec![0; 10])].iter().chain(chunks) {
        body.extend(*kind);
        body.extend(u32::try_from(data.len()).unwrap().to_le_bytes());
        body.extend(data);
        body.resize(body.len().next_multiple_of(2), 0);
    }
    let length = u32::try_from(body.len()).unwrap().to_le_bytes();
    [b"RIFF", &length[..], &body].concat()
}

/// Makes the segment of Exif data.
pub fn exif_segment(tiff: &[u8]) -> (u8, Vec<u8>) {
    (0xE1, [b"Exif\0\0", tiff].concat())
}

/// Makes the segment of an XMP packet.
pub fn xmp_segment(packet: &str) -> (u8, Vec<u8>) {
    let content = ["http://ns.adobe.com/xap/1.0/\0", packet].concat();
    (0xE1, content.into_bytes())
}

/// Makes a JPEG with the Exif data of these texts.
pub fn exif_jpeg(texts: &[(u16, &str)]) -> Vec<u8> {
    jpeg(&[exif_segment(&exif(texts))])
}

/// Makes a JPEG with an XMP packet of these properties.
pub fn xmp_jpeg(attributes: &str, elements: &str) -> Vec<u8> {
    jpeg(&[xmp_segment(&xmp(attributes, elements))])
}

/// Makes an XMP packet with attributes and elements of its description.
pub fn xmp(attributes: &str, elements: &str) -> String {
    format!(
        r#"<?xpacket begin="{bom}" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about=""
 xmlns:dc="http://purl.org/dc/elements/1.1/"
 xmlns:exif="http://ns.adobe.com/exif/1.0/"
 xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/"
 xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/"
 xmlns:stEvt="http://ns.adobe.com/xap/1.0/sType/ResourceEvent#"
 xmlns:TC260="http://www.tc260.org.cn/ns/AIGC/1.0/"
 xmlns:tiff="http://ns.adobe.com/tiff/1.0/"
 xmlns:xmp="http://ns.adobe.com/xap/1.0/"
 xmlns:xmpMM="http://ns.adobe.com/xap/1.0/mm/"
 {attributes}>{elements}</rdf:Description></rdf:RDF></x:xmpmeta>
<?xpacket end="w"?>"#,
        bom = '\u{FEFF}'
    )
}

/// Makes the segment of IPTC-IIM data of the application record.
pub fn iptc_segment(datasets: &[(u8, &str)]) -> (u8, Vec<u8>) {
    let mut data = b"\x1C\x01\x5A\0\x03\x1B%G".to_vec();
    for (number, text) in datasets {
        data.extend([0x1C, 2, *number]);
        data.extend(u16::try_from(text.len()).unwrap().to_be_bytes());
        data.extend(text.as_bytes());
    }
    let resource = |number: u16, name: &str, data: &[u8]| {
        let mut resource = b"8BIM".to_vec();
        resource.extend(number.to_be_bytes());
        resource.push(u8::try_from(name.len()).unwrap());
        resource.extend(name.as_bytes());
        resource.resize(resource.len().next_multiple_of(2), 0);
        resource.extend(u32::try_from(data.len()).unwrap().to_be_bytes());
        resource.extend(data);
        resource.resize(resource.len().next_multiple_of(2), 0);
        resource
    };
    let start = b"Photoshop 3.0\0".to_vec();
    // Another resource before it, whose name and data have odd lengths.
    let other = resource(0x03ED, "ab", &[0; 5]);
    (0xED, [start, other, resource(0x0404, "", &data)].concat())
}

/// Makes a JUMBF box.
pub fn content_box(kind: &[u8], content: &[u8]) -> Vec<u8> {
    let length = u32::try_from(content.len() + 8).unwrap();
    [&length.to_be_bytes()[..], kind, content].concat()
}

/// Makes a JUMBF superbox. The type is the beginning of its UUID.
pub fn superbox(kind: &[u8], label: &str, boxes: &[Vec<u8>]) -> Vec<u8> {
    let rest = b"\0\x11\0\x10\x80\0\0\xAA\0\x38\x9B\x71\x03";
    let description = [kind, &rest[..], label.as_bytes(), b"\0"].concat();
    let description = content_box(b"jumd", &description);
    content_box(b"jumb", &[description, boxes.concat()].concat())
}

/// Makes an assertion in CBOR.
pub fn assertion(label: &str, cbor: &[u8]) -> Vec<u8> {
    superbox(b"cbor", label, &[content_box(b"cbor", cbor)])
}

/// Makes a manifest with a claim and, if it is signed, a signature.
pub fn manifest(assertions: &[Vec<u8>], claim: &[u8], is_signed: bool) -> Vec<u8> {
    let mut boxes = vec![
        superbox(b"c2as", "c2pa.assertions", assertions),
        superbox(b"c2cl", "c2pa.claim.v2", &[content_box(b"cbor", claim)]),
    ];
    if is_signed {
        let signature = content_box(b"cbor", b"\xD2\x84");
        boxes.push(superbox(b"c2cs", "c2pa.signature", &[signature]));
    }
    superbox(b"c2ma", "urn:c2pa:1", &boxes)
}

/// Makes the store of all manifests.
pub fn store(manifests: &[Vec<u8>]) -> Vec<u8> {
    superbox(b"c2pa", "c2pa", manifests)
}

/// Makes a store with one signed manifest, whose one action has these entries.
pub fn action_store(entries: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let actions = map(&[("actions", list(&[map(entries)]))]);
    let assertions = [assertion("c2pa.actions.v2", &actions)];
    let claim = map(&[("claim_generator_info", map(&[("name", text("A Program"))]))]);
    store(&[manifest(&assertions, &claim, true)])
}

/// Makes a JPEG with boxes in packets of at most this many bytes, beside their headers.
pub fn jumbf_jpeg(boxes: &[u8], packet_bytes: usize) -> Vec<u8> {
    jpeg(&jumbf_segments(boxes, packet_bytes))
}

/// Makes the segments of boxes, each with at most this many bytes, beside its headers.
pub fn jumbf_segments(boxes: &[u8], packet_bytes: usize) -> Vec<(u8, Vec<u8>)> {
    let (header, content) = boxes.split_at(8);
    let parts = content.chunks(packet_bytes);
    let segments = (1_u32..).zip(parts).map(|(sequence, part)| {
        let start = [b"JP\x02\x11", &sequence.to_be_bytes()[..], header, part];
        (0xEB, start.concat())
    });
    segments.collect()
}

fn head(major: u8, number: usize) -> Vec<u8> {
    let number = u16::try_from(number).unwrap().to_be_bytes();
    vec![major << 5 | 0x19, number[0], number[1]]
}

/// Makes a text in CBOR.
pub fn text(text: &str) -> Vec<u8> {
    [head(3, text.len()), text.as_bytes().to_vec()].concat()
}

/// Makes a list in CBOR.
pub fn list(items: &[Vec<u8>]) -> Vec<u8> {
    [head(4, items.len()), items.concat()].concat()
}

/// Makes a map in CBOR.
pub fn map(entries: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let mut map = head(5, entries.len());
    for (key, value) in entries {
        map.extend(text(key));
        map.extend(value);
    }
    map
}
