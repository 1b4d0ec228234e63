import { writeFileSync } from "node:fs";
import { recordVectors } from "./record-vectors.ts";
import { VECTORS_PATH } from "./vector.ts";

// `npm run vectors`: records `test/vectors/vectors.json` again. Look at the difference before you commit it.

const file = await recordVectors();
writeFileSync(VECTORS_PATH, `${JSON.stringify(file, null, 2)}\n`);
console.log(`test/vectors/vectors.json: ${file.vectors.length} vectors`);
