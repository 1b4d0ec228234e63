import { existsSync } from "node:fs";
import { join } from "node:path";

/** Live's Extension host is a Node 24. It comes as a package of its own, for the system on which CI runs everything. */
const PACKAGED = join(
  import.meta.dirname,
  `../../node_modules/node-live-${process.platform}-${process.arch}/bin/node`,
);
const isThere = existsSync(PACKAGED);

/** The Node that plays Live: of the same major as Live's, where there is a package of it, else the one that runs the tests. */
export const LIVE_NODE = isThere ? PACKAGED : process.execPath;

/** From Node 25 on the permission model also covers the network, which Live's Node leaves open. */
export const LIVE_PERMISSIONS = isThere ? ["--permission"] : ["--permission", "--allow-net"];

/** What the closing lines of a run say; empty where it is Live's. */
export const OTHER_THAN_LIVES: readonly string[] = isThere
  ? []
  : [
      `test/live-bundle: ran on Node ${process.versions.node}; there is no node-live package for ${process.platform}-${process.arch}`,
    ];
