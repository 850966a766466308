# The archive that Hex keeps, without Hex: rebar3 brings the code that writes and reads it.
#   mix run --no-compile --no-start --no-deps-check hex.exs pack FILE    in a project's folder: its package, with its files
#   elixir hex.exs unpack FILE FOLDER                                    after its checksums were compared; prints name and version
defmodule HexArchive do
  # The script rebar3 is an archive of modules.
  def load do
    {:ok, sections} = :escript.extract(to_charlist(System.find_executable("rebar3")), [])
    wanted = fn file -> String.starts_with?(Path.basename(elem(file, 1)), "r3_") end
    {:ok, modules} = :zip.extract(sections[:archive], [:memory, file_filter: wanted])

    for {file, code} <- modules, Path.extname(file) == ".beam" do
      {:module, _} = :code.load_binary(String.to_atom(Path.basename(file, ".beam")), file, code)
    end
  end

  def pack(out) do
    config = Mix.Project.config()
    package = config[:package]
    name = to_string(config[:app])
    files = package[:files] |> Enum.flat_map(&Path.wildcard("#{&1}/**")) |> Enum.concat(package[:files])
    files = files |> Enum.filter(&File.regular?/1) |> Enum.uniq() |> Enum.sort()

    metadata = %{
      "name" => name,
      "app" => name,
      "version" => config[:version],
      "description" => config[:description],
      "elixir" => config[:elixir],
      "licenses" => package[:licenses],
      "links" => package[:links],
      "build_tools" => ["mix"],
      "files" => files,
      "requirements" => %{}
    }

    # Paths, not contents: what can be run stays so.
    {:ok, made} = :r3_hex_tarball.create(metadata, Enum.map(files, &{to_charlist(&1), to_charlist(Path.expand(&1))}))
    File.write!(out, made.tarball)
  end

  def unpack(file, folder) do
    {:ok, %{metadata: metadata}} = :r3_hex_tarball.unpack(File.read!(file), to_charlist(folder))
    IO.puts("#{metadata["name"]} #{metadata["version"]}")
  end
end

HexArchive.load()

case System.argv() do
  ["pack", out] -> HexArchive.pack(out)
  ["unpack", file, folder] -> HexArchive.unpack(file, folder)
end
