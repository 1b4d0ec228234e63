import { inspect } from "node:util";
import { describe, expect, onTestFinished, test } from "vitest";
import { HttpConnection } from "../../addon/relay/http-connection.ts";
import { IMPORTER_HEADERS } from "../../addon/relay/open-calls.ts";
import { openStoredSettings } from "../../addon/state/stored-settings.ts";
import { FolderHost } from "../../addon/hosts/folder/folder-host.ts";
import { HostGoneError } from "../../addon/hosts/host.ts";
import { gatedHost } from "../addon/paused-host.ts";
import { importerAtWork, type WorkOptions } from "../addon/importer-at-work.ts";
import { linkTo } from "../addon/relay/linked-client.ts";
import { SwitchableHost } from "../addon/switchable-host.ts";
import { connected } from "../addon/named-relays.ts";
import { until } from "../sim/until.ts";
import { RunningRelay } from "../relay/running-relay.ts";
import { smallWav } from "../wav-bytes.ts";

async function startRelay(settings: Record<string, string> = {}): Promise<RunningRelay> {
  const relay = await RunningRelay.start(settings);
  onTestFinished(() => relay[Symbol.asyncDispose]());
  return relay;
}

/** A connected importer, and an app token for its computer. */
async function pairedWith(relay: RunningRelay, options?: WorkOptions) {
  const work = await connected(relay.url, options);
  const { code } = await work.importer.pairingCode();
  const typed = `${code.slice(0, 3).toLowerCase()} ${code.slice(3)}`;
  const token = await relay.claim(typed);
  return { ...work, token };
}

describe("pairing", () => {
  test("[P2][P7][I3] a claim uses the code, notifies the importer with the app's name, and lists the app", async () => {
    const relay = await startRelay();
    const { importer, token } = await pairedWith(relay);
    await until(() => importer.state.pairing.usedBy?.name === "Looper");
    expect(importer.state.pairing.code).toBeNull();
    await until(() => importer.state.apps.length === 1);
    expect(await importer.apps()).toMatchObject({ apps: [{ app_name: "Looper" }] });
    expect((await relay.call("GET", "/app/me", { token })).json.device_name).toBe("Studio");
  });

  test("[P7][P8] revokes the app's token on unpair, and shows apps the new name", async () => {
    const relay = await startRelay();
    const { importer, token } = await pairedWith(relay);
    expect(await importer.rename("  The   Loft ")).toBe("The Loft");
    expect(importer.state.deviceName).toBe("The Loft");
    expect((await relay.call("GET", "/app/me", { token })).json.device_name).toBe("The Loft");
    const [app] = (await importer.apps()).apps;
    await importer.unpair(app?.pairing_id ?? "");
    expect(importer.state.apps).toEqual([]);
    expect((await relay.call("GET", "/app/me", { token })).status).toBe(401);
    await expect(importer.unpair(app?.pairing_id ?? "")).rejects.toMatchObject({
      code: "PAIRING_UNKNOWN",
    });
  });

  test("[P8][P9] a computer that the relay deleted registers again, and its apps must pair again", async () => {
    const relay = await startRelay();
    const { importer, settings, timers } = await pairedWith(relay);
    const identity = openStoredSettings(settings.dataFolder).findIdentity(relay.url);
    await relay.call("DELETE", "/importer/me", { token: identity?.importerToken ?? "" });
    expect(await importer.apps()).toEqual({ apps: [] });
    expect(importer.state.connection.newBecause).toBe("forgotten");
    const renewed = openStoredSettings(settings.dataFolder).findIdentity(relay.url);
    expect(renewed?.deviceId).not.toBe(identity?.deviceId);
    await until(
      () => importer.state.connection.status !== "connected" || timers.remaining.length > 0,
    );
  });

  test("[L4] a relay with a registration key accepts an importer that has it, and says what is missing to one without", async () => {
    const relay = await startRelay({
      SOUNDFERRY_REGISTRATION: "key",
      SOUNDFERRY_REGISTRATION_KEY: "open-sesame",
    });
    const { importer } = await importerAtWork(relay.url);
    await expect(importer.pairingCode()).rejects.toMatchObject({ code: "REGISTRATION_KEY_WRONG" });
    const registered = await importerAtWork(relay.url, {
      settings: { registrationKey: "open-sesame" },
    });
    expect((await registered.importer.pairingCode()).code).toMatch(/^[2-9A-Z]{6}$/);
  });
});

describe("before the import", () => {
  test("[N6] a package can be shown and played while it waits, and keeps waiting", async () => {
    const relay = await startRelay();
    const { importer, token } = await pairedWith(relay);
    const packageId = await relay.send(token, ["kick.wav", "snare.wav"]);
    const { layout, sounds } = await importer.plan(packageId);
    expect(layout.tracks.map(({ trackName }) => trackName)).toEqual([
      "kick (Looper)",
      "snare (Looper)",
    ]);
    expect(sounds.get("1")).toMatchObject({ sampleRateHz: 44_100 });
    const { signal } = new AbortController();
    const { sizeBytes, body } = await importer.openSound(packageId, "1", signal);
    let bytes = 0;
    for await (const piece of body) bytes += piece.byteLength;
    expect(bytes).toBe(sizeBytes);
    expect((await importer.packages()).packages).toMatchObject([
      { status: "waiting", taken: false },
    ]);
  });

  test("[N4][P9] choosing another relay and then the first one again needs no new pairing", async () => {
    const [home, away] = [await startRelay(), await startRelay()];
    const { importer, token } = await pairedWith(home);
    await importer.setRelay(away.url);
    await until(() => importer.state.connection.status === "connected");
    expect((await importer.apps()).apps).toEqual([]);
    const packageId = await home.send(token, ["kick.wav"]);
    await expect(importer.import(packageId)).rejects.toThrow(/The relay has no package/);
    await importer.setRelay(home.url);
    await until(() => importer.state.apps[0]?.app_name === "Looper");
    expect(await importer.import(packageId)).toMatchObject({ status: "imported" });
    expect(await home.status(token, packageId)).toMatchObject({ status: "imported" });
  });
});

describe("from app to host", () => {
  test("[I1][I2][I3] a commit notifies, Import fetches the sounds, the app reads each one's result", async () => {
    const relay = await startRelay();
    const { importer, token, session } = await pairedWith(relay);
    const packageId = await relay.send(token, ["kick.wav", "snare drum.wav"]);
    await until(() => importer.state.packages.length === 1);
    const outcome = await importer.import(packageId);
    expect(outcome).toMatchObject({ status: "imported", scene: { name: "Kit (Looper)" } });
    expect((await session()).tracks.map(({ name }) => name)).toEqual([
      "kick (Looper)",
      "snare drum (Looper)",
    ]);
    expect(await relay.status(token, packageId)).toMatchObject({
      status: "imported",
      results: { 1: { status: "imported", track: "kick (Looper)" }, 2: { status: "imported" } },
    });
    await until(() => importer.state.packages[0]?.status === "imported");
    expect((await importer.importAll()).packages).toEqual([]);
  });

  test("[R16][S3] Live goes in the middle: the app reads that it was saved, and later that it is in Live", async () => {
    const relay = await startRelay();
    const live = new SwitchableHost(true);
    const place = live.place.bind(live);
    live.place = () => Promise.reject(new HostGoneError("Live doesn't answer."));
    const more = { preferredHosts: [live], host: new FolderHost() };
    const { importer, token } = await pairedWith(relay, { more });
    const packageId = await relay.send(token, ["kick.wav"]);
    await importer.import(packageId);
    const saved = { status: "imported", file: expect.any(String), notes: expect.anything() };
    expect(await relay.status(token, packageId)).toMatchObject({ results: { 1: saved } });
    live.place = place;
    expect((await importer.importAll()).packages).toEqual([]);
    await importer.import(packageId);
    expect(await relay.status(token, packageId)).toMatchObject({
      status: "imported",
      results: { 1: { status: "imported", track: "kick (Looper)" } },
    });
  });

  test("[S2][S6] during an import the app can't withdraw, and another run is refused with the time left", async () => {
    const relay = await startRelay();
    const gate = gatedHost();
    const { importer, token } = await pairedWith(relay, { more: { host: gate.host } });
    const packageId = await relay.send(token);
    const importing = importer.import(packageId);
    await gate.reached;
    const taken = await relay.call("DELETE", `/packages/${packageId}`, { token });
    expect(taken.json.code).toBe("PACKAGE_TAKEN");
    expect((await importer.packages()).packages).toMatchObject([{ taken: true }]);
    gate.open();
    expect(await importing).toMatchObject({ status: "imported" });
  });

  test("[S2] the heartbeat renews the lease, and without it the package is free again", async () => {
    const relay = await startRelay();
    const gate = gatedHost();
    const { importer, token, timers } = await pairedWith(relay, { more: { host: gate.host } });
    const packageId = await relay.send(token);
    const importing = importer.import(packageId);
    await gate.reached;
    const isTaken = async () => (await importer.packages()).packages[0]?.taken;
    for (let minute = 1; minute <= 8; minute += 1) {
      relay.clock.pass(60);
      const beats = relay.logLines.length;
      timers.advance(60_000);
      await until(() => relay.logLines.slice(beats).some((line) => line.includes("/take")));
      expect(await isTaken()).toBe(true);
    }
    relay.clock.pass(301);
    expect(await isTaken()).toBe(false);
    gate.open();
    await importing;
  });

  test("[R7][S2] a run that stopped at one host blocks no other host, but another importer's run does", async () => {
    const relay = await startRelay();
    const gate = gatedHost();
    const other = gatedHost();
    other.open();
    const otherHosts = new Map([["other", async () => ({ ...other.host, name: "other" })]]);
    const more = { host: gate.host, otherHosts };
    const { importer, token, settings } = await pairedWith(relay, { more });
    const packageId = await relay.send(token);
    const stopped = importer.import(packageId);
    await gate.reached;
    importer.cancelRun(packageId);
    await expect(stopped).rejects.toThrow("The import was cancelled.");
    expect((await importer.packages()).packages).toMatchObject([{ taken: true }]);
    expect(await importer.import(packageId, { host: "other" })).toMatchObject({
      status: "imported",
    });
    expect((await relay.status(token, packageId)).status).toBe("imported");

    const identity = openStoredSettings(settings.dataFolder).findIdentity(relay.url);
    await relay.call("POST", `/importer/packages/${packageId}/take`, {
      token: identity?.importerToken ?? "",
      body: { run_id: "a stranger's" },
    });
    await expect(importer.import(packageId, { host: "other" })).rejects.toMatchObject({
      code: "RUN_ELSEWHERE",
    });
  });
});

describe("the connection", () => {
  test("[I3] recovers after the relay restarts, and sees what changed meanwhile", async () => {
    const relay = await startRelay();
    const { importer, token, timers } = await pairedWith(relay);
    await relay.stop();
    await until(() => importer.state.connection.status === "offline");
    const { port } = new URL(relay.url);
    const again = await RunningRelay.start({
      SOUNDFERRY_DATA: relay.folder,
      SOUNDFERRY_PORT: port,
    });
    onTestFinished(() => again.stop());
    const packageId = await again.send(token);
    timers.advance(30_000);
    await until(() => importer.state.packages.length === 1);
    expect(importer.state.packages).toMatchObject([{ package_id: packageId, status: "waiting" }]);
    expect(importer.state.connection.status).toBe("connected");
  });

  test("[I2] resumes an interrupted download, and refuses an invalid path with a sentence", async () => {
    const relay = await startRelay();
    const { client } = linkTo(relay.url);
    const { code } = await client.pairingCode();
    const token = await relay.claim(code);
    await relay.send(token, ["kick.wav"]);
    const [waiting] = (await client.packages()).packages;
    const { signal } = new AbortController();
    const path = waiting?.files["kick.wav"] ?? "";
    const { startByte, body } = await client.openFile(path, { startByte: 100, signal });
    expect(startByte).toBe(100);
    const pieces: Uint8Array[] = [];
    for await (const piece of body) pieces.push(piece);
    expect(Buffer.concat(pieces)).toEqual(smallWav().subarray(100));
    const beyond = client.openFile(path, { startByte: 10_000, signal });
    await expect(beyond).rejects.toMatchObject({ status: 416, code: "RANGE_WRONG" });
    const wrong = client.openFile(`${path}x`, { startByte: 0, signal });
    await expect(wrong).rejects.toMatchObject({ status: 404 });
  });

  test("[I4] accepts a matching API version, and shows the relay's sentence for an unsupported one", async () => {
    const relay = await startRelay();
    const { client } = linkTo(relay.url);
    expect(await client.hello()).toMatchObject({ service: "soundferry", importer_api: [1, 2] });
    const [name] = Object.keys(IMPORTER_HEADERS);
    const old = linkTo(relay.url, { headers: { [name ?? ""]: "0.0.1; api=0" } });
    await expect(old.client.pairingCode()).rejects.toMatchObject({
      status: 426,
      message: expect.stringMatching(/too old .* Update/),
    });
  });

  test("[A1] never puts a token into an error, whatever fails", async () => {
    const relay = await startRelay();
    const { importer, settings } = await pairedWith(relay);
    const secret = openStoredSettings(settings.dataFolder).findIdentity(relay.url)?.importerToken;
    const failures = await Promise.allSettled([
      importer.unpair("none"),
      new HttpConnection({
        baseUrl: "http://127.0.0.1:1",
        headers: {},
        hello: async () => ({}),
      }).call({
        method: "GET",
        path: "/",
        to: { token: secret ?? "", instance: undefined },
        maxAnswerBytes: 1,
      }),
    ]);
    for (const failure of failures) {
      expect(failure.status).toBe("rejected");
      expect(inspect(failure, { depth: 10 })).not.toContain(secret);
    }
  });
});
