import type { OutgoingPackage } from "../../../client/send/package-draft.ts";
import type { SoundferryClient } from "../../../client/soundferry-client.ts";
import { ClientError } from "../../../client/wire/client-error.ts";
import type { AnnounceAnswer } from "../../../core/protocol/public-api.ts";
import { countOf } from "../../../core/text/count-of.ts";
import { withoutTryAgain } from "../../../core/text/sentence-of.ts";
import { Failure } from "../../fail.ts";
import { formatBytes } from "../../format.ts";
import type { Output } from "../../output.ts";
import { type Progress, showProgress } from "../../progress.ts";
import { type Delivered, soundNames } from "./follow-to-end.ts";

/** Time without progress after which a script learns that the relay is gone, sooner than an app. */
const GIVE_UP_AFTER_MS = 10 * 60_000;

interface DeliverOptions {
  readonly title: string;
  readonly output: Output;
  readonly signal: AbortSignal;
}

/** Sends and commits a package, with progress and warnings. Withdraws it on failure or when stopped. */
export async function deliver(
  client: SoundferryClient,
  outgoing: OutgoingPackage,
  { title, output, signal }: DeliverOptions,
): Promise<Delivered> {
  const sizes = new Map([...outgoing.sounds].map(([file, sound]) => [file, sound.size]));
  let announced: AnnounceAnswer | undefined;
  let progress: Progress | undefined;
  const say = (line: string): void => (progress ?? output).say(line);
  try {
    const sent = await client.sendManifest(outgoing, {
      signal,
      giveUpAfterMs: GIVE_UP_AFTER_MS,
      onAnnounced: (answer) => {
        announced = answer;
        printAnnounced(answer, outgoing, output);
        progress = showProgress("Sent", sizes, output);
      },
      onProgress: ({ file, fileBytes }) => progress?.update(file, fileBytes),
      onRetry: ({ message }, seconds) =>
        say(`${withoutTryAgain(message)} Retrying in ${Math.max(1, Math.round(seconds))} s.`),
    });
    return { ...sent, title, manifest: outgoing.manifest };
  } catch (error) {
    if (announced !== undefined) await withdraw(client, announced.package_id, say);
    if (signal.aborted) throw new Failure("Stopped; nothing was sent.", { cause: error });
    throw error;
  } finally {
    progress?.stop();
  }
}

function printAnnounced(
  { package_id, warnings }: AnnounceAnswer,
  { manifest, sounds }: OutgoingPackage,
  output: Output,
): void {
  const bytes = [...sounds.values()].reduce((sum, { size }) => sum + size, 0);
  output.say(`Package ${package_id}: ${countOf(sounds.size, "sound")}, ${formatBytes(bytes)}.`);
  const names = soundNames(manifest);
  for (const { sound, message } of warnings) {
    const about = sound === undefined ? "" : `${names.get(sound) ?? sound}: `;
    output.say(`Warning: ${about}${message}`);
  }
}

async function withdraw(
  client: SoundferryClient,
  packageId: string,
  say: (line: string) => void,
): Promise<void> {
  try {
    await client.withdraw(packageId);
  } catch (error) {
    // The client has withdrawn it already.
    if (error instanceof ClientError && error.code === "PACKAGE_UNKNOWN") return;
    say("What was sent so far is deleted when its upload time ends.");
  }
}
