defmodule Mix.Tasks.Compile.Aldis do
  @moduledoc """
  Writes the codecs of schemas before the Elixir compiler runs.

  In `mix.exs`:

      def project do
        [
          compilers: [:aldis | Mix.compilers()],
          aldis: [
            schemas: ["priv/market.xml", {"priv/orders.fbe", name: "MyApp.Orders", imports: ["priv/common"]}],
            out: "lib/generated"
          ],
          …

  Each schema is a path, or a path with options:

    * `:name` - the module; by default it is called like the schema's package or file;
    * `:imports` - folders to look in for imported files;
    * `:options` - texts as `aldis gen --option` takes them: `["strict_text"]` for a decoder that refuses text which is not
      UTF-8;
    * `:warnings` - `false` to hear of mistakes alone.

  `:out` is where the files go, `lib/generated` when not given: a folder that belongs to `elixirc_paths`. `:aldis` is the
  command, when it is neither in `PATH` nor what the environment variable `ALDIS` says.

  A schema is compiled again when it, a file that it imports, its options or the command changed. While it has mistakes,
  the files of the last time that it had none stay as they are. `mix clean` takes the files away.
  """

  use Mix.Task.Compiler

  alias Aldis.Generator
  alias Mix.Task.Compiler.Diagnostic

  @recursive true
  # Changes when what the manifest holds does.
  # Diagnostics are structs of Elixir's.
  @version {2, System.version()}

  @impl true
  def run(_arguments) do
    given = Mix.Project.config()[:aldis] || []
    config = Keyword.validate!(given, [:aldis, schemas: [], out: "lib/generated"])
    out = config[:out]
    known = read_manifest()
    command = fingerprint(config[:aldis] || System.get_env("ALDIS") || "aldis")

    results =
      for entry <- config[:schemas] do
        {schema, options} = with_options(entry)
        key = {schema, options, out, command}
        compile(key, Map.get(known, key), config[:aldis])
      end

    built = for result <- results, pair <- entries(result, known), into: %{}, do: pair
    remove_orphans(known, built)
    if built != known, do: write_manifest(built)
    problems = for result <- results, problem <- problems(result), do: problem

    cond do
      Enum.any?(results, &match?({:failed, _}, &1)) -> {:error, problems}
      Enum.any?(results, &match?({:made, _}, &1)) -> {:ok, problems}
      true -> {:noop, problems}
    end
  end

  @impl true
  def manifests, do: [manifest()]

  @impl true
  def clean do
    for {_, entry} <- read_manifest(), {file, _} <- entry.files, do: File.rm(file)
    File.rm(manifest())
    :ok
  end

  defp with_options({schema, options}) do
    known = [:name, imports: [], options: [], warnings: true]
    {schema, Enum.sort(Keyword.validate!(options, known))}
  end

  defp with_options(schema), do: with_options({schema, []})

  defp compile({schema, options, out, _} = key, known, command) do
    if known != nil and fresh?(known) do
      {:kept, {key, known}}
    else
      case Generator.generate(schema, [aldis: command] ++ options) do
        {:ok, %{files: files, sources: sources, warnings: warnings}} ->
          Mix.shell().info("Generated codecs of #{schema}")
          if warnings != "", do: Mix.shell().error(warnings)
          files = for file <- files, do: write(out, file)
          problems = diagnostics(schema, warnings)
          {:made, {key, %{sources: hashes(sources), files: hashes(files), problems: problems}}}

        {:error, said} ->
          Mix.shell().error(said)
          {:failed, {schema, diagnostics(schema, said)}}
      end
    end
  end

  # The entries of the next manifest. A schema that failed keeps those it has: its files are not orphans, and its
  # sources differ from what was compiled, so that it is compiled next time.
  defp entries({:failed, {schema, _}}, known) do
    Enum.filter(known, fn {{path, _, _, _}, _} -> path == schema end)
  end

  defp entries({_, pair}, _), do: [pair]

  defp problems({:failed, {_, problems}}), do: problems
  defp problems({_, {_, entry}}), do: entry.problems

  # Files are touched only when they change, so that the Elixir compiler has nothing to do otherwise.
  defp write(out, %{path: name, text: text}) do
    path = Path.join(out, name)
    File.mkdir_p!(out)
    if File.read(path) != {:ok, text}, do: File.write!(path, text)
    path
  end

  defp fresh?(entry) do
    Enum.all?(entry.sources ++ entry.files, fn {path, hash} -> hash(path) == hash end)
  end

  defp hashes(paths), do: for(path <- paths, do: {path, hash(path)})

  defp hash(path) do
    case File.read(path) do
      {:ok, content} -> :erlang.md5(content)
      {:error, _} -> nil
    end
  end

  # Another command may write other code.
  defp fingerprint(command) do
    with path when is_binary(path) <- System.find_executable(command),
         {:ok, stat} <- File.stat(path) do
      {path, stat.size, stat.mtime}
    end
  end

  # Files of schemas that are gone, or that are called otherwise now.
  defp remove_orphans(known, built) do
    kept = for {_, entry} <- built, {file, _} <- entry.files, do: file
    for {_, entry} <- known, {file, _} <- entry.files, file not in kept, do: File.rm(file)
  end

  # One after another: `error[fbe/E0027]: what is wrong`, and below it ` --> shop.fbe:6:5` and indented lines.
  defp diagnostics(schema, said) do
    for text <- String.split(said, ~r/^(?=(error|warning)[[:])/m, trim: true),
        do: diagnostic(schema, text)
  end

  defp diagnostic(schema, text) do
    {file, position} =
      case Regex.run(~r/--> (.+?):(\d+):(\d+)/, text) do
        [_, file, line, column] -> {file, {String.to_integer(line), String.to_integer(column)}}
        nil -> {schema, 0}
      end

    %Diagnostic{
      compiler_name: "aldis",
      file: Path.absname(file),
      message: String.trim_trailing(text),
      position: position,
      severity: if(String.starts_with?(text, "warning"), do: :warning, else: :error)
    }
  end

  defp manifest, do: Path.join(Mix.Project.manifest_path(), "compile.aldis")

  defp read_manifest do
    with {:ok, binary} <- File.read(manifest()),
         {@version, entries} <- :erlang.binary_to_term(binary) do
      entries
    else
      _ -> %{}
    end
  rescue
    ArgumentError -> %{}
  end

  defp write_manifest(entries) do
    File.mkdir_p!(Path.dirname(manifest()))
    File.write!(manifest(), :erlang.term_to_binary({@version, entries}))
  end
end
