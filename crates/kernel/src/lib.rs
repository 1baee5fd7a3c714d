//! What every engine shares: an outbox, allowances, and time as a value. No engine is known here.
//!
//! # The contract of an engine
//!
//! An engine is a pure machine that decides what a run does next. Each keeps to this,
//! so that the journal, the sealed file, the conductor and the stream depend only on its data types:
//!
//! 1. **It takes one input at a time**, by `handle(input, now)`. Then its notices and then its
//!    commands are drained, and only then comes the next input.
//! 2. **It is pure.** It never awaits, reads no clock, draws no random number, keeps nothing
//!    outside itself and knows none of the forms in which it is kept or sent. The same order and
//!    the same inputs with the same times give the same notices and commands, natively and in
//!    WebAssembly, today and in a replay. So it uses no floating-point operation but `+ - * /` and
//!    the square root, and no hash map.
//! 3. **Time is an input.** Each input carries [`Millis`]. The clock may step back; an engine's
//!    time does not.
//! 4. **A command has a number**, from 1, rising by one. Its answer carries the number. Commands
//!    may be carried out at the same time, but their answers are handed in by rising numbers: one
//!    that comes early waits for those before it, so that the same answers give the same run.
//! 5. **A failure is an answer too.** The conductor retries, each attempt within the command's
//!    `attempts_max` and `time_left_ms`; the engine decides what the outcome means.
//! 6. **The cost of a call is noted before the call is sent**, by an [`Allowance`] for each kind
//!    of call. An answer says how many attempts were really made and what they cost. A budget is
//!    never passed, whatever is lost.
//! 7. **It can be interrupted at any input.** The next input lists the lost calls. Each counts as
//!    spent; the engine repeats it under its number, or goes on without it. The time in which
//!    nobody conducted the run is not the run's time.
//! 8. **It ends by itself**, with exactly one last notice. When its end is decided it says so,
//!    takes in what is answered by then, and waits only to hear that the other calls are withdrawn.
//!    After the last notice it ignores every input.
//! 9. **It never panics**, and each of its steps uses up something finite, so that it comes to an
//!    end.
//!
//! What stands around an engine needs these values of it, each with a stored form: the *order*
//! (what the run was asked), the *command* with its question, the *answer*, and the *notice*.
//! [`engine`] is the contract for them, and [`visual_degrees::engines`] has a row for each engine.

mod allowance;
mod exchange;
mod outbox;
mod time;

pub use allowance::Allowance;
pub use exchange::{Answer, Command, CommandId, Input, LostCall};
pub use outbox::Outbox;
pub use time::Millis;
