// A compiler's driver around Roslyn, which takes the arguments of csc.
using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

static class Driver
{
    static int Main(string[] args)
    {
        string framework = Path.GetDirectoryName(typeof(object).Assembly.Location);
        var told = CSharpCommandLineParser.Default.Parse(args, Directory.GetCurrentDirectory(), framework, null);
        if (Report(told.Errors)) return 1;
        var sources = told.SourceFiles.Select(file => CSharpSyntaxTree.ParseText(File.ReadAllText(file.Path), told.ParseOptions, file.Path, Encoding.UTF8));
        var references = told.MetadataReferences.Select(reference => MetadataReference.CreateFromFile(reference.Reference, reference.Properties));
        string target = Path.Combine(told.OutputDirectory, told.OutputFileName);
        string name = Path.GetFileNameWithoutExtension(target);
        var compilation = CSharpCompilation.Create(name, sources, references, told.CompilationOptions);
        var code = new MemoryStream();
        var documentation = told.DocumentationPath == null ? null : new MemoryStream();
        var made = compilation.Emit(code, xmlDocumentationStream: documentation);
        if (Report(made.Diagnostics) || !made.Success) return 1;
        File.WriteAllBytes(target, code.ToArray());
        if (documentation != null) File.WriteAllBytes(told.DocumentationPath, documentation.ToArray());
        return 0;
    }

    // Prints errors and warnings; gives whether there are errors.
    static bool Report(IEnumerable<Diagnostic> diagnostics)
    {
        var shown = diagnostics.Where(said => said.Severity >= DiagnosticSeverity.Warning).ToList();
        foreach (var said in shown) Console.Error.WriteLine(said);
        return shown.Any(said => said.Severity == DiagnosticSeverity.Error);
    }
}
