//! The machine's notices as lines of a transcript.

use investigation::machine::{EdgeReport, FinalReport, NoticeKind, PersonRef};

pub fn told(told: &NoticeKind) -> String {
    match told {
        NoticeKind::Status(status) => {
            let frontier = status.frontier.as_ref().map_or("-", |person| &person.name);
            let hinted = status.hinted.as_ref().map(|hinted| {
                let two = |two: &[PersonRef; 2]| format!("{} + {}", two[0].name, two[1].name);
                let hinted: Vec<String> = hinted.iter().map(two).collect();
                format!(" [hinted: {}]", hinted.join(", "))
            });
            format!(
                "{} {frontier}/{}: {}{}",
                status.state.as_str(),
                status.hop,
                status.message,
                hinted.unwrap_or_default()
            )
        }
        NoticeKind::Evidence(edge) => format!("evidence {}", edge_line(edge)),
        NoticeKind::PathUpdate(path) => format!("path {}", names(path)),
        NoticeKind::PageCapture(report) => {
            let photos: Vec<String> = report.page.photos.iter().map(ToString::to_string).collect();
            let came = match &report.result {
                Ok(captured) => format!("{:?} at {}", captured.size, captured.at.0),
                Err(why) => why.clone(),
            };
            format!("page of {}: {came}", photos.join("+"))
        }
        NoticeKind::Final(report) => {
            let edges: Vec<String> = report.edges.iter().map(edge_line).collect();
            format!(
                "final {}: {}; bottleneck {}, cumulative {:.4}{}",
                names(&report.path),
                edges.join(", "),
                report.bottleneck,
                report.cumulative,
                certified(report)
            )
        }
        NoticeKind::NoPath(report) => format!(
            "no_path {} after {} hops, unknown {:?}, suggestions {:?}: {} {}",
            report.reason.as_str(),
            report.hops_reached,
            report.unknown,
            report.suggestions,
            report.message,
            report.explanation
        ),
        NoticeKind::Error(report) => {
            format!(
                "error {} {:?}: {}",
                report.code.as_str(),
                report.provider.as_ref().map(|provider| provider.role),
                report.message
            )
        }
    }
}

fn certified(report: &FinalReport) -> String {
    let certificate = &report.certificate;
    let years = certificate.years.iter().map(|years| &years.message);
    let proven = certificate.proven.iter().map(|one| &one.message);
    let pairs = certificate.excluded.iter().chain(&certificate.open);
    let mut lines: Vec<String> = proven
        .chain(years)
        .chain(pairs.map(|one| &one.message))
        .cloned()
        .collect();
    let others = report.other_paths.iter();
    lines.extend(others.map(|other| format!("or {} at {}", names(&other.path), other.bottleneck)));
    lines.insert(0, String::new());
    lines.join("\n  ")
}

fn names(path: &[PersonRef]) -> String {
    path.iter()
        .map(|person| person.name.as_str())
        .collect::<Vec<_>>()
        .join(" > ")
}

fn edge_line(edge: &EdgeReport) -> String {
    let refs: Vec<String> = edge
        .evidence
        .iter()
        .map(|photo| photo.reference.to_string())
        .collect();
    let capture = if edge.capture.is_some() {
        ", with its page"
    } else {
        ""
    };
    format!(
        "{}-{} {} by {}{capture}",
        edge.from.name,
        edge.to.name,
        edge.confidence,
        refs.join("+")
    )
}
