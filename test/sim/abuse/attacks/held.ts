import { Agent } from "node:http";
import { httpCall, inParallel } from "../../http-call.ts";
import { headOf, HeldConnections, settled, waitingOf } from "../../held-connections.ts";
import { letPass } from "../../real-time.ts";
import { siteAddress, Stranger } from "../../stranger.ts";
import { type Attack, atLeast, atMost, served } from "../attack.ts";

// Connections that are opened and held.

const BODY_BYTES = 1_048_576;
const APPS = 25;

export const heldBodies: Attack = {
  name: "A6",
  title: "bodies held one byte short",
  promise:
    "However many bodies are unfinished, the relay stays under 600 MB, and an honest announcement is taken meanwhile.",
  run: async (stage) => {
    const bodies = stage.isShort ? 1000 : 2500;
    await using relay = await stage.openRelay();
    const honest = await Stranger.paired(relay, 0x200);
    const strangers = await inParallel(APPS, 4, (index) => Stranger.paired(relay, 1 + index));
    const before = await relay.usage();
    using held = new HeldConnections(relay);
    const body = Buffer.alloc(BODY_BYTES - 1, " ");
    const connections = await held.holdMany(bodies, (index) => [
      strangers[index % APPS] as Stranger,
      { line: "POST /packages", as: "app", bytes: BODY_BYTES, body },
    ]);
    await relay.settledUsage(stage.isShort ? 3000 : 8000);
    const admitted = await served(["honest announcements meanwhile", "packages"], 201, () =>
      honest.announce(),
    );
    const { peakMb } = await relay.usage();
    return {
      what: "bodies of 1 MiB without their last byte",
      offered: connections.length,
      leastOffered: bodies,
      accepted: waitingOf(connections),
      measures: [atMost(600, ["peak memory", peakMb, "MB"], before.residentMb), admitted],
    };
  },
};

const POLLS = 500;
const POLLS_PER_APP = 64;

export const heldPolls: Attack = {
  name: "A12",
  title: "long-polls held by hundreds",
  promise: "One app holds 64 long-polls, and its other calls and those of others are served.",
  run: async (stage) => {
    await using relay = await stage.openRelay();
    const app = await Stranger.paired(relay, 1);
    const honest = await Stranger.paired(relay, 2);
    const line = `GET /packages/${await app.announced()}/status?wait=30`;
    using polls = new HeldConnections(relay);
    const held = await polls.holdMany(POLLS, () => [app, { line, as: "app" }]);
    const waiting = await settled(() => waitingOf(held), POLLS_PER_APP);
    const act = () => honest.asApp("/app/me");
    return {
      what: "long-polls of one app",
      offered: held.length,
      leastOffered: POLLS,
      accepted: waiting,
      measures: [
        atMost(POLLS_PER_APP, ["long-polls that one app holds", waiting, "calls"]),
        await served(["honest calls meanwhile", "calls"], 200, act, 5000),
      ],
    };
  },
};

const DESCRIPTORS = 1024;
const SOCKETS_PER_DEVICE = 8;
const IDLE = 1500;
/** Packages that are committed while the sockets are open. */
const CHANGES = 4;

export const manySockets: Attack = {
  name: "A7",
  title: "4,000 sockets with one token, and idle connections at 1,024 descriptors",
  promise:
    "One importer token holds 8 sockets, only those hear of a change, and idle connections never keep anyone out.",
  run: async (stage) => {
    const tried = stage.isShort ? 700 : 4000;
    await using relay = await stage.openRelay({ descriptors: DESCRIPTORS });
    const owner = await Stranger.paired(relay, 1);
    const honest = await Stranger.paired(relay, 2);
    const honestCall = (when: string) =>
      served([`honest calls while ${when}`, "calls"], 200, () =>
        honest.asApp("/app/me", { agent: new Agent() }),
      );
    using sockets = new HeldConnections(relay);
    const socket = { line: "GET /importer/socket", as: "importer", isSocket: true } as const;
    const opened = await sockets.holdMany(tried, () => [owner, socket]);
    const open = () => opened.filter(({ isOpen, status }) => isOpen && status === 101);
    const bytes = () => open().reduce((sum, each) => sum + each.bytes, 0);
    await settled(() => waitingOf(opened), 0);
    const held = await settled(() => open().length, SOCKETS_PER_DEVICE);
    const upgraded = opened.filter(({ status }) => status === 101).length;
    const bytesBefore = bytes();
    const whileSockets = await honestCall("sockets are held");
    let told = 0;
    for (let change = 0; change < CHANGES; change += 1) {
      await owner.send().then(
        () => (told += 1),
        () => undefined,
      );
    }
    await letPass(500);
    const toldBytes = bytes() - bytesBefore;
    using idle = new HeldConnections(relay);
    const silent = await inParallel(IDLE, 32, () => idle.open());
    return {
      what: "sockets and idle connections",
      offered: opened.length + silent.length,
      leastOffered: tried + IDLE,
      accepted: upgraded,
      measures: [
        atMost(SOCKETS_PER_DEVICE, ["sockets that one token holds", held, "sockets"]),
        atMost(SOCKETS_PER_DEVICE * CHANGES * 400, [
          `bytes told for ${CHANGES} packages`,
          toldBytes,
          "bytes",
        ]),
        atLeast(CHANGES, ["packages sent meanwhile", told, "packages"]),
        whileSockets,
        await honestCall("connections idle"),
      ],
    };
  },
};

const PER_CONNECTION = 50;
/** A document, a page, and the smallest one: each takes memory in a way of its own. */
const PATHS = ["/openapi.json", "/", "/importer/hello"];

export const unreadAnswers: Attack = {
  name: "A11",
  title: "asking for answers in a row and reading none",
  promise:
    "With answers that nobody reads the relay stays under 600 MB, and others are served meanwhile.",
  run: async (stage) => {
    const connections = stage.isShort ? 300 : 2500;
    await using relay = await stage.openRelay();
    const answers = await inParallel(PATHS.length, 1, (index) =>
      httpCall(relay, { path: PATHS[index] ?? "/" }),
    );
    const largest = Math.max(...answers.map(({ body }) => body.byteLength));
    const before = await relay.usage();
    using unread = new HeldConnections(relay);
    await inParallel(connections, 32, (index) => {
      const stranger = new Stranger(relay, { from: siteAddress(1 + index) });
      const head = headOf(stranger, { line: `GET ${PATHS[index % PATHS.length]}` });
      return unread.open(head.repeat(PER_CONNECTION));
    });
    await relay.settledUsage(3000);
    const honest = await served(["honest calls meanwhile", "calls"], 200, () =>
      httpCall(relay, { path: "/importer/hello" }),
    );
    const { peakMb } = await relay.usage();
    const name = `peak memory (an answer has up to ${Math.round(largest / 1000)} kB)`;
    return {
      what: "answers",
      offered: connections * PER_CONNECTION,
      leastOffered: 300 * PER_CONNECTION,
      accepted: unread.openCount,
      measures: [atMost(600, [name, peakMb, "MB"], before.residentMb), honest],
    };
  },
};
