// One contestant alone in its process: best and median nanoseconds, as a line.
//   node one.js FOLDER node|chromium CONTESTANT MESSAGE decode|encode|verify
import { readFileSync } from "node:fs";
import { measure } from "./contest.js";

const [folder, engine, ...contest] = process.argv.slice(2);
const bytes = Uint8Array.from(readFileSync(`${folder}/${contest[1]}.bin`));

async function inNode() {
  const both = async (name) => ({ ...(await import(`${folder}/${name}.js`)), ...(await import(`${folder}/${name}_view.js`)) });
  const [proto, market, addressbook] = await Promise.all(["proto", "market", "addressbook"].map(both));
  const capnpEs = () => import(`${folder}/es/addressbook.js`);
  return measure({ proto, market, addressbook, capnpEs }, ...contest, bytes);
}

async function inChromium() {
  const { chromium } = await import("playwright-core");
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu"] });
  try {
    const page = await browser.newPage();
    await page.addScriptTag({ path: `${folder}/page.js` });
    return await page.evaluate(([contest, bytes]) => globalThis.measure(...contest, Uint8Array.from(bytes)), [contest, [...bytes]]);
  } finally {
    await browser.close();
  }
}

const rounds = await (engine === "node" ? inNode() : inChromium());
console.log(`${engine} ${contest.join(" ")} ${rounds[0]} ${rounds[rounds.length >> 1]}`);
