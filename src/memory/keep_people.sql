INSERT INTO people (id, name, folded, number, photos)
SELECT person.value ->> 0, person.value ->> 1, person.value ->> 3, person.value ->> 4, 1
FROM json_each(?1) AS photo
  JOIN json_each(photo.value, '$.people') AS person
WHERE NOT EXISTS (SELECT 1 FROM photos WHERE digest = photo.value ->> 'digest')
  AND EXISTS (SELECT 1 FROM memory WHERE version = 1)
ON CONFLICT (id) DO UPDATE SET
  photos = photos + 1,
  number = coalesce(excluded.number, number)
