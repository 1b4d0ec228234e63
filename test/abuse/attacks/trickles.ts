import { setTimeout as sleep } from "node:timers/promises";
import { smallWav } from "../../wav-bytes.ts";
import type { Attack, Outcome, Stage } from "../attack.ts";
import type { Attacked } from "../attacked-relay.ts";
import { countOf, httpCall, inParallel, patiently } from "../http-call.ts";
import { type RawConnection, RawConnections, requestHead } from "../raw-connections.ts";
import {
  announce,
  type Computer,
  expectStatus,
  manifest,
  pairApp,
  pairUp,
  WAV,
  siteAddress,
} from "../strangers.ts";

const IDLE_SECONDS = 2;
/** More than this relay runs at once. */
const TRICKLES = 300;
const SLOTS = 256;
const PER_COMPUTER = 4;
/** A sound of which only the header arrives soon. */
const SOUND = smallWav({ frames: 500_000 });
const HEADER_BYTES = 44;

/** A4: uploads that send a byte now and then, for one computer and for all. */
export const trickles: Attack = {
  name: "A4",
  title: "uploads that trickle",
  promise:
    "One app's trickling uploads never keep another app from sending, not even if every slot of the relay trickles; " +
    "unpairing ends them at once, and their pace alone within three idle times (set to 2 s here).",
  run: trickle,
};

async function trickle(stage: Stage): Promise<Outcome> {
  await using relay = await stage.openRelay({
    settings: {
      SOUNDFERRY_UPLOAD_IDLE_S: String(IDLE_SECONDS),
      SOUNDFERRY_UPLOADS: String(SLOTS),
    },
  });
  using held = new RawConnections(relay);
  const victim = await pairUp(relay, siteAddress(1));
  const neighbour = {
    ...victim,
    appToken: await pairApp(relay, victim.importerToken, victim.from),
  };
  const ofVictim = await holdUploads(relay, held, victim);
  const besides = await send(relay, neighbour);
  await httpCall(relay, { method: "POST", path: "/app/unpair", token: victim.appToken });
  const unpairedOpen = await openAfter(ofVictim, 1500);

  const strangers = await inParallel(TRICKLES / PER_COMPUTER, 4, (index) =>
    pairUp(relay, siteAddress(0x10 + index)),
  );
  const connections: RawConnection[] = [];
  const dripping = setInterval(() => {
    for (const each of connections) each.write("\0");
  }, 500).unref();
  await inParallel(strangers.length, 8, async (index) => {
    connections.push(...(await holdUploads(relay, held, strangers[index] as Computer)));
  });
  await sleep(1000);
  const honest = await send(relay, await pairUp(relay, siteAddress(0x200)));
  const stillOpen = await openAfter(connections, IDLE_SECONDS * 3000 + storingMs(relay));
  clearInterval(dripping);
  return {
    what: "uploads of a byte now and then",
    offered: connections.length + ofVictim.length,
    leastOffered: TRICKLES,
    accepted: connections.filter(({ status }) => ![429, 503].includes(status)).length,
    measures: [
      {
        name: "uploads of another app of that computer",
        value: besides,
        unit: "packages",
        atLeast: 1,
      },
      {
        name: "trickles open 1.5 s after the unpairing",
        value: unpairedOpen,
        unit: "uploads",
        atMost: 0,
      },
      {
        name: "honest packages sent while every slot trickles",
        value: honest,
        unit: "packages",
        atLeast: 1,
      },
      {
        name: "trickles open after three idle times",
        value: stillOpen,
        unit: "uploads",
        atMost: 0,
      },
    ],
  };
}

/** Announces a package of four sounds and begins to upload each. */
async function holdUploads(relay: Attacked, held: RawConnections, computer: Computer) {
  const answer = await announce(relay, computer, manifest(PER_COMPUTER, SOUND.byteLength));
  const id = String(expectStatus(answer, 201).json["package_id"]);
  return inParallel(PER_COMPUTER, PER_COMPUTER, async (index) => {
    const head = requestHead(`PUT /packages/${id}/files/sound-${index + 1}.wav`, {
      Authorization: `Bearer ${computer.appToken}`,
      "X-Forwarded-For": computer.from,
      "Content-Length": SOUND.byteLength,
    });
    const connection = (await held.open(head)).read();
    connection.write(SOUND.subarray(0, HEADER_BYTES));
    return connection;
  });
}

/** What stores take isn't counted as idle (rule U5): an S3 server on the same machine has three calls for each upload. */
function storingMs({ relays }: Attacked): number {
  return relays === 1 ? 0 : TRICKLES * 100;
}

/** How many are neither answered nor closed after a while. */
async function openAfter(
  connections: readonly { readonly isOpen: boolean; readonly status: number }[],
  ms: number,
) {
  const endsAt = performance.now() + ms;
  const open = () => connections.filter(({ isOpen, status }) => isOpen && status === 0).length;
  while (open() > 0 && performance.now() < endsAt) await sleep(50);
  return open();
}

/** @returns how many packages arrived, 0 or 1 */
async function send(relay: Attacked, computer: Computer): Promise<number> {
  const answer = await patiently(() => announce(relay, computer), { withinMs: 10_000 });
  const id = String(answer.json["package_id"]);
  if (answer.status !== 201) return 0;
  const { appToken: token, from } = computer;
  const path = `/packages/${id}/files/sound-1.wav`;
  const uploaded = await patiently(
    () => httpCall(relay, { method: "PUT", path, token, from, body: WAV }),
    { withinMs: 5000 },
  );
  return countOf([uploaded], 200);
}
