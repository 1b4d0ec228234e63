import { openAsNextVersion } from "./next-version.ts";

// A process of the next version that says when it begins to open the database of a folder, and ends once it has.
const [folder = ""] = process.argv.slice(2);
process.send?.("opening");
openAsNextVersion(folder).close();
process.disconnect?.();
