import type { ReceivedZip } from "../importer/receive-state.ts";
import type { ReceiveImporter } from "../receive-importer.ts";

/** Has the browser save a ZIP, as its settings say where. */
export function saveZip({ url, fileName }: ReceivedZip): void {
  const link = document.createElement("a");
  link.href = url;
  link.download = fileName;
  link.click();
}

/** Saves each ZIP once, as soon as it is there (rule RC24). */
export function saveNewZips(importer: Pick<ReceiveImporter, "view" | "subscribe">): void {
  const known = new Set(importer.view.zips.map(({ url }) => url));
  importer.subscribe(() => {
    for (const zip of importer.view.zips) {
      if (known.has(zip.url)) continue;
      known.add(zip.url);
      saveZip(zip);
    }
  });
}
