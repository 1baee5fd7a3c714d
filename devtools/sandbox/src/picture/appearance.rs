//! The appearance of a person. It is derived from the person's key, and therefore the same in every photo.

use tiny_skia::Color;

use super::canvas::rgb;
use super::keyed_rng::KeyedRng;
use crate::hash::hash;
use crate::name_folding;
use crate::world::WorldPerson;

const SKINS: [u32; 8] = [
    0x00f8_d9c4,
    0x00f1_c6a5,
    0x00e6_b48f,
    0x00d6_9f76,
    0x00bf_8358,
    0x009f_6745,
    0x007d_4d33,
    0x0062_3c2a,
];
const HAIRS: [u32; 10] = [
    0x0023_1a1c,
    0x003a_2620,
    0x0059_3826,
    0x007b_4e2e,
    0x00a2_6b3a,
    0x00cf_9d57,
    0x00e2_c27f,
    0x009a_4327,
    0x0085_8587,
    0x00d8_d4cd,
];
const CLOTHES: [u32; 14] = [
    0x0029_3b57,
    0x0077_2c3c,
    0x0028_5a4f,
    0x00c8_9a3f,
    0x00d2_bb9b,
    0x0056_436f,
    0x00ad_4b3e,
    0x0033_353f,
    0x0079_9ab1,
    0x00dd_9a96,
    0x00ee_e3cf,
    0x0041_678c,
    0x008a_9a5b,
    0x00c9_6f4a,
];

/// The style of the hair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hair {
    Bald,
    Cropped,
    SideParted,
    Swept,
    Curly,
    Afro,
    Bob,
    Long,
    Wavy,
    Bun,
    Chignon,
}

/// The clothes of a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outfit {
    Suit,
    Waistcoat,
    Turtleneck,
    Jumper,
    Scarf,
    Blouse,
    Gown,
}

/// The hat of a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hat {
    Bowler,
    Brim,
    Beret,
    FlatCap,
    Tiara,
}

/// The beard of a person, a moustache included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Beard {
    Moustache,
    Short,
    Full,
}

/// The complete appearance of a person.
#[derive(Clone, Debug)]
pub(super) struct Appearance {
    pub skin: Color,
    pub hair_color: Color,
    pub hair: Hair,
    pub outfit: Outfit,
    pub cloth: Color,
    pub accent: Color,
    pub hat: Option<Hat>,
    pub beard: Option<Beard>,
    pub round_glasses: Option<bool>,
    pub jaw: f32,
    pub feminine: bool,
    pub earrings: bool,
}

impl Appearance {
    pub(super) fn of(person: &WorldPerson) -> Self {
        let rng = KeyedRng::new(hash(&["look".into(), person.key.as_str().into()]));
        let feminine = is_feminine(person);
        let (hairs, outfits): (&[Hair], &[Outfit]) = if feminine {
            (
                &[
                    Hair::Bob,
                    Hair::Long,
                    Hair::Wavy,
                    Hair::Bun,
                    Hair::Chignon,
                    Hair::Curly,
                    Hair::Afro,
                ],
                &[
                    Outfit::Gown,
                    Outfit::Blouse,
                    Outfit::Gown,
                    Outfit::Turtleneck,
                    Outfit::Scarf,
                ],
            )
        } else {
            (
                &[
                    Hair::Bald,
                    Hair::Cropped,
                    Hair::SideParted,
                    Hair::Swept,
                    Hair::Curly,
                    Hair::SideParted,
                ],
                &[
                    Outfit::Suit,
                    Outfit::Waistcoat,
                    Outfit::Suit,
                    Outfit::Turtleneck,
                    Outfit::Jumper,
                    Outfit::Scarf,
                ],
            )
        };
        let hats: &[Hat] = if feminine {
            &[Hat::Brim, Hat::Beret, Hat::Tiara]
        } else {
            &[Hat::Bowler, Hat::FlatCap, Hat::Brim]
        };
        let beards = [Beard::Moustache, Beard::Short, Beard::Full];
        let skin = rng.below("skin", SKINS.len());
        let cloth = rng.below("cloth", CLOTHES.len());
        let accent = (cloth + 1 + rng.below("accent", CLOTHES.len() - 1)) % CLOTHES.len();
        Self {
            skin: color(&SKINS, skin),
            // Light hair would look dyed on the darkest skins, so these only get the first three colours.
            hair_color: color(
                &HAIRS,
                rng.below("hair color", if skin > 4 { 3 } else { HAIRS.len() }),
            ),
            hair: rng.pick("hair", hairs, Hair::Cropped),
            outfit: rng.pick("outfit", outfits, Outfit::Jumper),
            cloth: color(&CLOTHES, cloth),
            accent: color(&CLOTHES, accent),
            hat: rng
                .chance("hat", 16)
                .then(|| rng.pick("which hat", hats, Hat::Brim)),
            beard: (!feminine && rng.chance("beard", 38))
                .then(|| rng.pick("which beard", &beards, Beard::Short)),
            round_glasses: rng.chance("glasses", 20).then(|| rng.chance("round", 60)),
            jaw: if feminine {
                rng.span("jaw", 0.56, 0.7)
            } else {
                rng.span("jaw", 0.68, 0.84)
            },
            feminine,
            earrings: feminine && rng.chance("earrings", 55),
        }
    }
}

fn color(list: &[u32], number: usize) -> Color {
    rgb(list.get(number).copied().unwrap_or(0x0080_8080))
}

/// Returns whether a person is drawn as a woman. This is guessed from the name, or chosen by hash if the name is
/// unknown. Only the drawing and the recogniser's `KnownGender` depend on it.
pub(crate) fn is_feminine(person: &WorldPerson) -> bool {
    let words = name_folding::words(&person.name);
    let says = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
    if says(&[
        "mr", "sir", "lord", "king", "prince", "father", "count", "monsieur", "captain",
    ]) {
        return false;
    }
    if says(&[
        "mrs", "miss", "mlle", "mme", "lady", "queen", "princess", "mother", "sister",
    ]) {
        return true;
    }
    let first = words.first().map_or("", String::as_str);
    if FEMININE.contains(&first) {
        return true;
    }
    if MASCULINE.contains(&first) {
        return false;
    }
    if first.len() > 3
        && (first.ends_with('a') || first.ends_with("ette") || first.ends_with("ine"))
    {
        return true;
    }
    hash(&["gender".into(), person.key.as_str().into()]).is_multiple_of(2)
}

const FEMININE: [&str; 60] = [
    "agnes",
    "alice",
    "amy",
    "ann",
    "anne",
    "audrey",
    "beatrice",
    "beth",
    "betty",
    "carol",
    "cate",
    "catherine",
    "charlotte",
    "claire",
    "daisy",
    "diane",
    "dorothy",
    "edith",
    "eleanor",
    "elizabeth",
    "ellen",
    "emily",
    "esther",
    "eve",
    "florence",
    "frances",
    "gertrude",
    "grace",
    "harriet",
    "helen",
    "ingrid",
    "irene",
    "isabel",
    "jane",
    "jean",
    "jo",
    "joan",
    "judy",
    "julie",
    "kate",
    "katharine",
    "lily",
    "lois",
    "lucy",
    "mabel",
    "margaret",
    "marie",
    "mary",
    "meg",
    "meryl",
    "natalie",
    "nell",
    "nicole",
    "peggy",
    "rachel",
    "rose",
    "ruth",
    "scarlett",
    "susan",
    "violet",
];
const MASCULINE: [&str; 24] = [
    "abraham", "arthur", "charles", "edward", "ernest", "ezra", "frank", "franz", "george",
    "henry", "isaac", "james", "john", "joshua", "karl", "luca", "noah", "nikola", "oscar",
    "robert", "thomas", "tom", "walt", "william",
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::World;

    fn check(name: &str, feminine: bool) {
        let json = format!(r#"{{"name":"n","source":"s","license":"l","photos":[["{name}"]]}}"#);
        let world = World::parse(&json).unwrap();
        assert_eq!(is_feminine(&world.people[0]), feminine, "{name}");
    }

    #[test]
    fn names_are_read_as_a_reader_would() {
        check("Mr Bennet", false);
        check("Mrs Bennet", true);
        check("Maria Lucas", true);
        check("Joshua Bell", false);
        check("Jane Fairfax", true);
    }

    #[test]
    fn one_person_always_looks_alike() {
        let world = World::generate(4, 30, 60);
        for person in &world.people {
            let (one, other) = (Appearance::of(person), Appearance::of(person));
            assert_eq!(format!("{one:?}"), format!("{other:?}"));
            assert!(!(one.feminine && one.beard.is_some()));
        }
    }
}
