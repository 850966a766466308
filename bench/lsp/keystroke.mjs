// How long after a key stroke the diagnostics come: node keystroke.mjs ALDIS SCHEMA
// Types and removes a character in the middle of the schema, in the text of a value and in the XML itself.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const [aldis, schema] = process.argv.slice(2);
const text = readFileSync(schema, 'utf8');
const uri = pathToFileURL(resolve(schema)).href;
const server = spawn(aldis, ['lsp'], { stdio: ['pipe', 'pipe', 'inherit'] });

let received = Buffer.alloc(0);
let waiting = () => {};
server.stdout.on('data', (bytes) => {
  received = Buffer.concat([received, bytes]);
  for (;;) {
    const end = received.indexOf('\r\n\r\n');
    if (end < 0) return;
    const length = Number(/Content-Length: (\d+)/.exec(received.subarray(0, end))[1]);
    if (received.length < end + 4 + length) return;
    const message = JSON.parse(received.subarray(end + 4, end + 4 + length));
    received = received.subarray(end + 4 + length);
    waiting(message);
  }
});
const send = (message) => {
  const body = JSON.stringify({ jsonrpc: '2.0', ...message });
  server.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
};
const until = (wanted) => new Promise((done) => { waiting = (message) => wanted(message) && done(message); });
const told = (version) => until((m) => m.method === 'textDocument/publishDiagnostics' && m.params.version === version);

let answer = until((message) => message.id === 1);
send({ id: 1, method: 'initialize', params: { capabilities: {} } });
await answer;
send({ method: 'initialized', params: {} });
answer = told(1);
send({ method: 'textDocument/didOpen', params: { textDocument: { uri, languageId: 'xml', version: 1, text } } });
await answer;

let version = 1;
async function stroke(offset, insert) {
  const before = text.slice(0, offset).split('\n');
  const start = { line: before.length - 1, character: before.at(-1).length };
  const end = { ...start, character: start.character + (insert ? 0 : 1) };
  version += 1;
  const answer = told(version);
  const begin = performance.now();
  const change = { range: { start, end }, text: insert };
  send({ method: 'textDocument/didChange', params: { textDocument: { uri, version }, contentChanges: [change] } });
  await answer;
  return performance.now() - begin;
}

const half = text.length / 2;
const places = {
  'a name': text.indexOf('name="', half) + 'name="'.length,
  'a type': text.indexOf('type="', half) + 'type="'.length,
  'the XML': text.indexOf('<', half) + 1,
};
console.log(`${schema}: ${text.length} bytes`);
console.log('typed in      median ms  99th ms  longest ms');
for (const [what, offset] of Object.entries(places)) {
  const times = [];
  for (let turn = 0; turn < 100; turn += 1) {
    times.push(await stroke(offset, 'x'));
    times.push(await stroke(offset, ''));
  }
  times.sort((a, b) => a - b);
  const shown = [0.5, 0.99, 1].map((part) => times[Math.min(times.length - 1, Math.floor(part * times.length))].toFixed(1));
  console.log(`${what.padEnd(12)}${shown[0].padStart(11)}${shown[1].padStart(9)}${shown[2].padStart(12)}`);
}
server.kill();
