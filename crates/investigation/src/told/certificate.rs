//! The JSON of a chain's certificate, and of the other chains that were found.

use serde::Serialize;

use crate::machine::{CertificateReport, OtherPathReport, PairReport, ProvenReport};

use super::person::{PersonJson, people};

#[derive(Serialize)]
pub(super) struct CertificateJson<'a> {
    proven: Vec<ProvenJson<'a>>,
    excluded: Vec<PairJson<'a>>,
    open: Vec<PairJson<'a>>,
}

#[derive(Serialize)]
struct ProvenJson<'a> {
    from: &'a str,
    to: &'a str,
    photos: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    confirmed: Option<bool>,
    message: &'a str,
}

#[derive(Serialize)]
struct PairJson<'a> {
    between: [&'a str; 2],
    photos: usize,
    message: &'a str,
}

#[derive(Serialize)]
pub(super) struct OtherPathJson<'a> {
    path: Vec<PersonJson<'a>>,
    bottleneck: f64,
    cumulative: f64,
}

impl<'a> CertificateJson<'a> {
    pub(super) fn new(report: &'a CertificateReport) -> Self {
        let pairs = |pairs: &'a [PairReport]| pairs.iter().map(PairJson::new).collect();
        Self {
            proven: report.proven.iter().map(ProvenJson::new).collect(),
            excluded: pairs(&report.excluded),
            open: pairs(&report.open),
        }
    }
}

impl<'a> ProvenJson<'a> {
    fn new(report: &'a ProvenReport) -> Self {
        Self {
            from: &report.from,
            to: &report.to,
            photos: report.photos,
            confirmed: report.is_confirmed,
            message: &report.message,
        }
    }
}

impl<'a> PairJson<'a> {
    fn new(report: &'a PairReport) -> Self {
        Self {
            between: [&report.one, &report.other],
            photos: report.photos,
            message: &report.message,
        }
    }
}

impl<'a> OtherPathJson<'a> {
    pub(super) fn new(report: &'a OtherPathReport) -> Self {
        Self {
            path: people(&report.path),
            bottleneck: report.bottleneck,
            cumulative: report.cumulative,
        }
    }
}
