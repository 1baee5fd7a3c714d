//! Files that a server answers with, which are taken without a second request.

use cdp::Sharing;
use domain::page::{ActionFailure, BrowserTerms, DownloadedFile, PageAction};
use platform::Browser as _;
use settings::AddressPolicy;

use super::site::{Page, Site};
use super::support::{Bench, in_chromium, started_with, target, terms, with_sharing};

const CSV: &str = "a,b\n1,2\n";

/// Returns terms that allow downloads.
fn allowing(origins: &[&str]) -> BrowserTerms {
    BrowserTerms {
        allows_downloads: true,
        ..terms(origins)
    }
}

async fn download(bench: &Bench, selector: &str) -> Result<DownloadedFile, ActionFailure> {
    let target = target(selector, 3_000);
    bench.act(&PageAction::Download { target }).await?;
    Ok(bench.browser.take_file().unwrap())
}

fn site() -> Site {
    Site::new(|path| {
        let attached = || {
            Page::of("text/csv; charset=utf-8", CSV)
                .with("content-disposition: attachment; filename=\"report.csv\"")
        };
        match path {
            "/" => Page::html(
                "<a id=link href=/attached>1</a><a id=blank href=/attached target=_blank>2</a>\
                 <form method=post action=/attached><button id=post>3</button></form>\
                 <a id=named href=/plain download=mine.txt>4</a><a id=redirected href=/to download>5</a>\
                 <a id=large href=/large>6</a><a id=missing href=/missing download>7</a>\
                 <a id=pdf href=/a%20b.pdf?x=1>8</a><a id=page href=/page>9</a>\
                 <button id=framed onclick=\"document.querySelector('iframe').src = '/attached'\">10</button><iframe></iframe>",
            ),
            "/attached" => attached(),
            "/plain" => Page::of("text/plain", "Hello"),
            "/to" => Page::redirect("/attached"),
            "/large" => Page::of("application/zip", &"x".repeat(3_000_000)),
            "/a%20b.pdf?x=1" => Page::of("application/pdf", "%PDF-1.4"),
            "/page" => Page::html("<p>Another page</p>"),
            _ => Page::missing(),
        }
    })
}

#[test]
fn a_file_is_taken_however_the_page_leads_to_it() {
    for sharing in [Sharing::Shared, Sharing::Own] {
        let site = site();
        with_sharing(&allowing(&[site.origin()]), sharing, async |bench| {
            for (selector, name, media_type, content) in [
                ("#link", "report.csv", "text/csv", CSV),
                ("#post", "report.csv", "text/csv", CSV),
                ("#framed", "report.csv", "text/csv", CSV),
                ("#named", "mine.txt", "text/plain", "Hello"),
                ("#redirected", "report.csv", "text/csv", CSV),
                ("#pdf", "a b.pdf", "application/pdf", "%PDF-1.4"),
                ("#blank", "report.csv", "text/csv", CSV),
            ] {
                bench.open(&site.url("/")).await;
                let before = site.asked().len();
                let file = download(bench, selector).await;
                let file = file.unwrap_or_else(|error| panic!("{selector}: {error:?}"));
                let expected = DownloadedFile {
                    name: name.to_owned(),
                    media_type: media_type.to_owned(),
                    bytes: content.as_bytes().to_vec(),
                };
                assert_eq!(file, expected, "{selector}");
                let asked = site.asked().split_off(before);
                let redirects = usize::from(selector == "#redirected");
                assert_eq!(asked.len(), 1 + redirects, "{selector}: {asked:?}");
                assert_eq!(bench.run("location.pathname").await, "/", "{selector}");
                let remarks = bench.browser.take_remarks();
                assert!(!format!("{remarks:?}").contains("download"), "{remarks:?}");
            }
        });
    }
}

#[test]
fn what_is_no_file_or_too_large_is_told() {
    let site = site();
    with_sharing(
        &allowing(&[site.origin()]),
        Sharing::Shared,
        async |bench| {
            for (selector, words) in [
                (
                    "#large",
                    "the file is larger than 2500000 bytes; it is not kept",
                ),
                ("#missing", "the server answered with the status 404"),
                ("#page", "no download began within 3000 ms"),
            ] {
                bench.open(&site.url("/")).await;
                let Err(ActionFailure::Failed(told)) = download(bench, selector).await else {
                    panic!("{selector}");
                };
                assert!(told.contains(words), "{selector}: {told}");
            }
            // The page goes on as before.
            bench.open(&site.url("/")).await;
            assert!(download(bench, "#link").await.is_ok());
        },
    );
    with_sharing(&terms(&[site.origin()]), Sharing::Shared, async |bench| {
        bench.open(&site.url("/")).await;
        let Err(ActionFailure::Failed(told)) = download(bench, "#link").await else {
            panic!();
        };
        assert!(told.contains("the run does not allow downloads"), "{told}");
    });
}

#[test]
fn a_file_at_a_private_address_is_not_taken_whatever_its_name_is() {
    let private = Site::new(|_| Page::of("application/zip", "of the intranet"));
    let site = Site::of(
        "<a id=link href=http://public.example/file>1</a><a id=named href=http://public.example/file download>2</a>",
    );
    let rule = private.origin().replace("http://", "");
    let rule = format!("--host-resolver-rules=MAP public.example:80 {rule}");
    let Some(chromium) = started_with(&[&rule]) else {
        return;
    };
    let terms = allowing(&[site.origin(), "http://public.example"]);
    let policy = AddressPolicy::new(Some(site.origin().to_owned()), Vec::new());
    in_chromium(
        chromium,
        &terms,
        Sharing::Shared,
        Some(policy),
        async |bench| {
            for selector in ["#link", "#named"] {
                bench.open(&site.url("/")).await;
                let taken = download(bench, selector).await;
                assert!(taken.is_err(), "{taken:?}");
                assert!(bench.browser.take_file().is_none());
            }
        },
    );
}
