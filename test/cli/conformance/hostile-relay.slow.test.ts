import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { randomFrom } from "../../sim/random.ts";
import { randomSeeds } from "../../runner/random-seed.ts";
import { ANSWERS } from "./hostile-answers.ts";
import {
  type AnswerBadly,
  answerWell,
  HostileRelay,
  isOfSetup,
  type UpgradeBadly,
} from "./hostile-relay.ts";
import { SOCKETS } from "./hostile-sockets.ts";
import { holdHostile, toldSecrets } from "./hold-hostile.ts";
import { makeMachine, runOnce } from "../run-soundferry.ts";

/** More calls than any run makes, also of a relay that has all of them repeated. */
const MOST_CALLS = 6000;
/** The kit alone takes 35. */
const MOST_MB = 250;
const ANSWER_KINDS = Object.entries<AnswerBadly>(ANSWERS);
const SOCKET_KINDS = Object.entries<UpgradeBadly>(SOCKETS);

describe("[Q8] whatever a relay answers, the run ends, and each check has a result:", () => {
  test.each(ANSWER_KINDS)("%s", async (_, answer) => {
    await using relay = await HostileRelay.start({ answer: () => answer });
    await expectEnd(relay);
  });

  test.each(ANSWER_KINDS)("%s, once everything is set up", async (_, answer) => {
    await using relay = await HostileRelay.start({
      answer: (call) => (isOfSetup(call) ? answerWell : answer),
    });
    await expectEnd(relay);
  });

  test.each(SOCKET_KINDS)("a socket that %s", async (_, upgrade) => {
    await using relay = await HostileRelay.start({ upgrade: () => upgrade });
    await expectEnd(relay, ["I3", "I5", "P5"]);
  });

  test.each(randomSeeds(12))("all kinds at random, seed %i", async (seed) => {
    const random = randomFrom(seed);
    const oneOf = <Kind>(kinds: readonly (readonly [string, Kind])[]) =>
      kinds[Math.floor(random() * kinds.length)]?.[1] as Kind;
    const share = random();
    await using relay = await HostileRelay.start({
      answer: () => (random() < share ? oneOf(ANSWER_KINDS) : answerWell),
      upgrade: () => oneOf(SOCKET_KINDS),
    });
    await expectEnd(relay);
  });
});

test.each([
  ["a body without an end"],
  ["two MiB in pieces of a byte"],
  ["700,000 empty objects"],
  ["large pages without end"],
  ["tokens of a megabyte"],
  ["a flood of 1xx"],
] as const)("[Q8] the kit's memory is bounded, whatever it reads: %s", async (kind) => {
  await using relay = await HostileRelay.start({ answer: () => ANSWERS[kind] });
  expect(await measureRun(relay)).toBeLessThan(MOST_MB);
});

test.each([["sends 60 kB messages without end"], ["sends a message of 10 MB"]] as const)(
  "[Q8] the kit's memory is bounded when a socket %s",
  async (kind) => {
    await using relay = await HostileRelay.start({ upgrade: () => SOCKETS[kind] });
    expect(await measureRun(relay)).toBeLessThan(MOST_MB);
  },
);

test("[Q8] a run of one check ends when the relay closes its socket at once", async () => {
  await using relay = await HostileRelay.start({ upgrade: () => SOCKETS["closes at once"] });
  await using machine = await makeMachine();
  const ended = await machine.run(["conformance", "--relay", relay.url, "--only", "socket"]);
  expect(ended).toMatchObject({ status: 1, stderr: "" });
  expect(ended.stdout).toContain("This notification did not arrive");
});

test("[Q8] a port that accepts and is silent is said in one line", async () => {
  const answer = () => ANSWERS["no answer"];
  await using relay = await HostileRelay.start({ answer, greets: false });
  const ended = await runOnce(["conformance", "--relay", relay.url]);
  expect(ended).toMatchObject({ status: 1, stdout: "" });
  expect(ended.stderr).toMatch(/^No relay answers at .*no whole answer within 10 s\.\)\n$/);
});

/** Returns the most memory that a process takes which runs the kit, in MB. */
async function measureRun({ url }: HostileRelay): Promise<number> {
  const script = join(import.meta.dirname, "hostile-run-process.ts");
  const { stdout } = await promisify(execFile)(process.execPath, [script, url]);
  return (JSON.parse(stdout) as { peakMb: number }).peakMb;
}

async function expectEnd(relay: HostileRelay, only?: readonly string[]): Promise<void> {
  const rejections: unknown[] = [];
  const note = (error: unknown) => void rejections.push(error);
  process.on("unhandledRejection", note);
  try {
    const told = await holdHostile(relay.url, only === undefined ? {} : { only });
    expect(toldSecrets(told, relay.secrets)).toEqual([]);
  } finally {
    process.off("unhandledRejection", note);
  }
  expect(rejections).toEqual([]);
  expect(relay.calls).toBeLessThan(MOST_CALLS);
}
