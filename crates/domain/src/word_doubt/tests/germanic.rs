//! German and Dutch titles.

use super::*;

#[test]
fn german() {
    check(
        "
        wax! [Wachsfigur] von Lucy Westenra
        wax! Lucy im [Wachsfigurenkabinett]
        wax! Lucy Westenra, [Figur aus Wachs]
        lookalike! [Doppelgängerin] von Lucy
        lookalike! Lucy-Westenra-[Double von] Whitby
        generated! [KI-generiertes] Bild
        generated! Bild, mit [künstlicher Intelligenz erstellt]
        - Erzeugt mit Hilfe von Midjourney
        generated! [Erzeugt mit Midjourney]
        montage! [Fotomontage] mit Lucy
        wax? Enthüllung der [Wachsfigur]
        wax? Lucy neben ihrer [eigenen Wachsfigur]
        statue? [Büste] von Lucy Westenra
        statue? [Standbild] in Whitby
        statue? Vor der [Statue] der Lucy Westenra
        mural? [Wandgemälde] am Bahnhof
        poster? [Wahlplakate] 2010
        cover? [Titelseite der] Illustrierten
        painting? [Ölgemälde] von 1890
        caricature? [Karikatur] in der Zeitung
        screenshot? [Bildschirmfoto] der Sendung
        cutout? [Pappaufsteller] im Kino
        # Honest.
        - Anna Wachs und Lucy Westenra
        - Lucy Westenra gewinnt im Doppel
        - Kerzen aus Wachs
        - Jane Bennet vor dem Wandbild
        - Jane Bennet bei der Premiere von Das Plakat
        - Verleihung der Auszeichnung
        - Porträt von Lucy Westenra
        - Karikaturistin Jane Bennet
        - Jane Bennet in der Gemäldegalerie
        - Diskussion über KI in Berlin
        ",
    );
}

#[test]
fn dutch() {
    check(
        "
        wax! [Wassen beeld] van Lucy Westenra
        wax! [Wassenbeeldenmuseum]
        lookalike! [Dubbelgangers] van Lucy
        generated! [AI-gegenereerde] afbeelding
        generated! [Gemaakt met kunstmatige intelligentie]
        montage! [Gefotoshopte] foto
        wax? Lucy onthult [haar wassen beeld]
        statue? [Standbeeld] van Lucy Westenra
        mural? [Muurschildering] in Gent
        poster? [Affiche van] de film
        cover? Lucy op de [cover van het tijdschrift]
        painting? [Schilderij] uit 1890
        caricature? [Spotprent] over Lucy
        screenshot? [Schermafbeelding] van de uitzending
        # Honest.
        - Portret van Lucy Westenra
        - Jane Bennet bij het standbeeld
        - Jane Bennet bij de première van De Poster
        - Beeld van de uitreiking
        - Jane Bennet tekent een contract
        - Jane Bennet met was in de hand
        - Dubbelspel dames
        - Schilder en beeldhouwer Jane Bennet
        ",
    );
}
