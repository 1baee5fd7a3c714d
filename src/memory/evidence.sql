json_patch(photos.hit, json_object('ref', photos.digest, 'sha256', photos.digest,
  'remembered', json_object('recogniser', photos.recogniser,
    'at', strftime('%Y-%m-%dT%H:%M:%fZ', photos.at_ms / 1000.0, 'unixepoch')),
  -- What is null is left out of a patch.
  'recognisedBy', json_object('recogniser', photos.recogniser, 'model', photos.model),
  'faces', json((
    SELECT json_group_array(json_patch('{}', json_object(
      'id', coalesce(nullif(face.value ->> 0, ''), (
        SELECT person.value ->> 0 FROM json_each(photos.people) AS person
        WHERE person.value ->> 1 = face.value ->> 1), ''),
      'name', face.value ->> 1, 'confidence', face.value ->> 2, 'portrait', json(face.value -> 5),
      'box', json_object('left', face.value ->> '$[3][0]', 'top', face.value ->> '$[3][1]',
        'width', face.value ->> '$[3][2]', 'height', face.value ->> '$[3][3]'))))
    FROM json_each(photos.faces) AS face))))
