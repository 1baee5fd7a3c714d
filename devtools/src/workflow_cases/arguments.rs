//! The arguments of the program `workflows`.

/// The help text of the program.
pub const CASES_HELP: &str = "\
Executes recorded workflow cases in memory and compares what comes of them.

    workflows --cases FOLDER [--json]
    workflows --speed

    --cases FOLDER   every .json file of this folder is a case
    --speed          how long the engine takes by itself, for a large graph and a long loop
    --json           the last line is {\"cases\", \"equal\", \"different\": [names]}

Prints each case that differs with its first difference. Ends with 0, with 1 where one differs, and
with 2 where the arguments or a file cannot be read.
";

/// What the program is to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CasesTask {
    /// Print the help.
    Help,
    /// Measure the engine.
    Speed,
    /// Execute the cases of a folder.
    Run {
        /// The path of the folder with the cases.
        folder: String,
        /// Whether to also print the figures as JSON, in the last line.
        json: bool,
    },
}

/// Parses the program's arguments. The error is one sentence for the user.
pub fn parse_cases(arguments: impl IntoIterator<Item = String>) -> Result<CasesTask, String> {
    let mut arguments = arguments.into_iter();
    let (mut folder, mut json) = (None, false);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--help" | "-h" => return Ok(CasesTask::Help),
            "--speed" => return Ok(CasesTask::Speed),
            "--json" => json = true,
            "--cases" => {
                folder = arguments.next();
                if folder.is_none() {
                    return Err("--cases needs a folder".to_owned());
                }
            }
            other => return Err(format!("{other} is not known; --help tells what is")),
        }
    }
    let folder = folder.ok_or("--cases FOLDER is missing; --help tells more")?;
    Ok(CasesTask::Run { folder, json })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_read_or_refused() {
        let parse = |arguments: &[&str]| parse_cases(arguments.iter().map(ToString::to_string));
        let run = |json| CasesTask::Run {
            folder: "a".into(),
            json,
        };
        assert_eq!(parse(&["--cases", "a"]), Ok(run(false)));
        assert_eq!(parse(&["--json", "--cases", "a"]), Ok(run(true)));
        assert_eq!(parse(&["--help"]), Ok(CasesTask::Help));
        assert_eq!(parse(&["--speed"]), Ok(CasesTask::Speed));
        for wrong in [&[][..], &["--cases"], &["--case", "a"]] {
            assert!(parse(wrong).is_err(), "{wrong:?}");
        }
    }
}
