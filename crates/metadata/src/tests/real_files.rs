//! Files that other programs have written; `tests/photos/metadata/README.md` says how.
