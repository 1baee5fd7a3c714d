//! What titles, categories and descriptions say, in tables with a line for each title:
//!
//! - `wax! [Wax figure] of Lucy`: the words in brackets are quoted, and reject the photo;
//! - `poster? [Plakat] 2010`: the words in brackets leave a doubt;
//! - `- Lucy at a gala`: an honest title.

mod asian;
mod english;
mod germanic;
mod hits;
mod romance;
mod slavic;

use super::*;

fn doubt_of(title: &str) -> Option<WordDoubt> {
    of_hit(&Hit {
        title: title.to_owned(),
        ..Hit::default()
    })
}

/// Makes the doubt that a sign such as `wax!` or `poster?` stands for.
fn doubt(sign: &str, words: &str) -> WordDoubt {
    let rejects = sign.ends_with('!');
    WordDoubt {
        sign: WordSign::named(sign.trim_end_matches(['!', '?'])).unwrap(),
        words: words.to_owned(),
        rejects,
    }
}

/// Checks a table, and then shows all lines that are read otherwise. A table has at least eight lines of either kind.
#[track_caller]
fn check(table: &str) {
    let mut counts = [0, 0];
    let mut others = Vec::new();
    let lines = table.lines().map(str::trim);
    for line in lines.filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let (sign, marked) = line.split_once(' ').unwrap();
        let expected = (sign != "-").then(|| {
            let (_, from_words) = marked.split_once('[').unwrap();
            doubt(sign, from_words.split_once(']').unwrap().0)
        });
        counts[usize::from(expected.is_some())] += 1;
        let read = doubt_of(&marked.replace(['[', ']'], ""));
        if read != expected {
            others.push(format!("{line}: {read:?}"));
        }
    }
    assert!(others.is_empty(), "{}", others.join("\n"));
    assert!(counts[0] >= 8 && counts[1] >= 8, "{counts:?}");
}
