INSERT INTO pairs (person, other, photos, score, digest)
SELECT one.value ->> 0, other.value ->> 0, 1, min(one.value ->> 2, other.value ->> 2), photo.value ->> 'digest'
FROM json_each(?1) AS photo
  JOIN json_each(photo.value, '$.people') AS one
  JOIN json_each(photo.value, '$.people') AS other
WHERE one.key <> other.key
  AND NOT (photo.value ->> 'isVetoed')
  AND NOT EXISTS (SELECT 1 FROM photos WHERE digest = photo.value ->> 'digest')
  AND EXISTS (SELECT 1 FROM memory WHERE version = 1)
ON CONFLICT (person, other) DO UPDATE SET
  photos = photos + 1,
  digest = CASE WHEN excluded.score > score THEN excluded.digest ELSE digest END,
  score = max(score, excluded.score)
