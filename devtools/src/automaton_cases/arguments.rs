//! The arguments of the program `automata`.

/// The help text of the program.
pub const AUTOMATA_HELP: &str = "\
Executes recorded cases of automata in memory, and compares which states ran, which calls they made
with which arguments, and how the run ended; times and looks are not compared.

    automata --cases FOLDER [--json]
    automata --files FOLDER

    --cases FOLDER   every .json file of this folder is a case
    --files FOLDER   every .json file of this folder is a list of states; each is read, or refused with
                     its state, its line and its byte
    --json           the last line is {\"cases\", \"equal\", \"different\": [names]}

Prints each case that differs with its first difference. Ends with 0, with 1 where one differs or a file
is refused, and with 2 where the arguments or a file cannot be read.
";

/// What the program is to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AutomataTask {
    /// Print the help.
    Help,
    /// Parse the files of states in a folder.
    Read {
        /// The path of the folder with the files.
        folder: String,
    },
    /// Execute the cases of a folder.
    Run {
        /// The path of the folder with the cases.
        folder: String,
        /// Whether to print the figures as JSON besides the sentence.
        json: bool,
    },
}

/// Parses the program's arguments. The error is one sentence for the user.
pub fn parse_automata(arguments: impl IntoIterator<Item = String>) -> Result<AutomataTask, String> {
    let mut arguments = arguments.into_iter();
    let (mut cases, mut files, mut json) = (None, None, false);
    while let Some(argument) = arguments.next() {
        let folder = match argument.as_str() {
            "--help" | "-h" => return Ok(AutomataTask::Help),
            "--json" => {
                json = true;
                continue;
            }
            "--cases" => &mut cases,
            "--files" => &mut files,
            other => return Err(format!("{other} is not known; --help tells what is")),
        };
        let given = arguments.next();
        *folder = Some(given.ok_or_else(|| format!("{argument} needs a folder"))?);
    }
    match (cases, files) {
        (Some(folder), None) => Ok(AutomataTask::Run { folder, json }),
        (None, Some(folder)) => Ok(AutomataTask::Read { folder }),
        _ => Err("--cases FOLDER or --files FOLDER is missing; --help tells more".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_read_or_refused() {
        let parse = |arguments: &[&str]| parse_automata(arguments.iter().map(ToString::to_string));
        let run = |json| AutomataTask::Run {
            folder: "a".into(),
            json,
        };
        assert_eq!(parse(&["--cases", "a"]), Ok(run(false)));
        assert_eq!(parse(&["--json", "--cases", "a"]), Ok(run(true)));
        let read = AutomataTask::Read { folder: "a".into() };
        assert_eq!(parse(&["--files", "a"]), Ok(read));
        assert_eq!(parse(&["--help"]), Ok(AutomataTask::Help));
        for wrong in [
            &[][..],
            &["--cases"],
            &["--case", "a"],
            &["--cases", "a", "--files", "b"],
        ] {
            assert!(parse(wrong).is_err(), "{wrong:?}");
        }
    }
}
