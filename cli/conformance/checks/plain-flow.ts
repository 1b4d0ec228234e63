import type { Answer } from "../answer.ts";
import { assertRefusal } from "../assert.ts";
import type { Kit, TestPackage } from "../kit.ts";
import { pathOfPackage } from "../relay-calls.ts";
import { manifestOf, smallSounds } from "../sounds.ts";
import type { CallOptions } from "../wire.ts";

/** A package from its announcement to its wait. */
export interface Flow {
  readonly made: TestPackage;
  /** The answers to each upload and to the commit. */
  readonly answers: readonly Answer[];
}

export function bareFlow(kit: Kit): Promise<Flow> {
  return kit.share("bare flow", () => flow(kit, {}, {}));
}

export function dressedFlow(kit: Kit): Promise<Flow> {
  const put = { headers: { "content-type": "audio/wav" } };
  const commit = { headers: { "content-type": "application/json" }, body: {} };
  return kit.share("dressed flow", () => flow(kit, put, commit));
}

async function flow(kit: Kit, put: CallOptions, commit: CallOptions): Promise<Flow> {
  const made = await kit.uploading(smallSounds("one.wav", "My second.wav"));
  const { token } = made.app;
  const answers: Answer[] = [];
  for (const { file, bytes } of made.sounds) {
    answers.push(await kit.call("PUT", made.pathOf(file), { ...put, token, body: bytes }));
  }
  const path = `${pathOfPackage(made.id)}/commit`;
  answers.push(await kit.call("POST", path, { ...commit, token }));
  return { made, answers };
}

/** Checks that every call that needs a token is refused with this one or none; each is right but for that. */
export async function assertAllRefused(
  kit: Kit,
  { id, sounds, pathOf }: TestPackage,
  token: string | undefined,
  code: "TOKEN_UNKNOWN" | "TOKEN_MISSING" = "TOKEN_UNKNOWN",
): Promise<void> {
  const [sound] = sounds;
  for (const [method, path, body] of [
    ["GET", "/app/me"],
    ["POST", "/packages", manifestOf(sounds)],
    ["PUT", pathOf(sound?.file ?? ""), sound?.bytes],
    ["POST", `${pathOfPackage(id)}/commit`],
    ["GET", `${pathOfPackage(id)}/status`],
    ["DELETE", pathOfPackage(id)],
    ["POST", "/app/unpair"],
  ] as const) {
    assertRefusal(await kit.call(method, path, { token, body }), code);
  }
}
