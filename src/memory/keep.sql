UPDATE memory SET
  photos = photos + (SELECT count(*) FROM to_keep),
  people = people + (
    SELECT count(DISTINCT person.value ->> 0)
    FROM to_keep CROSS JOIN json_each(photo, '$.people') AS person
    WHERE NOT EXISTS (SELECT 1 FROM people WHERE id = person.value ->> 0)),
  pairs = pairs + (
    SELECT count(DISTINCT json_array(one.value ->> 0, other.value ->> 0))
    FROM to_keep CROSS JOIN json_each(photo, '$.people') AS one CROSS JOIN json_each(photo, '$.people') AS other
    WHERE one.value ->> 0 < other.value ->> 0 AND NOT (photo ->> 'isVetoed')
      AND NOT EXISTS (SELECT 1 FROM pairs WHERE person = one.value ->> 0 AND pairs.other = other.value ->> 0));
INSERT INTO pairs (person, other, photos, score, digest, at_ms)
SELECT one.value ->> 0, other.value ->> 0, 1, min(one.value ->> 2, other.value ->> 2), digest, photo ->> 'at'
FROM to_keep CROSS JOIN json_each(photo, '$.people') AS one CROSS JOIN json_each(photo, '$.people') AS other
WHERE one.key <> other.key AND NOT (photo ->> 'isVetoed')
ON CONFLICT (person, other) DO UPDATE SET
  photos = photos + 1,
  (score, digest, at_ms) = (
    SELECT CASE WHEN is_better THEN excluded.score ELSE pairs.score END,
      CASE WHEN is_better THEN excluded.digest ELSE pairs.digest END,
      CASE WHEN is_better THEN excluded.at_ms ELSE pairs.at_ms END
    FROM (SELECT excluded.score > pairs.score
      OR excluded.at_ms > pairs.at_ms + 5184000000 AND excluded.score >= min(pairs.score, 80) AS is_better)
  );
INSERT INTO people (id, name, folded, number, photos)
SELECT person.value ->> 0, person.value ->> 1, person.value ->> 3, person.value ->> 4, 1
FROM to_keep CROSS JOIN json_each(photo, '$.people') AS person
WHERE true
ON CONFLICT (id) DO UPDATE SET photos = photos + 1, number = coalesce(excluded.number, number),
  -- A later version folds names otherwise.
  folded = CASE WHEN name = excluded.name THEN excluded.folded ELSE folded END;
INSERT INTO faces (person, digest, confidence)
SELECT face.value ->> 0, digest, face.value ->> 1
FROM to_keep CROSS JOIN json_each(photo, '$.named') AS face;
INSERT OR IGNORE INTO names (part, person)
SELECT name.value ->> 0, name.value ->> 1
FROM to_keep CROSS JOIN json_each(photo, '$.names') AS name;
INSERT INTO photos (digest, recogniser, model, candidates, at_ms, body, is_vetoed, hit, faces, people)
SELECT digest, photo ->> 'recogniser', photo ->> 'model', photo ->> 'candidates', photo ->> 'at', photo ->> 'body',
  photo ->> 'isVetoed', photo -> 'hit', photo -> 'faces', photo -> 'people'
FROM to_keep
