//! Polish, Russian and Ukrainian phrases. Polish words that are the same in English are among the English ones.

use super::WordSign::{
    Caricature, Cosplay, Cover, Cutout, Generated, LookAlike, Montage, Mural, Painting, Poster,
    Screenshot, Statue, Wax,
};
use super::phrases::{
    Meaning::{Beside, Event, Is, Nothing},
    Row,
};

pub(super) const ROWS: &[Row] = &[
    // Polish.
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
    // Russian.
    (
        Nothing,
        &[
            "премьер* фильма|спектакля|сериала|картины|мультфильма? _",
            // Whose statue it is would follow.
            "у|возле|около|перед|рядом|фоне|к с|со? статуи|статуе|статуей|плаката|фрески !_",
            "статуя|статуи|статуе|статуей|статую свободы",
            "памятник|памятники архитектуры|истории|культуры|природы|градостроительства",
            "журнал|журнала|яндекс|фестиваль|фестивале афиша|афиши",
            "афиша пикник|daily",
        ],
    ),
    (
        Event,
        &["открыти*|открывает|открыла|открыл|открыли|презентаци*"],
    ),
    (
        Beside(Wax),
        &["свою|своей|своя|его|её|собственн* восков* фигур*"],
    ),
    (
        Is(Wax),
        &["восков* фигур*|копи*|двойник*", "фигур* из воска", "тюссо"],
    ),
    (Is(LookAlike), &["двойник*"]),
    (
        Is(Generated),
        &[
            "сгенерирован*|сгенерированн*",
            "создан*|созданн*|сделан*|сделанн*|нарисован*|нарисованн* нейросет*|ии",
            "создан*|созданн*|сделан*|сделанн*|нарисован*|нарисованн* искусственн* интеллект*",
            "создан*|созданн*|сделан*|сделанн*|нарисован*|нарисованн* с|при помощью|помощи|использованием \
             нейросет*|ии|midjourney|chatgpt",
            "создан*|созданн*|сделан*|сделанн*|нарисован*|нарисованн* с|при помощью|помощи|использованием \
             искусственного|stable интеллекта|diffusion",
            "изображение|картинка|фото|портрет от|из? нейросети|ии",
        ],
    ),
    (Is(Montage), &["фотомонтаж*|коллаж*|фотоколлаж*|фотожаб*"]),
    (
        Is(Statue),
        &[
            "статуя|статуи|статую",
            "памятник|памятники",
            "бюст|бюсты",
            "скульптура",
        ],
    ),
    (Is(Mural), &["мурал|муралы|граффити|фреска|фрески"]),
    (
        Is(Poster),
        &[
            "плакат|плакаты|афиша|афиши|постер|постеры|билборд|билборды",
            "рекламный щит",
        ],
    ),
    (
        Is(Cover),
        &["обложк* журнала|журналов|альбома|диска|книги|сингла|пластинки|vogue|elle|time"],
    ),
    (
        Is(Painting),
        &[
            "портрет|портреты маслом|карандашом|пастелью|кисти",
            "картина|картины маслом|кисти|художника",
            "холст",
            "рисунок|рисунки|акварель|гравюра|литография",
            "живописный портрет",
        ],
    ),
    (Is(Caricature), &["карикатур*|шарж|шаржи|шаржа"]),
    (Is(Cosplay), &["косплей*|косплея|косплею|косплее|косплеер*"]),
    (Is(Screenshot), &["скриншот*", "снимок|снимки экрана"]),
    (
        Is(Cutout),
        &[
            "картонн* фигур*",
            "ростовая|ростовые фигура|фигуры|кукла|куклы",
        ],
    ),
    // Ukrainian.
    (
        Nothing,
        &[
            "прем єр* фільму|вистави|серіалу? _",
            "біля|коло|перед|поруч|фоні|до з|із|зі? статуї|статуєю|плаката|фрески !_",
            "пам ятник|ятники архітектури|історії|культури|природи|містобудування",
            "статуя|статуї|статуєю|статую свободи",
        ],
    ),
    (Event, &["відкритт*|відкрила|відкрив|відкрили|презентаці*"]),
    (
        Beside(Wax),
        &["свою|своєю|своєї|його|її|власн* восков* фігур*"],
    ),
    (Is(Wax), &["восков* фігур*|копі*", "фігур* з воску"]),
    (Is(LookAlike), &["двійник*"]),
    (
        Is(Generated),
        &[
            "згенерован*",
            "створен*|намальован* нейромереж*|ші",
            "створен*|намальован* штучн* інтелект*",
            "створен*|намальован* за|із|з допомогою|використанням нейромереж*|ші|midjourney|chatgpt",
            "створен*|намальован* за|із|з допомогою|використанням штучного|stable інтелекту|diffusion",
        ],
    ),
    (Is(Montage), &["колаж*|фотоколаж*"]),
    (Is(Statue), &["статуї", "пам ятник|ятники", "погруддя"]),
    (Is(Mural), &["мурали|графіті"]),
    (
        Is(Poster),
        &[
            "плакати|афіша|афіші|постери|білборд|білборди",
            "рекламний щит",
        ],
    ),
    (
        Is(Cover),
        &["обкладинк* журналу|журналів|альбому|диска|книги|синглу|платівки|vogue|elle|time"],
    ),
    (
        Is(Painting),
        &[
            "портрет|портрети олією|олівцем|пензля",
            "картина|картини олією|пензля|художника",
            "малюнок|малюнки|акварель",
        ],
    ),
    (Is(Cosplay), &["косплеєр*|косплеї"]),
    (
        Is(Screenshot),
        &["скріншот*", "знімок|знімки екрана|екрану"],
    ),
    (Is(Cutout), &["картонн* фігур*"]),
];
