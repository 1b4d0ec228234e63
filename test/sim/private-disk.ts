import { type ChildProcess, execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, open, rm } from "node:fs/promises";
import { promisify } from "node:util";

/** Mounts a disk in memory and stays: $0 is the mount point, $1 its size. */
const HOLD = `mount -t tmpfs -o size="$1" small "$0" && echo mounted && exec sleep infinity`;

/** Checks whether this system lets an ordinary process mount a private disk. */
export function canMount(): boolean {
  try {
    const check = "mount -t tmpfs -o size=1m small /tmp";
    execFileSync("unshare", ["-rm", "sh", "-c", check], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** A disk in memory that only the processes in its mount namespace see. */
export class PrivateDisk implements AsyncDisposable {
  readonly #folder: string;
  readonly #holder: ChildProcess;
  #fillers = 0;

  private constructor(folder: string, holder: ChildProcess) {
    this.#folder = folder;
    this.#holder = holder;
  }

  /** @param folder made if it is missing @param size as tmpfs takes it, such as `12m` */
  static async mount(folder: string, size: string): Promise<PrivateDisk> {
    await mkdir(folder, { recursive: true });
    const holder = spawn("unshare", ["-rm", "sh", "-c", HOLD, folder, size], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    await once(holder.stdout, "data");
    return new PrivateDisk(folder, holder);
  }

  /** The words that run a program where the disk is. */
  get within(): readonly string[] {
    return ["nsenter", "-t", String(this.#holder.pid), "-U", "-m", "--preserve-credentials"];
  }

  /** The disk's folder, as processes elsewhere reach it. */
  get outside(): string {
    return `/proc/${this.#holder.pid}/root${this.#folder}`;
  }

  /** Makes a file undeletable (EBUSY), until `unpin`: there is a mount on it. @param path below the disk's folder */
  async pin(path: string): Promise<void> {
    const file = `${this.#folder}/${path}`;
    await this.run("mount", "--bind", file, file);
  }

  async unpin(path: string): Promise<void> {
    await this.run("umount", `${this.#folder}/${path}`);
  }

  /** Lets something else fill the disk, until `clear`. */
  async fillUp(): Promise<void> {
    this.#fillers += 1;
    await using file = await open(this.#filler(this.#fillers), "w");
    for (const size of [65_536, 4096]) {
      try {
        for (;;) await file.write(Buffer.alloc(size));
      } catch (error) {
        if (!(error instanceof Error && "code" in error && error.code === "ENOSPC")) throw error;
      }
    }
  }

  async clear(): Promise<void> {
    for (; this.#fillers > 0; this.#fillers -= 1) await rm(this.#filler(this.#fillers));
  }

  /** Runs a program where the disk is. Resolves with what it prints. */
  async run(...words: readonly string[]): Promise<string> {
    const [program = "", ...rest] = [...this.within, ...words];
    return (await promisify(execFile)(program, rest)).stdout;
  }

  #filler(number: number): string {
    return `${this.outside}/filler-${number}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#holder.kill("SIGKILL");
    await once(this.#holder, "exit");
  }
}
