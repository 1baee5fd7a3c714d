//! The sandbox as a program: one world, all providers, one port.

#[cfg(not(target_arch = "wasm32"))]
mod native {
    use std::collections::BTreeMap;
    use std::process::ExitCode;

    use sandbox::arguments::{HELP, SandboxTask, ServeSettings, parse, read_world};
    use sandbox::{Sandbox, World, server};
    use serde_json::{Value, json};
    use tokio::runtime::Builder;

    /// Does what the program's arguments say. Every failure prints one sentence and exits with code 1.
    pub(super) fn main() -> ExitCode {
        match parse(std::env::args().skip(1)).and_then(run) {
            Ok(()) => ExitCode::SUCCESS,
            Err(sentence) => {
                eprintln!("sandbox: {sentence}");
                ExitCode::FAILURE
            }
        }
    }

    fn run(task: SandboxTask) -> Result<(), String> {
        match task {
            SandboxTask::Help => {
                print!("{HELP}");
                Ok(())
            }
            SandboxTask::Check(path) => {
                describe(&read_world(&path)?);
                Ok(())
            }
            SandboxTask::Serve(settings) => {
                let runtime = Builder::new_current_thread().enable_all().build();
                let runtime = runtime.map_err(|error| format!("cannot start: {error}"))?;
                runtime.block_on(serve(*settings))
            }
        }
    }

    async fn serve(settings: ServeSettings) -> Result<(), String> {
        let (port, origin) = (settings.port, settings.origin.clone());
        let (world, mut options) = settings.load()?;
        let listener = server::bind(port).await?;
        let address = listener
            .local_addr()
            .map_err(|error| format!("no address: {error}"))?;
        let listening = format!("http://{address}");
        options.origin = origin.unwrap_or_else(|| listening.clone());
        describe(&world);
        let sandbox = Sandbox::new(world, options);
        eprintln!("sandbox: listening on {listening}");
        println!("{}", announcement(&sandbox, &listening));
        server::serve(listener, sandbox)
            .await
            .map_err(|error| format!("serving failed: {error}"))
    }

    fn describe(world: &World) {
        eprintln!("sandbox: world \"{}\" ({})", world.name, world.license);
        let lone = (0..world.people.len()).filter(|person| world.photos_of(*person).is_empty());
        eprintln!(
            "sandbox: {} people ({} in no photo), {} photos ({} of nobody)",
            world.people.len(),
            lone.count(),
            world.photos.len(),
            world
                .photos
                .iter()
                .filter(|photo| photo.people.is_empty())
                .count(),
        );
        match (world.example(), world.example_pair()) {
            (Some((a, b)), Some(pair)) => {
                eprintln!("sandbox: try {a} and {b}, {} hops apart", pair.hops);
            }
            _ => eprintln!("sandbox: no two people of this world are connected"),
        }
    }

    /// Returns the line that other programs parse: the listening address, and every setting that the Worker needs.
    fn announcement(sandbox: &Sandbox, listening: &str) -> Value {
        let (world, options) = (sandbox.world(), sandbox.options());
        let (a, b) = sandbox.example().cloned().unwrap_or_default();
        let mut settings: BTreeMap<&str, String> = options.worker_settings().into_iter().collect();
        settings.extend([("EXAMPLE_A", a.clone()), ("EXAMPLE_B", b.clone())]);
        let more = world.more_examples();
        let more: Vec<String> = more.iter().map(|(a, b)| format!("{a} | {b}")).collect();
        if !more.is_empty() {
            settings.insert("EXAMPLES", more.join("; "));
        }
        json!({
            "listening": listening, "world": world.name, "people": world.people.len(),
            "photos": world.photos.len(), "example": {"a": a, "b": b}, "settings": settings,
        })
    }
}

#[cfg(not(target_arch = "wasm32"))]
fn main() -> std::process::ExitCode {
    native::main()
}

/// WebAssembly has no sockets; the program only has to compile there.
#[cfg(target_arch = "wasm32")]
fn main() {}
