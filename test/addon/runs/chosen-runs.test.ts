import { expect, test } from "vitest";
import { smallWav } from "../../wav-bytes.ts";
import { gatedHost } from "../paused-host.ts";
import { MemorySource } from "./memory-source.ts";
import { newRuns, newStore } from "./new-store.ts";
import { temporarySite } from "./temporary-site.ts";

/** Runs at a host that is busy until its gate opens. */
async function setUp() {
  const importDeps = (await temporarySite()).deps();
  const [store, gate] = [newStore(), gatedHost()];
  const runs = newRuns({ store, hosts: { own: [gate.host] }, importDeps });
  return { store, gate, runs };
}

const pair = (packageId: string) => {
  const wav = smallWav();
  const source = new MemorySource(
    [
      { name: "Kick", wav },
      { name: "Snare", wav },
    ],
    packageId,
  );
  return { packageId, title: "Kit", source };
};

test("[R13] are in the state by their ids, from the call to the result", async () => {
  const { store, gate, runs } = await setUp();
  const running = runs.run(pair("pkg_a"), gate.host, { only: ["Snare"] });
  expect(store.state.runs).toMatchObject([{ soundIds: ["2"], sounds: {} }]);
  await gate.reached;
  expect(store.state.runs[0]?.sounds).toEqual({ "2": { state: "fetched" } });
  runs.cancel("pkg_a");
  await expect(running).rejects.toThrow();
  expect(store.state.finished).toMatchObject([{ soundIds: ["2"], result: { code: "CANCELLED" } }]);
});

test("[R10] a call joins a run that has its sounds; another is refused in words, and nothing begins", async () => {
  const { store, gate, runs } = await setUp();
  const some = runs.run(pair("pkg_a"), gate.host, { only: ["1"] });
  const whole = runs.run(pair("pkg_b"), gate.host, {});
  gate.open();
  const joined = [
    runs.run(pair("pkg_a"), gate.host, { only: ["Kick"] }),
    runs.runIfNew(pair("pkg_a"), gate.host, {}),
  ];
  const message = "Other sounds of Kit are being imported. Try again after that.";
  for (const only of [["2"], ["1", "2"]]) {
    expect(() => runs.run(pair("pkg_a"), gate.host, { only })).toThrow(message);
  }
  expect(() => runs.run(pair("pkg_a"), gate.host, {})).toThrow(message);
  expect(() => runs.run(pair("pkg_c"), gate.host, { only: ["Hat"] })).toThrow(
    "The package has no sound Hat.",
  );
  const part = runs.run(pair("pkg_b"), gate.host, { only: ["2"] });
  expect(await Promise.all(joined)).toEqual([await some, await some]);
  expect(await part).toBe(await whole);
  expect(store.state.finished).toHaveLength(2);
});
