-- What the atlas looks up, and what it takes to forget somebody.

-- Everybody whom the recogniser names in a photo, sure or not.
CREATE TABLE faces (
  person TEXT NOT NULL,
  digest TEXT NOT NULL,
  confidence REAL NOT NULL,
  PRIMARY KEY (person, digest)
) WITHOUT ROWID;
CREATE INDEX faces_by_digest ON faces (digest);

-- A person's name from each of its words on, as names are compared.
CREATE TABLE names (
  part TEXT NOT NULL,
  person TEXT NOT NULL,
  PRIMARY KEY (part, person)
) WITHOUT ROWID;
CREATE INDEX names_by_person ON names (person);
CREATE INDEX people_by_photos ON people (photos DESC);

-- SHA-256 digests of what is not kept again: of a photo's bytes, or of a person's id.
CREATE TABLE forgotten (digest TEXT PRIMARY KEY) WITHOUT ROWID;

-- The days, since 1970, on which a photo was gone or had other bytes, and the last one of these.
ALTER TABLE photos ADD COLUMN failed_days INTEGER NOT NULL DEFAULT 0;
ALTER TABLE photos ADD COLUMN failed_day INTEGER NOT NULL DEFAULT 0;

-- How much is kept, and what was not paid for again.
ALTER TABLE memory ADD COLUMN photos INTEGER NOT NULL DEFAULT 0;
ALTER TABLE memory ADD COLUMN people INTEGER NOT NULL DEFAULT 0;
ALTER TABLE memory ADD COLUMN pairs INTEGER NOT NULL DEFAULT 0;
ALTER TABLE memory ADD COLUMN saved_recognitions INTEGER NOT NULL DEFAULT 0;
ALTER TABLE memory ADD COLUMN saved_nano_usd INTEGER NOT NULL DEFAULT 0;

INSERT INTO faces (person, digest, confidence)
SELECT person, digest, max(confidence)
FROM (
  SELECT face.value ->> 0 AS person, photos.digest, face.value ->> 2 AS confidence
  FROM photos JOIN json_each(photos.faces) AS face
  WHERE face.value ->> 0 <> ''
  UNION ALL
  SELECT person.value ->> 0, photos.digest, person.value ->> 2
  FROM photos JOIN json_each(photos.people) AS person
)
GROUP BY person, digest;

-- People and pairs are those of the answers that are kept now: a younger answer left what an older one had said.
INSERT OR IGNORE INTO people (id, name, folded, number, photos)
SELECT person.value ->> 0, person.value ->> 1, person.value ->> 3, person.value ->> 4, 0
FROM photos JOIN json_each(photos.people) AS person;
UPDATE people SET photos = 0;
UPDATE people SET photos = counted.photos
FROM (
  SELECT person.value ->> 0 AS id, count(*) AS photos
  FROM photos JOIN json_each(photos.people) AS person
  GROUP BY 1
) AS counted
WHERE people.id = counted.id;
DELETE FROM people WHERE photos = 0;
DELETE FROM pairs;
INSERT INTO pairs (person, other, photos, score, digest, at_ms)
SELECT one.value ->> 0, other.value ->> 0, count(*), max(min(one.value ->> 2, other.value ->> 2)), digest, at_ms
FROM photos JOIN json_each(photos.people) AS one JOIN json_each(photos.people) AS other
WHERE one.key <> other.key AND NOT photos.is_vetoed
GROUP BY 1, 2;
INSERT INTO names (part, person)
WITH RECURSIVE parts (part, person) AS (
  SELECT folded, id FROM people
  UNION ALL
  SELECT substr(part, instr(part, ' ') + 1), person FROM parts WHERE instr(part, ' ') > 0
)
SELECT DISTINCT part, person FROM parts;
UPDATE memory SET version = 2,
  photos = (SELECT count(*) FROM photos),
  people = (SELECT count(*) FROM people),
  pairs = (SELECT count(*) / 2 FROM pairs);
