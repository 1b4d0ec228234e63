import { sweep } from "../../../relay/domain/upkeep/sweep.ts";
import { lookForUnknown } from "../../../relay/domain/upkeep/quarantine.ts";
import type { App } from "../../sim/app.ts";
import type { SimRelay } from "../../sim/sim-relay.ts";

/** One call of an app, an importer or the relay itself. Without an answer it is made again. */
export type Step = readonly [name: string, act: (traveller: Traveller) => Promise<void>];

/** The app and the relay that make the journey. */
export interface Traveller {
  readonly app: App;
  readonly relay: SimRelay;
  /** The keys of its packages, by the journey's names. */
  readonly keys: Map<string, string>;
}

/** Everything that a package goes through, and all that ends it: its time, its app, its computer. */
export const JOURNEY: readonly Step[] = [
  ["register and pair", ({ app }) => app.begin()],
  announce("song"),
  upload("song", "kick.wav"),
  upload("song", "pad.wav"),
  upload("song", "kick.wav"),
  act("commit", "song", "waiting"),
  ["take song", ({ app, keys }) => app.take(keyOf(keys, "song"))],
  ["download song", ({ app, keys }) => app.download(keyOf(keys, "song"))],
  act("report", "song", "imported"),
  announce("regretted"),
  upload("regretted", "kick.wav"),
  act("withdraw", "regretted", "gone"),
  ...send("forgotten"),
  ["a day", (traveller) => passDay(traveller)],
  ["sweep", ({ relay }) => relay.run(sweep)],
  ...send("kept"),
  announce("unfinished"),
  upload("unfinished", "kick.wav"),
  ["unpair", async ({ app }) => void (app.facts.isPaired !== false && (await app.unpair()))],
  [
    "remove the device",
    async ({ app }) => void (app.facts.isErased !== true && (await app.erase())),
  ],
  ["ten days", async ({ relay }) => void (relay.clock.time += 240 * 3_600_000)],
  ["the last sweep", ({ relay }) => relay.run(sweep)],
  ["the last look", ({ relay }) => relay.run(lookForUnknown)],
];

function announce(name: string): Step {
  const announcing: Step[1] = async ({ app, keys }) => {
    if (!keys.has(name)) keys.set(name, await app.pack());
    await app.announce(keyOf(keys, name));
  };
  return [`announce ${name}`, announcing];
}

function upload(name: string, file: string): Step {
  return [`upload ${file} of ${name}`, ({ app, keys }) => app.upload(keyOf(keys, name), file)];
}

function send(name: string): readonly Step[] {
  const uploads = ["kick.wav", "pad.wav"].map((file) => upload(name, file));
  return [announce(name), ...uploads, act("commit", name, "waiting")];
}

/** A call that need not be made again once a look has shown that it took effect. */
function act(call: "commit" | "report" | "withdraw", name: string, becomes: string): Step {
  const acting: Step[1] = async ({ app, keys }) => {
    const key = keyOf(keys, name);
    if (app.package(key).states.join() !== becomes) await app[call](key);
  };
  return [`${call} ${name}`, acting];
}

/** The waits of what was sent are over. */
async function passDay({ app, relay, keys }: Traveller): Promise<void> {
  relay.clock.time += 25 * 3_600_000;
  await app.note({ key: keyOf(keys, "song"), isEmpty: true });
  await app.note({ key: keyOf(keys, "forgotten"), is: "expired", isEmpty: true });
}

function keyOf(keys: ReadonlyMap<string, string>, name: string): string {
  const key = keys.get(name);
  if (key === undefined) throw new RangeError(`${name} was not announced.`);
  return key;
}
