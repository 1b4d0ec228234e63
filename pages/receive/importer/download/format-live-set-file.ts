import { asLiveCompresses } from "../../../../core/live-set/gzip-header.ts";
import { formatLinkedLiveSet } from "../../../../core/live-set/linked-live-set.ts";
import type { LiveSetFile, LiveSetRequest } from "../save/live-set-file.ts";

/** Formats and compresses a Live Set, in the Worker: the page is loaded without the tables of its format. */
export async function formatLiveSetFile({
  folderName,
  layout,
  sounds,
}: LiveSetRequest): Promise<LiveSetFile | null> {
  const made = formatLinkedLiveSet(folderName, layout, sounds);
  if (made === null) return null;
  const { path, infoFolder, text } = made;
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("gzip"));
  const gzip = new Uint8Array(await new Response(stream).arrayBuffer());
  return { path, infoFolder, bytes: new Uint8Array(asLiveCompresses(gzip)) };
}
