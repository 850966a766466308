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
    * `:imports` - folders to look in for imported files.

  `:out` is where the files go, `lib/generated` when not given: a folder that belongs to `elixirc_paths`. `:aldis` is the
  command, when it is neither in `PATH` nor what the environment variable `ALDIS` says.

  A schema is compiled again when it, a file that it imports, its options or the command changed. `mix clean` takes the
  files away.
  """

  use Mix.Task.Compiler

  alias Aldis.Generator
  alias Mix.Task.Compiler.Diagnostic

  @recursive true
  # Changes when what the manifest holds does.
  @version 1

  @impl true
  def run(_arguments) do
    config = Mix.Project.config()[:aldis] || []
    out = config[:out] || "lib/generated"
    known = read_manifest()
    command = fingerprint(config[:aldis] || System.get_env("ALDIS") || "aldis")

    results =
      for entry <- config[:schemas] || [] do
        {schema, options} = with_options(entry)
        key = {schema, options, out, command}
        compile(key, Map.get(known, key), config[:aldis])
      end

    built = for {_, {key, entry}} <- results, into: %{}, do: {key, entry}
    remove_orphans(known, built)
    if built != known, do: write_manifest(built)
    problems = for {:error, said} <- results, diagnostic <- said, do: diagnostic

    cond do
      problems != [] -> {:error, problems}
      Enum.any?(results, &match?({:made, _}, &1)) -> {:ok, []}
      true -> {:noop, []}
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

  defp with_options({schema, options}), do: {schema, Enum.sort(options)}
  defp with_options(schema), do: {schema, []}

  defp compile({schema, options, out, _} = key, known, command) do
    if known != nil and fresh?(known) do
      {:kept, {key, known}}
    else
      case Generator.generate(schema, [aldis: command] ++ options) do
        {:ok, files, sources} ->
          Mix.shell().info("Generated codecs of #{schema}")

          {:made,
           {key, %{sources: hashes(sources), files: hashes(Enum.map(files, &write(out, &1)))}}}

        {:error, said} ->
          Mix.shell().error(said)
          {:error, [diagnostic(schema, said)]}
      end
    end
  end

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

  # `error[fbe/E0027]: what is wrong`, and below it ` --> shop.fbe:6:5`.
  defp diagnostic(schema, said) do
    place = Regex.run(~r/--> (.+?):(\d+):(\d+)/, said)

    {file, position} =
      case place do
        [_, file, line, column] -> {file, {String.to_integer(line), String.to_integer(column)}}
        nil -> {schema, 0}
      end

    %Diagnostic{
      compiler_name: "aldis",
      file: Path.absname(file),
      message: said,
      position: position,
      severity: :error
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
