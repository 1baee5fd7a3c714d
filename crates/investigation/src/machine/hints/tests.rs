use super::*;

fn hit(photo: usize, title: &str) -> Hit {
    Hit {
        image_url: format!("https://a.example/{photo}.jpg"),
        title: title.to_owned(),
        ..Hit::default()
    }
}

fn url(photo: usize) -> String {
    hit(photo, "").image_url
}

/// Makes the hints of titles that questions about A and about B have found, and recognises A.
fn hints(of_a: &[&str], of_b: &[&str]) -> Hints {
    let mut hints = Hints::new(["Ann Lee", "Bob Day"]);
    hints.note_person(PersonIndex(0), "ann lee", "Ann Lee", Some(Side::A));
    for (list, titles, side) in [(0, of_a, Side::A), (1, of_b, Side::B)] {
        let asked = [Hints::typed(side)];
        for (place, title) in titles.iter().enumerate() {
            hints.note_hit(&hit(10 * list + place, title), (list, place), (0, &asked));
        }
    }
    hints
}

fn spread(hints: &Hints) -> Spread {
    hints.spread(&[Hints::typed(Side::A)], |_| std::iter::empty())
}

/// Returns the photos on the most likely way from A to B, with the names of each.
#[track_caller]
fn check_way(hints: &Hints, expect: &[((usize, usize), &str, &str)]) {
    let spread = spread(hints);
    let links = hints.links_to(Hints::typed(Side::B), &spread);
    let way = links.iter();
    let way = way.map(|link| (link.at, hints.name(link.from), hints.name(link.to)));
    assert_eq!(way.collect::<Vec<_>>(), expect);
}

#[test]
fn somebody_named_beside_both_joins_them() {
    let hints = hints(
        &["Ann Lee and Tom Fox", "Ann Lee with Kim Hay"],
        &["Tom Fox, Bob Day", "Bob Day and others"],
    );
    let way = [
        ((1, 0), "Tom Fox", "Bob Day"),
        ((0, 0), "Ann Lee", "Tom Fox"),
    ];
    check_way(&hints, &way);
    assert!(hints.has_names());
}

#[test]
fn whoever_is_asked_for_is_hinted_at_where_no_words_name_them() {
    let hints = hints(&["Tom Fox"], &["Tom Fox and Bob Day"]);
    check_way(
        &hints,
        &[
            ((1, 0), "Tom Fox", "Bob Day"),
            ((0, 0), "Ann Lee", "Tom Fox"),
        ],
    );
}

#[test]
fn a_photo_that_was_looked_at_leads_nowhere() {
    let mut hints = hints(&["Ann Lee and Tom Fox"], &["Tom Fox, Bob Day"]);
    hints.learn(&url(10), &[]);
    hints.close(&url(10));
    check_way(&hints, &[]);
    let tom = hints
        .by_name
        .get(&words::key_of("tom fox"))
        .copied()
        .unwrap();
    assert_eq!(hints.photos_left(tom), 1);
}

#[test]
fn names_that_prove_false_are_believed_less() {
    let mut hints = hints(&["Ann Lee and Tom Fox"; 9], &[]);
    let chance = |hints: &Hints, name: &str| {
        let who = hints.by_name.get(&words::key_of(name)).copied().unwrap();
        spread(hints).chance(who)
    };
    let before = chance(&hints, "tom fox");
    for photo in 0..4 {
        hints.learn(&url(photo), &[PersonIndex(0)]);
        hints.close(&url(photo));
    }
    assert!(
        chance(&hints, "tom fox") < before / 2.0,
        "nobody has seen him where he was named"
    );
    hints.note_person(PersonIndex(1), "tom fox", "Tom Fox", None);
    for photo in 4..8 {
        hints.learn(&url(photo), &[PersonIndex(0), PersonIndex(1)]);
        hints.close(&url(photo));
    }
    assert!(chance(&hints, "tom fox") > before / 2.0);
}

#[test]
fn a_question_about_two_says_only_that_one_of_them_is_shown() {
    let mut hints = Hints::new(["Ann Lee", "Bob Day"]);
    let both = [Side::A, Side::B].map(Hints::typed);
    hints.note_hit(&hit(0, "Guests"), (0, 0), (0, &both));
    check_way(&hints, &[]);
    hints.note_hit(&hit(1, "Ann Lee and Bob Day"), (0, 1), (0, &both));
    check_way(&hints, &[((0, 1), "Ann Lee", "Bob Day")]);
}

#[test]
fn namesakes_stay_apart() {
    let mut hints = Hints::new(["Ann Lee", "Bob Day"]);
    hints.note_person(PersonIndex(0), "tom fox", "Tom Fox", None);
    hints.note_person(PersonIndex(1), "tom fox", "Tom Fox", None);
    let [one, other] = [0, 1].map(|person| hints.of_person(PersonIndex(person)).unwrap());
    assert_ne!(one, other);
    assert_eq!(hints.person(one), Some(PersonIndex(0)));
    assert_eq!(hints.person(other), Some(PersonIndex(1)));
}

#[test]
fn hostile_captions_take_a_bounded_place() {
    let mut hints = Hints::new(["Ann Lee", "Bob Day"]);
    for photo in 0..1_000 {
        let names: Vec<String> = (0..20)
            .map(|name| format!("Tom{photo}x{name} Fox"))
            .collect();
        hints.note_hit(&hit(photo, &names.join(", ")), (0, photo), (0, &[]));
    }
    assert!(hints.known.len() <= NAMED_MAX);
    let most = hints.photos.iter().map(|photo| photo.mentions.len()).max();
    assert_eq!(most, Some(NAMED_IN_PHOTO_MAX));
    let long = "X".repeat(10_000);
    hints = Hints::new(["Ann Lee", "Bob Day"]);
    hints.note_hit(&hit(0, &long), (0, 0), (0, &[]));
    assert!(
        hints
            .known
            .iter()
            .all(|known| known.name.len() <= NAME_CHARS_MAX)
    );
}
