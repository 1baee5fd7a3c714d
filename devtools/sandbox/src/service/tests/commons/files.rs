//! Tests of the files of Commons and of their metadata.

use super::*;

#[test]
fn thumbnails_have_widths_of_their_own_and_stay_pictures_that_can_be_read() {
    let mut sandbox = plain();
    let name = famous(&sandbox);
    let mut seen = [false; 2];
    for page in found(
        &mut sandbox,
        &format!("gsrsearch={name}&gsrlimit=50&iiurlwidth=800"),
    ) {
        let info = &page["imageinfo"][0];
        let is_scaled = info["width"].as_u64().unwrap() > 960;
        seen[usize::from(is_scaled)] = true;
        let address = local(&info["thumburl"]);
        if is_scaled {
            assert_eq!(info["thumbwidth"], 800);
            assert!(address.contains("/960px-"), "{address}");
        } else {
            assert_eq!(info["thumbwidth"], info["width"]);
            assert!(
                address.ends_with("utm_content=thumbnail_unscaled"),
                "{address}"
            );
        }
        let reply = get(&mut sandbox, &address);
        assert_eq!(status(&reply), 200, "{address}");
        assert_eq!(
            reply.response.headers()[CONTENT_TYPE],
            info["mime"].as_str().unwrap()
        );
        let bytes = reply.response.into_body().bytes();
        let label = picture::inspect(&bytes).unwrap().label.unwrap();
        assert_eq!(label.photo, photo_of(&page));
        let original = get(&mut sandbox, &local(&info["url"]))
            .response
            .into_body()
            .bytes();
        assert_eq!(info["size"], original.len());
        let whole = picture::inspect(&original).unwrap().label.unwrap();
        assert_eq!(whole.photo, label.photo);
        let page = get(&mut sandbox, &local(&info["descriptionurl"]));
        assert_eq!(status(&page), 200);
        if is_scaled {
            for (other, expect) in [
                ("959px-", 400),
                ("961px-", 400),
                ("500px-", 200),
                ("0px-", 400),
                ("xpx-", 404),
            ] {
                let reply = get(&mut sandbox, &address.replace("960px-", other));
                assert_eq!(status(&reply), expect, "{other}");
            }
        }
    }
    assert_eq!(seen, [true, true]);
    assert_eq!(
        status(&get(&mut sandbox, "/commons/files/a/ab/Nobody_(1).jpg")),
        404
    );
}

#[test]
fn metadata_is_html_and_only_what_was_asked_for() {
    let mut sandbox = plain();
    let name = famous(&sandbox);
    let filter = "iiextmetadatafilter=Artist%7CLicenseShortName%7CLicenseUrl";
    let pages = found(
        &mut sandbox,
        &format!("gsrsearch={name}&gsrlimit=50&{filter}"),
    );
    let metadata: Vec<&Value> = pages
        .iter()
        .map(|page| &page["imageinfo"][0]["extmetadata"])
        .collect();
    for known in &metadata {
        let names: Vec<&str> = known
            .as_object()
            .unwrap()
            .keys()
            .map(String::as_str)
            .collect();
        assert!(
            names
                .iter()
                .all(|name| ["Artist", "LicenseShortName", "LicenseUrl"].contains(name))
        );
        assert!(known["LicenseShortName"]["value"].is_string());
        assert!(known["LicenseShortName"]["source"].is_string());
    }
    let artists: Vec<&str> = metadata
        .iter()
        .filter_map(|known| known["Artist"]["value"].as_str())
        .collect();
    assert!(
        artists.iter().any(|artist| artist.starts_with("<a href=")),
        "{artists:?}"
    );
    assert!(artists.len() < metadata.len(), "some have no artist");
    let whole = found(&mut sandbox, &format!("gsrsearch={name}&gsrlimit=1"));
    let whole = &whole[0]["imageinfo"][0]["extmetadata"];
    assert!(
        whole["Categories"]["value"].is_string() && whole["ImageDescription"]["value"].is_string()
    );
    let nothing = found(
        &mut sandbox,
        &format!("gsrsearch={name}&gsrlimit=1&iiextmetadatafilter=Nothing"),
    );
    assert_eq!(nothing[0]["imageinfo"][0]["extmetadata"], json!([]));
}

#[test]
fn dates_have_the_forms_of_commons() {
    let mut sandbox = plain();
    let name = famous(&sandbox);
    let filter = "iiextmetadatafilter=DateTimeOriginal%7CCategories";
    let pages = found(
        &mut sandbox,
        &format!("gsrsearch={name}&gsrlimit=500&{filter}"),
    );
    let mut forms = [0; 4];
    for page in &pages {
        let known = &page["imageinfo"][0]["extmetadata"];
        let Some(date) = known["DateTimeOriginal"]["value"].as_str() else {
            forms[0] += 1;
            continue;
        };
        let categories = known["Categories"]["value"].as_str().unwrap();
        let year = date
            .split(['-', ' ', '<'])
            .find(|part| part.len() == 4 && part.parse::<u16>().is_ok());
        assert!(categories.contains(year.unwrap()), "{date} {categories}");
        let is_uncertain = date.starts_with("circa ");
        let is_day = date.len() >= 10 && !date.contains('<');
        let form = if is_uncertain {
            1
        } else if is_day {
            2
        } else {
            3
        };
        forms[form] += 1;
    }
    assert!(forms.iter().all(|count| *count > 0), "{forms:?}");
}

#[test]
fn some_generated_pictures_are_told_to_be_made_by_a_machine() {
    let mut sandbox = sandbox(SandboxOptions {
        bad_images: false,
        rules: Rules {
            traps: 1.0,
            ..Rules::default()
        },
        ..SandboxOptions::default()
    });
    let name = famous(&sandbox);
    let base = BASE.replace("prop=imageinfo", "prop=imageinfo%7Ctemplates");
    let asked = format!("{base}&gsrsearch={name}&gsrlimit=40&tltemplates=Template:PD-algorithm");
    let answer = body(&get(&mut sandbox, &format!("{asked}&tllimit=max")));
    assert_eq!(answer["batchcomplete"], true);
    assert!(answer.get("warnings").is_none(), "{answer}");
    let pages = answer["query"]["pages"].as_array().unwrap();
    let generated: Vec<&Value> = pages
        .iter()
        .filter(|page| page["templates"].is_array())
        .collect();
    assert!(
        (1..pages.len()).contains(&generated.len()),
        "{} of {}",
        generated.len(),
        pages.len()
    );
    for page in &generated {
        let title = json!([{"ns": 10, "title": "Template:PD-algorithm"}]);
        assert_eq!(page["templates"], title);
        let license = &page["imageinfo"][0]["extmetadata"]["LicenseShortName"]["value"];
        assert_eq!(license, "Public domain");
    }
    // Without traps there is none.
    let genuine = body(&get(&mut plain(), &asked));
    assert!(!genuine.to_string().contains("PD-algorithm"));
}

#[test]
fn wax_is_told_by_a_category_or_by_the_description() {
    let mut sandbox = sandbox(SandboxOptions {
        rules: Rules {
            traps: 1.0,
            ..Rules::default()
        },
        ..SandboxOptions::default()
    });
    let name = famous(&sandbox);
    let answer = get(
        &mut sandbox,
        &format!("{BASE}&gsrsearch={name}&gsrlimit=50"),
    );
    let answer = body(&answer);
    let (mut by_category, mut by_description) = (0, 0);
    for page in answer["query"]["pages"].as_array().unwrap() {
        let known = &page["imageinfo"][0]["extmetadata"];
        let text = |name: &str| known[name]["value"].as_str().unwrap().to_owned();
        let title = page["title"].as_str().unwrap();
        if !title.contains(" in London (") {
            continue;
        }
        if text("ImageDescription").contains(" in London</div>") {
            by_category += 1;
            let last = text("Categories");
            let last = last.rsplit('|').next().unwrap();
            assert_ne!(last, "Files with no machine-readable source");
        } else {
            by_description += 1;
        }
    }
    assert!(by_category > 0 && by_description > 0);
}

#[test]
fn templates_are_counted_for_all_files_and_go_on_before_the_search() {
    let mut sandbox = plain();
    let name = famous(&sandbox);
    let base = BASE.replace("prop=imageinfo", "prop=imageinfo%7Ctemplates");
    let asked = format!("{base}&gsrsearch={name}&gsrlimit=6");
    let count = |answer: &Value| -> usize {
        let pages = answer["query"]["pages"].as_array().unwrap().iter();
        pages
            .filter_map(|page| Some(page["templates"].as_array()?.len()))
            .sum()
    };
    // Each of six files uses two; ten are listed.
    let first = body(&get(&mut sandbox, &asked));
    assert_eq!(count(&first), 10);
    assert!(first.get("batchcomplete").is_none());
    assert!(first["continue"].get("gsroffset").is_none(), "{first}");
    assert_eq!(first["continue"]["continue"], "||imageinfo");
    let rest = first["continue"]["tlcontinue"].as_str().unwrap();
    let rest: String = form_urlencoded::byte_serialize(rest.as_bytes()).collect();
    let second = body(&get(&mut sandbox, &format!("{asked}&tlcontinue={rest}")));
    assert_eq!(count(&second), 2);
    assert_eq!(second["batchcomplete"], true);
    assert_eq!(second["continue"]["continue"], "gsroffset||");
    let others = body(&get(&mut sandbox, &format!("{asked}&tlnamespace=0")));
    assert_eq!(count(&others), 0);
    let wrong = body(&get(&mut sandbox, &format!("{asked}&tlcontinue=x")));
    assert_eq!(wrong["error"]["code"], "badcontinue");
    let unasked = asked.replace("%7Ctemplates", "");
    let warned = body(&get(&mut sandbox, &format!("{unasked}&tllimit=max")));
    assert_eq!(
        warned["warnings"]["main"]["warnings"],
        "Unrecognized parameter: tllimit."
    );
}

#[test]
fn files_are_images_and_have_the_faults_of_images() {
    let mut sandbox = faulty(SandboxProvider::Image, "webp");
    let name = famous(&sandbox);
    let answer = body(&search(&mut sandbox, &name));
    let address = local(&answer["query"]["pages"][0]["imageinfo"][0]["thumburl"]);
    let bytes = get(&mut sandbox, &address).response.into_body().bytes();
    assert!(bytes.starts_with(b"RIFF"));
    let rows = body(&get(&mut sandbox, "/calls"));
    assert_eq!(rows[0]["provider"], "commons");
    assert_eq!(rows[0]["key"], name.replace('+', " "));
    assert_eq!(rows[0]["charged"], false);
    assert_eq!(
        (&rows[1]["provider"], &rows[1]["key"]),
        (&json!("image"), &json!(address))
    );
}
