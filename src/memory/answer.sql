SELECT json_object('recogniser', recogniser, 'model', model, 'candidates', json(candidates), 'at', at_ms, 'body', body,
  'faces', json(faces)) AS json
FROM photos
WHERE digest = ?1 AND recogniser IN (SELECT value FROM json_each(?2)) AND at_ms >= ?3 AND at_ms < ?4
