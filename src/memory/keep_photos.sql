INSERT INTO photos (digest, recogniser, at_ms, body, is_vetoed, hit, faces, people)
SELECT photo.value ->> 'digest', photo.value ->> 'recogniser', photo.value ->> 'at',
  photo.value ->> 'body', photo.value ->> 'isVetoed', photo.value -> 'hit', photo.value -> 'faces',
  photo.value -> 'people'
FROM json_each(?1) AS photo
WHERE EXISTS (SELECT 1 FROM memory WHERE version = 1)
ON CONFLICT (digest) DO UPDATE SET
  recogniser = excluded.recogniser, at_ms = excluded.at_ms, body = excluded.body,
  is_vetoed = excluded.is_vetoed, hit = excluded.hit, faces = excluded.faces, people = excluded.people
WHERE excluded.at_ms > at_ms
