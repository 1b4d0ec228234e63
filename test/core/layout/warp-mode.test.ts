import { expect, test } from "vitest";
import { planWarpMode, WARP_MODE_NAMES } from "../../../core/layout/warp-mode.ts";

test.each([
  ["drums", "beats"],
  ["bass", "tones"],
  ["melodic", "complex_pro"],
  ["vocal", "complex_pro"],
  ["texture", "texture"],
  ["fx", "complex"],
] as const)("[T5] a loop of %s is warped in %s", (role, mode) => {
  expect(planWarpMode({ kind: "loop", role })).toBe(mode);
});

test("[T5] a loop without a role uses Complex", () => {
  expect(planWarpMode({ kind: "loop" })).toBe("complex");
});

test("[T5] a loop's own warp mode overrides its role's", () => {
  expect(planWarpMode({ kind: "loop", role: "drums", warp_mode: "repitch" })).toBe("repitch");
});

test("[T5] a one-shot has no warp mode, regardless of its role", () => {
  expect(planWarpMode({ kind: "oneshot", role: "drums", warp_mode: "beats" })).toBeNull();
});

test("[T5] warp modes have the names of Live's menu", () => {
  expect(WARP_MODE_NAMES).toEqual({
    beats: "Beats",
    tones: "Tones",
    texture: "Texture",
    repitch: "Re-Pitch",
    complex: "Complex",
    complex_pro: "Complex Pro",
  });
});
