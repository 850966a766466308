// Starts `aldis lsp` for schemas, and stops it with the editor.
const { workspace } = require('vscode');
const { LanguageClient } = require('vscode-languageclient/node');

let client;

exports.activate = async () => {
  const settings = workspace.getConfiguration('aldis');
  const imports = settings.get('imports', []).flatMap((folder) => ['-I', folder]);
  const server = { command: settings.get('command', 'aldis'), args: ['lsp', ...imports] };
  const selector = ['fbe', 'capnp', 'xml'].map((language) => ({ scheme: 'file', language }));
  const watched = workspace.createFileSystemWatcher('**/*.{fbe,capnp,xml}');
  const options = { documentSelector: selector, synchronize: { fileEvents: watched } };
  client = new LanguageClient('aldis', 'Aldis', server, options);
  await client.start();
};

exports.deactivate = () => client?.stop();
