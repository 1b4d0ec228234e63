import {
  type BenchOptions,
  type BenchResult,
  type Figure,
  median,
  ratioOf,
  type Side,
  takeTurns,
} from "../bench-result.ts";
import { LARGEST_BYTES } from "../big-wav.ts";
import { PEERS, THIS } from "../peers/peers.ts";
import { startUploader } from "../peers/uploaders.ts";

const SHORT_BYTES = 32_000_000;

/** Uploads the same WAV to this relay and to other servers in turns. A peer that isn't there is named. */
export async function benchPeers({
  folder,
  isShort,
  before,
  tus,
}: BenchOptions): Promise<BenchResult> {
  const sizeBytes = isShort ? SHORT_BYTES : LARGEST_BYTES;
  await using stack = new AsyncDisposableStack();
  const uploader = await startUploader(stack, { folder, sizeBytes });
  const missing: string[] = [];
  const present = [];
  for (const peer of [THIS, ...PEERS]) {
    const started = await peer.start({ folder, sizeBytes, stack, before, tus });
    if (typeof started === "string") missing.push(`${peer.name}: ${started}`);
    else present.push({ ...peer, ...started, used: new Array<number>() });
  }
  const rounds = await takeTurns(
    isShort ? 2 : 7,
    present.map(({ next, clear, usage, used }) => async () => {
      const target = await next();
      const usedBefore = await usage();
      const ms = await uploader.send(target);
      used.push(((await usage())?.cpuMs ?? NaN) - (usedBefore?.cpuMs ?? NaN));
      await clear();
      return sizeBytes / 1000 / ms;
    }),
  );
  const sides: Side[] = [];
  const figures: Figure[] = [];
  const notes: string[] = [];
  for (const [index, { name, does, wanted, usage, used }] of present.entries()) {
    const values = rounds[index] ?? [];
    sides.push({ name, unit: "MB/s", values, peakMb: (await usage())?.peakMb ?? NaN });
    const cost = (median(used) * 1000) / (sizeBytes / 1_000_000);
    const time = Number.isNaN(cost) ? "" : ` Processor time of 1 MB: ${cost.toFixed(0)} µs.`;
    if (name === THIS.name) {
      notes.push(`${name}: ${does}.${time}`);
      continue;
    }
    const ratio = ratioOf({ bare: values, ours: rounds[0] ?? [] });
    figures.push({
      name: `${THIS.name} ÷ ${name}`,
      value: ratio.value,
      ...(wanted !== undefined && { atLeast: wanted }),
    });
    notes.push(`${name}: ${does}. ${ratio.note}${time}`);
  }
  return {
    name: "peers",
    task: `One WAV of ${sizeBytes.toLocaleString("en")} bytes, sent by ${uploader.name} to each in turn.`,
    sides,
    figures,
    notes: [...notes, ...missing],
  };
}
