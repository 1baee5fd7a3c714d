-- What runs have recognised: photos by the digest of their bytes, and who was seen with whom.

-- The version of these tables. A program of an older version leaves newer ones alone.
CREATE TABLE memory (version INTEGER NOT NULL);
INSERT INTO memory (version) VALUES (1);

CREATE TABLE photos (
  digest TEXT PRIMARY KEY,       -- SHA-256 of the photo's bytes, in hexadecimal digits
  recogniser TEXT NOT NULL,
  at_ms INTEGER NOT NULL,        -- the time of the answer, in milliseconds since 1970
  body TEXT,                     -- SHA-256 of the answer's raw body
  is_vetoed INTEGER NOT NULL,    -- 1 where the pixels spoke against it
  hit TEXT NOT NULL,             -- JSON: the photo's address, its page, title and credit
  faces TEXT NOT NULL,           -- JSON: the recogniser's answer
  people TEXT NOT NULL           -- JSON: the ids, names and confidences of those who are sure
) WITHOUT ROWID;

CREATE TABLE people (
  id TEXT PRIMARY KEY,           -- the recogniser's id, or one made of the name
  name TEXT NOT NULL,
  folded TEXT NOT NULL,          -- the name as names are compared
  number TEXT,                   -- the Wikidata number
  photos INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX people_by_name ON people (folded, photos DESC);
CREATE INDEX people_by_number ON people (number, photos DESC) WHERE number IS NOT NULL;

-- Every two people of one photo that nothing speaks against, in both orders, with their best photo.
CREATE TABLE pairs (
  person TEXT NOT NULL,
  other TEXT NOT NULL,
  photos INTEGER NOT NULL,
  score REAL NOT NULL,           -- the lower confidence of the two in the best photo
  digest TEXT NOT NULL,
  at_ms INTEGER NOT NULL,        -- the time of the answer to that photo
  PRIMARY KEY (person, other)
) WITHOUT ROWID;
CREATE INDEX pairs_by_photos ON pairs (person, photos DESC, score DESC, digest);
