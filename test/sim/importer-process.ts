import { join } from "node:path";
import { startImporter } from "../../addon/control/open-importer.ts";
import { PreviewHost } from "../../addon/hosts/preview/preview-host.ts";
import { readImporterSettings } from "../../addon/settings.ts";
import { whenTold } from "./when-told.ts";

// An importer in a separate process, to be killed: imports what arrives. Prints how to reach it once it serves.

await whenTold();
const settings = readImporterSettings({ environment: process.env });
const host = new PreviewHost(join(settings.dataFolder, "preview-session.json"));
const { port, secret } = await startImporter({ settings, host, autoImport: true });
process.stdout.write(`${JSON.stringify({ port, secret })}\n`);
