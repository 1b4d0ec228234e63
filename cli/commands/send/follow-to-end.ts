import type { SentPackage } from "../../../client/send/send-options.ts";
import type { SoundferryClient } from "../../../client/soundferry-client.ts";
import { isOnlySaved, type PackageStatus } from "../../../core/protocol/package-status.ts";
import { type StatusAnswer, WHERE_TO_IMPORT } from "../../../core/protocol/public-api.ts";
import { isJsonObject, type JsonObject } from "../../../core/text/json-object.ts";
import { withoutTryAgain } from "../../../core/text/sentence-of.ts";
import { commandLine } from "../../command.ts";
import { formatSounds } from "../../format.ts";
import type { Output } from "../../output.ts";

/** A package that was sent. */
export interface Delivered extends SentPackage {
  readonly title: string;
  readonly manifest: JsonObject;
}

export interface Following {
  /** False to stop at `waiting`. */
  readonly follow: boolean;
  readonly output: Output;
  readonly signal: AbortSignal;
}

/** The end of a followed package. */
export interface Followed {
  /** The result for `--json`. */
  readonly value: object;
  /** The result for people. */
  readonly text: string;
}

const ENDINGS: Readonly<Record<PackageStatus, string>> = {
  uploading: "is still being sent",
  waiting: "is waiting for Import",
  imported: "was imported",
  partial: "was imported in part",
  failed: "could not be imported",
  expired: "expired before import; send it again",
};

/** The endings of a package that isn't in a host (rule R16). */
const SAVED_ENDINGS = { ...ENDINGS, imported: "was saved", partial: "was saved in part" };

/**
 * Says where to click, follows the package until it is imported or expires, and prints each sound's result.
 * Stopping it leaves the package waiting.
 */
export async function followToEnd(
  client: SoundferryClient,
  sent: Delivered,
  following: Following,
): Promise<Followed> {
  const { output, signal } = following;
  let last: StatusAnswer | undefined;
  try {
    let lastMessage = "";
    const onRetry = ({ message }: Error): void => {
      if (message !== lastMessage)
        output.say(`${withoutTryAgain(message)} Retrying automatically.`);
      lastMessage = message;
    };
    for await (const status of client.follow(sent.packageId, { signal, onRetry })) {
      last = status;
      if (status.status === "waiting") output.say(WHERE_TO_CLICK);
      if (status.status === "waiting" && !following.follow) break;
    }
  } catch (error) {
    if (!signal.aborted || last === undefined) throw error;
    output.say("Stopped following. The package is still waiting for Import.");
  }
  return last === undefined ? { value: {}, text: "" } : resultOf(last, sent);
}

const WHERE_TO_CLICK = [
  "Waiting for Import:",
  `  ${WHERE_TO_IMPORT}`,
  `  In a terminal: ${commandLine(["importer", "import", "--all"])}`,
].join("\n");

function resultOf(status: StatusAnswer, { manifest, warnings }: Delivered): Followed {
  const names = soundNames(manifest);
  const sounds = Object.entries(status.results ?? {}).map(([id, result]) => ({
    name: names.get(id) ?? id,
    result,
  }));
  const endings = isOnlySaved(status.results) ? SAVED_ENDINGS : ENDINGS;
  const headline = `${status.title} ${endings[status.status]}.`;
  const text = sounds.length > 0 ? `${headline}\n\n${formatSounds(sounds)}` : headline;
  if (!["imported", "waiting"].includes(status.status)) process.exitCode = 1;
  return { value: { ...status, warnings }, text };
}

/** The sender's names of a manifest's sounds, by id. Lacks ids that the relay changes. */
export function soundNames(manifest: JsonObject): ReadonlyMap<string, string> {
  const items: readonly unknown[] = Array.isArray(manifest["items"]) ? manifest["items"] : [];
  return new Map(
    items.map((item, index) => {
      const { id, name } = isJsonObject(item) ? item : {};
      const position = String(index + 1);
      return [
        typeof id === "string" ? id : position,
        typeof name === "string" ? name : `Sound ${position}`,
      ];
    }),
  );
}
