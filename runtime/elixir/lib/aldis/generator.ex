defmodule Aldis.Generator do
  @moduledoc false
  # Runs the command `aldis`.

  @type file :: %{path: Path.t(), text: String.t()}

  @type generated :: %{files: [file()], sources: [Path.t()], warnings: String.t()}

  # The files that the command writes for a schema, the schema files that it read, and its warnings: "" if there are
  # none, or none are wanted.
  @spec generate(Path.t(), keyword()) :: {:ok, generated()} | {:error, String.t()}
  def generate(schema, options) do
    with {:ok, command} <- command(options[:aldis]) do
      folder =
        Path.join(
          System.tmp_dir!(),
          "aldis-#{System.pid()}-#{System.unique_integer([:positive])}"
        )

      File.mkdir_p!(folder)

      try do
        run(command, schema, folder, options)
      after
        File.rm_rf!(folder)
      end
    end
  end

  defp run(command, schema, folder, options) do
    list = Path.join(folder, "sources")
    out = Path.join(folder, "out")
    imports = Enum.flat_map(options[:imports] || [], &["--import-dir", &1])
    further = Enum.flat_map(options[:options] || [], &["--option", &1])
    name = if options[:name], do: ["--name", options[:name]], else: []

    fixed = [
      "gen",
      schema,
      "--lang",
      "elixir",
      "--color",
      "never",
      "--out",
      out,
      "--sources",
      list
    ]

    case System.cmd(command, fixed ++ name ++ imports ++ further, stderr_to_stdout: true) do
      {said, 0} ->
        files = for path <- Path.wildcard(Path.join(out, "*.ex")), do: read(path)
        sources = list |> File.read!() |> String.split("\n", trim: true)
        warnings = if options[:warnings], do: String.trim_trailing(said), else: ""
        {:ok, %{files: files, sources: sources, warnings: warnings}}

      {said, _} ->
        {:error, String.trim_trailing(said)}
    end
  end

  defp read(path), do: %{path: Path.basename(path), text: File.read!(path)}

  # The command as it is given, as ALDIS says, or from PATH.
  defp command(given) do
    wanted = given || System.get_env("ALDIS") || "aldis"

    case System.find_executable(wanted) do
      nil ->
        {:error,
         "there is no command `#{wanted}`: install it (cargo install --locked --path compiler/cli), " <>
           "or say where it is with the option :aldis or the environment variable ALDIS"}

      command ->
        {:ok, command}
    end
  end
end
