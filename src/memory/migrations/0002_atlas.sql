-- What the atlas looks up, and what it takes to forget somebody.

-- The people of each photo of whom the recogniser is sure.
CREATE TABLE faces (
  person TEXT NOT NULL,
  digest TEXT NOT NULL,
  confidence REAL NOT NULL,
  PRIMARY KEY (person, digest)
) WITHOUT ROWID;

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
SELECT person.value ->> 0, photos.digest, person.value ->> 2
FROM photos JOIN json_each(photos.people) AS person;
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
