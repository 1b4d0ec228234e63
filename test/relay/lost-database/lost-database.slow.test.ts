import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { makeMachine, type Machine, type RunningCommand } from "../../cli/run-soundferry.ts";
import { manifestOf } from "../running-relay.ts";
import { TAMPERINGS } from "./tamperings.ts";

const SENDERS = 8;
/** Enough for the relay to merge its write-ahead log several times. */
const FACTS_BEFORE = 200;

const WITHOUT_LIMITS = {
  SOUNDFERRY_CALLS_PER_MINUTE: "1000000",
  SOUNDFERRY_PACKAGES_PER_HOUR: "1000000",
  SOUNDFERRY_WAITING_PACKAGES_PER_DEVICE: "1000000",
  SOUNDFERRY_BYTES_PER_DEVICE: "1000000000000",
  SOUNDFERRY_PAIRING_TRIES_PER_MINUTE: "1000000",
  SOUNDFERRY_REGISTRATIONS_PER_DAY: "1000000",
  SOUNDFERRY_LOG_LEVEL: "error",
};

describe.concurrent("[Z8] a database that is", () => {
  test.for(TAMPERINGS)(
    "$title ends the relay, and nothing is answered that is lost",
    async ({ tamper }, { expect }) => {
      await using machine = await makeMachine();
      const folder = join(machine.home, "relay-data");
      const olderCopy = join(machine.home, "older.sqlite");
      const first = await serve(machine, folder);
      const app = await pair(first.url);
      await announce(first.url, app.token);
      await stop(first.command);
      copyFileSync(join(folder, "relay.sqlite"), olderCopy);

      const relay = await serve(machine, folder);
      const sending = new Sending(relay.url, app.token);
      await expect.poll(() => sending.answered.length).toBeGreaterThan(FACTS_BEFORE);
      sending.asksAfterTampering = true;
      tamper({ folder, olderCopy });
      const { status, stderr } = await relay.command.ended;
      await sending.ended;
      expect([status, ...sending.refused]).toEqual(
        [1, "503 NOT_READY"].slice(0, 1 + sending.refused.size),
      );
      expect(stderr).toContain(join(folder, "relay.sqlite"));
      expect(stderr).toMatch(/soundferry relay (restore|check)|Start the relay again/);

      const kept = await keptAfterRestart(machine, folder, app.token, sending.answeredAfter);
      expect(sending.answeredAfter.filter((id) => !kept.has(id))).toEqual([]);
    },
  );
});

interface Served {
  readonly command: RunningCommand;
  readonly url: string;
}

async function serve(machine: Machine, folder: string): Promise<Served> {
  const environment = { ...WITHOUT_LIMITS, SOUNDFERRY_DATA: folder };
  const command = machine.start(["relay", "--json"], environment);
  await command.until(({ stdout }) => stdout.includes("\n"));
  return { command, url: String(JSON.parse(command.stdout).url) };
}

async function stop(command: RunningCommand): Promise<void> {
  command.interrupt();
  expect((await command.ended).status).toBe(0);
}

interface Posted {
  readonly status: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- a test looks into answers of every shape
  readonly json: any;
}

async function post(url: string, token: string | undefined, body: object): Promise<Posted> {
  const answer = await fetch(url, {
    method: "POST",
    headers: { ...(token !== undefined && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
  });
  return { status: answer.status, json: await answer.json() };
}

async function pair(url: string): Promise<{ readonly token: string }> {
  const device = await post(`${url}/importer/register`, undefined, { device_name: "Studio" });
  const made = await post(`${url}/importer/pairing-code`, device.json.importer_token, {});
  const claim = { code: made.json.code, app_name: "Looper", app_id: "app-1" };
  const claimed = await post(`${url}/pair/claim`, undefined, claim);
  return { token: claimed.json.app_token };
}

function announce(url: string, token: string) {
  return post(`${url}/packages`, token, manifestOf(["kick.wav"]));
}

/** Apps that announce packages until the relay is gone. */
class Sending {
  /** The packages of all answers 201, and of those to calls that began after the tampering. */
  readonly answered: string[] = [];
  readonly answeredAfter: string[] = [];
  /** Which other answers there were. */
  readonly refused = new Set<string>();
  readonly ended: Promise<unknown>;
  asksAfterTampering = false;

  constructor(url: string, token: string) {
    this.ended = Promise.all(Array.from({ length: SENDERS }, () => this.#send(url, token)));
  }

  async #send(url: string, token: string): Promise<void> {
    for (;;) {
      const isAfter = this.asksAfterTampering;
      const answer = await announce(url, token).catch(() => undefined);
      // The process has ended.
      if (answer === undefined) return;
      if (answer.status === 201) {
        this.answered.push(answer.json.package_id);
        if (isAfter) this.answeredAfter.push(answer.json.package_id);
      } else {
        this.refused.add(`${answer.status} ${answer.json.code}`);
      }
    }
  }
}

/** Which of the packages a relay knows that starts on what is at the path now. */
async function keptAfterRestart(
  machine: Machine,
  folder: string,
  token: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const relay = await serve(machine, folder).catch(() => undefined);
  if (relay === undefined) return new Set();
  const kept = new Set<string>();
  for (const id of ids) {
    const answer = await fetch(`${relay.url}/packages/${id}/status`, {
      headers: { authorization: `Bearer ${token}` },
    });
    if (answer.status === 200) kept.add(id);
  }
  relay.command.interrupt();
  await relay.command.ended;
  return kept;
}
