//! Parses random and malicious external bytes: no parser may panic, or take more than twice the memory of its largest
//! input.
//!
//! `cargo test` runs a few inputs of each target. CONTRIBUTING.md has the command for millions.
#![allow(
    missing_docs,
    clippy::cast_precision_loss,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used
)]

mod arguments;
mod automaton_targets;
mod browser_targets;
mod bulk;
mod corpus;
mod coverage;
mod engine_targets;
mod mask_targets;
mod memory;
mod mutation;
mod pictures;
mod provider_targets;
mod runner;
mod targets;
mod tool_targets;
mod word_targets;

use std::process::ExitCode;

use arguments::Arguments;
use runner::{Amount, Target};

fn main() -> ExitCode {
    let arguments = match Arguments::read(std::env::args().skip(1)) {
        Ok(Some(arguments)) => arguments,
        Ok(None) => return ExitCode::SUCCESS,
        Err(words) => {
            eprintln!("{words}");
            return ExitCode::FAILURE;
        }
    };
    // A panic is reported once, with its input.
    std::panic::set_hook(Box::new(|_| ()));
    let targets = targets::all().into_iter().chain(provider_targets::all());
    let targets = targets.chain(engine_targets::all());
    let targets = targets.chain(automaton_targets::all());
    let targets = targets.chain(browser_targets::all());
    let targets = targets.chain(mask_targets::all());
    let targets = targets.chain(tool_targets::all());
    let targets = targets.chain(word_targets::all());
    let chosen = targets.filter(|target| arguments.chooses(target.name));
    println!("\nseed {}", arguments.amount.seed);
    println!("target                    inputs  inputs/s  peak bytes / bound bytes  edges");
    let (mut passed, mut failed) = (0, 0);
    for target in chosen {
        if run(&target, &arguments) {
            passed += 1;
        } else {
            failed += 1;
        }
    }
    let word = if failed == 0 { "ok" } else { "FAILED" };
    // In the format of cargo's own tests, for tools that count them.
    println!("\ntest result: {word}. {passed} passed; {failed} failed; 0 ignored\n");
    if failed == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// Returns whether the target passed.
fn run(target: &Target, arguments: &Arguments) -> bool {
    let Amount { seed, inputs, .. } = arguments.amount;
    let result = match &arguments.input {
        Some(input) => target.check(input).map(|peak| println!("{peak} bytes")),
        None => target.run(arguments.amount).map(|outcome| {
            println!(
                "{:22} {:>9} {:>9.0}  {:>10} / {:<10} {:.2}  {}",
                target.name,
                outcome.inputs,
                outcome.inputs_per_second,
                outcome.peak_bytes,
                target.bound_bytes,
                outcome.peak_bytes as f64 / target.bound_bytes as f64,
                outcome
                    .edges
                    .map_or("not counted".into(), |edges| edges.to_string()),
            );
        }),
    };
    let Err(fault) = result else { return true };
    let name = target.name;
    println!("{name} FAILED: {}", fault.what);
    println!(
        "  seed {seed}, an input of {} bytes: {}",
        fault.input.len(),
        String::from_utf8_lossy(&fault.input[..fault.input.len().min(400)])
    );
    if arguments.input.is_none() {
        let path = fault.keep(name);
        println!(
            "  again: cargo test --test fuzz -- {name} --input {}",
            path.display()
        );
        println!("  all:   cargo test --test fuzz -- {name} --seed {seed} --inputs {inputs}");
    }
    false
}
