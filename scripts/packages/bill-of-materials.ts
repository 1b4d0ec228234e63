import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { VERSION } from "../../core/version.ts";
import { PAGE_PACKAGES } from "../app/bundle-app.ts";
import { SYSTEMS } from "../app/systems.ts";
import { runNpm } from "../run-npm.ts";

const ROOT = join(import.meta.dirname, "../..");

/** A component as CycloneDX has it; what else npm says of one differs between its versions. */
interface Component {
  readonly "bom-ref": string;
  readonly type: string;
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly hashes?: readonly object[];
  readonly licenses?: readonly object[];
}

interface Dependency {
  readonly ref: string;
  readonly dependsOn?: readonly string[];
}

interface NpmBill {
  readonly metadata: { readonly component: Component };
  readonly components: readonly Component[];
  readonly dependencies: readonly Dependency[];
}

/**
 * Lists what is shipped as CycloneDX 1.5, from package-lock.json (rule SEC7): the packages that ours needs, and those whose
 * code is in the pages. The same commit gives the same text: it has no time, no serial number and no version of npm.
 * @param hasNode true for the app, which has Node inside
 */
export async function billOfMaterials({ hasNode = false } = {}): Promise<string> {
  const words = ["sbom", "--package-lock-only", "--sbom-format", "cyclonedx"];
  const bill: NpmBill = JSON.parse(await runNpm(words, ROOT));
  const { dependencies } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));
  const needs = new Map(bill.dependencies.map(({ ref, dependsOn = [] }) => [ref, dependsOn]));
  const own = bill.metadata.component["bom-ref"];
  const named = new Set([...Object.keys(dependencies), ...PAGE_PACKAGES]);
  const direct = (needs.get(own) ?? []).filter((ref) => named.has(ref.replace(/@[^@]+$/, "")));
  // A set's iteration meets what is added to it on the way.
  const shipped = new Set(direct);
  for (const ref of shipped) for (const needed of needs.get(ref) ?? []) shipped.add(needed);
  const components = bill.components.filter((one) => shipped.has(one["bom-ref"])).map(lasting);
  const node = hasNode ? [nodeIn(bill)] : [];
  const bom = {
    $schema: "http://cyclonedx.org/schema/bom-1.5.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.5",
    version: 1,
    metadata: { component: { ...lasting(bill.metadata.component), name: "soundferry" } },
    components: [...node, ...components].toSorted(byRef),
    dependencies: [
      { ref: own, dependsOn: [...node.map((one) => one["bom-ref"]), ...direct].toSorted() },
      ...[...shipped].map((ref) => ({ ref, dependsOn: (needs.get(ref) ?? []).toSorted() })),
    ].toSorted((one, other) => (one.ref < other.ref ? -1 : 1)),
  };
  return `${JSON.stringify(bom, null, 2)}\n`;
}

/** The name of a bill of materials. */
export function billName(of: string): string {
  return `${of}-${VERSION}.cdx.json`;
}

function lasting({ type, name, version, purl, hashes, licenses, ...one }: Component): Component {
  const rest = { ...(hashes && { hashes }), ...(licenses && { licenses }) };
  return { "bom-ref": one["bom-ref"], type, name, version, purl, ...rest };
}

/** The Node inside the app, by the names under which advisories list it. */
function nodeIn({ components }: NpmBill): Component & { readonly cpe: string } {
  const packages = new Set(SYSTEMS.map(({ nodePackage }) => nodePackage));
  const versions = new Set(
    components.filter(({ name }) => packages.has(name)).map(({ version }) => version),
  );
  const [version = ""] = versions;
  if (versions.size !== 1) throw new Error(`The app has several Nodes: ${[...versions].join()}.`);
  return {
    "bom-ref": `node@${version}`,
    type: "platform",
    name: "node",
    version,
    cpe: `cpe:2.3:a:nodejs:node.js:${version}:*:*:*:*:*:*:*`,
    purl: `pkg:generic/node@${version}`,
    licenses: [{ license: { id: "MIT" } }],
  };
}

function byRef(one: Component, other: Component): number {
  return one["bom-ref"] < other["bom-ref"] ? -1 : 1;
}
