import { Agent } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { Attack, Outcome, Stage } from "../attack.ts";
import { countOf, httpCall, inParallel, patiently } from "../http-call.ts";
import { RawConnections, requestHead, settled } from "../raw-connections.ts";
import { pairUp, sendSmall, siteAddress } from "../strangers.ts";

const DESCRIPTORS = 1024;
const SOCKETS_PER_DEVICE = 8;
/** Packages that are committed while the sockets are open. */
const CHANGES = 4;
const FROM = siteAddress(1);

/** A7: many notification sockets with one token, then more idle connections than a process has descriptors. */
export const manySockets: Attack = {
  name: "A7",
  title: "4,000 sockets with one token, and idle connections at 1,024 descriptors",
  promise:
    "One importer token holds 8 sockets, a change is told to those only, and idle connections never keep anyone out.",
  run: openMany,
};

async function openMany(stage: Stage): Promise<Outcome> {
  const tried = stage.isShort ? 700 : 4000;
  await using relay = await stage.openRelay({ descriptors: DESCRIPTORS });
  const owner = await pairUp(relay, FROM);
  const honest = await pairUp(relay, siteAddress(2));
  const status = { path: "/app/me", token: honest.appToken, from: honest.from };
  const head = requestHead("GET /importer/socket", {
    Authorization: `Bearer ${owner.importerToken}`,
    "X-Forwarded-For": FROM,
    Connection: "Upgrade",
    Upgrade: "websocket",
    "Sec-WebSocket-Version": 13,
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
  });
  using sockets = new RawConnections(relay);
  const opened = await inParallel(tried, 32, async () => (await sockets.open(head)).read());
  const open = () => opened.filter(({ isOpen, status }) => isOpen && status === 101);
  const held = await settled(() => open().length, SOCKETS_PER_DEVICE);
  const upgraded = opened.filter(({ status }) => status === 101).length;
  const bytesBefore = open().reduce((sum, { bytes }) => sum + bytes, 0);
  const ofHonest = () =>
    patiently(() => httpCall(relay, { ...status, agent: new Agent() }), { withinMs: 10_000 });
  const whileSockets = await ofHonest();
  let told = 0;
  for (let change = 0; change < CHANGES; change += 1) {
    await sendSmall(relay, owner).then(
      () => (told += 1),
      () => undefined,
    );
  }
  await sleep(500);
  const bytesAfter = open().reduce((sum, { bytes }) => sum + bytes, 0);

  using idle = new RawConnections(relay);
  const silent = await inParallel(1500, 32, () => idle.open());
  const whileIdle = await ofHonest();
  return {
    what: "sockets and idle connections",
    offered: opened.length + silent.length,
    leastOffered: tried + 1500,
    accepted: upgraded,
    measures: [
      {
        name: "sockets that one token holds",
        value: held,
        unit: "sockets",
        atMost: SOCKETS_PER_DEVICE,
      },
      {
        name: `bytes told for ${CHANGES} packages`,
        value: bytesAfter - bytesBefore,
        unit: "bytes",
        atMost: SOCKETS_PER_DEVICE * CHANGES * 400,
      },
      { name: "packages sent meanwhile", value: told, unit: "packages", atLeast: CHANGES },
      {
        name: "honest calls while sockets are held",
        value: countOf([whileSockets], 200),
        unit: "calls",
        atLeast: 1,
      },
      {
        name: "honest calls while connections idle",
        value: countOf([whileIdle], 200),
        unit: "calls",
        atLeast: 1,
      },
    ],
  };
}
