SELECT json_group_array(json_object(
  'from', pairs.person, 'to', pairs.other,
  'fromName', (SELECT name FROM people WHERE id = pairs.person),
  'toName', (SELECT name FROM people WHERE id = pairs.other),
  'edgeConfidence', pairs.score, 'photos', pairs.photos,
  'evidence', json_array({evidence})))
FROM {pairs} AS pairs CROSS JOIN photos ON photos.digest = pairs.digest
