import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { findProgram } from "../../engines/programs.ts";

test("[SC19] haproxy takes the file for three relays", async () => {
  const file = join(import.meta.dirname, "../../../relay/deploy/container/scaled/haproxy.cfg");
  // It only warns that the relays' names are known nowhere but in the containers' network.
  await expect(
    promisify(execFile)(findProgram("haproxy"), ["-c", "-f", file]),
  ).resolves.toBeDefined();
});
