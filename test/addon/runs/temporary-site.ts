import { temporaryFolder } from "../temporary-folder.ts";
import { ImportSite } from "./import-site.ts";

/** A site that is removed after the test. */
export async function temporarySite(): Promise<ImportSite> {
  return new ImportSite(await temporaryFolder());
}
