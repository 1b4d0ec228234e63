import type { PackageFacts, PackageState } from "./facts.ts";
import { bytesOf, type CalledRelay, type CrashSite, Sender } from "./sender.ts";

/** Compares what the relay has of someone with what it acknowledged; what was open is a fact from then on. */
export async function checkMusician(site: CrashSite<CalledRelay>, who: string): Promise<void> {
  const check = new MusicianCheck(new Sender(site, who));
  if (await check.isErased()) return;
  await check.pairing();
  for (const { key } of site.ledger.of(who).packages) await check.package(key);
}

class MusicianCheck {
  readonly #app: Sender;

  constructor(app: Sender) {
    this.#app = app;
  }

  async isErased(): Promise<boolean> {
    const { who, site, facts } = this.#app;
    if (facts.importer === undefined) return false;
    const { status } = await this.#call("/importer/packages", this.#app.asImporter());
    const isErased = status === 401;
    if (facts.isErased === undefined && isErased) await site.ledger.note({ who, kind: "erased" });
    if (facts.isErased !== undefined) {
      site.checks.same(`${who} is erased`, isErased, facts.isErased);
    }
    return isErased;
  }

  async pairing(): Promise<void> {
    const { who, site, facts } = this.#app;
    if (facts.app === undefined) return;
    const { status } = await this.#call("/app/me", this.#app.asApp());
    if (facts.isPaired === undefined && status === 401) {
      await site.ledger.note({ who, kind: "unpaired" });
    } else if (facts.isPaired === undefined) {
      await site.ledger.note({ who, kind: "paired", app: facts.app });
    } else {
      site.checks.same(`${who} is paired`, status, facts.isPaired ? 200 : 401);
    }
  }

  async package(key: string): Promise<void> {
    const sent = this.#app.package(key);
    if (sent.id === undefined) return;
    const state = this.#app.facts.isPaired
      ? await this.#readAsApp(sent)
      : await this.#readAsImporter(sent);
    await this.#keepState(sent, state);
    const { importer } = this.#app.facts;
    if (importer === undefined || state === "gone" || state === "uploading") return;
    for (const file of Object.keys(sent.files)) await this.#expectWhole(sent, file);
    if (state === "waiting" && sent.isTaken) await this.#expectHeld(sent);
  }

  async #readAsApp({ key, id, uploaded }: PackageFacts): Promise<PackageState> {
    const { who, site } = this.#app;
    const { status, json } = await this.#call(`/packages/${id}/status`, this.#app.asApp());
    if (status === 404) return "gone";
    site.checks.same(`${key} can be read`, status, 200);
    for (const file of uploaded) {
      site.checks.same(`${key}: ${file} is uploaded`, json.files[file], "uploaded");
    }
    const found = Object.keys(json.files).filter((file) => json.files[file] === "uploaded");
    for (const file of found.filter((name) => !uploaded.includes(name))) {
      await site.ledger.note({ who, kind: "uploaded", key, file });
    }
    if (json.status === "imported") {
      site.checks.same(`${key}: its results`, json.results["1"]?.status, "imported");
    }
    return json.status;
  }

  /** What an unpaired app's computer can still import; other packages are as they were. */
  async #readAsImporter({ id, possibleStates }: PackageFacts): Promise<PackageState> {
    const { json } = await this.#call("/importer/packages", this.#app.asImporter());
    const listed = json.packages.find((one: { package_id: string }) => one.package_id === id);
    const unlisted = possibleStates.includes("uploading") ? "uploading" : "gone";
    return listed?.status ?? unlisted;
  }

  async #keepState({ key, possibleStates }: PackageFacts, state: PackageState): Promise<void> {
    const { who, site } = this.#app;
    site.checks.holds(
      `${key} is ${possibleStates.join(" or ")}, and found ${state}`,
      possibleStates.includes(state),
    );
    if (possibleStates.length > 1) await site.ledger.note({ who, kind: "is", key, state });
  }

  async #expectWhole({ id, files, key }: PackageFacts, file: string): Promise<void> {
    const path = `/importer/packages/${id}/files/${file}`;
    const { status, body } = await this.#call(path, this.#app.asImporter());
    const isWhole = status === 200 && body.equals(bytesOf(files[file]));
    this.#app.site.checks.holds(`${key}: ${file} is whole (answered ${status})`, isWhole);
  }

  async #expectHeld({ id, key }: PackageFacts): Promise<void> {
    if (this.#app.site.relay.wasClockWrong) return;
    const options = { ...this.#app.asImporter(), body: { run_id: "two" } };
    const path = `/importer/packages/${id}/take`;
    const { status } = await this.#app.site.relay.call("POST", path, options);
    this.#app.site.checks.same(`${key} is held by its import`, status, 409);
  }

  #call(path: string, options: { readonly token: string }) {
    return this.#app.site.relay.call("GET", path, options);
  }
}
