//! A real editor: Neovim with the configuration in `editors`.

use crate::folder;
use std::fs;
use std::path::Path;
use std::process::Command;

const TEXT: &str = "package shop\n\nstruct Order(1)\n{\n    intt64 id;\n}\n\nstruct Line(2)\n{\n  Order order;\n}\n";

#[test]
#[allow(clippy::print_stderr)]
fn neovim_shows_problems_hovers_jumps_renames_and_formats() {
    if Command::new("nvim").arg("--version").output().is_err() {
        eprintln!("skipped: there is no nvim here; `make setup` installs it where it can be had");
        return;
    }
    let folder = folder("neovim");
    let (file, out) = (folder.join("shop.fbe"), folder.join("seen"));
    fs::write(&file, TEXT).unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap();
    let commands = Path::new(env!("CARGO_BIN_EXE_aldis")).parent().unwrap();
    let path = std::env::var("PATH").unwrap();
    let ended = Command::new("nvim")
        .args(["--headless", "-n", "-u"])
        .arg(root.join("editors/nvim/aldis.lua"))
        .arg("-S")
        .arg(root.join("compiler/cli/tests/lsp/neovim.lua"))
        .env("PATH", format!("{}:{path}", commands.display()))
        .env("ALDIS_TEST_FILE", &file)
        .env("ALDIS_TEST_OUT", &out)
        .env("XDG_STATE_HOME", &folder)
        .env("XDG_DATA_HOME", &folder)
        .output()
        .unwrap();
    let seen = fs::read_to_string(&out).unwrap_or_default();
    let wanted = "diagnostic=4:4 there is no type `intt64` in package `shop`\nmended=yes\n\
        hover=**field** `Order.id`: i64  \ndefinition=2\nrenamed=  Request order;\nformatted=    Request order;\n";
    assert_eq!(seen, wanted, "{}", String::from_utf8_lossy(&ended.stderr));
}
