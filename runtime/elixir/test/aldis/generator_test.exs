defmodule Aldis.GeneratorTest do
  use ExUnit.Case

  import ExUnit.CaptureIO

  alias Mix.Tasks.Compile.Aldis, as: Compiler

  # The modules are made while the tests run.
  @compile {:no_warn_undefined,
            [
              Used.Shop,
              Used.Shop.Item,
              Told.Shop,
              Told.Shop.Item,
              Imported.Shop,
              Plain.Shop,
              Plain.Shop.Item,
              Strict.Shop.Item,
              Faulty.Shop,
              Faulty.Shop.Seat,
              Faulty.Shop.Visit
            ]}
  # Needs the command: see test_helper.exs.
  @moduletag :aldis
  @moduletag :tmp_dir

  @schema "package shop\n\nstruct Item\n{\n    string name;\n    int32 count = 3;\n}\n"
  @faulty """
  package shop

  enum Team : byte { home = 1; away = 5; }
  flags Perks : byte { bar = 0x01; pool = 0x02; }

  struct Seat { uint8 row; }

  struct Visit
  {
      string name;
      Team team = Team.home;
      Perks perks;
      uint16 guests;
      bool paid;
      char mark;
      double price;
      uuid key;
      Seat seat;
      int32[2] pair;
      Seat[] seats;
      Team? rival;
  }
  """
  @warned "package shop\nstruct Note { string message; }\nstruct Text { string message; }\n"

  defp write(folder, name, text) do
    path = Path.join(folder, name)
    File.write!(path, text)
    path
  end

  defp compile(name, options) do
    Code.compile_string(
      "defmodule #{name} do\n  use Aldis, #{inspect(options)}\nend\n",
      "shop.ex"
    )
  end

  describe "use Aldis" do
    test "makes the module that it stands in", %{tmp_dir: folder} do
      schema = write(folder, "shop.fbe", @schema)
      compiled = Keyword.keys(compile("Used.Shop", schema: schema))
      assert Used.Shop.Item in compiled
      item = struct!(Used.Shop.Item, name: "tea")
      assert item.count == 3
      assert {:ok, ^item, ""} = Used.Shop.Item.decode(Used.Shop.encode!(item))
      assert Used.Shop.__info__(:attributes)[:external_resource] == [schema]
    end

    test "makes functions whose errors say the value and what its field takes", %{tmp_dir: folder} do
      schema = write(folder, "shop.fbe", @schema)
      compile("Told.Shop", schema: schema)
      item = struct!(Told.Shop.Item, name: "tea", count: :many)

      assert_raise Aldis.Error,
                   "count: many is not a whole number from -2147483648 to 2147483647 (bad_value)",
                   fn -> Told.Shop.Item.encode!(item) end

      assert_raise Aldis.Error, ~r/^count: many is not/, fn -> Told.Shop.encode!(item) end

      assert_raise Aldis.Error,
                   "nmae: there is no such field; there are name, count (bad_json)",
                   fn -> Told.Shop.Item.from_json!(~s({"nmae":"tea"})) end

      long = String.duplicate("k", 3_000_000)
      ends = String.slice(long, 0, 200)

      assert_raise Aldis.Error,
                   "#{ends}… (2999600 more bytes) …#{ends}: there is no such field; there are name, count (bad_json)",
                   fn -> Told.Shop.Item.from_json!(~s({"#{long}":1})) end

      assert_raise Aldis.Error, ~r/too early: there are 1 \(truncated\)/, fn ->
        Told.Shop.Item.decode!(<<1>>)
      end

      assert {:error, reason} = Told.Shop.Item.encode(item)
      assert Told.Shop.Item.format_error(reason, item) =~ ~r/^count: many is not/
      assert Told.Shop.Item.format_error(reason) =~ ~r/^count: the value is not a whole number/

      for read <- [&Told.Shop.Item.get/2, &Told.Shop.Item.get(&1, &2, [])] do
        assert_raise ArgumentError, ~r/there is no field nosuch; there are name, count/, fn ->
          read.(:nosuch, Told.Shop.encode!(%{item | count: 1}))
        end
      end
    end

    test "tells faults of each kind of field in exact words", %{tmp_dir: folder} do
      schema = write(folder, "faulty.fbe", @faulty)
      compile("Faulty.Shop", schema: schema)
      right = struct!(Faulty.Shop.Visit, [])
      assert {:ok, ^right, ""} = Faulty.Shop.Visit.decode(Faulty.Shop.Visit.encode!(right))
      seat = struct!(Faulty.Shop.Seat, row: 256)

      cases = [
        {:name, 7, "7 is not text (bad_value)"},
        {:team, :red, "red is none of home, away, and no number from 0 to 255 (bad_value)"},
        {:team, 300, "300 is none of home, away, and no number from 0 to 255 (out_of_range)"},
        {:team, nil,
         "it has no value, and must be one of home, away, or a number from 0 to 255 (bad_value)"},
        {:rival, :red, "red is none of home, away, and no number from 0 to 255 (bad_value)"},
        {:perks, [:bar, :sauna], "element 1: sauna is none of bar, pool (bad_value)"},
        {:guests, 65_536, "65536 is not a whole number from 0 to 65535 (out_of_range)"},
        {:guests, -1, "-1 is not a whole number from 0 to 65535 (out_of_range)"},
        {:paid, :maybe, "maybe is not true or false (bad_value)"},
        {:price, "dear", "\"dear\" is not a number that its float can hold (bad_value)"},
        {:key, "short", "\"short\" is not a uuid (bad_value)"},
        {:seat, :front, "front is not a Seat of row (bad_value)"},
        {:pair, [1], "a list of 1 is not a list of 2 (out_of_range)"},
        {:seats, :none, "none is not a list (bad_value)"}
      ]

      said =
        for {field, value, _} <- cases do
          wrong = Map.replace!(right, field, value)
          assert {:error, reason} = Faulty.Shop.Visit.encode(wrong)
          text = Faulty.Shop.Visit.format_error(reason, wrong)
          assert_raise Aldis.Error, text, fn -> Faulty.Shop.Visit.encode!(wrong) end
          text
        end

      assert said == for({field, _, words} <- cases, do: "#{field}: #{words}")

      words = "row: 256 is not a whole number from 0 to 255 (out_of_range)"

      for {wrong, place} <- [
            {%{right | seat: seat}, "seat"},
            {%{right | seats: [seat]}, "seats[0]"}
          ] do
        assert_raise Aldis.Error, "#{place}.#{words}", fn -> Faulty.Shop.Visit.encode!(wrong) end
      end

      error =
        assert_raise ArgumentError, fn ->
          Faulty.Shop.Seat.get(:nosuch, Faulty.Shop.Seat.encode!(%{seat | row: 1}))
        end

      assert Exception.message(error) =~ "there is no field nosuch; there are row"
    end

    test "hands options on", %{tmp_dir: folder} do
      schema = write(folder, "shop.fbe", @schema)
      compile("Plain.Shop", schema: schema)
      compile("Strict.Shop", schema: schema, options: ["strict_text"])
      bytes = Plain.Shop.encode!(struct!(Plain.Shop.Item, name: <<0xFF>>))
      assert {:ok, %{name: <<0xFF>>}, ""} = Plain.Shop.Item.decode(bytes)
      assert {:error, {:bad_text, _, "name"}} = Strict.Shop.Item.decode(bytes)

      assert_raise CompileError, ~r/`allocator=pmr` is no option of elixir/, fn ->
        compile("Lost.Shop", schema: schema, options: ["allocator=pmr"])
      end
    end

    test "is compiled again when an import changes", %{tmp_dir: folder} do
      imports = Path.join(folder, "common")
      File.mkdir_p!(imports)
      common = write(imports, "common.fbe", "package common\nenum Size { small; large; }\n")

      schema =
        write(
          folder,
          "shop.fbe",
          "package shop\nimport common\nstruct Item { common.Size size; }\n"
        )

      compile("Imported.Shop", schema: schema, imports: [imports])
      resources = Keyword.get_values(Imported.Shop.__info__(:attributes), :external_resource)
      assert Enum.sort(List.flatten(resources)) == Enum.sort([schema, common])
    end

    test "shows the schema's mistakes where it stands", %{tmp_dir: folder} do
      schema = write(folder, "shop.fbe", String.replace(@schema, "string", "strng"))
      error = assert_raise CompileError, fn -> compile("Wrong.Shop", schema: schema) end
      assert error.description =~ "there is no type `strng`"
      assert error.description =~ "did you mean `string`?"
      assert {Path.basename(error.file), error.line} == {"shop.ex", 2}
    end

    test "shows the schema's warnings where it stands", %{tmp_dir: folder} do
      schema = write(folder, "shop.fbe", @warned)
      said = capture_io(:stderr, fn -> compile("Warned.Shop", schema: schema) end)
      assert said =~ "`message` is a keyword of fbec's"
      assert said =~ "shop.ex:2"
      options = [schema: schema, warnings: false]
      assert capture_io(:stderr, fn -> compile("Quiet.Shop", options) end) == ""
    end

    test "says how to get the command" do
      assert_raise CompileError, ~r/there is no command `nowhere`/, fn ->
        compile("Lost.Shop", schema: "shop.fbe", aldis: "nowhere")
      end
    end
  end

  describe "the Mix compiler" do
    # A project in `folder` with the schemas in it.
    defp in_project(folder, config \\ ~s|schemas: Path.wildcard("*.fbe")|, fun) do
      app = :"shop_#{System.unique_integer([:positive])}"

      File.write!(Path.join(folder, "mix.exs"), """
      defmodule #{Macro.camelize(to_string(app))}.MixProject do
        use Mix.Project

        def project do
          [app: :#{app}, version: "1.0.0", aldis: [#{config}]]
        end
      end
      """)

      Mix.Project.in_project(app, folder, fn _ -> fun.() end)
    end

    setup do
      shell = Mix.shell()
      Mix.shell(Mix.Shell.Process)
      on_exit(fn -> Mix.shell(shell) end)
    end

    test "writes what is stale and nothing else", %{tmp_dir: folder} do
      write(folder, "shop.fbe", @schema)
      out = Path.join(folder, "lib/generated/shop.ex")

      in_project(folder, fn ->
        assert Compiler.run([]) == {:ok, []}
        assert File.read!(out) =~ "defmodule Shop.Item do"
        assert Compiler.run([]) == {:noop, []}
        write(folder, "shop.fbe", String.replace(@schema, "count", "amount"))
        assert Compiler.run([]) == {:ok, []}
        assert File.read!(out) =~ "amount"
        File.rm!(out)
        assert Compiler.run([]) == {:ok, []}
        assert File.exists?(out)
        assert [manifest] = Compiler.manifests()
        assert File.exists?(manifest)
        Compiler.clean()
        refute File.exists?(out) or File.exists?(manifest)
      end)
    end

    test "writes code again when its options change", %{tmp_dir: folder} do
      write(folder, "shop.fbe", @schema)
      out = Path.join(folder, "lib/generated/shop.ex")

      [plain, strict] =
        for options <- ["[]", ~s|["strict_text"]|] do
          in_project(folder, ~s|schemas: [{"shop.fbe", options: #{options}}]|, fn ->
            assert Compiler.run([]) == {:ok, []}
            assert Compiler.run([]) == {:noop, []}
            File.read!(out)
          end)
        end

      refute plain =~ "bad_text"
      assert strict =~ "utf8"
      assert plain != strict
    end

    test "gives mistakes with their place", %{tmp_dir: folder} do
      wrong =
        @schema |> String.replace("string", "strng") |> String.replace("= 3", "= 99999999999")

      write(folder, "shop.fbe", wrong)

      in_project(folder, fn ->
        assert {:error, [first, second]} = Compiler.run([])
        assert {Path.basename(first.file), first.position} == {"shop.fbe", {5, 5}}
        assert first.severity == :error
        assert first.message =~ "did you mean"
        assert {Path.basename(second.file), second.position} == {"shop.fbe", {6, 19}}
      end)
    end

    test "keeps the files of a schema that has mistakes, until it is mended", %{tmp_dir: folder} do
      write(folder, "shop.fbe", @schema)
      write(folder, "note.fbe", "package note\nstruct Note { string text; }\n")
      out = Path.join(folder, "lib/generated/shop.ex")
      note = Path.join(folder, "lib/generated/note.ex")

      in_project(folder, fn ->
        assert Compiler.run([]) == {:ok, []}
        good = File.read!(out)

        write(folder, "shop.fbe", String.replace(@schema, "string", "strng"))
        write(folder, "note.fbe", "package note\nstruct Note { string words; }\n")
        assert {:error, [_]} = Compiler.run([])
        assert File.read!(out) == good
        assert File.read!(note) =~ "words"
        assert {:error, [_]} = Compiler.run([])
        assert File.read!(out) == good

        write(folder, "shop.fbe", @schema)
        assert Compiler.run([]) == {:noop, []}
        assert File.read!(out) == good

        write(folder, "shop.fbe", String.replace(@schema, "string", "strng"))
        assert {:error, [_]} = Compiler.run([])
        write(folder, "shop.fbe", String.replace(@schema, "count", "amount"))
        assert Compiler.run([]) == {:ok, []}
        assert File.read!(out) =~ "amount"

        write(folder, "shop.fbe", "package store\nstruct Item {}\n")
        assert Compiler.run([]) == {:ok, []}
        refute File.exists?(out)
      end)
    end

    test "gives warnings each time, with their place", %{tmp_dir: folder} do
      write(folder, "shop.fbe", @warned)

      in_project(folder, fn ->
        assert {:ok, [first, second]} = Compiler.run([])
        assert {first.severity, first.position} == {:warning, {2, 22}}
        assert {second.severity, second.position} == {:warning, {3, 22}}
        assert first.message =~ "keyword of fbec's"
        refute first.message =~ "shop.fbe:3"
        assert Compiler.run([]) == {:noop, [first, second]}
      end)

      in_project(folder, ~s|schemas: [{"shop.fbe", warnings: false}]|, fn ->
        assert Compiler.run([]) == {:ok, []}
      end)
    end

    test "knows its options", %{tmp_dir: folder} do
      for wrong <- [~s|schema: ["shop.fbe"]|, ~s|schemas: [{"shop.fbe", import: ["common"]}]|] do
        in_project(folder, wrong, fn ->
          assert_raise ArgumentError, ~r/unknown keys \[:(schema|import)\]/, fn ->
            Compiler.run([])
          end
        end)
      end
    end

    test "takes away what a schema left that is gone", %{tmp_dir: folder} do
      write(folder, "shop.fbe", @schema)
      out = Path.join(folder, "lib/generated/shop.ex")

      # The list of schemas is read from the project's file anew each time.
      in_project(folder, fn ->
        assert Compiler.run([]) == {:ok, []}
        assert File.exists?(out)
        manifest = Compiler.manifests() |> hd() |> File.read!()
        File.rm!(Path.join(folder, "shop.fbe"))
        send(self(), {:manifest, manifest})
      end)

      assert_received {:manifest, manifest}

      in_project(folder, fn ->
        path = hd(Compiler.manifests())
        File.mkdir_p!(Path.dirname(path))
        File.write!(path, manifest)
        assert Compiler.run([]) == {:noop, []}
        refute File.exists?(out)
      end)
    end
  end
end
