import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { answersAt } from "../../addon/control/control-client.ts";
import type { LockOwner } from "../../addon/disk/lock.ts";
import { isJsonObject } from "../../core/text/json-object.ts";
import { parseJsonOrThrow } from "../../core/text/parse-json.ts";
import { type Finding, note, ok, wrong } from "./finding.ts";

const CHECK = "importer-lock";

/** The finding on the lock of an importer's data folder (rule R3). */
export interface LockCheck {
  readonly finding: Finding;
  /** The importer that answers. */
  readonly running: (Pick<LockOwner, "pid" | "secret"> & { readonly port: number }) | undefined;
}

/** Finds the owner of the importer's data folder without taking the lock. */
export async function checkLock(dataFolder: string): Promise<LockCheck> {
  const path = join(dataFolder, "importer.lock");
  let owner: unknown;
  try {
    owner = parseJsonOrThrow(await readFile(path, "utf8"));
  } catch (error) {
    return { finding: findingWithoutOwner(error, path), running: undefined };
  }
  const { pid, port, secret } = isJsonObject(owner) ? owner : {};
  if (typeof pid === "number" && typeof port === "number" && typeof secret === "string") {
    if (await answersAt(port, secret)) {
      const sentence = `An importer is running (process ${pid}, port ${port}).`;
      return { finding: ok(CHECK, sentence), running: { pid, port, secret } };
    }
  }
  const sentence = `${path} is left over, or its importer is just starting.`;
  const finding = note(CHECK, sentence, "Nothing to do: the next start handles it.");
  return { finding, running: undefined };
}

function findingWithoutOwner(error: unknown, path: string): Finding {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "ENOENT") return ok(CHECK, "No importer is running.");
  if (typeof code !== "string") {
    return note(CHECK, `${path} is damaged.`, "Nothing to do: the next start removes it.");
  }
  const advice =
    "Take ownership of the importer's data folder, or choose another with SOUNDFERRY_IMPORTER_DATA.";
  return wrong(CHECK, `${path} can't be read.`, advice);
}
