//! German and Dutch phrases. Words that are the same in English are among the English ones.

use super::WordSign::{
    Caricature, Cover, Cutout, Generated, LookAlike, Montage, Mural, Painting, Poster, Screenshot,
    Statue, Wax,
};
use super::phrases::{
    Meaning::{Beside, Event, Is, Nothing},
    Row,
};

pub(super) const ROWS: &[Row] = &[
    // German.
    (
        Nothing,
        &[
            "premiere|filmpremiere|kinopremiere|dreharbeiten von|des|der|zu|zum der|die|das|dem|den? _",
            "vor|neben|hinter|unter|an|am|bei|beim|mit dem|der|einem|einer|den? \
             statue|standbild|plakat|poster|wandbild|graffiti|gemälde|skulptur|büste|denkmal !von|des|der|für",
        ],
    ),
    (
        Event,
        &[
            "enthüllt|enthüllen|enthüllte|enthüllung",
            "eröffnung|eröffnet|eröffnete",
            "einweihung",
        ],
    ),
    (
        Beside(Wax),
        &["seine|seiner|ihre|ihrer|eigene|eigenen wachsfigur*"],
    ),
    (
        Is(Wax),
        &[
            "wachsfigur*",
            "wachsfigurenkabinett*",
            "wachsfigurenmuseum*",
            "wachspuppe|wachspuppen|wachsbüste|wachsmuseum",
            "figur|figuren|statue|büste|puppe|abbild aus|in wachs",
            "panoptikum hamburg",
        ],
    ),
    (
        Is(LookAlike),
        &[
            "doppelgänger*|doppelgaenger*",
            "doppelgängerin|doppelgängerinnen",
            "double|doubles von",
        ],
    ),
    (
        Beside(LookAlike),
        &["imitator|imitators|imitatoren|imitatorin"],
    ),
    (
        Is(Generated),
        &[
            "ki generiert*|erzeugt*|erstellt*",
            "=KI bild|bilder|kunst|foto|fotos|porträt|porträts",
            "künstlich* intelligenz generiert*|erzeugt*|erstellt*",
            "generiert*|erzeugt*|erstellt* mit|von|durch|mittels|per|mithilfe einer|der|hilfe|von? \
             ki|midjourney|dall|chatgpt|grok",
            "generiert*|erzeugt*|erstellt* mit|von|durch|mittels|per|mithilfe einer|der|hilfe|von? \
             künstlich*|stable intelligenz|diffusion",
            "computergeneriert*",
        ],
    ),
    (
        Is(Montage),
        &[
            "fotomontage*|bildmontage*|fotocollage*|collagen",
            "bildmanipulation|bildmanipulationen",
        ],
    ),
    (
        Is(Statue),
        &[
            "statuen|standbild|standbilder|reiterstandbild|bronzestatue|bronzebüste|bronzeskulptur",
            "büste|büsten",
            "skulptur|skulpturen von|des|der",
            "denkmal für|von|zu",
        ],
    ),
    (
        Is(Mural),
        &["wandbild|wandbilder|wandgemälde|wandmalerei|wandmalereien"],
    ),
    (
        Is(Poster),
        &[
            "plakat|plakate|plakaten|plakatwand",
            "filmplakat*|wahlplakat*|kinoplakat*|werbeplakat*|konzertplakat*",
        ],
    ),
    (
        Is(Cover),
        &[
            "plattencover|albumcover|zeitschriftencover|magazincover|buchcover|plattenhülle",
            "titelbild|titelseite|titelblatt der|des|von|vom",
            "cover des|vom|der magazins|albums|zeitschrift|illustrierten",
        ],
    ),
    (
        Is(Painting),
        &[
            "gemälde|gemälden|gemäldes|ölgemälde|porträtgemälde|ölbild|aquarell|aquarelle",
            "öl auf leinwand|holz",
            "zeichnung|zeichnungen von|des|der|nach",
            "bleistiftzeichnung|federzeichnung|kohlezeichnung|kupferstich",
        ],
    ),
    (Is(Caricature), &["karikatur|karikaturen"]),
    (
        Is(Screenshot),
        &["bildschirmfoto|bildschirmfotos|bildschirmaufnahme|bildschirmaufnahmen"],
    ),
    (
        Is(Cutout),
        &["pappaufsteller|pappfigur|pappfiguren|pappkamerad"],
    ),
    // Dutch.
    (
        Nothing,
        &[
            "première|premiere|voorpremière van de|het|een? _",
            "voor|naast|achter|bij|onder|met het|de|een|dit? \
             standbeeld|muurschildering|affiche|poster|schilderij|buste|borstbeeld !van",
        ],
    ),
    (Event, &["onthult|onthulde|onthullen|onthulling"]),
    (
        Beside(Wax),
        &[
            "zijn|haar|hun|eigen wassen beeld|pop",
            "zijn|haar|hun|eigen wasbeeld|wassenbeeld",
        ],
    ),
    (
        Is(Wax),
        &[
            "wassen beeld|beelden|pop|poppen",
            "wassenbeeld|wassenbeelden|wasbeeld|wasbeelden|wassenbeeldenmuseum",
        ],
    ),
    (
        Is(LookAlike),
        &["dubbelganger|dubbelgangers|dubbelgangster"],
    ),
    (
        Is(Generated),
        &[
            "ai gegenereerd*",
            "gegenereerd*|gemaakt|gecreëerd door|met|via behulp? van? een|de? \
             =AI|midjourney|dall|chatgpt|grok",
            "gegenereerd*|gemaakt|gecreëerd door|met|via behulp? van? een|de? \
             kunstmatige|stable intelligentie|diffusion",
        ],
    ),
    (Is(Montage), &["gefotoshopt*", "gemanipuleerde foto"]),
    (
        Is(Statue),
        &[
            "standbeeld|standbeelden|ruiterstandbeeld|borstbeeld|borstbeelden",
            "buste|bustes|beeldhouwwerk|beeldhouwwerken van",
            "bronzen beeld|buste",
        ],
    ),
    (Is(Mural), &["muurschildering|muurschilderingen"]),
    (
        Is(Poster),
        &[
            "affiche|affiches van|voor|met",
            "filmaffiche|verkiezingsaffiche|filmposter|verkiezingsposter|reclamebord",
        ],
    ),
    (
        Is(Cover),
        &[
            "albumhoes|platenhoes|tijdschriftcover|tijdschriftomslag|boekomslag",
            "hoes van",
            "cover|omslag van het|de|een? tijdschrift|magazine|album|boek|blad|vogue|elle|time",
        ],
    ),
    (
        Is(Painting),
        &[
            "schilderij|schilderijen|aquarel",
            "tekening|tekeningen van|door",
            "olieverf op doek|paneel",
        ],
    ),
    (
        Is(Caricature),
        &["karikatuur|karikaturen|spotprent|spotprenten"],
    ),
    (
        Is(Screenshot),
        &["schermafbeelding|schermafbeeldingen|schermafdruk"],
    ),
    (Is(Cutout), &["kartonnen figuur|bord|pop"]),
];
