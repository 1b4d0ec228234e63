// Renders a loop, sends it to Live, waits for Import, and prints the result:
//   node scripts/node.cjs docs/examples/node/send-loop.mjs http://127.0.0.1:4700 "4EG BB3"
// You need the code only once. scripts/node.cjs starts the Node that `npm ci` installed.
import { homedir, hostname } from "node:os";
import { join } from "node:path";
// In your own project: "@soundferry/client" and "@soundferry/client/node".
import { SoundferryClient } from "../../../client/index.ts";
import { FileTokenStore } from "../../../client/node/index.ts";

const SAMPLE_RATE_HZ = 48_000;
const TEMPO_BPM = 120;
const BEATS = 4;
// A loop is exact when its beats are a whole number of frames: here 96,000.
const FRAMES = (SAMPLE_RATE_HZ * 60 * BEATS) / TEMPO_BPM;

/** A kick on each beat and a bass note between them, from -1 to 1. */
function sampleAt(frame) {
  const kickBeat = (frame / FRAMES) * BEATS;
  // The last note of a round rings on into the next one.
  const bassBeat = (kickBeat + BEATS - 0.5) % BEATS;
  const noteHz = [55, 55, 65.4, 49][Math.floor(bassBeat)];
  const [sinceKick, sinceNote] = [kickBeat, bassBeat].map((beat) => ((beat % 1) * 60) / TEMPO_BPM);
  const kick = Math.sin(300 * sinceKick - 40 * Math.expm1(-40 * sinceKick));
  const bass = Math.sin(2 * Math.PI * noteHz * sinceNote);
  return 0.6 * kick * Math.exp(-10 * sinceKick) + 0.3 * bass * Math.exp(-8 * sinceNote);
}

// Little-endian: WAV requires it, and all current computers use it.
const u16 = (...numbers) => new Uint16Array(numbers);
const u32 = (...numbers) => new Uint32Array(numbers);
function mono16BitWav(samples) {
  const start = ["RIFF", u32(36 + samples.byteLength), "WAVEfmt ", u32(16)];
  // Encoding and channels, frames and bytes a second, bytes a frame and bits a sample.
  const format = [u16(1, 1), u32(SAMPLE_RATE_HZ, SAMPLE_RATE_HZ * 2), u16(2, 16)];
  return new Blob([...start, ...format, "data", u32(samples.byteLength), samples]);
}

async function sendLoop(relayUrl = "http://127.0.0.1:4700", code) {
  const tokenStore = new FileTokenStore(join(homedir(), ".soundferry-node.json"), relayUrl);
  const app = { name: "Node example", id: `node-${hostname()}` };
  const client = new SoundferryClient({ relayUrl, tokenStore, app });
  if (code !== undefined) console.log(`Paired with ${(await client.pair(code)).device_name}.`);

  const samples = Int16Array.from({ length: FRAMES }, (_, frame) => sampleAt(frame) * 32_767);
  const sound = { source: mono16BitWav(samples), name: "Kick & Bass", kind: "loop", role: "drums" };
  const { packageId } = await client.send({ title: "From Node", bpm: TEMPO_BPM, sounds: [sound] });
  for await (const { status, results } of client.follow(packageId)) {
    console.log(`The package is ${status}.`, results ?? "");
  }
}

await sendLoop(...process.argv.slice(2)).catch((error) => {
  console.error(error.message);
  process.exitCode = 1;
});
