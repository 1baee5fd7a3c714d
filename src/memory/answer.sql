SELECT json_array(at_ms, body, json(faces)) AS json
FROM photos
WHERE digest = ?1 AND recogniser = ?2 AND at_ms >= ?3 AND at_ms < ?4
