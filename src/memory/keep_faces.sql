INSERT OR IGNORE INTO faces (person, digest, score)
SELECT person.value ->> 0, photo.value ->> 'digest', person.value ->> 2
FROM json_each(?1) AS photo
  JOIN json_each(photo.value, '$.people') AS person
WHERE EXISTS (SELECT 1 FROM memory WHERE version = 1)
