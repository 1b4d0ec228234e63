import { readFileSync } from "node:fs";

// Loaded before the relay (`node --import`): the machine's clock, off by the milliseconds in a file.

const path = process.env["SHIFTED_DATE_FILE"];
const realNow = Date.now.bind(Date);
if (path !== undefined) Date.now = () => realNow() + Number(readFileSync(path, "utf8"));
