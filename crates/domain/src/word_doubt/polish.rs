//! Polish phrases. Words that are the same in English are among the English ones.

use super::WordSign::{
    Caricature, Cover, Cutout, Generated, LookAlike, Montage, Mural, Painting, Poster, Screenshot,
    Statue, Wax,
};
use super::phrases::{
    Meaning::{Beside, Event, Is, Nothing},
    Row,
};

pub(super) const ROWS: &[Row] = &[
    (
        Nothing,
        &[
            "premiera|premierze|premierą|pokaz|pokazie filmu|sztuki|spektaklu|serialu? _",
            "pomnik|pomniki historii|przyrody|kultury",
        ],
    ),
    (Event, &["odsłonięci*|odsłania|odsłonił|odsłoniła|otwarci*"]),
    (
        Beside(Wax),
        &[
            "swoją|swoja|swojej|własną|własnej|jego|jej figur* woskow*",
            "swoją|swoja|swojej|własną|jego|jej woskow* figur*",
        ],
    ),
    (
        Is(Wax),
        &["figur* woskow*", "woskow* figur*|podobizn*|rzeźb*"],
    ),
    (Is(LookAlike), &["sobowtór*"]),
    (
        Is(Generated),
        &[
            "wygenerowan*|stworzon*|utworzon* przez|w|z|za pomocą|użyciem? \
             =AI|=SI|midjourney|chatgpt|dall|grok",
            "wygenerowan*|stworzon*|utworzon* przez|w|z|za pomocą|użyciem? sztuczn*|stable inteligencj*|diffusion",
            "obraz|grafika|zdjęcie =AI",
        ],
    ),
    (Is(Montage), &["fotomontaż*|kolaż*"]),
    (
        Is(Statue),
        &["pomnik|pomniki|posąg|posągi|statua|popiersie|popiersia|rzeźba"],
    ),
    (Is(Mural), &["murale", "malowidło|malowidła ścienne"]),
    (
        Is(Poster),
        &["plakat|plakaty|afisz|afisze|bilbord|bilbordy"],
    ),
    (
        Is(Cover),
        &[
            "okładka|okładki|okładce albumu|płyty|magazynu|czasopisma|gazety|książki|pisma|tygodnika|vogue|elle",
        ],
    ),
    (
        Is(Painting),
        &[
            "obraz olejny|przedstawiający",
            "obrazy olejne|przedstawiające",
            "olej na płótnie",
            "rysunek|rysunki|akwarela",
            "portret olejny|malowany",
        ],
    ),
    (Is(Caricature), &["karykatura|karykatury"]),
    (Is(Screenshot), &["zrzut|zrzuty ekranu"]),
    (Is(Cutout), &["tekturow*|kartonow* figur*|postać"]),
];
