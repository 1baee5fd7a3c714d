//! French, Spanish, Portuguese and Italian titles.

use super::*;

#[test]
fn french() {
    check(
        "
        wax! [Statue de cire] de Lucy Westenra
        wax! Lucy Westenra au [musée Grévin]
        wax! [Mannequin en cire]
        lookalike! Le [sosie] de Lucy Westenra
        generated! Image [générée par IA]
        generated! Portrait [créé par une intelligence artificielle]
        montage! [Photomontage] de Lucy et Jane
        montage! [Montage photo]
        wax? Lucy dévoile [sa statue de cire]
        lookalike? Jane Bennet, [imitatrice]
        statue? Devant la [statue] de Lucy Westenra
        statue? [Buste de] Lucy Westenra
        mural? [Fresque] murale à Lyon
        poster? L'[affiche du] film
        cover? Lucy en [couverture de Vogue]
        cover? [Pochette de l'album]
        painting? [Huile sur toile], 1890
        painting? [Dessin de] Lucy Westenra
        screenshot? [Capture d’écran] de l’émission
        # Honest.
        - Portrait de Lucy Westenra
        - Lucy Westenra à l'affiche du festival
        - Lucy Westenra, tête d'affiche du concert
        - Lucy Westenra s'affiche avec Jane Bennet
        - Jane Bennet devant la fresque
        - Avant-première de L'Affiche
        - Tableau de bord
        - Jane Bennet et le collège de Lyon
        - Une bougie de cire
        - Jane Bennet dans le rôle de Sosie
        - La statue de la Liberté
        ",
    );
}

#[test]
fn spanish() {
    check(
        "
        wax! [Figura de cera] de Lucy Westenra
        wax! [Museo de Cera] de Madrid
        lookalike! [Imitadora de] Natasha Rostova
        generated! Imagen [generada por IA]
        generated! Retrato [creado con inteligencia artificial]
        montage! [Fotomontaje] de Lucy y Jane
        montage! [Foto trucada]
        wax? Lucy con [su figura de cera]
        wax? Inauguración del [museo de cera]
        statue? [Estatua] de Lucy Westenra
        statue? [Busto en] bronce
        mural? [Murales] de Bogotá
        poster? [Cartel de] la película
        poster? [Póster] de Lucy
        cover? [Portada de la revista]
        painting? [Óleo sobre lienzo]
        caricature? [Caricatura] de Jane Bennet
        screenshot? [Captura de pantalla]
        # Honest.
        - Retrato de Lucy Westenra
        - Final de dobles femenino
        - Jane Bennet frente a la estatua
        - Estreno de El mural
        - El cartel de Medellín
        - Lucy Westenra encabeza el cartel
        - Colegio de Madrid
        - Velas de cera
        - Creado por la inteligencia militar
        - La Estatua de la Libertad
        ",
    );
}

#[test]
fn portuguese() {
    check(
        "
        wax! [Estátua de cera] de Lucy Westenra
        wax! [Museu de Cera]
        lookalike! [Sósia] de Natasha Rostova
        generated! Imagem [gerada por IA]
        generated! [Criado com inteligência artificial]
        montage! [Fotomontagem] de Lucy e Jane
        montage! [Colagem com fotos]
        wax? Lucy com a [sua figura de cera]
        statue? [Estátua] em Lisboa
        mural? [Murais] de São Paulo
        poster? [Cartaz] do filme
        cover? [Capa da revista]
        painting? [Óleo sobre tela]
        screenshot? [Captura de tela] da entrevista
        cutout? [Figura de papelão]
        # Honest.
        - Retrato de Lucy Westenra
        - Jane Bennet em frente à estátua
        - Estreia de O Cartaz
        - Concerto outdoor
        - Colagem de cartões
        - Final de duplas
        - Lucy Westenra com a capa vermelha
        - Colégio de Lisboa
        ",
    );
}

#[test]
fn italian() {
    check(
        "
        wax! [Statua di cera] di Lucy Westenra
        wax! [Museo delle cere] di Roma
        lookalike! [Sosia] di Natasha Rostova
        generated! Immagine [generata dall'intelligenza artificiale]
        generated! Ritratto [creato con IA]
        montage! [Fotomontaggio] di Lucy e Jane
        wax? Lucy con la [sua statua di cera]
        statue? [Statua] di Lucy Westenra
        statue? [Busto di] Lucy Westenra
        mural? [Affreschi] a Firenze
        poster? [Locandina] del film
        poster? [Manifesti elettorali]
        cover? [Copertina dell]'album
        painting? [Dipinto] di Lucy
        caricature? [Vignetta] su Jane
        screenshot? [Schermata] del programma
        # Honest.
        - Ritratto di Lucy Westenra
        - Jane Bennet davanti alla statua
        - Anteprima de Il murale
        - Manifesto del partito
        - Quadro di riferimento
        - Foto ai giardini
        - Collegio di Roma
        - Candele di cera
        ",
    );
}
