import { describe, expect, test } from "vitest";
import { GERMAN } from "../../core/messages/de/german.ts";
import { translateWith } from "../../core/messages/translate.ts";
import { IN_NODE } from "../../client/node/in-node.ts";
import { MemoryTokenStore } from "../../client/pairing/token-store.ts";
import type { PackageDraft } from "../../client/send/package-draft.ts";
import { explainIn } from "../../client/send/words/explain.ts";
import type { ClientSettings, SoundferryClient } from "../../client/soundferry-client.ts";
import { ClientError } from "../../client/wire/client-error.ts";
import { smallWav } from "../wav-bytes.ts";
import { soon } from "../sim/soon.ts";
import {
  acceptAll,
  callsOf,
  instantPace,
  pairedClient,
  ROOM,
  type SeenRequest,
  type StandInAnswer,
  startStandIn,
} from "./stand-in-relay.ts";

const WAV = smallWav();
const DRAFT: PackageDraft = { sounds: [{ source: WAV, name: "Voice memo", id: "memo" }] };
const TEN_MINUTES = 10 * 60_000;

function clientOf(relayUrl: string, settings: Partial<ClientSettings> = {}): SoundferryClient {
  return pairedClient(relayUrl, { pace: instantPace(), ...IN_NODE, ...settings });
}

describe("what is checked before hashing", () => {
  test("[W13] every bad sound is reported at once, by its own name, before any call", async () => {
    await using relay = await startStandIn(acceptAll);
    const draft = {
      sounds: [
        { source: new Blob(["no WAV"]), name: "Voice memo" },
        { source: WAV },
        { source: WAV.subarray(0, 30), file: "cut.wav" },
      ],
    };
    const progress: unknown[] = [];
    const onProgress = (step: unknown) => progress.push(step);
    await expect(clientOf(relay.url).send(draft, { onProgress })).rejects.toMatchObject({
      code: "SOUNDS_REFUSED",
      message:
        "2 sounds can't be sent. Voice memo: not a WAV file. Export it as WAV. cut.wav: broken format chunk. Export it again.",
      sound: "1",
      position: 1,
      problems: [
        { code: "WAV_NOT_RIFF", sound: "1", file: "sound-1.wav", position: 1 },
        { code: "WAV_FORMAT_BROKEN", sound: "3", file: "cut.wav", position: 3 },
      ],
    });
    expect({ seen: relay.seen, progress }).toEqual({ seen: [], progress: [] });
  });

  test.each([
    ["bytes_left", 10, "Studio has room for 0 MB, and these sounds need more. Click Import first."],
    ["waiting_left", 0, "Many packages wait at Studio. Click Import first."],
    ["package_bytes_max", 10, "These sounds are too large together for Studio."],
  ])("[W13] a computer without room is reported: %s", async (member, value, message) => {
    const body = { device_name: "Studio", app_name: "L", room: { ...ROOM, [member]: value } };
    await using relay = await startStandIn(() => ({ body }));
    await expect(clientOf(relay.url).send(DRAFT)).rejects.toMatchObject({
      code: "ROOM_TOO_SMALL",
      message,
    });
    expect(callsOf(relay.seen)).toEqual(["GET /app/me"]);
  });

  test("[W13] reads pairing and room, announces, uploads and commits, and says what it does", async () => {
    await using relay = await startStandIn(acceptAll);
    const states: string[] = [];
    await clientOf(relay.url).send(DRAFT, { onState: (state) => states.push(state) });
    expect(callsOf(relay.seen)).toEqual([
      "GET /app/me",
      "POST /packages",
      "PUT /packages/pkg_1/files/sound-1.wav",
      "POST /packages/pkg_1/commit",
    ]);
    expect(states).toEqual(["hashing", "uploading", "committing"]);
  });
});

describe("while the relay can't be reached", () => {
  test("[W13] it pauses and resumes, more often than a refusal is retried", async () => {
    await using relay = await startStandIn((request, count) =>
      count > 2 && count < 20 ? "hang up" : acceptAll(request),
    );
    const states: string[] = [];
    await clientOf(relay.url).send(DRAFT, {
      onState: (state, error) =>
        states.push(error === undefined ? state : `${state}: ${error.code}`),
    });
    const paused = "paused: NO_ANSWER";
    expect(states).toEqual(["hashing", "uploading", paused, "uploading", "committing"]);
  });

  test("[W13] it survives 10 minutes without the relay", async () => {
    const pace = instantPace();
    await using relay = await startStandIn((request) =>
      request.method === "PUT" && pace.nowMs() < TEN_MINUTES ? { status: 502 } : acceptAll(request),
    );
    const { packageId } = await clientOf(relay.url, { pace }).send(DRAFT);
    expect(packageId).toBe("pkg_1");
    expect(pace.nowMs()).toBeGreaterThanOrEqual(TEN_MINUTES);
  });

  test("[W13] it gives up after the time that the app chose, and leaves the package", async () => {
    await using relay = await startStandIn((request) =>
      request.method === "PUT" ? { status: 502 } : acceptAll(request),
    );
    const error = await clientOf(relay.url)
      .send(DRAFT, { giveUpAfterMs: 60_000 })
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ status: 502, packageId: "pkg_1" });
    expect(relay.seen.some(({ method }) => method === "DELETE")).toBe(false);
  });
});

describe("what becomes of the package", () => {
  const refusing =
    (status: number, code: string) =>
    (request: SeenRequest): StandInAnswer =>
      request.method === "PUT"
        ? { status, body: { error: "sound-1.wav: no.", code }, headers: { "x-request-id": "r-7" } }
        : acceptAll(request);

  test("[W12][W16] after a final refusal it is withdrawn, and the error says all about it", async () => {
    await using relay = await startStandIn(refusing(422, "CHECKSUM_DIFFERS"));
    await expect(clientOf(relay.url).send(DRAFT)).rejects.toMatchObject({
      message: "Voice memo: no.",
      code: "CHECKSUM_DIFFERS",
      packageId: "pkg_1",
      requestId: "r-7",
      sound: "memo",
      file: "sound-1.wav",
      position: 1,
    });
    expect(callsOf(relay.seen).at(-1)).toBe("DELETE /packages/pkg_1");
  });

  test.each([
    [507, "DEVICE_FULL"],
    [503, "BUSY"],
    [429, "CALLS_TOO_MANY"],
    [408, "UPLOAD_STALLED"],
  ])("[W12] after %s it stays", async (status, code) => {
    await using relay = await startStandIn(refusing(status, code));
    await expect(clientOf(relay.url).send(DRAFT)).rejects.toMatchObject({ status });
    expect(relay.seen.some(({ method }) => method === "DELETE")).toBe(false);
  });

  test("[W12] under the app's own key it stays", async () => {
    await using relay = await startStandIn(refusing(422, "CHECKSUM_DIFFERS"));
    const sending = clientOf(relay.url).send(DRAFT, { idempotencyKey: "take-1" });
    await expect(sending).rejects.toMatchObject({ code: "CHECKSUM_DIFFERS" });
    expect(relay.seen.some(({ method }) => method === "DELETE")).toBe(false);
  });

  test.each([
    [200, undefined, "withdrawn"],
    [409, "PACKAGE_TAKEN", "taken"],
    [503, undefined, "pending"],
  ])("[W12] aborted while it is committed: %s %s", async (status, code, outcome) => {
    const stop = new AbortController();
    await using relay = await startStandIn((request) => {
      if (request.path.endsWith("/commit")) stop.abort();
      if (request.method === "DELETE") return { status, body: { error: "No.", code } };
      return acceptAll(request);
    });
    const tokenStore = new MemoryTokenStore("sfa_x");
    const sending = clientOf(relay.url, { tokenStore }).send(DRAFT, { signal: stop.signal });
    await expect(sending).rejects.toMatchObject({ code: "SEND_ABORTED", outcome });
    const pending = outcome === "pending" ? ["pkg_1"] : [];
    expect(await tokenStore.withdrawals.load()).toEqual(pending);
  });

  test("[W12] under the app's own key it also stays if it is aborted just before the commit", async () => {
    const stop = new AbortController();
    await using relay = await startStandIn(acceptAll);
    const sending = clientOf(relay.url).send(DRAFT, {
      idempotencyKey: "take-1",
      signal: stop.signal,
      onState: (state) => {
        if (state === "committing") stop.abort();
      },
    });
    await expect(sending).rejects.toMatchObject({ code: "SEND_ABORTED", outcome: "kept" });
    const after = relay.seen.filter(
      ({ method, path }) => method === "DELETE" || path.endsWith("/commit"),
    );
    expect(after).toEqual([]);
  });

  test("[W12] a withdrawal that couldn't be delivered is delivered at the next start", async () => {
    await using relay = await startStandIn(acceptAll);
    const tokenStore = new MemoryTokenStore("sfa_x");
    await tokenStore.withdrawals.add("pkg_old");
    await clientOf(relay.url, { tokenStore }).me();
    await soon(() => tokenStore.withdrawals.load()).toEqual([]);
    expect(callsOf(relay.seen)).toEqual(["GET /app/me", "DELETE /packages/pkg_old"]);
  });

  test.each([
    [409, "imported", 1, { packageId: "pkg_1" }],
    [404, "waiting", 1, { packageId: "pkg_1" }],
    [409, "expired", 2, { packageId: "pkg_1" }],
    [404, "gone", 1, { status: 404 }],
  ])(
    "[W41] where a commit's answer was lost, and the next is %s, the status decides: %s",
    async (refused, status, announcements, expected) => {
      let commits = 0;
      await using relay = await startStandIn((request) => {
        if (request.path.endsWith("/commit")) {
          commits += 1;
          if (commits === 1) return "hang up";
          return commits === 2 ? { status: refused, body: { error: "No." } } : acceptAll(request);
        }
        if (!request.path.endsWith("/status")) return acceptAll(request);
        return status === "gone" ? { status: 404, body: { error: "No." } } : { body: { status } };
      });
      const sent = await clientOf(relay.url)
        .send(DRAFT)
        .catch((error: unknown) => error);
      expect(sent).toMatchObject(expected);
      const announced = relay.seen.filter(({ path }) => path === "/packages");
      expect(announced).toHaveLength(announcements);
    },
  );

  test("[W13] one whose upload window ended meanwhile is announced again", async () => {
    let isExpired = true;
    await using relay = await startStandIn((request) => {
      if (!request.path.endsWith("/commit") || !isExpired) return acceptAll(request);
      isExpired = false;
      return { status: 409, body: { error: "Expired.", code: "PACKAGE_EXPIRED" } };
    });
    await clientOf(relay.url).send(DRAFT);
    const announced = relay.seen.filter(({ path }) => path === "/packages");
    expect(announced.map(({ headers }) => headers["idempotency-key"])).toHaveLength(2);
  });
});

test("[W16] an error has every problem that the relay found, and when to try again", async () => {
  const problems = [
    { error: "Sound 1: no.", code: "FILE_TWICE", sound: "a", file: "a.wav", position: 1 },
    { error: "Sound 2: no.", code: "BYTES_WRONG", field: "bytes", position: 2 },
    { error: 7 },
  ];
  await using relay = await startStandIn(() => ({
    status: 422,
    headers: { "retry-after": "7" },
    body: { ...problems[0], problems },
  }));
  const before = Date.now();
  const error = await clientOf(relay.url)
    .announce({})
    .catch((thrown: { retryAt: Date; problems: object[] }) => thrown);
  if (!("retryAt" in error)) throw new Error("It was announced.");
  expect(error).toMatchObject({ code: "FILE_TWICE", sound: "a", file: "a.wav", position: 1 });
  expect(error.problems).toEqual(problems.slice(0, 2));
  expect(error.retryAt.getTime()).toBeGreaterThanOrEqual(before + 7000);
});

test("[W16] several bad sounds are explained in the page's language, each by its own name", () => {
  const problems = [
    { error: "Voice memo: not a WAV file. Export it as WAV.", code: "WAV_NOT_RIFF" },
    {
      error: "Take 2 can't be read any more; its file was changed or removed.",
      code: "SOUND_UNREADABLE",
    },
  ] as const;
  const error = new ClientError("2 sounds can't be sent.", { code: "SOUNDS_REFUSED", problems });
  expect(explainIn(translateWith("de", GERMAN), error)).toBe(
    "Voice memo: keine WAV-Datei. Exportiere sie als WAV. Take 2 lässt sich nicht mehr lesen; die Datei wurde geändert oder entfernt.",
  );
});
