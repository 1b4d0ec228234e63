import { expect, test } from "vitest";
import { claimNames } from "../../../core/saved-package/claim-names.ts";
import { sampleSound } from "../layout/sample-package.ts";

const KICK = sampleSound({ id: "1", name: "Kick" });
const OTHER_KICK = sampleSound({ id: "2", name: "kick" });

test("[F1] a sound keeps its file's name, and no other name is one that the folder has", () => {
  const there = { all: ["KICK.WAV", "Kick 2.wav"], ours: new Set<string>(), saved: new Map() };
  expect([...claimNames([KICK, OTHER_KICK], there).values()]).toEqual(["Kick 3.wav", "kick 4.wav"]);
  const saved = new Map([["2", { file: "Kick 2.wav", name: "kick", digest: {} }]]);
  const known = { ...there, ours: new Set(["Kick 2.wav"]), saved };
  expect([...claimNames([KICK, OTHER_KICK], known)]).toEqual([
    ["2", "Kick 2.wav"],
    ["1", "Kick 3.wav"],
  ]);
  // A sound that has another name today, and a file that isn't the package's any more.
  const renamed = new Map([["2", { file: "Kick 2.wav", name: "Boom", digest: {} }]]);
  expect(claimNames([OTHER_KICK], { ...known, saved: renamed }).get("2")).toBe("kick 2.wav");
  expect(claimNames([OTHER_KICK], { ...known, ours: new Set() }).get("2")).toBe("kick 3.wav");
});
