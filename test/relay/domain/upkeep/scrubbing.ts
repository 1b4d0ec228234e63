import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import type { Context } from "../../../../relay/domain/context.ts";
import { quarantines, type StoreUpkeep } from "../../../../relay/domain/ports.ts";
import { scrub, type ScrubOptions } from "../../../../relay/domain/upkeep/scrub.ts";
import { gather } from "../../../contracts/relay/sounds/sounds-case.ts";
import type { waitingPackage } from "../packages/waiting-package.ts";
import { recordOf, type UseCases } from "../use-cases.ts";

type Waiting = Awaited<ReturnType<typeof waitingPackage>>;

/** A scrub without pauses. */
export function scrubbing(context: Context, options: Partial<ScrubOptions> = {}) {
  const found: string[] = [];
  const ending = new AbortController();
  const run = () =>
    scrub(context, {
      share: 0.5,
      holder: "one",
      signal: ending.signal,
      monotonic: () => 0,
      sleep: async () => ending.signal.throwIfAborted(),
      onDiffering: (sound) => found.push(`${sound.file} ${sound.found}`),
      ...options,
    });
  return { run, found, ending };
}

export async function keyOf(cases: UseCases, packageId: string, file: string): Promise<string> {
  return (await recordOf(cases, packageId)).uploaded.get(file) ?? "";
}

/** Changes the bytes of a finished sound behind the relay's back. */
async function change(
  { sounds }: Context,
  key: string,
  edit: (bytes: Buffer) => Uint8Array,
): Promise<void> {
  const size = (await sounds.sizes([key])).get(key) ?? 0;
  const bytes = await buffer(
    (await sounds.open(key, { start: 0, end: size - 1 })) ?? Readable.from([]),
  );
  await sounds.delete([key]);
  const writer = await sounds.create(key, { bytes: size, sha256: "" });
  await writer.write(Uint8Array.from(edit(bytes)));
  await writer.finish();
}

export function flip(bytes: Buffer): Buffer {
  bytes.writeUInt8(bytes.readUInt8(50) ^ 1, 50);
  return bytes;
}

export async function corrupt(relay: Waiting, file: string, edit = flip): Promise<string> {
  const key = await keyOf(relay.cases, relay.packageId, file);
  await change(relay.context, key, edit);
  return key;
}

export function asideIn({ sounds }: Context) {
  if (!quarantines(sounds)) throw new Error("The disk has a quarantine.");
  return gather(sounds.listQuarantined());
}

export function upkeepOf({ upkeep }: Context): StoreUpkeep {
  if (upkeep === undefined) throw new Error("SQLite has the ability.");
  return upkeep;
}
