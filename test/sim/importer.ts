import { mkdir, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { ControlClient } from "../../addon/control/control-client.ts";
import { readPreviewSession } from "../../addon/hosts/preview/preview-session.ts";
import { Journals } from "../../addon/runs/journal.ts";
import { KillableProcess } from "./killable-process.ts";
import { App } from "./app.ts";
import { bytesOf } from "./ledger.ts";
import type { World } from "./world.ts";

/** A real importer in a process of its own, which imports on the preview what its app sends. */
export class KillableImporter extends KillableProcess {
  readonly app: App;
  readonly #folder: string;

  private constructor(world: World, who: string, folder: string) {
    super({
      script: join(import.meta.dirname, "importer-process.ts"),
      isWarm: true,
      cacheFolder: world.relay.cacheFolder,
      environment: {
        SOUNDFERRY_RELAY_URL: world.relay.url,
        SOUNDFERRY_IMPORTER_DATA: join(folder, "data"),
        SOUNDFERRY_SOUNDS: join(folder, "sounds"),
        SOUNDFERRY_PANEL_PORT: "0",
        SOUNDFERRY_DEVICE_NAME: who,
      },
    });
    this.app = new App(world, who);
    this.#folder = folder;
  }

  /** Starts an importer in an empty folder and pairs its app. */
  static async open(world: World, who: string, folder: string): Promise<KillableImporter> {
    await mkdir(folder, { recursive: true });
    const importer = new KillableImporter(world, who, folder);
    try {
      const client = new ControlClient(JSON.parse(await importer.start()));
      await importer.app.pair((await client.pairingCode()).code).finally(() => client.close());
    } catch (error) {
      await importer[Symbol.asyncDispose]();
      throw error;
    }
    return importer;
  }

  /** At every moment: no scene, track or clip twice, and no sound in the Set without its file whole. */
  async checkSet(): Promise<void> {
    const { facts, world } = this.app;
    const { checks } = world;
    const { scenes, tracks } = await this.#readSet();
    const tags = tracks.map((track) => `${track.package_id} ${track.sound_id}`);
    checks.same("No track twice", tags, [...new Set(tags)]);
    const scenesOf = scenes.map((scene) => scene.package_id);
    checks.same("No scene twice", scenesOf, [...new Set(scenesOf)]);
    for (const { name, package_id: id, sound_id: soundId, clip_slots: slots } of tracks) {
      const sent = facts.packages.find((one) => one.id === id);
      // The n-th sound of a package has the id n.
      const shape = Object.values(sent?.files ?? {})[Number(soundId) - 1];
      const clips = Object.values(slots);
      checks.holds(`${name} has at most one clip`, clips.length <= 1);
      for (const { file } of clips) {
        checks.holds(`${file} is whole`, bytesOf(shape).equals(await readFile(file)));
      }
    }
  }

  /**
   * Expects that everything is in the Set after everything is reported, and no run, report or part of a file is left.
   */
  async checkSettled(): Promise<void> {
    const { facts, world } = this.app;
    const { checks } = world;
    const outbox = join(this.#folder, "data/outbox");
    const reports = async () => (await readdir(outbox)).filter((name) => name.endsWith(".json"));
    await mkdir(outbox, { recursive: true });
    await checks.becomes("The outbox is empty", reports, []);
    await this.checkSet();
    const { tracks } = await this.#readSet();
    const journals = new Journals(join(this.#folder, "data/runs"), Date.now);
    for (const { id = "", key, files } of facts.packages) {
      const own = tracks.filter(
        ({ package_id: of, clip_slots: slots }) => of === id && Object.keys(slots).length === 1,
      );
      checks.same(`${key}: tracks in the Set`, own.length, Object.keys(files).length);
      const runs = async () => {
        const { importedInto, unfinished } = await journals.read(id);
        return [importedInto.size, unfinished.size];
      };
      await checks.becomes(`${key}: one run in its journal, which ended`, runs, [1, 0]);
    }
    const sounds = await readdir(join(this.#folder, "sounds"), { recursive: true });
    const parts = sounds.filter((name) => name.endsWith(".part"));
    checks.same("No unfinished download is left", parts, []);
  }

  #readSet() {
    return readPreviewSession(join(this.#folder, "data/preview-session.json"));
  }
}
