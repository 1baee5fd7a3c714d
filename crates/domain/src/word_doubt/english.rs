//! English phrases, and the categories of Commons, which are English.

use super::WordSign::{
    Caricature, Cosplay, Cover, Cutout, Generated, LookAlike, Montage, Mural, Painting, Poster,
    Screenshot, Statue, Wax,
};
use super::phrases::{
    Meaning::{Beside, Event, Is, Nothing},
    Row,
};

pub(super) const ROWS: &[Row] = &[
    // Works and places that are named like a sign.
    (
        Nothing,
        &[
            "premiere|premieres|premier|screening|cast|filming of|for the|a|an? _",
            "mural|sculpture|painting|paintings|poster|posters|graffiti|caricature|cartoon|collage|collages \
             artist|artists|exhibition|exhibit|festival|workshop|class|classes|lesson|course|competition|\
             contest|prize|award|awards|project|tour|auction|school|studio|session|sessions|launch|release|\
             reveal|presentation",
            "poster girl|girls|boy|boys|child|children|kid|bed",
            "signing|signs|signed|sign|autographing a|the|his|her|their? poster|posters !of",
            "statue of liberty|unity",
            "oscar|oscars|emmy|award|awards|academy|golden statue|statues",
            "graffiti bridge",
            "intra|extra mural",
        ],
    ),
    // What stands behind somebody and shows nobody, as far as the words say.
    (
        Nothing,
        &[
            "front|next|close|beside|near|behind|under|beneath|below|outside|at|by|around|past|with of|to? \
             the|a|an|this|that? statue|statues|mural|murals|sculpture|poster|posters|painting|graffiti|bust \
             !of|depicting|showing|featuring|for",
        ],
    ),
    // Events that a wax figure does not attend.
    (
        Event,
        &[
            "unveil|unveils|unveiled|unveiling",
            "inaugurates|inaugurated|inaugurating|inauguration",
            "opening|ceremony",
            "launch|launches|launched|launching",
            "reveals|revealed|revealing",
            "attend|attends|attended|attending",
            "arrives|arrived|arriving",
        ],
    ),
    (Nothing, &["ruby wax", "wax model|models for|at|with"]),
    (
        Beside(Wax),
        &[
            "his|her|their|own wax figure|figures|statue|statues|model|double|sculpture|likeness",
            "wax figure|statue|model|likeness of himself|herself|themselves",
        ],
    ),
    (
        Is(Wax),
        &[
            "wax figure|figures|figurine|figurines|statue|statues|model|models|sculpture|sculptures|dummy|\
             dummies|museum|museums|likeness|likenesses|replica|replicas|bust|busts|effigy|effigies|mannequin|\
             mannequins|doll|dolls",
            "waxwork|waxworks",
            "figure|figures|statue|statues|sculpted|immortalised|immortalized|replica in|of|from wax",
            "madame|madam|mme tussaud|tussauds",
            "tussauds",
        ],
    ),
    (
        Nothing,
        &[
            "comedian|comic|actor|actress|singer|mimic and impersonator",
            "impersonator and comedian|comic|actor|actress|singer|mimic",
            "female|male impersonator|impersonators",
        ],
    ),
    (
        Is(LookAlike),
        &[
            "lookalike|lookalikes",
            "look alikes",
            "look alike contest|competition",
            "impersonator|impersonators",
            "doppelganger|doppelgangers",
            "celebrity double",
            "tribute artist|artists",
        ],
    ),
    (
        Beside(LookAlike),
        &[
            "body|stunt double|doubles",
            // Also what relatives do.
            "look alike",
            "impersonating|impersonates|impersonation|impersonations",
        ],
    ),
    (
        Nothing,
        &[
            "about|on|against|regarding|over|discussing|discusses|warns|warning of|about? ai generated",
            "about|on|against|regarding|over|discussing|discusses|warns|warning of|about? deepfake|deepfakes",
            "ai|=AI art|image|images gallery|exhibition|summit|conference|festival|prize|award|panel|forum",
        ],
    ),
    (
        Is(Generated),
        &[
            "ai generated|synthesised|synthesized",
            "=AI created|made|rendered|produced|imagined",
            "a i generated|created|made|rendered",
            "=AI image|images|artwork|artworks|art|portrait|portraits|photo|photos|photograph|photographs|\
             picture|pictures|illustration|illustrations|render|renders|rendering|fake|fakes",
            "artificial intelligence generated|created|image|images|art|portrait",
            "generated|synthesised|synthesized by|with|using|via|through an? ai",
            "generated|created|made|produced|rendered|synthesised|synthesized|drawn \
             by|with|using|via|through|in an|the|generative|google|openai|microsoft|bing|adobe|meta|xai? s? \
             =AI|midjourney|dall|dalle|chatgpt|craiyon|novelai|openai|deepai|dreamstudio !weiwei",
            "generated|created|made|produced|rendered|synthesised|synthesized|drawn \
             by|with|using|via|through an|the|generative? artificial|generative|stable \
             intelligence|ai|diffusion",
            "generated|created with|using|via google|xai|adobe|microsoft? s? \
             grok|gemini|imagen|firefly|sora|flux|copilot|ideogram|nano",
            "generated by grok|gemini|imagen|sora|flux|copilot|ideogram|algorithm|algorithms",
            "algorithmically generated",
            "midjourney|chatgpt|craiyon|novelai|grok works|images|image|art|artwork|artworks|pictures|\
             generated|generations",
            "dall e|mini works|images|image|art|generated|generations",
            "stable diffusion works|images|image|art|artwork|artworks|pictures|generated|outputs",
            "images|image|pictures|picture|photo|art|artwork|portrait|works by|from \
             midjourney|craiyon|chatgpt|dall|dalle|novelai|grok",
            "images|image|pictures|picture|art|artwork|portrait|works by|from|with stable diffusion",
            "text to image",
            "synthetic media|image|images|photo|photos|portrait",
            "computer generated image|images|portrait|picture|likeness|face|faces",
            "deepfake|deepfakes of|video|videos|image|images|photo|photos|picture|pictures|portrait",
            "pd algorithm",
            "this person does not exist",
        ],
    ),
    (
        Beside(Montage),
        &[
            "with his|her|their|a|the? collage|collages",
            "making|makes|made|creates|creating|designs a|the|his|her|their? collage|collages",
        ],
    ),
    (
        Is(Montage),
        &[
            "photomontage|photomontages",
            "photo|photos|photographic|picture|image montage|montages|collage|collages",
            "montage|montages of photo|photos|photographs|image|images|pictures|portraits|two|three|four|\
             several|various|different|both",
            "collage|collages",
            "photocollage|photocollages",
            "photoshopped",
            "photo|photograph|image|picture manipulation|manipulations",
            "manipulated|doctored|faked|fake|composite|composited photo|photos|photograph|photographs|image|\
             images|picture|pictures|portrait|portraits",
            "composite|composites of two|three|four|several|multiple|various|different|both|photo|photos|\
             photographs|image|images|pictures",
            "digitally manipulated|composited",
            "face swap|swaps|swapped",
            "faceswap|faceswapped",
        ],
    ),
    (
        Is(Statue),
        &[
            "statue|statues",
            "bust|busts of|by|depicting|showing",
            "bronze|marble|stone|plaster|terracotta|memorial bust|busts|sculpture|sculptures",
            "sculpture|sculptures|effigy|effigies of|depicting|showing|portraying",
            "monuments and memorials to",
        ],
    ),
    (
        Is(Mural),
        &[
            "mural|murals",
            "graffiti|graffito",
            "street art",
            "wall painting|paintings of|depicting|showing",
        ],
    ),
    (
        Is(Poster),
        &[
            "poster|posters",
            "a|the|giant|large|huge|digital billboard !music|awards|award|chart|charts|hot|latin|woman|women|\
             magazine|live|touring|power|global|japan|200|year",
            "billboard|billboards of|depicting|showing|featuring|advertising",
            "billboards",
        ],
    ),
    (
        Nothing,
        &[
            "album|magazine|record|book|single cover|covers shoot|shooting|launch|party|band|model|girl|star|\
             release|reveal|version",
        ],
    ),
    (
        Is(Cover),
        &[
            "album|magazine|record|book|single|dvd|cd|vinyl|newspaper|comic cover|covers",
            "album art|artwork",
            "cover art",
            "cover|covers of|from|for the|a|an|his|her|their? magazine|album|vogue|time|elle|gq|cosmopolitan|esquire|\
             playboy|newsweek|ebony|billboard|glamour|harpers|forbes|allure|tatler|der",
            "cover|covers of|from|for vanity|sports|rolling|harper|paris|der fair|illustrated|stone|s|match|\
             spiegel",
            "cover|covers of|from|for the|a? _ magazine",
        ],
    ),
    (
        Is(Painting),
        &[
            "painting|paintings|drawing|drawings|sketch|sketches|illustration|illustrations \
             of|by|depicting|showing|portraying",
            "oil|watercolor|watercolour|acrylic|portrait|ink|pencil|charcoal|gouache|pastel \
             painting|paintings|drawing|drawings|sketch|sketches",
            "oil|pencil|charcoal|painted|pastel portrait|portraits",
            "oil|acrylic|watercolour|watercolor on canvas|panel|board|wood|paper",
            "portrait|portraits in oil|oils|pastel|watercolour|watercolor",
            "engraving|engravings|lithograph|lithographs|etching|etchings|woodcut of|by|after|depicting|showing",
            "fan art",
            "fanart",
        ],
    ),
    (
        Is(Caricature),
        &[
            "caricature|caricatures",
            "cartoon|cartoons of|by|depicting|showing",
            "political|editorial|newspaper|satirical cartoon|cartoons",
        ],
    ),
    (
        Is(Cosplay),
        &["cosplay|cosplays|cosplayer|cosplayers|cosplaying"],
    ),
    (
        Is(Screenshot),
        &[
            "screenshot|screenshots|screencap|screencaps|screengrab|screengrabs|screencapture",
            "screen shot|shots|grab|grabs|capture|captures",
        ],
    ),
    (
        Is(Cutout),
        &[
            "cardboard cutout|cutouts|standee|standees|figure|figures",
            "cardboard cut out|outs",
            "life size|sized cutout|cutouts|cardboard|standee",
            "standee|standees",
        ],
    ),
];
