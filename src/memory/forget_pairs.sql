UPDATE pairs SET photos = pairs.photos - gone_pairs.photos
FROM gone_pairs
WHERE pairs.person = gone_pairs.person AND pairs.other = gone_pairs.other;
UPDATE memory SET pairs = pairs - (
  SELECT count(*) FROM pairs
  WHERE pairs.photos <= 0 AND (person, other) IN (SELECT person, other FROM gone_pairs WHERE person < other));
DELETE FROM pairs WHERE photos <= 0 AND (person, other) IN (SELECT person, other FROM gone_pairs);
UPDATE OR IGNORE pairs SET (score, digest, at_ms) = (
  SELECT min(one.confidence, two.confidence) AS best, photos.digest, photos.at_ms
  FROM people AS a CROSS JOIN people AS b
    CROSS JOIN faces AS one ON one.person = iif(a.photos <= b.photos, a.id, b.id)
    CROSS JOIN faces AS two ON two.person = iif(a.photos <= b.photos, b.id, a.id) AND two.digest = one.digest
    CROSS JOIN photos ON photos.digest = one.digest
  WHERE a.id = pairs.person AND b.id = pairs.other AND NOT photos.is_vetoed AND one.confidence >= 50 AND two.confidence >= 50
    AND photos.digest NOT IN (SELECT digest FROM gone)
  ORDER BY best DESC, photos.at_ms DESC, photos.digest LIMIT 1)
WHERE (person, other) IN (SELECT person, other FROM gone_pairs) AND digest IN (SELECT digest FROM gone)
