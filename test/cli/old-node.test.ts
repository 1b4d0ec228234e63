import { expect, test } from "vitest";
import { OLDEST_NODE } from "../../cli/doctor/check-node.ts";
import { makeMachine } from "./run-soundferry.ts";

/** A Node that claims to be older. */
const OLD_NODE = {
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(
    'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.1.0" } });',
  )}`,
};

test("[K1] reports a Node that is too old in a sentence, and with --json as a value", async () => {
  await using machine = await makeMachine();
  const { status, stdout, stderr } = await machine.run(["doctor", "--json"], OLD_NODE);
  const error = `Soundferry needs Node ${OLDEST_NODE} or later; this is Node 20.1.0. Install a newer one.`;
  expect(stderr).toBe(`${error}\n`);
  expect(JSON.parse(stdout)).toEqual({ error });
  expect(status).toBe(1);
});
