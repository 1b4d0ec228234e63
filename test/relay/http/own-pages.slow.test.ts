import { expect, test } from "vitest";
import { RunningRelay } from "../running-relay.ts";
import { manifestOf } from "../../manifest-of.ts";

test("[S7] pages of an app's list have each package once", async () => {
  await using relay = await RunningRelay.start({ SOUNDFERRY_PACKAGES_PER_HOUR: "1000" });
  const { token } = await relay.paired();
  const ids = new Set<string>();
  for (let count = 0; count < 105; count += 1) {
    ids.add((await relay.announce(token, manifestOf(["a.wav"]))).package_id);
  }
  const found: string[] = [];
  const sizes: number[] = [];
  let next: string | null = "";
  while (next !== null) {
    const { json } = await relay.call("GET", `/packages?after=${next}`, { token });
    sizes.push(json.packages.length);
    found.push(...json.packages.map(({ package_id }: { package_id: string }) => package_id));
    ({ next } = json);
  }
  expect(sizes).toEqual([100, 5]);
  expect(new Set(found)).toEqual(ids);
});
