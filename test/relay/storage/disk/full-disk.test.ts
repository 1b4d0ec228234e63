import { execFile, execFileSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const RELAY = join(import.meta.dirname, "full-disk-relay.ts");
/**
 * Runs the rest on a disk in memory that only it can see: $0 is the mount point, $1 the program, $2 its file.
 */
const ON_SMALL_DISK = 'mount -t tmpfs -o size=8m small "$0" && exec "$1" "$2" "$0"';

/** Whether this system lets an ordinary process mount a private disk. */
function canMount(): boolean {
  try {
    const check = "mount -t tmpfs -o size=1m small /tmp";
    execFileSync("unshare", ["-rm", "sh", "-c", check], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

test.skipIf(!canMount())(
  "[U6] a disk that fills up despite the reservation is 507, stores nothing partial, and recovers once it has room",
  async () => {
    const folder = await mkdtemp(join(tmpdir(), "soundferry-small-disk-"));
    try {
      const command = ["-rm", "sh", "-c", ON_SMALL_DISK, folder, process.execPath, RELAY];
      const { stdout } = await promisify(execFile)("unshare", command);
      const { tooLarge, full, after } = JSON.parse(stdout);
      expect(tooLarge).toMatchObject({ status: 507, code: "DISK_FULL" });
      expect(full).toMatchObject({
        upload: { status: 507, code: "DISK_FULL" },
        files: { "a.wav": "missing" },
        keys: [],
      });
      // The database file may still have some free space.
      expect([200, 507]).toContain(full.rename.status);
      expect(after).toMatchObject({
        upload: { status: 200 },
        files: { "a.wav": "uploaded" },
        announce: { status: 201 },
      });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
);
