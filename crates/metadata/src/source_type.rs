//! The digital source types of the IPTC (<https://cv.iptc.org/newscodes/digitalsourcetype/>, 2024-10-23) and of the
//! C2PA (<https://spec.c2pa.org>, 2.3, "Digital Source Type").

/// What a source type means for a photo that shall prove that people met.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SourceType {
    /// At least a part was not captured from life.
    Generated,
    /// Several pictures were put together.
    Composed,
    /// Captured from life, or digitised from film or print.
    Captured,
}

/// The terms, in lower case.
const TERMS: [(&str, SourceType); 17] = [
    ("trainedalgorithmicmedia", SourceType::Generated),
    (
        "compositewithtrainedalgorithmicmedia",
        SourceType::Generated,
    ),
    ("compositesynthetic", SourceType::Generated),
    ("algorithmicmedia", SourceType::Generated),
    ("trainedalgorithmicdata", SourceType::Generated),
    ("datadrivenmedia", SourceType::Generated),
    ("virtualrecording", SourceType::Generated),
    // Drawn by people. The last two are retired terms.
    ("digitalcreation", SourceType::Generated),
    ("digitalart", SourceType::Generated),
    ("softwareimage", SourceType::Generated),
    ("composite", SourceType::Composed),
    ("compositecapture", SourceType::Composed),
    ("digitalcapture", SourceType::Captured),
    // Several frames of one moment that the camera itself has merged, as HDR does.
    ("computationalcapture", SourceType::Captured),
    ("negativefilm", SourceType::Captured),
    ("positivefilm", SourceType::Captured),
    ("print", SourceType::Captured),
];

/// Returns the meaning of a source type: a URI of any form, a code like `digsrctype:print`, or only the term.
///
/// Returns `None` for terms that do not say where the picture is from: `humanEdits`, `minorHumanEdits` and
/// `algorithmicallyEnhanced` change a picture without generating any of it, and a `screenCapture` may show anything.
pub(crate) fn source_type(uri: &str) -> Option<SourceType> {
    let uri = uri.trim().trim_end_matches('/');
    let term = uri.rsplit(['/', ':', '#']).next()?;
    let known = TERMS
        .iter()
        .find(|(known, _)| term.eq_ignore_ascii_case(known));
    known.map(|(_, meaning)| *meaning)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_term_is_found_in_every_form() {
        for uri in [
            "http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia",
            "https://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia",
            "http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia/",
            "http://c2pa.org/digitalsourcetype/trainedAlgorithmicData",
            "digsrctype:trainedAlgorithmicMedia",
            " trainedAlgorithmicMedia ",
            "TrainedAlgorithmicMedia",
        ] {
            assert_eq!(source_type(uri), Some(SourceType::Generated), "{uri}");
        }
    }

    #[test]
    fn every_term_of_the_vocabularies_has_its_meaning() {
        #[track_caller]
        fn check(terms: &[&str], meaning: Option<SourceType>) {
            for term in terms {
                let uri = format!("http://cv.iptc.org/newscodes/digitalsourcetype/{term}");
                assert_eq!(source_type(&uri), meaning, "{term}");
            }
        }
        check(
            &[
                "trainedAlgorithmicMedia",
                "compositeWithTrainedAlgorithmicMedia",
                "compositeSynthetic",
                "algorithmicMedia",
                "dataDrivenMedia",
                "virtualRecording",
                "digitalCreation",
                "digitalArt",
                "softwareImage",
            ],
            Some(SourceType::Generated),
        );
        check(
            &["composite", "compositeCapture"],
            Some(SourceType::Composed),
        );
        check(
            &[
                "digitalCapture",
                "computationalCapture",
                "negativeFilm",
                "positiveFilm",
                "print",
            ],
            Some(SourceType::Captured),
        );
        check(
            &[
                "humanEdits",
                "minorHumanEdits",
                "algorithmicallyEnhanced",
                "screenCapture",
                "empty",
                "",
                "capture",
            ],
            None,
        );
    }
}
