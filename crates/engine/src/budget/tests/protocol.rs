//! Tests runs, each with an object of its own, around one budget: every message may be late, come
//! twice or never, and every object may die at any moment. What the runs' calls cost in truth is
//! held against the budget after each step.

use super::*;

const BUDGET: u64 = 35;
/// The most that a run may spend.
const MOST: u64 = 7;
const RUNS: usize = 20;

/// The phase of a run.
#[derive(Clone, Copy, Default, PartialEq, PartialOrd)]
enum Phase {
    #[default]
    NotBegun,
    GoesOn,
    Ended,
    Settled,
    Deleted,
}

/// The part of a run's object that is stored.
#[derive(Clone, Copy, Default)]
struct RunObject {
    phase: Phase,
    calls: u64,
    /// The number of the last grant that the object gave back. That grant and those before it begin
    /// no run.
    released: u64,
}

impl RunObject {
    fn account(&self) -> RunAccount {
        match self.phase {
            Phase::NotBegun | Phase::Deleted => RunAccount::Unknown,
            Phase::GoesOn => RunAccount::GoesOn,
            Phase::Ended | Phase::Settled => RunAccount::Ended {
                spent: amount(self.calls, 0, 0),
            },
        }
    }
}

/// A message on its way.
#[derive(Clone)]
enum Message {
    Granted {
        run: usize,
        asked_ms: u64,
        number: u64,
    },
    Settle {
        run: usize,
        spent: u64,
    },
    Release {
        run: usize,
        number: u64,
    },
    Account {
        due: DueReservation,
        account: RunAccount,
    },
}

struct Stage {
    chance: Chance,
    now_ms: u64,
    budget: DailyBudget,
    runs: [RunObject; RUNS],
    way: Vec<Message>,
    refused: u64,
}

impl Stage {
    fn new(seed: u64) -> Self {
        Self {
            chance: Chance(seed),
            now_ms: NOON_MS,
            budget: DailyBudget::default(),
            runs: [RunObject::default(); RUNS],
            way: Vec::new(),
            refused: 0,
        }
    }

    /// Sends a message, which is lost, sent, or sent twice.
    fn send(&mut self, message: Message) {
        let copies = match self.chance.below(8) {
            0 => 0,
            1 => 2,
            _ => 1,
        };
        for _ in 0..copies {
            self.way.push(message.clone());
        }
    }

    fn step(&mut self) {
        self.now_ms += self.chance.below(5_000);
        let run = usize::try_from(self.chance.below(RUNS as u64)).unwrap();
        match self.chance.below(8) {
            0 | 1 => self.create(run),
            2 | 3 => self.go_on(run),
            4 => self.delete(run),
            5 => self.ask_due(),
            6 => self.budget = reborn(&self.budget),
            _ => {}
        }
        if !self.way.is_empty() && !self.chance.one_in(3) {
            let next = self.chance.below(self.way.len() as u64);
            let message = self.way.swap_remove(usize::try_from(next).unwrap());
            self.deliver(message);
        }
    }

    fn create(&mut self, run: usize) {
        if self.runs[run].phase > Phase::NotBegun {
            return;
        }
        let limits = StartLimits {
            daily_searches_max: Some(BUDGET),
            ..StartLimits::default()
        };
        let claim = claim(&run.to_string(), "x", amount(MOST, 0, 0), limits);
        match self.budget.reserve(&claim, self.now_ms) {
            Ok(number) => {
                let asked_ms = self.now_ms;
                self.send(Message::Granted {
                    run,
                    asked_ms,
                    number,
                });
            }
            Err(_) => self.refused += 1,
        }
    }

    fn go_on(&mut self, run: usize) {
        let object = &mut self.runs[run];
        match object.phase {
            Phase::GoesOn => {
                object.calls += u64::from(object.calls < MOST);
                if object.calls == MOST || self.chance.one_in(6) {
                    object.phase = Phase::Ended;
                }
            }
            Phase::Ended => {
                let spent = object.calls;
                self.send(Message::Settle { run, spent });
            }
            Phase::NotBegun | Phase::Settled | Phase::Deleted => {}
        }
    }

    /// Deletes a run's object once its settlement is known to have come.
    fn delete(&mut self, run: usize) {
        let object = &mut self.runs[run];
        if object.phase == Phase::Settled {
            object.phase = Phase::Deleted;
        }
    }

    fn ask_due(&mut self) {
        for due in self.budget.due(self.now_ms, 3) {
            let run: usize = due.run.parse().unwrap();
            if self.chance.one_in(3) {
                self.budget.note_account(&due, None, self.now_ms);
            } else {
                let account = self.runs[run].account();
                self.send(Message::Account { due, account });
            }
        }
    }

    fn deliver(&mut self, message: Message) {
        let now_ms = self.now_ms;
        match message {
            Message::Granted {
                run,
                asked_ms,
                number,
            } => {
                // A grant that has taken too long may be given back by now.
                let is_fresh = now_ms - asked_ms <= ledger::GRANT_MS_MAX;
                let holds = is_fresh && number > self.runs[run].released;
                if holds && !self.chance.one_in(6) {
                    let phase = &mut self.runs[run].phase;
                    if *phase == Phase::NotBegun {
                        *phase = Phase::GoesOn;
                    }
                } else if self.runs[run].phase == Phase::NotBegun {
                    let released = &mut self.runs[run].released;
                    *released = number.max(*released);
                    self.send(Message::Release { run, number });
                }
            }
            Message::Settle { run, spent } => {
                self.budget
                    .settle(&run.to_string(), amount(spent, 0, 0), now_ms);
                let is_heard = !self.chance.one_in(4);
                let phase = &mut self.runs[run].phase;
                if is_heard && *phase == Phase::Ended {
                    *phase = Phase::Settled;
                }
            }
            Message::Release { run, number } => self.budget.release(&run.to_string(), number),
            Message::Account { due, account } => {
                self.budget.note_account(&due, Some(account), now_ms);
            }
        }
    }

    /// Returns the number of the runs' calls in truth.
    fn calls(&self) -> u64 {
        self.runs.iter().map(|object| object.calls).sum()
    }
}

#[test]
fn no_loss_repetition_or_death_lets_the_runs_pass_the_budget() {
    let (mut spent, mut refused, mut full) = (0, 0, 0);
    for seed in 0..100 {
        let mut stage = Stage::new(seed);
        for step in 0..2_000 {
            stage.step();
            assert!(stage.calls() <= BUDGET, "seed {seed}, step {step}");
        }
        // In the end every run is asked, and the books are right to the call.
        stage.way.clear();
        for object in &mut stage.runs {
            if object.phase == Phase::GoesOn {
                object.phase = Phase::Ended;
            }
        }
        stage.now_ms += 600_000;
        for due in stage.budget.due(stage.now_ms, RUNS) {
            let run: usize = due.run.parse().unwrap();
            let account = stage.runs[run].account();
            stage.budget.note_account(&due, Some(account), stage.now_ms);
        }
        let report = stage.budget.report(stage.now_ms);
        assert_eq!(report.reserved, amount(0, 0, 0), "seed {seed}");
        assert_eq!(report.spent.searches, stage.calls(), "seed {seed}");
        spent += stage.calls();
        refused += stage.refused;
        full += u64::from(stage.calls() + MOST > BUDGET);
    }
    assert!(
        refused > 1_000 && full > 30,
        "{spent} calls, {refused} refused, {full} full"
    );
}
