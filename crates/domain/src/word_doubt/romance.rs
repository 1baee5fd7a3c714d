//! French, Spanish, Portuguese and Italian phrases. Words that are the same in English are among the English ones.

use super::WordSign::{
    Caricature, Cover, Cutout, Generated, LookAlike, Montage, Mural, Painting, Poster, Screenshot,
    Statue, Wax,
};
use super::phrases::{
    Meaning::{Beside, Event, Is, Nothing},
    Row,
};

pub(super) const ROWS: &[Row] = &[
    // French.
    (
        Nothing,
        &[
            "première|projection|tournage|casting de|du|d la|le|les|l|un|une? _",
            "a l affiche",
            "tête|têtes|haut d|de l? affiche",
            "devant|derrière|sous|près|face|côté|pied|avec à|de|du|d? la|le|l|une|un|cette? \
             statue|affiche|fresque|sculpture|peinture|buste !de|du|des|d|représentant",
            "rôle de sosie",
            "statue de la liberté",
        ],
    ),
    (
        Event,
        &["dévoile*|dévoilement", "inaugure*|inauguration|ouverture"],
    ),
    (
        Beside(Wax),
        &[
            "sa|son|ses|leur|propre|propres statue|statues|double|figure|mannequin|effigie de|en cire",
        ],
    ),
    (
        Is(Wax),
        &[
            "figure|figures|statue|statues|mannequin|mannequins|personnage|personnages|sculpture|sculptures|\
             effigie|effigies|double|musée|buste de|en cire",
            "musée grévin",
        ],
    ),
    (Is(LookAlike), &["sosie|sosies"]),
    (Beside(LookAlike), &["imitateur|imitateurs|imitatrice"]),
    (
        Is(Generated),
        &[
            "généré|générée|générés|générées|créé|créée|créés|créées|réalisée par|avec|via|grâce à? l|une|un? \
             ia|midjourney|dall|chatgpt|grok",
            "généré|générée|générés|générées|créé|créée|créés|créées|réalisée par|avec|via|grâce à? l|une|un? \
             intelligence|stable artificielle|diffusion",
            "image|images|photo|photos|portrait|illustration =IA",
        ],
    ),
    (
        Is(Montage),
        &[
            "montage|montages photo|photos|photographique|photographiques",
            "photo|photos|image truquée|truquées|trafiquée",
        ],
    ),
    (
        Is(Statue),
        &["buste|bustes|sculpture|sculptures de|du|d|en|représentant"],
    ),
    (
        Is(Mural),
        &["fresque|fresques", "peinture|peintures murale|murales"],
    ),
    (
        Is(Poster),
        &[
            "affiche|affiches de|du|d|pour|électorale|électorales|publicitaire|publicitaires",
            "panneau|panneaux publicitaire|publicitaires",
        ],
    ),
    (
        Is(Cover),
        &[
            "couverture|couvertures de|du|d l|la|le|un|son? \
             magazine|magazines|album|disque|livre|journal|vogue|elle|gq|time",
            "une de|du magazine|journal|vogue|gq|time",
            "couverture|une de paris|vanity match|fair",
            "pochette|pochettes d|de|du l|la|son? album|albums|disque|disques|single|vinyle",
        ],
    ),
    (
        Is(Painting),
        &[
            "peinture|peintures|dessin|dessins de|d|du|par|au|représentant",
            "tableau|tableaux représentant",
            "huile sur toile|bois|panneau",
            "portrait|portraits peint|peints|dessiné",
            "aquarelle|aquarelles",
            "gravure|lithographie|estampe de|d|par|représentant",
        ],
    ),
    (Is(Screenshot), &["capture|captures|copie d écran|écrans"]),
    (Is(Cutout), &["silhouette|silhouettes|figurine en carton"]),
    // Spanish.
    (
        Nothing,
        &[
            "estreno|première|rodaje|elenco de|del la|el|los|las|un|una? _",
            "frente|junto|ante|delante|detrás|cerca|lado|con a|de|del|al? la|el|un|una? \
             estatua|escultura|mural|cartel|busto|pintura|grafiti !de|del",
            "estatua de la libertad",
            "cartel|carteles de medellín|cali|sinaloa|juárez|jalisco|droga|drogas",
        ],
    ),
    (
        Event,
        &[
            "inaugura|inauguran|inauguró|inauguración|apertura",
            "devela|develan|develó|develación|desvela|desveló",
        ],
    ),
    (
        Beside(Wax),
        &["su|sus|propia|propias figura|figuras|estatua|estatuas|doble|muñeco de|en cera"],
    ),
    (
        Is(Wax),
        &[
            "figura|figuras|estatua|estatuas|muñeco|muñecos|muñeca|museo|museu|escultura|esculturas|doble|busto|\
             boneco|bonecos|boneca de|en|em cera",
        ],
    ),
    (
        Is(LookAlike),
        &[
            // Also Italian and Portuguese.
            "sosia|sosias",
            "imitador|imitadora|imitadores|imitadoras de|do|da",
        ],
    ),
    (
        Is(Generated),
        &[
            "generad*|cread*|hech*|realizad* por|con|mediante|usando una|un|la? \
             ia|midjourney|dall|chatgpt|grok",
            "generad*|cread*|hech*|realizad* por|con|mediante|usando una|un|la? \
             inteligencia|stable artificial|diffusion",
            "imagen|imágenes|foto|fotos|retrato|ilustración =IA",
        ],
    ),
    (
        Is(Montage),
        &[
            "fotomontaje|fotomontajes",
            "montaje|montajes fotográfico|fotográficos",
            "foto|fotos|imagen trucada|trucadas|manipulada",
        ],
    ),
    (
        Is(Statue),
        &[
            "estatua|estatuas",
            // Also Portuguese and Italian.
            "busto|bustos|escultura|esculturas de|en|em|do|da|di|in",
        ],
    ),
    (
        Is(Mural),
        &["murales|grafiti|grafitis", "arte urbano|callejero"],
    ),
    (
        Is(Poster),
        &[
            "pósteres|afiche|afiches",
            "cartel|carteles de|del|publicitario|publicitarios|electoral|electorales|promocional",
            "valla|vallas publicitaria|publicitarias",
        ],
    ),
    (
        Is(Cover),
        &["portada|portadas|carátula de|del la|el|un|una|su? \
             revista|disco|álbum|libro|sencillo|single|vogue|elle|gq|time"],
    ),
    (
        Is(Painting),
        &[
            "pintura|pinturas|dibujo|dibujos de|del|por|a|al",
            "retrato al óleo",
            "óleo|óleos sobre lienzo|tela|tabla|madeira",
            "acuarela|acuarelas",
        ],
    ),
    (Is(Caricature), &["caricatura|caricaturas"]),
    (
        Is(Screenshot),
        &[
            "captura|capturas de pantalla|pantallas|tela|telas|ecrã",
            "pantallazo|pantallazos",
        ],
    ),
    (Is(Cutout), &["figura|silueta de|en cartón"]),
    // Portuguese.
    (
        Nothing,
        &[
            "estátua da liberdade",
            "estreia|estréia|filmagens|elenco de|do|da o|a|os|as|um|uma? _",
            "frente|lado|perto|diante|junto|atrás|com à|a|ao|da|do|de? o|a|um|uma? \
             estátua|mural|cartaz|escultura|busto|grafite|pintura !de|do|da",
        ],
    ),
    (Event, &["inauguram|inaugurou|inauguração"]),
    (
        Beside(Wax),
        &["sua|seu|própria|próprio estátua|figura|boneco de|em cera"],
    ),
    (
        Is(Generated),
        &[
            "gerad*|criad*|feit* por|com|pela|usando|via uma|a|da? ia|midjourney|dall|chatgpt|grok",
            "gerad*|criad*|feit* por|com|pela|usando|via uma|a|da? inteligência|stable artificial|diffusion",
            "imagem|imagens =IA",
        ],
    ),
    (
        Is(Montage),
        &[
            "fotomontagem|fotomontagens",
            "montagem|montagens fotográfica|fotográficas",
            "montagem|colagem|colagens de|com fotos|imagens|fotografias",
        ],
    ),
    (Is(Mural), &["murais|grafite|grafites"]),
    (Is(Poster), &["cartaz|cartazes|pôster|pôsteres"]),
    (
        Is(Cover),
        &["capa|capas do|da|de|dum álbum|disco|revista|livro|single|jornal|vogue|elle|time"],
    ),
    (
        Is(Painting),
        &[
            "pintura|pinturas|desenho|desenhos de|do|da|por|a",
            "retrato a óleo",
            "aquarela|aguarela de|do|da",
        ],
    ),
    (Is(Cutout), &["figura|silhueta de|em papelão|cartão"]),
    // Italian.
    (
        Nothing,
        &[
            "statua della libertà",
            "prima|anteprima|proiezione|riprese|cast di|de|del|della|dei la|il|i|le|lo|l|un|una? _",
            "davanti|accanto|vicino|sotto|dietro|fronte|con a|al|alla|allo|ad|la|il|una|un? \
             statua|murale|affresco|manifesto|scultura|dipinto !di|del|della|raffigurante",
        ],
    ),
    (
        Event,
        &[
            "inaugurano|inaugurato|inaugurata|inaugurazione",
            "svela|svelata|svelano",
        ],
    ),
    (
        Beside(Wax),
        &["sua|suo|propria|proprio statua|figura|sosia|manichino di|in cera"],
    ),
    (
        Is(Wax),
        &[
            "statua|statue|figura|figure|museo|manichino|manichini|scultura|sosia di|in|delle cera|cere",
        ],
    ),
    (Beside(LookAlike), &["imitatore|imitatrice|imitatori"]),
    (
        Is(Generated),
        &[
            "generat*|creat*|realizzat* da|dall|dalla|con|tramite|mediante l|un|una? \
             ia|=AI|midjourney|dall|chatgpt|grok",
            "generat*|creat*|realizzat* da|dall|dalla|con|tramite|mediante l|un|una? \
             intelligenza|stable artificiale|diffusion",
            "immagine|immagini|foto|ritratto =IA",
        ],
    ),
    (Is(Montage), &["fotomontaggio|fotomontaggi"]),
    (
        Is(Statue),
        &["statua", "scultura|sculture di|raffigurante|in"],
    ),
    (Is(Mural), &["murales|murali|affresco|affreschi"]),
    (
        Is(Poster),
        &[
            "locandina|locandine",
            "manifesto|manifesti elettorale|elettorali|pubblicitario|pubblicitari|cinematografico",
            "cartellone|cartelloni pubblicitario|pubblicitari",
        ],
    ),
    (Is(Cover), &["copertina|copertine di|del|dell|della"]),
    (
        Is(Painting),
        &[
            "dipinto|dipinti",
            "quadro raffigurante",
            "disegno|disegni di|a",
            "olio su tela|tavola",
            "acquerello|acquerelli",
        ],
    ),
    (Is(Caricature), &["vignetta", "vignette satirica|satiriche"]),
    (Is(Screenshot), &["schermata|schermate"]),
    (Is(Cutout), &["sagoma|sagome di|in cartone"]),
];
