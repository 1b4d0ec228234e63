import { describe, expect, test } from "vitest";
import { VERSION } from "../../../core/version.ts";
import { RelayClient } from "../../../addon/relay/relay-client.ts";
import { until } from "../../sim/until.ts";
import { linkTo, startStandIn } from "./linked-client.ts";

async function readAll(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of body) pieces.push(piece);
  return Buffer.concat(pieces);
}

describe("calls", () => {
  test("[P1][I4] registers once, says on every call what it is, and shows its token as a bearer", async () => {
    const relay = await startStandIn();
    const { client } = linkTo(relay.url);
    expect(await client.pairingCode()).toMatchObject({ code: "K7MQ2X", expires_in: 600 });
    await client.apps();
    expect(relay.callsTo("POST", "/importer/register")).toHaveLength(1);
    expect(relay.callsTo("POST", "/importer/register")[0]?.body).toEqual({ device_name: "Studio" });
    const [hello, ...known] = relay.calls;
    expect(hello?.headers["x-soundferry-importer"]).toBe(`${VERSION}; api=2`);
    for (const call of known) {
      expect(call.headers["x-soundferry-importer"]).toBe(`${VERSION}; api=1`);
    }
    const [asked] = relay.callsTo("GET", "/importer/apps");
    expect(asked?.headers.authorization).toBe("Bearer sfi_token-1");
  });

  test("[P7] lists the apps and unpairs one by its id, whatever signs are in it", async () => {
    const relay = await startStandIn();
    const { client } = linkTo(relay.url);
    const times = {
      paired_at: "2026-11-21T12:00:00.000Z",
      last_seen_at: "2026-11-21T12:00:00.000Z",
      waiting_packages: 0,
    };
    relay.apps.push({ pairing_id: "a/../b c", app_name: "Looper", ...times });
    relay.apps.push({ pairing_id: "pair_2", app_name: "Synth", ...times });
    await client.unpair("a/../b c");
    const { apps } = await client.apps();
    expect(apps.map((app) => app.app_name)).toEqual(["Synth"]);
    await expect(client.unpair("a/../b c")).rejects.toMatchObject({
      status: 404,
      message: "This app isn't paired with this computer.",
    });
  });

  test("[P8] renames the computer and stores the name that the relay returned", async () => {
    const relay = await startStandIn();
    const { client, identity } = linkTo(relay.url);
    expect(identity.deviceName).toBe("Studio");
    await client.rename("Loft");
    expect(identity.deviceName).toBe("Loft");
    expect([...relay.devices.values()]).toEqual([{ deviceId: "dev_1", deviceName: "Loft" }]);
  });

  test("[L4] shows the registration key where one is set, when it registers and at no other time", async () => {
    const relay = await startStandIn();
    const { client } = linkTo(relay.url, { registrationKey: "open-sesame" });
    await client.apps();
    const shown = relay.calls.filter(
      ({ headers }) => headers["x-soundferry-registration-key"] === "open-sesame",
    );
    expect(shown.map(({ path }) => path)).toEqual(["/importer/register"]);
    expect(relay.calls.at(-1)?.path).toBe("/importer/apps");
  });

  test("[P9][A2] registers again after a 401 and retries the call once", async () => {
    const relay = await startStandIn();
    const { client, identity } = linkTo(relay.url);
    await client.apps();
    relay.devices.clear();
    expect(await client.apps()).toEqual({ apps: [] });
    expect(identity.newBecause).toBe("forgotten");
    expect(relay.callsTo("POST", "/importer/register")).toHaveLength(2);
  });

  test("[P9] a relay that always answers 401 gets two calls only", async () => {
    const relay = await startStandIn();
    relay.intercept = (call) =>
      call.path === "/importer/apps"
        ? { status: 401, body: { error: "No.", code: "IMPORTER_UNKNOWN" } }
        : undefined;
    const { client, identity } = linkTo(relay.url);
    await client.pairingCode();
    await expect(client.apps()).rejects.toMatchObject({ status: 401 });
    expect(relay.callsTo("GET", "/importer/apps")).toHaveLength(2);
    expect(identity.newBecause).toBe("forgotten");
  });

  test("[P9] a call that arrives without its token says nothing about the identity", async () => {
    const relay = await startStandIn();
    const { client, identity } = linkTo(relay.url);
    await client.pairingCode();
    relay.intercept = ({ path }) =>
      path === "/importer/apps"
        ? { status: 401, body: { error: "No.", code: "TOKEN_MISSING" } }
        : undefined;
    await expect(client.apps()).rejects.toMatchObject({ status: 401, code: "TOKEN_MISSING" });
    expect(relay.callsTo("GET", "/importer/apps")).toHaveLength(1);
    expect(relay.callsTo("POST", "/importer/register")).toHaveLength(1);
    expect(identity.newBecause).not.toBe("forgotten");
  });

  test("[L1] waits for Retry-After once after a 429, up to a limit", async () => {
    const relay = await startStandIn();
    const { client, pauses } = linkTo(relay.url);
    let refusals = 1;
    relay.intercept = ({ path }) => {
      if (path !== "/importer/apps" || refusals === 0) return undefined;
      refusals -= 1;
      return {
        status: 429,
        headers: { "retry-after": "7" },
        body: { error: "Too many calls. Try again in 7 s.", code: "CALLS_TOO_MANY" },
      };
    };
    expect(await client.apps()).toEqual({ apps: [] });
    expect(pauses).toEqual([7]);
    refusals = 2;
    await expect(client.apps()).rejects.toMatchObject({ status: 429, retryAfterSeconds: 7 });
    expect(pauses).toEqual([7, 7]);
  });

  test("[S2][L1] a canceled run doesn't take its package after Retry-After", async () => {
    const relay = await startStandIn({ pkg_1: ["Kick"] });
    const { http, identity } = linkTo(relay.url);
    const client = new RelayClient(http, identity);
    relay.intercept = ({ path }) =>
      path.endsWith("/take") ? { status: 429, headers: { "retry-after": "60" } } : undefined;
    const takes = () => relay.callsTo("POST", "/importer/packages/pkg_1/take");
    const cancel = new AbortController();
    const taking = client.take("pkg_1", { run_id: "run-1" }, cancel.signal);
    await until(() => takes().length === 1);
    relay.intercept = () => undefined;
    cancel.abort();
    await expect(taking).rejects.toMatchObject({ name: "AbortError" });
    expect(takes()).toHaveLength(1);
  });

  test("[S2] takes a package for a run", async () => {
    const relay = await startStandIn({ pkg_1: ["Kick"] });
    const taken = await linkTo(relay.url).client.take("pkg_1", { run_id: "run-1", force: true });
    expect(taken.expires_in).toBe(300);
    const [call] = relay.callsTo("POST", "/importer/packages/pkg_1/take");
    expect(call?.body).toEqual({ run_id: "run-1", force: true });
  });

  test("silently replaces a keep-alive connection that the relay closed", async () => {
    const relay = await startStandIn();
    const { client } = linkTo(relay.url);
    await client.apps();
    await relay.stop();
    await relay.restart();
    expect(await client.apps()).toEqual({ apps: [] });
  });
});

describe("downloads", () => {
  const { signal } = new AbortController();

  test("[I2] a download that breaks off or falls silent throws a sentence", async () => {
    const relay = await startStandIn();
    relay.intercept = ({ path }) =>
      path === "/f"
        ? { status: 200, headers: { "content-length": "100" }, body: "some" }
        : undefined;
    // On a busy machine the limit may be over before the answer's head is here: the sentence is the same.
    const impatient = linkTo(relay.url, { silenceLimitMs: 30 }).client;
    const silent = impatient.openFile("/f", { startByte: 0, signal });
    await expect(silent.then(({ body }) => readAll(body))).rejects.toThrow(
      /did not answer in time/,
    );
    const { client } = linkTo(relay.url);
    const cut = await client.openFile("/f", { startByte: 0, signal });
    const reading = readAll(cut.body);
    await relay.stop();
    await expect(reading).rejects.toThrow(/was lost/);
    await relay.restart();
  });

  test("[I2] an aborted download ends with the signal's reason", async () => {
    const relay = await startStandIn();
    relay.intercept = ({ path }) =>
      path === "/f"
        ? { status: 200, headers: { "content-length": "100" }, body: "some" }
        : undefined;
    const abort = new AbortController();
    const opened = await linkTo(relay.url).client.openFile("/f", {
      startByte: 0,
      signal: abort.signal,
    });
    const reading = readAll(opened.body);
    abort.abort(new Error("cancelled by hand"));
    await expect(reading).rejects.toThrow("cancelled by hand");
  });
});
