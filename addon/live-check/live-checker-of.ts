import { realpath } from "node:fs/promises";
import type { LiveChecker } from "../hosts/live-checker.ts";
import { findControlSurface } from "../hosts/live/remote-script/find-control-surface.ts";
import { writeCheckSounds } from "./check-sounds.ts";
import { namesHere } from "./hide-private.ts";
import { runCheck } from "./run-check.ts";
import { makeFolder } from "../../program/make-folder.ts";

/** Live may be about to close a menu. */
const PATIENCE_MS = 10_000;

/** Checks Live through its control surface (rule H21). */
export function liveCheckerOf({
  folders,
  soundsFolder,
}: {
  /** Where the control surface may leave its port file, in order of preference. */
  readonly folders: readonly string[];
  readonly soundsFolder: string;
}): LiveChecker {
  return async (talk) => {
    await makeFolder(soundsFolder);
    const client = await findControlSurface({
      folders,
      soundFolders: [await realpath(soundsFolder)],
      patienceMs: PATIENCE_MS,
      signal: talk.signal,
    });
    try {
      const { sounds, remove } = await writeCheckSounds(soundsFolder);
      try {
        return await runCheck({ ...talk, client, sounds, names: namesHere() });
      } finally {
        await remove();
      }
    } finally {
      client.close();
    }
  };
}
