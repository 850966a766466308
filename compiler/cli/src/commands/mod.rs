//! The subcommands, one file each.

mod bench_tcp;
mod breaking;
mod check;
mod completions;
mod conform;
mod convert;
mod decode;
mod doc;
mod encode;
mod explain;
mod explain_code;
mod fmt;
mod generate;
mod index;
mod init;
mod layout;
mod lint;
mod lock;
mod log;
mod lsp;
mod matrix;
mod order;
mod orders;
mod plan;
mod random;
mod recv;
mod rules;
mod send;
mod stats;
mod testee;
mod versions;
mod witnesses;

pub use order::generated;

use crate::failure::Outcome;
use crate::output::Output;
use clap::Subcommand;

#[derive(Debug, Subcommand)]
pub enum Command {
    Init(init::InitArgs),
    Check(check::CheckArgs),
    Breaking(breaking::BreakingArgs),
    Lock(lock::LockArgs),
    Fmt(fmt::FmtArgs),
    Lint(lint::LintArgs),
    Lsp(lsp::LspArgs),
    Doc(doc::DocArgs),
    Plan(plan::PlanArgs),
    Layout(layout::LayoutArgs),
    Gen(generate::GenArgs),
    Decode(decode::DecodeArgs),
    Convert(convert::ConvertArgs),
    Index(index::IndexArgs),
    Encode(encode::EncodeArgs),
    Explain(explain::ExplainArgs),
    Stats(stats::StatsArgs),
    ExplainCode(explain_code::ExplainCodeArgs),
    Random(random::RandomArgs),
    Conform(conform::ConformArgs),
    Send(send::SendArgs),
    Recv(recv::RecvArgs),
    Log(log::LogArgs),
    BenchTcp(bench_tcp::BenchTcpArgs),
    Testee(testee::TesteeArgs),
    Completions(completions::CompletionsArgs),
    Man(completions::ManArgs),
    #[command(hide = true)]
    Matrix,
}

/// Runs a subcommand of the `whole` command line.
pub fn run(command: Command, whole: clap::Command, output: &Output) -> Outcome {
    match command {
        Command::Init(args) => init::run(&args, output),
        Command::Check(args) => check::run(&args, output),
        Command::Breaking(args) => breaking::run(&args, output),
        Command::Lock(args) => lock::run(&args, output),
        Command::Fmt(args) => fmt::run(&args, output),
        Command::Lint(args) => lint::run(&args, output),
        Command::Lsp(args) => lsp::run(&args),
        Command::Doc(args) => doc::run(&args, output),
        Command::Plan(args) => plan::run(&args, output),
        Command::Layout(args) => layout::run(&args, output),
        Command::Gen(args) => generate::run(&args, output),
        Command::Decode(args) => decode::run(&args, output),
        Command::Convert(args) => convert::run(&args, output),
        Command::Index(args) => index::run(&args, output),
        Command::Encode(args) => encode::run(&args, output),
        Command::Explain(args) => explain::run(&args, output),
        Command::Stats(args) => stats::run(&args, output),
        Command::ExplainCode(args) => explain_code::run(&args, output),
        Command::Random(args) => random::run(&args, output),
        Command::Conform(args) => conform::run(&args, output),
        Command::Send(args) => send::run(&args, output),
        Command::Recv(args) => recv::run(&args, output),
        Command::Log(args) => log::run(&args, output),
        Command::BenchTcp(args) => bench_tcp::run(&args, output),
        Command::Testee(args) => testee::run(&args, output),
        Command::Completions(args) => completions::completions(&args, whole, output),
        Command::Man(args) => completions::man(&args, whole),
        Command::Matrix => matrix::run(output),
    }
}
