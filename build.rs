//! Fails early if the Worker could not serve runs, with a message that says what to do.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=wrangler.toml");
    let target = std::env::var("CARGO_CFG_TARGET_ARCH").unwrap_or_default();
    let is_edge = std::env::var_os("CARGO_FEATURE_EDGE").is_some();
    let configuration = std::fs::read_to_string("wrangler.toml").unwrap_or_default();
    if target == "wasm32" && is_edge {
        for binding in ["KV", "RUNS", "ASSETS"] {
            if !configuration.contains(&format!("\"{binding}\"")) {
                println!(
                    "cargo:error=wrangler.toml has no binding \"{binding}\", without which the \
                     Worker cannot serve a run; restore it from the repository."
                );
            }
        }
    }
}
