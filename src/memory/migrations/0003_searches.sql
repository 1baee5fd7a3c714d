-- Answers of image searches whose terms allow keeping them.

CREATE TABLE searches (
  number INTEGER PRIMARY KEY,    -- in the order in which they were kept
  question TEXT NOT NULL UNIQUE, -- SHA-256 of the request, in hexadecimal digits
  at_ms INTEGER NOT NULL,        -- the time of the answer, in milliseconds since 1970
  until_ms INTEGER NOT NULL,     -- the time until which it is kept
  body TEXT NOT NULL             -- the raw body of the answer
);
CREATE INDEX searches_by_until ON searches (until_ms);
UPDATE memory SET version = 3;
