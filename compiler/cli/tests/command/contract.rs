//! Generated code and the package that it calls belong together: those of one minor version fit, others fail with words when the code is
//! compiled or loaded.

use super::{good, root, Folder, SBE};
use std::fs;
use std::path::Path;
use std::process::Command;

const OWN: &str = env!("CARGO_PKG_VERSION");

/// The files that say a package's version, and how.
const VERSIONS: [(&str, &str); 15] = [
    ("runtime/cpp/CMakeLists.txt", "project(aldis VERSION $ "),
    ("runtime/cpp/include/aldis/version.hpp", "#define ALDIS_VERSION_MAJOR $major\n"),
    ("runtime/cpp/include/aldis/version.hpp", "#define ALDIS_VERSION_MINOR $minor\n"),
    ("runtime/csharp/Aldis.csproj", "<Version>$</Version>"),
    ("runtime/csharp/src/Codec/Json.cs", "Version = \"$\";"),
    ("runtime/elixir/mix.exs", "version: \"$\""),
    ("runtime/elixir/lib/aldis/runtime.ex", "@version \"$\""),
    ("runtime/erlang/src/aldis.app.src", "{vsn, \"$\"}"),
    ("runtime/erlang/src/aldis_runtime.erl", "-define(VERSION, \"$\")."),
    ("runtime/java/pom.xml", "<version>$</version>\n    <name>"),
    ("runtime/java/src/main/java/aldis/codec/Version.java", "VERSION = \"$\";"),
    ("runtime/javascript/codec/package.json", "\"version\": \"$\""),
    ("runtime/javascript/codec/src/version.js", "const version = \"$\";"),
    ("runtime/python/pyproject.toml", "\nversion = \"$\"\n"),
    ("runtime/python/aldis/version.py", "VERSION = \"$\"\n"),
];

/// A version whose minor number is higher by one.
fn next() -> String {
    let minor: u32 = env!("CARGO_PKG_VERSION_MINOR").parse().unwrap();
    format!("{}.{}.0", env!("CARGO_PKG_VERSION_MAJOR"), minor + 1)
}

/// How a file says a version.
fn said(pattern: &str, version: &str) -> String {
    let numbers: Vec<&str> = version.split('.').collect();
    pattern.replace("$major", numbers[0]).replace("$minor", numbers[1]).replace('$', version)
}

/// The file of a runtime, as that of the next minor version has it.
fn of_next(file: &str) -> String {
    let text = fs::read_to_string(root().join(file)).unwrap();
    let patterns = VERSIONS.iter().filter(|(path, _)| *path == file);
    let made =
        patterns.fold(text.clone(), |text, (_, pattern)| text.replace(&said(pattern, OWN), &said(pattern, &next())));
    assert_ne!(made, text, "{file}");
    made
}

/// A folder with the market's code in a language.
fn market(language: &str) -> Folder {
    let folder = Folder::new(&format!("contract-{language}"));
    good(&["gen", SBE, "--lang", language, "--out", folder.0.to_str().unwrap()], b"");
    folder
}

/// The output of a command in a folder; it must end as it should.
fn run(folder: &Folder, does_well: bool, command: &str, arguments: &[&str]) -> String {
    let output = Command::new(command).args(arguments).current_dir(&folder.0).output().unwrap();
    let said = [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned()).concat();
    assert_eq!(output.status.success(), does_well, "{command} {arguments:?}\n{said}");
    said
}

#[test]
fn all_packages_have_the_version_of_the_command() {
    for (file, pattern) in VERSIONS {
        let text = fs::read_to_string(root().join(file)).unwrap();
        let wanted = said(pattern, OWN);
        assert!(text.contains(&wanted), "{file} does not say {wanted}");
    }
}

#[test]
fn erlang_is_not_loaded_by_another_runtime() {
    let folder = market("erlang");
    let runtime = "runtime/erlang/src/aldis_runtime.erl";
    let load = "io:put_chars(atom_to_list(element(1, code:load_file(market)))), init:stop().";
    for (text, loaded) in [(fs::read_to_string(root().join(runtime)).unwrap(), true), (of_next(runtime), false)] {
        folder.write("aldis_runtime.erl", text);
        run(&folder, true, "erlc", &["aldis_runtime.erl", "market.erl"]);
        let said = run(&folder, true, "erl", &["-noshell", "-eval", load]);
        assert_eq!(said.starts_with("module"), loaded, "{said}");
        let words = format!("market needs aldis {}, and this is {}: generate it again", aldis_emit::RUNTIME, next());
        assert_eq!(said.contains(&words), !loaded, "{said}");
    }
}

#[test]
fn elixir_is_not_compiled_with_another_runtime() {
    let folder = market("elixir");
    folder.write("runtime.ex", of_next("runtime/elixir/lib/aldis/runtime.ex"));
    let said = run(&folder, false, "elixirc", &["runtime.ex", "market.ex"]);
    let words = format!("Market needs the package aldis of version {}, and this is {}", aldis_emit::RUNTIME, next());
    assert!(said.contains("CompileError") && said.contains(&words), "{said}");
}

#[test]
fn cpp_is_not_compiled_with_other_headers() {
    let folder = market("cpp");
    let own = root().join("runtime/cpp/include");
    let compiler = std::env::var("CXX").unwrap_or_else(|_| "c++".to_owned());
    let program = folder.write("market.cpp", "#include \"market_view.hpp\"\n");
    let arguments = ["-std=c++20", "-fsyntax-only", "-I", "other", "-I", own.to_str().unwrap(), program.as_str()];
    run(&folder, true, &compiler, &arguments);
    fs::create_dir_all(folder.0.join("other/aldis")).unwrap();
    folder.write("other/aldis/version.hpp", of_next("runtime/cpp/include/aldis/version.hpp"));
    let said = run(&folder, false, &compiler, &arguments);
    let words = format!("This needs headers <aldis/...> of version {}: take those", aldis_emit::RUNTIME);
    assert!(said.contains(&words), "{said}");
}

/// The files below a folder, in another one.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let target = to.join(path.file_name().unwrap());
        match path.is_dir() {
            true => copy(&path, &target),
            false => drop(fs::copy(&path, &target).unwrap()),
        }
    }
}

#[test]
fn javascript_is_not_loaded_with_another_package() {
    let folder = market("javascript");
    let package = folder.0.join("node_modules/@aldis/codec");
    let own = root().join("runtime/javascript/codec");
    copy(&own.join("src"), &package.join("src"));
    fs::copy(own.join("package.json"), package.join("package.json")).unwrap();
    folder.write("package.json", "{\"type\": \"module\"}");
    for module in ["market.js", "market_json.js", "market_stream.js"] {
        run(&folder, true, "node", &[module]);
    }
    fs::write(package.join("src/version.js"), of_next("runtime/javascript/codec/src/version.js")).unwrap();
    for module in ["market.js", "market_json.js", "market_stream.js"] {
        let said = run(&folder, false, "node", &[module]);
        let words = format!("needs @aldis/codec of version {}, and this is {}", aldis_emit::RUNTIME, next());
        assert!(said.contains(&words), "{said}");
    }
}

#[test]
fn another_version_of_the_command_changes_the_first_line_alone() {
    let languages: [&dyn aldis_emit::Language; 7] = [
        &aldis_erlang::ERLANG,
        &aldis_elixir::ELIXIR,
        &aldis_cpp::CPP,
        &aldis_javascript::JAVASCRIPT,
        &aldis_csharp::CSHARP,
        &aldis_java::JAVA,
        &aldis_python::PYTHON,
    ];
    let plans = aldis_testkit::plans(SBE);
    for language in languages {
        let made = |version| {
            let request = aldis_emit::Request { version, ..aldis_testkit::request(&plans) };
            language.generate(&request).files.into_iter().map(|file| file.text).collect::<Vec<String>>()
        };
        for (first, second) in made("0.1.0").iter().zip(made("7.8.9")) {
            let [(head, first), (other, second)] = [first.as_str(), &second].map(|text| text.split_once('\n').unwrap());
            assert!(first == second && head.replace("0.1.0", "7.8.9") == other, "{}: {head}", language.name());
        }
    }
}

#[test]
fn python_is_not_loaded_with_another_package() {
    let folder = market("python");
    copy(&root().join("runtime/python/aldis"), &folder.0.join("aldis"));
    let load = ["-B", "-c", "import market"];
    run(&folder, true, "python3", &load);
    folder.write("aldis/version.py", of_next("runtime/python/aldis/version.py"));
    let said = run(&folder, false, "python3", &load);
    let words = format!("ImportError: market needs aldis of version {}, and this is {}", aldis_emit::RUNTIME, next());
    assert!(said.contains(&words), "{said}");
}

#[test]
fn csharp_is_not_loaded_with_another_runtime() {
    let tools = root().join("scripts/dotnet.sh");
    let tools = tools.to_str().unwrap();
    let folder = market("csharp");
    // The tools say themselves why there are none.
    if !Command::new(tools).arg("ready").status().unwrap().success() {
        return;
    }
    copy(&root().join("runtime/csharp/src"), &folder.0.join("csharp/src"));
    folder.write("Load.cs", "class Load { static void Main() { new Market.Quote().ToJson(); } }");
    let options = ["compile", "9", "Load.dll", "-langversion:9", "-r:Aldis.dll"];
    let library = || run(&folder, true, tools, &["library", "9", "csharp"]);
    let place = |library: String| fs::copy(library.trim(), folder.0.join("Aldis.dll")).unwrap();
    place(library());
    let generated: Vec<String> = fs::read_dir(&folder.0)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with(".cs"))
        .collect();
    let sources: Vec<&str> = generated.iter().map(String::as_str).collect();
    run(&folder, true, tools, &[&options[..], &sources].concat());
    run(&folder, true, tools, &["run", "9", "Load.dll"]);
    let version = "src/Codec/Json.cs";
    folder.write(&format!("csharp/{version}"), of_next(&format!("runtime/csharp/{version}")));
    place(library());
    let said = run(&folder, false, tools, &["run", "9", "Load.dll"]);
    let words = format!("generated for the Aldis runtime {}, and meets {}: generate", aldis_emit::RUNTIME, next());
    assert!(said.contains(&words), "{said}");
}

#[test]
fn java_is_not_loaded_with_another_runtime() {
    let folder = market("java");
    copy(&root().join("runtime/java/src/main/java/aldis"), &folder.0.join("aldis"));
    folder.write("Load.java", "class Load { public static void main(String[] none) { new market.Quote().toJson(); } }");
    let compile = ["-encoding", "UTF-8", "-d", "classes", "Load.java"];
    run(&folder, true, "javac", &[&["-sourcepath", "."], &compile[..]].concat());
    run(&folder, true, "java", &["-cp", "classes", "Load"]);
    let version = "aldis/codec/Version.java";
    folder.write(version, of_next(&format!("runtime/java/src/main/java/{version}")));
    run(&folder, true, "javac", &["-cp", "classes", "-d", "classes", version]);
    let said = run(&folder, false, "java", &["-cp", "classes", "Load"]);
    let words = format!("generated for the Aldis runtime {}, and meets {}: generate", aldis_emit::RUNTIME, next());
    assert!(said.contains(&words), "{said}");
}
