import type { bigManifest } from "./big-wav.ts";
import type { Child } from "./child.ts";
import type { PairedApp } from "./paired-app.ts";
import type { SenderCalls } from "./processes/sender.ts";

/** Announces a package, uploads all of its sounds at once, and commits it. Returns its id. */
export async function sendPackage(
  { client, token }: PairedApp,
  sender: Child<SenderCalls>,
  {
    url,
    manifest,
    sizeBytes,
  }: {
    /** The relay's. */
    readonly url: string;
    readonly manifest: ReturnType<typeof bigManifest>;
    /** Size of each sound. */
    readonly sizeBytes: number;
  },
): Promise<string> {
  const { package_id: packageId, upload } = await client.announce(manifest);
  const urls = Object.values(upload).map((path) => url + path);
  await sender.call("upload", { urls, token, sizeBytes });
  await client.commit(packageId);
  return packageId;
}
