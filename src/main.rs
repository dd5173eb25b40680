//! The program `taut`; all of it is in [`taut::cli`].

fn main() -> std::process::ExitCode {
    taut::cli::main()
}
