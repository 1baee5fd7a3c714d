//! A run whose process died.

use kernel::{LostCall, Millis};
use workflow::machine::{Input, Outcome, WorkflowRun};

use super::table::{Table, answer, chain, texts, tool};

#[test]
fn a_lost_call_is_asked_for_again_under_its_number() {
    let order = Table::new(&chain(&[tool(1, "a"), tool(2, "b")])).order;
    let mut run = WorkflowRun::new(order).unwrap();
    run.handle(Input::Start, Millis(1_000));
    let command = run.next_command().unwrap();
    let lost = LostCall {
        attempts: 1,
        ..LostCall::unsent(command.id)
    };
    run.handle(Input::Resumed { lost: vec![lost] }, Millis(900_000));
    let again = run.next_command().unwrap();
    assert_eq!((again.id, &again.action), (command.id, &command.action));
    // The time between processes is not the run's.
    assert_eq!(run.spent().runtime_ms, 0);
    assert_eq!(run.spent().tool_calls, 2, "the lost one may have been made");
    run.handle(
        Input::Answer(answer(&again, Outcome::Called(texts(&["x"])))),
        Millis(900_001),
    );
    assert_eq!(run.next_command().unwrap().id.0, 2);
}

#[test]
fn the_same_inputs_give_the_same_run() {
    let order = Table::new(&chain(&[tool(1, "a")])).order;
    let told = || {
        let mut run = WorkflowRun::new(order.clone()).unwrap();
        run.handle(Input::Start, Millis(5));
        run.handle(Input::Remark("slow".into()), Millis(4));
        let command = run.next_command().unwrap();
        run.handle(
            Input::Answer(answer(&command, Outcome::Called(texts(&["x"])))),
            Millis(9),
        );
        // It is not awaited any more.
        run.handle(Input::Answer(answer(&command, Outcome::Waited)), Millis(10));
        std::iter::from_fn(|| run.next_notice()).collect::<Vec<_>>()
    };
    assert_eq!(told(), told());
    assert!(told().iter().all(|notice| notice.at >= Millis(5)));
}
