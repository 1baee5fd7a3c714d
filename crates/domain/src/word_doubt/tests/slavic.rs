//! Russian, Ukrainian and Polish titles.

use super::*;

#[test]
fn russian() {
    check(
        "
        wax! [Восковая фигура] Наташи Ростовой
        wax! В музее [восковых фигур]
        wax! Наташа Ростова в музее мадам [Тюссо]
        lookalike! [Двойники] Наташи Ростовой
        generated! [Сгенерированное] изображение
        generated! Портрет [создан нейросетью]
        generated! [Создано с помощью искусственного интеллекта]
        montage! [Фотомонтаж]: Наташа и Люси
        montage! [Коллажи]
        wax? Наташа Ростова открывает [свою восковую фигуру]
        wax? Открытие [восковой фигуры]
        statue? [Статуя] Наташи Ростовой
        statue? У [статуи] Наташи Ростовой
        statue? [Памятник] Наташе Ростовой
        mural? [Граффити] в Москве
        poster? [Афиша] фильма
        cover? На [обложке журнала]
        painting? [Холст], масло
        caricature? [Шарж] на Наташу
        cosplay? [Косплей] Наташи
        screenshot? [Скриншот] из передачи
        # Honest.
        - Портрет Наташи Ростовой
        - Статус и статистика
        - На премьере фильма «Двойник»
        - На премьере картины
        - Цветы у памятника
        - Памятник архитектуры
        - У статуи, 2010
        - Фигурное катание, Наташа Ростова
        - Скульптор Джейн Беннет
        - Искусственный интеллект: конференция
        ",
    );
}

#[test]
fn ukrainian() {
    check(
        "
        wax! [Воскова фігура] Наташі Ростової
        wax! Музей [воскових фігур]
        lookalike! [Двійник] Наташі Ростової
        generated! [Згенероване] зображення
        generated! [Створено штучним інтелектом]
        montage! [Фотоколаж]
        wax? Відкриття [воскової фігури]
        statue? [Пам'ятник] Наташі Ростовій
        statue? [Погруддя] Наташі
        mural? [Мурали] Києва
        poster? [Афіша] концерту
        cover? [Обкладинка альбому]
        painting? [Малюнок] олівцем
        screenshot? [Скріншоти]
        # Honest.
        - Портрет Наташі Ростової
        - Пам’ятник архітектури
        - Прем'єра фільму «Двійник»
        - Фігурне катання
        - Квіти біля пам'ятника
        - Скульпторка Джейн Беннет
        - Штучний інтелект: конференція
        - Джейн Беннет на виставці
        ",
    );
}

#[test]
fn polish() {
    check(
        "
        wax! [Figura woskowa] Lucy Westenry
        wax! Muzeum [Figur Woskowych]
        lookalike! [Sobowtór] Lucy Westenry
        generated! [Wygenerowane przez AI]
        generated! [Stworzony przez sztuczną inteligencję]
        montage! [Fotomontaż] z Lucy
        wax? Lucy odsłania [swoją figurę woskową]
        statue? [Pomnik] Lucy Westenry
        statue? [Popiersie] w parku
        mural? [Murale] w Łodzi
        poster? [Plakat] filmowy
        cover? [Okładka albumu]
        painting? [Obraz olejny]
        caricature? [Karykatury]
        screenshot? [Zrzut ekranu]
        # Honest.
        - Portret Lucy Westenry
        - Lucy Westenra pod pomnikiem
        - Premiera filmu Sobowtór
        - Pomnik historii
        - Obraz kontrolny
        - Gra podwójna kobiet
        - Rzeźbiarka Jane Bennet
        - Konferencja o AI
        ",
    );
}
