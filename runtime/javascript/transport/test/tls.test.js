// The same client over TLS, with certificates on both sides.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { createServer } from "node:tls";
import { bytes, withFake } from "./fake.js";

const skip = spawnSync("openssl", ["version"]).error === undefined ? false : "there is no openssl here";

/** A certificate of its own for these names, and its key. */
function identity(names) {
  const folder = mkdtempSync(join(tmpdir(), "aldis-tls-"));
  try {
    const [key, certificate] = ["key.pem", "certificate.pem"].map((file) => join(folder, file));
    execFileSync("openssl", [
      "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj", "/CN=test",
      "-addext", `subjectAltName=${names}`, "-keyout", key, "-out", certificate,
    ], { stdio: "pipe" });
    return { key: readFileSync(key), cert: readFileSync(certificate) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const local = skip ? undefined : identity("DNS:localhost,DNS:feed.example,IP:127.0.0.1");
const serving = (more) => (whenConnected) => createServer({ ...local, ...more }, whenConnected);
const authorities = local?.cert;

test("batches and acks go over TLS, with a certificate that the server asks for", { skip }, withFake(async (fake) => {
  const tls = { authorities, certificate: local.cert, key: local.key };
  const [client, peer] = await fake.pair({ tls });
  client.send(bytes("a"));
  assert.deepEqual(await peer.batch(), [1, ["a"]]);
  peer.ack(1);
  await client.flush({ timeout: 30_000 });
  assert.ok(peer.socket.authorized);
  await assert.rejects(fake.connecting({ tls: { authorities } }), { code: "disconnected" });
}, serving({ requestCert: true, rejectUnauthorized: true, ca: local?.cert })));

test("certificates and names are checked", { skip }, withFake(async (fake) => {
  await assert.rejects(fake.connecting({ tls: {} }), { code: "disconnected" });
  await assert.rejects(fake.connecting({ tls: { authorities, name: "other.example" } }), { code: "disconnected", text: /other\.example/ });
  await assert.rejects(fake.connecting({ tls: { authorities, name: "127.0.0.2" } }), { code: "disconnected", text: /127\.0\.0\.2/ });
  await fake.pair({ tls: { authorities, name: "feed.example" } });
  const other = identity("DNS:localhost");
  await assert.rejects(fake.connecting({ tls: { authorities: other.cert } }), { code: "disconnected" });
}, serving()));

test("a server that does not shake hands is left", { skip }, withFake(async (fake) => {
  await assert.rejects(fake.connecting({ tls: { authorities }, connectTimeout: 50 }), { code: "disconnected" });
}));
