UPDATE people SET photos = people.photos - gone_people.photos
FROM (SELECT person, count(*) AS photos FROM gone_faces GROUP BY person) AS gone_people
WHERE people.id = gone_people.person;
DELETE FROM faces WHERE digest IN (SELECT digest FROM gone);
UPDATE memory SET
  photos = photos - (SELECT count(*) FROM gone),
  people = people - (
    SELECT count(*) FROM people WHERE people.photos <= 0 AND id IN (SELECT person FROM gone_faces));
DELETE FROM names
WHERE person IN (SELECT person FROM gone_faces)
  AND NOT EXISTS (SELECT 1 FROM people WHERE id = names.person AND photos > 0);
DELETE FROM people WHERE photos <= 0 AND id IN (SELECT person FROM gone_faces);
DELETE FROM photos WHERE digest IN (SELECT digest FROM gone)
