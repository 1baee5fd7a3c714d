//! A run that continues after its process has died.

use std::collections::VecDeque;

use domain::{
    Confidence, Face, FaceBox, Hit, Limits, Name, PhotoCopy, Plan, Provenance, Sha256Digest,
};
use investigation::machine::{
    Action, Answer, Command, Fetched, Input, Investigation, NoticeKind, Outcome, Request,
};
use kernel::{LostCall, Millis};

/// A run for Ann and Bob, whose calls are answered by the test.
struct Run {
    machine: Investigation,
    commands: VecDeque<Command>,
    told: Vec<String>,
}

impl Run {
    fn begin(limits: Limits) -> Self {
        let request = Request {
            sources: Vec::new(),
            person_a: Name::parse("Ann").unwrap().into(),
            person_b: Name::parse("Bob").unwrap().into(),
            avoid: Vec::new(),
            limits,
        };
        let mut run = Self {
            machine: Investigation::new(request),
            commands: VecDeque::new(),
            told: Vec::new(),
        };
        run.take(Input::Start);
        run
    }

    fn take(&mut self, input: Input) {
        self.machine.handle(input, Millis(1));
        while let Some(notice) = self.machine.next_notice() {
            self.told.push(match notice.kind {
                NoticeKind::Status(status) => status.message,
                NoticeKind::Final(report) => format!("final, {} edges", report.edges.len()),
                NoticeKind::NoPath(report) => format!("no path: {}", report.reason.as_str()),
                other => format!("{other:?}"),
            });
        }
        while let Some(command) = self.machine.next_command() {
            self.commands.push_back(command);
        }
    }

    fn answer(&mut self, outcome: impl Fn(&Action) -> Outcome) {
        let command = self.commands.pop_front().expect("a command");
        self.take(Input::Answer(Answer {
            command: command.id,
            attempts: 1,
            throttled: 0,
            nano_usd: 0,
            outcome: outcome(&command.action),
            remarks: Vec::new(),
        }));
    }

    /// Answers everything up to the first recognition.
    fn answer_until_recognition(&mut self, photos: u8) {
        while !matches!(self.commands[0].action, Action::Recognise { .. }) {
            self.answer(|action| match action {
                Action::Fetch { image_url, .. } => Outcome::Fetched(Ok(Fetched {
                    provenance: Provenance::default(),
                    remembered: None,
                    sent: None,
                    fingerprint: None,
                    digest: Sha256Digest::new([image_url.as_bytes()[0]; 32]),
                    copy: PhotoCopy::Image,
                })),
                _ => Outcome::Searched(Ok((0..photos).map(hit).collect())),
            });
        }
    }

    fn has_told(&self, words: &str) -> bool {
        self.told.iter().any(|told| told.contains(words))
    }
}

fn hit(number: u8) -> Hit {
    Hit {
        image_url: format!("{number}.jpg"),
        ..Hit::default()
    }
}

fn faces(names: &[&str]) -> Outcome {
    let face = |name: &&str| Face {
        id: (*name).to_owned(),
        name: (*name).to_owned(),
        confidence: Confidence::clamped(95.0),
        face_box: FaceBox {
            left: 0.1,
            top: 0.1,
            width: 0.1,
            height: 0.1,
        },
        urls: Vec::new(),
        portrait: None,
    };
    let faces: Vec<Face> = names.iter().map(face).collect();
    Outcome::Recognised(Ok(faces.into()))
}

#[test]
fn a_lost_photo_that_may_not_be_looked_at_again_does_not_end_the_run_before_another() {
    let mut run = Run::begin(Limits {
        plan: Plan::BothEnds,
        planner_calls_max: 0,
        recognitions_max: 2,
        ..Limits::default()
    });
    run.answer_until_recognition(2);
    let attempts: Vec<u32> = run.commands.iter().map(|one| one.attempts_max).collect();
    assert_eq!(attempts, [1, 1], "nothing is left beside them");
    let lost = run.commands.pop_front().expect("the first photo");
    run.take(Input::Resumed {
        lost: vec![LostCall {
            command: lost.id,
            attempts: 1,
            throttled: 0,
            nano_usd: 0,
        }],
    });
    assert!(!run.machine.is_ended());
    assert!(run.has_told("Photo 1 could not be read: the answer was lost"));
    // The other photo was recognised before the crash.
    run.answer(|_| faces(&["Ann", "Bob"]));
    assert!(run.has_told("final, 1 edges"), "{:?}", run.told);
}

#[test]
fn a_lost_search_that_may_not_be_made_again_ends_the_run_for_want_of_searches() {
    let mut run = Run::begin(Limits {
        plan: Plan::BothEnds,
        planner_calls_max: 0,
        searches_max: 1,
        ..Limits::default()
    });
    let lost = run.commands.pop_front().expect("the search");
    run.take(Input::Resumed {
        lost: vec![LostCall {
            command: lost.id,
            attempts: 1,
            throttled: 0,
            nano_usd: 0,
        }],
    });
    assert!(run.has_told("The answer to “Ann Bob” was lost; it may not be asked again."));
    assert!(run.has_told("no path: search_budget"), "{:?}", run.told);
}

#[test]
fn a_photo_is_needed_until_nobody_would_recognise_it() {
    let mut run = Run::begin(Limits {
        plan: Plan::BothEnds,
        planner_calls_max: 0,
        ..Limits::default()
    });
    run.answer_until_recognition(2);
    let fetched: Vec<_> = run
        .commands
        .iter()
        .map(|command| match command.action {
            Action::Recognise { fetched_by } => fetched_by,
            _ => panic!("{command:?}"),
        })
        .collect();
    let needed = |run: &Run| {
        fetched
            .iter()
            .map(|by| run.machine.needs_photo(*by))
            .collect()
    };
    let all: Vec<bool> = needed(&run);
    assert_eq!(all, [true, true]);
    run.answer(|_| faces(&["Ann"]));
    let rest: Vec<bool> = needed(&run);
    assert_eq!(rest, [false, true]);
    run.answer(|_| faces(&["Ann", "Bob"]));
    let none: Vec<bool> = needed(&run);
    assert_eq!(none, [false, false]);
}
