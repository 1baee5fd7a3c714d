INSERT INTO pairs (person, other, photos, score, digest, at_ms)
SELECT one.value ->> 0, other.value ->> 0, 1, min(one.value ->> 2, other.value ->> 2),
  photo.value ->> 'digest', photo.value ->> 'at'
FROM json_each(?1) AS photo
  JOIN json_each(photo.value, '$.people') AS one
  JOIN json_each(photo.value, '$.people') AS other
WHERE one.key <> other.key
  AND NOT (photo.value ->> 'isVetoed')
  AND NOT EXISTS (SELECT 1 FROM photos WHERE digest = photo.value ->> 'digest')
  AND EXISTS (SELECT 1 FROM memory WHERE version = 1)
ON CONFLICT (person, other) DO UPDATE SET
  photos = photos + 1,
  (score, digest, at_ms) = (
    SELECT CASE WHEN is_better THEN excluded.score ELSE pairs.score END,
      CASE WHEN is_better THEN excluded.digest ELSE pairs.digest END,
      CASE WHEN is_better THEN excluded.at_ms ELSE pairs.at_ms END
    -- A photo of which the answer is 60 days younger takes the place of one that will soon be asked for anew.
    FROM (SELECT excluded.score > pairs.score
      OR excluded.at_ms > pairs.at_ms + 5184000000 AS is_better)
  )
