-- What a recogniser told with its answer. A recogniser that looks only for some people is not believed about others.

ALTER TABLE photos ADD COLUMN model TEXT;      -- the recogniser's model and its version, where it tells them
ALTER TABLE photos ADD COLUMN candidates TEXT; -- JSON: whom it looked for; null where that is everybody whom it knows
UPDATE memory SET version = 4;
