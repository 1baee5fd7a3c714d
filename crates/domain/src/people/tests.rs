//! Tests of binding typed names to people, and of keeping people apart.

use crate::{Confidence, FaceBox};

use super::*;

fn people(a: &str, b: &str) -> People {
    let typed = |name| TypedPerson::from(Name::parse(name).unwrap());
    People::new(typed(a), typed(b))
}

fn face(id: &str, name: &str, urls: &[&str]) -> Face {
    Face {
        id: id.into(),
        name: name.into(),
        confidence: Confidence::clamped(99.0),
        face_box: FaceBox::default(),
        urls: urls.iter().map(|url| (*url).to_owned()).collect(),
        portrait: None,
    }
}

#[test]
fn the_id_is_the_person_whatever_the_name() {
    let mut people = people("A", "B");
    let first = people.resolve(&face("x1", "Ye", &[]));
    let second = people.resolve(&face("x1", "Kanye West", &[]));
    let third = people.resolve(&face("x2", "Ye", &[]));
    assert_eq!(first, second);
    assert_ne!(first, third);
}

#[test]
fn two_ids_with_one_wikidata_number_are_one_person() {
    let mut people = people("A", "B");
    let first = people.resolve(&face(
        "x1",
        "Jeff Bezos",
        &["www.wikidata.org/wiki/Q312556"],
    ));
    let second = people.resolve(&face(
        "x2",
        "Jeffrey P. Bezos",
        &["www.wikidata.org/wiki/Q312556"],
    ));
    let third = people.resolve(&face(
        "x3",
        "Jeff Bezos",
        &["www.wikidata.org/wiki/Q312557"],
    ));
    assert_eq!(first, second);
    assert_ne!(first, third);
}

#[test]
fn one_number_makes_nobody_one_whose_names_share_no_word() {
    let mut people = people("A", "B");
    let page = ["www.wikidata.org/wiki/Q5"];
    let ann = people.resolve(&face("1", "Ann Lee", &page));
    let bob = people.resolve(&face("2", "Bob Gray", &page));
    assert_ne!(ann, bob);
    // Both people have the same number. A face with a new id and this number belongs to the person whose name shares a
    // word with the name of the face.
    assert_eq!(people.resolve(&face("3", "Robert Gray", &page)), bob);
    assert_eq!(people.resolve(&face("4", "A. Lee", &page)), ann);
    assert_eq!(people.bind(ann, "Ann Lee"), [], "the first has it");
    let told = [Binding::OneNumber(ann, bob)];
    assert_eq!(people.bind(bob, "Bob Gray"), told);
    assert_eq!(people.bind(bob, "Bob Gray"), [], "told once");
}

#[test]
fn a_typed_name_with_a_number_is_a_name_of_its_bearer() {
    let rock = TypedPerson {
        name: Name::parse("The Rock").unwrap(),
        wikidata: WikidataNumber::parse("Q10738"),
    };
    let mut people = People::new(rock, Name::parse("Buck").unwrap().into());
    let page = ["www.wikidata.org/wiki/Q10738"];
    let dwayne = people.resolve(&face("1", "Dwayne Johnson", &page));
    assert_eq!(people.resolve(&face("2", "The Rock", &page)), dwayne);
    let other = people.resolve(&face("3", "Emma Stone", &page));
    assert_ne!(other, dwayne);
}

#[test]
fn without_an_id_the_folded_name_is_the_person() {
    let mut people = people("A", "B");
    let first = people.resolve(&face("", "Éponine", &[]));
    let second = people.resolve(&face("", "eponine", &[]));
    assert_eq!(first, second);
    assert_eq!(people.id(first), "name:eponine");
}

#[test]
fn a_typed_name_binds_once_and_a_namesake_stays_another() {
    let mut people = people("john  thornton", "Buck");
    let milton = people.resolve(&face("m", "John Thornton", &[]));
    assert_eq!(
        people.bound(Side::A),
        None,
        "a sight below the threshold binds nobody"
    );
    assert_eq!(
        people.bind(milton, "John Thornton"),
        [Binding::Bound(Side::A)]
    );
    assert_eq!(people.name(milton), "john thornton");
    let yukon = people.resolve(&face("y", "John Thornton", &[]));
    assert_ne!(yukon, milton);
    assert_eq!(
        people.bind(yukon, "John Thornton"),
        [Binding::Namesake(Side::A)]
    );
    assert_eq!(people.bound(Side::A), Some(milton));
    assert!(people.bind(yukon, "John Thornton").is_empty(), "told once");
    assert!(people.bind(milton, "John Thornton").is_empty());
}

#[test]
fn two_names_of_one_person_bind_one_side_only() {
    let mut people = people("Kanye", "Kanye West");
    let wiki = ["www.wikidata.org/wiki/Q15935"];
    let ye = people.resolve(&face("1", "Kanye", &wiki));
    assert_eq!(people.bind(ye, "Kanye"), [Binding::Bound(Side::A)]);
    let kanye = people.resolve(&face("2", "Kanye West", &wiki));
    assert_eq!(kanye, ye);
    assert_eq!(
        people.bind(kanye, "Kanye West"),
        [Binding::SamePerson(Side::B)]
    );
    assert_eq!(people.bound(Side::B), None);
    assert!(people.are_one());
    let names = &people.person(ye).unwrap().folded_names;
    assert!(names.contains("kanye") && names.contains("kanye west"));
}

#[test]
fn a_number_alone_says_who_is_meant() {
    let number = |number| WikidataNumber::parse(number);
    let rock = TypedPerson {
        name: Name::parse("The Rock").unwrap(),
        wikidata: number("Q10738"),
    };
    let ann = TypedPerson {
        name: Name::parse("Ann Lee").unwrap(),
        wikidata: number("Q2"),
    };
    let mut people = People::new(rock, ann);
    let mut see = |id: &str, name: &str, number: &str| {
        let page = format!("www.wikidata.org/wiki/{number}");
        let person = people.resolve(&face(id, name, &[&page]));
        (person, people.bind(person, name))
    };
    // The first Ann Lee has a number that is not the given one, the second has none, and the third has the given one.
    assert_eq!(see("1", "Ann Lee", "Q1").1, [Binding::NotMeant(Side::B)]);
    assert_eq!(see("1", "Ann Lee", "Q1").1, [], "told once");
    assert_eq!(see("2", "Ann Lee", "").1, [Binding::Unnumbered(Side::B)]);
    let (meant, bindings) = see("3", "Ann Lee", "Q2");
    assert_eq!(bindings, [Binding::Bound(Side::B)]);
    let (rock, bindings) = see("4", "Dwayne Johnson", "Q10738");
    assert_eq!(bindings, [Binding::Bound(Side::A)]);
    // A number may become known after the person was first seen.
    let (learned, bindings) = see("2", "Ann Lee", "Q3");
    assert_eq!(bindings, []);
    assert_eq!(people.name(rock), "The Rock");
    assert_eq!(people.bound(Side::B), Some(meant));
    let learned = people.person(learned).unwrap().wikidata.clone();
    assert_eq!(learned, number("Q3"));
}

#[test]
fn two_typed_people_of_one_name_are_no_strangers_to_each_other() {
    let ann = |number| TypedPerson {
        name: Name::parse("Ann Lee").unwrap(),
        wikidata: WikidataNumber::parse(number),
    };
    for (first, second) in [("Q1", "Q2"), ("Q2", "Q1")] {
        let mut people = People::new(ann("Q1"), ann("Q2"));
        let mut see = |number: &str| {
            let page = format!("www.wikidata.org/wiki/{number}");
            let person = people.resolve(&face(number, "Ann Lee", &[&page]));
            people.bind(person, "Ann Lee")
        };
        let side = |number| if number == "Q1" { Side::A } else { Side::B };
        assert_eq!(see(first), [Binding::Bound(side(first))]);
        assert_eq!(see(second), [Binding::Bound(side(second))]);
        let both = [Binding::NotMeant(Side::A), Binding::NotMeant(Side::B)];
        assert_eq!(see("Q3"), both);
    }
}

#[test]
fn without_an_id_a_name_alone_is_nobody_with_a_number() {
    let ann = TypedPerson {
        name: Name::parse("Ann Lee").unwrap(),
        wikidata: WikidataNumber::parse("Q1"),
    };
    let page = ["www.wikidata.org/wiki/Q1"];
    let (by_name, by_number) = (face("", "Ann Lee", &[]), face("", "Ann Lee", &page));
    for first_is_named in [false, true] {
        let mut people = People::new(ann.clone(), Name::parse("Buck").unwrap().into());
        if first_is_named {
            people.resolve(&by_name);
        }
        let meant = people.resolve(&by_number);
        assert_eq!(people.bind(meant, "Ann Lee"), [Binding::Bound(Side::A)]);
        let other = people.resolve(&by_name);
        assert_ne!(other, meant);
        assert_eq!(
            people.bind(other, "Ann Lee"),
            [Binding::Unnumbered(Side::A)]
        );
        assert_eq!(people.resolve(&by_number), meant);
        assert!(people.has_namesake(Side::A) && !people.has_namesake(Side::B));
    }
}

#[test]
fn a_number_that_comes_later_joins_those_who_come_with_it() {
    let mut people = people("Ann Lee", "Somebody Else");
    let page = "www.wikidata.org/wiki/Q5";
    let first = people.resolve(&face("x", "Ann Lee", &[]));
    assert_eq!(people.resolve(&face("x", "Ann Lee", &[page])), first);
    assert_eq!(people.resolve(&face("y", "Ann Lee", &[page])), first);
}

#[test]
fn pages_get_a_scheme_and_anything_else_is_dropped() {
    assert_eq!(
        with_scheme("www.imdb.com/name/nm1"),
        Some("https://www.imdb.com/name/nm1".into())
    );
    assert_eq!(with_scheme("https://a.b/c"), Some("https://a.b/c".into()));
    assert_eq!(with_scheme("javascript:alert(1)"), None);
    assert_eq!(with_scheme("//evil.example"), None);
}

/// Returns whether a typed name is bound to a person recognised under the name `recognised`.
fn binds(typed: &str, recognised: &str) -> bool {
    let mut people = people(typed, "Somebody Else");
    let person = people.resolve(&face("x1", recognised, &[]));
    people.bind(person, recognised) == [Binding::Bound(Side::A)]
}

#[test]
fn a_typed_name_is_bound_in_every_spelling_of_it() {
    let spellings: &[&[&str]] = &[
        &["JAY-Z", "JayZ", "Jay-Z", "Jay Z", "jayz"],
        &["Kim Tae-hyung", "Kim Taehyung", "Kim Tae Hyung"],
        &[
            "Leonardo DiCaprio",
            "Leonardo Di Caprio",
            "leonardo dicaprio",
        ],
        &[
            "Sinéad O'Connor",
            "Sinead OʼConnor",
            "Sinead OʻConnor",
            "Sinéad O´Connor",
            "Sinead O＇Connor",
        ],
        &[
            "Hans Christian Ørsted",
            "Hans Christian Oersted",
            "hans christian orsted",
        ],
        &["Gerhard Müller", "Gerhard Mueller", "Gerhard Muller"],
        &[
            "Martin Ødegård",
            "Martin Odegaard",
            "Martin Oedegård",
            "Martin Oedegaard",
        ],
        &[
            "汤姆·克鲁斯",
            "汤姆・克鲁斯",
            "汤姆‧克鲁斯",
            "汤姆克鲁斯",
            "汤姆 克鲁斯",
            "湯姆·克魯斯",
        ],
        &["Åse Kleveland", "Aase Kleveland", "Ase Kleveland"],
        &["李小龙", "李小龍"],
        &["Ke$ha", "Kesha", "KE$HA"],
        &["P!nk", "Pink"],
        &["A$AP Rocky", "ASAP Rocky"],
        &["Joey Bada$$", "Joey Badass"],
        &["Neymar", "Neymar Jr.", "neymar junior"],
        &["Sammy Davis Jr.", "Sammy Davis Junior", "Sammy Davis, Jr."],
        &["will.i.am", "Will.I.Am", "will i am"],
        &["J. K. Rowling", "J.K. Rowling", "JK Rowling", "J.K.Rowling"],
        &["M.I.A.", "M. I. A.", "MIA"],
        &["राम", "रा\u{200d}म"],
        &["Γιώργος", "ΓΙΩΡΓΟΣ"],
        &["Артём", "Артем"],
    ];
    for names in spellings {
        let Some((recognised, typed)) = names.split_first() else {
            continue;
        };
        for typed in typed.iter().chain([recognised]) {
            assert!(binds(typed, recognised), "{typed} is {recognised}");
        }
    }
}

#[test]
fn a_typed_name_is_bound_to_nobody_of_another_name() {
    for (one, other) in [
        ("will.i.am", "William"),
        ("will i am", "William"),
        ("M.I.A.", "Mia"),
        ("D.O.", "Do"),
        ("राम", "रमा"),
        ("कला", "काला"),
        ("นาท", "นท"),
        ("ரவி", "ரவ"),
        ("かおる", "がおる"),
        ("דוּד", "דוד"),
        ("Robert Downey Jr.", "Robert Downey"),
        ("Gerhard Mueller", "Gerhard Muller"),
        ("Ann Alee", "Anna Lee"),
        ("Prince Harry", "Prince William"),
        ("Chris Rock", "Kid Rock"),
        ("李小龙", "李小虎"),
    ] {
        assert!(!binds(one, other), "{one} is not {other}");
        assert!(!binds(other, one), "{other} is not {one}");
    }
}
