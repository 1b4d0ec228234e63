import { describe, expect, test } from "vitest";
import { MemoryTokenStore } from "../../client/pairing/token-store.ts";
import { pairedClient, startStandIn } from "./stand-in-relay.ts";

describe("pairing", () => {
  test("exchanges a code for a token, stores it, and sends it with later calls", async () => {
    await using relay = await startStandIn(({ path }) => ({
      body:
        path === "/pair/claim"
          ? { app_token: "sfa_secret", device_name: "Studio" }
          : { device_name: "Studio", app_name: "Looper", paired_at: "2026-11-21T00:00:00.000Z" },
    }));
    const tokenStore = new MemoryTokenStore();
    const client = pairedClient(`${relay.url}/`, { tokenStore, clientName: "löop/1 (🔁)" });

    const answer = await client.pair("K7M Q2X", { name: "Looper", id: "a-1" });
    const me = await client.me();

    expect(answer).toEqual({ device_name: "Studio" });
    expect(me.app_name).toBe("Looper");
    expect(await tokenStore.load()).toBe("sfa_secret");
    expect(JSON.parse(String(relay.seen[0]?.body))).toEqual({
      code: "K7M Q2X",
      app_name: "Looper",
      app_id: "a-1",
    });
    expect(relay.seen[0]?.headers.authorization).toBeUndefined();
    expect(relay.seen[1]?.headers.authorization).toBe("Bearer sfa_secret");
    expect(relay.seen[1]?.headers["x-service-client"]).toBe("l?op/1 (??)");
  });

  test("[W7] forgets the token on a 401, and on no other refusal", async () => {
    await using relay = await startStandIn((_request, count) => ({
      status: count === 1 ? 403 : 401,
      body: { error: "No.", code: "NO" },
    }));
    const tokenStore = new MemoryTokenStore("sfa_old");
    const client = pairedClient(relay.url, { tokenStore });

    await expect(client.me()).rejects.toMatchObject({ status: 403 });
    expect(await tokenStore.load()).toBe("sfa_old");
    await expect(client.me()).rejects.toMatchObject({ status: 401, code: "NO", message: "No." });
    expect(await tokenStore.load()).toBeUndefined();
    await expect(client.me()).rejects.toMatchObject({ status: 401, code: "NOT_PAIRED" });
    expect(relay.seen).toHaveLength(2);
  });

  test("[W7] keeps a token that was saved while a 401 was on its way", async () => {
    const tokenStore = new MemoryTokenStore("sfa_old");
    await using relay = await startStandIn(async () => {
      await tokenStore.save("sfa_new");
      return { status: 401 };
    });
    await expect(pairedClient(relay.url, { tokenStore }).me()).rejects.toMatchObject({
      status: 401,
    });
    expect(await tokenStore.load()).toBe("sfa_new");
  });

  test("[W9] unpair revokes the token and forgets it", async () => {
    await using relay = await startStandIn(() => ({}));
    const tokenStore = new MemoryTokenStore("sfa_old");
    await pairedClient(relay.url, { tokenStore }).unpair();
    expect(relay.seen[0]).toMatchObject({ method: "POST", path: "/app/unpair" });
    expect(await tokenStore.load()).toBeUndefined();
  });
});

describe("errors", () => {
  test("[W6] carry the relay's sentence, code, missing files and Retry-After", async () => {
    await using relay = await startStandIn(() => ({
      status: 429,
      headers: { "retry-after": "7" },
      body: { error: "Too many calls.", code: "CALLS_TOO_MANY", missing: ["a.wav"] },
    }));
    await expect(pairedClient(relay.url).commit("pkg_1")).rejects.toMatchObject({
      name: "ClientError",
      status: 429,
      code: "CALLS_TOO_MANY",
      message: "Too many calls.",
      retryAfterSeconds: 7,
      missing: ["a.wav"],
    });
  });

  test.each(["<html>Bad gateway</html>", "", "null", '"text"', "[1]"])(
    "[W6] count a body that is not a JSON object as empty: %j",
    async (body) => {
      await using relay = await startStandIn(() => ({ status: 502, body }));
      await expect(pairedClient(relay.url).me()).rejects.toMatchObject({
        status: 502,
        code: undefined,
        message: "The relay has a problem (502). Try again later.",
      });
    },
  );

  test("identify an address that is not a relay", async () => {
    await using relay = await startStandIn(() => ({ status: 200, body: "<html>Welcome</html>" }));
    await expect(pairedClient(relay.url).me()).rejects.toThrow(
      "is not a relay. Check the address.",
    );
  });

  test("[W7] report a redirect instead of following it, so that the token stays with the relay", async () => {
    await using elsewhere = await startStandIn(() => ({}));
    await using relay = await startStandIn(() => ({
      status: 307,
      headers: { location: elsewhere.url },
    }));
    await expect(pairedClient(relay.url).me()).rejects.toThrow("redirects to another address");
    expect(elsewhere.seen).toHaveLength(0);
  });

  test("[W6] describe network trouble in a sentence", async () => {
    let url: string;
    {
      await using relay = await startStandIn(() => "hang up");
      url = relay.url;
      await expect(pairedClient(url).me()).rejects.toMatchObject({
        status: undefined,
        message: `The connection to ${url} was lost. Check the network.`,
      });
    }
    await expect(pairedClient(url).me()).rejects.toThrow(
      `Nothing answers at ${url}. Is the relay running?`,
    );
  });

  test.each(["relay.example", "ftp://relay.example", ""])("refuse the address %j", (relayUrl) => {
    expect(() => pairedClient(relayUrl)).toThrow("begins with http:// or https://");
  });
});

test("[W7] refuse an upload path that would send the token elsewhere", async () => {
  await using relay = await startStandIn(() => ({ body: { file: "a.wav" } }));
  const client = pairedClient(`${relay.url}/base`);
  await client.upload("@evil.example/steal", new Blob(["x"]));
  await client.upload("https://evil.example/steal", new Blob(["x"]));
  await client.upload("//evil.example/steal", new Blob(["x"]));
  expect(relay.seen.map(({ path }) => path)).toEqual([
    "/base/@evil.example/steal",
    "/base/https://evil.example/steal",
    "/base/evil.example/steal",
  ]);
});
