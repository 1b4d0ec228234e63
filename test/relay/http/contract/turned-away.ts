import { createHash } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { CONNECTIONS_PER_ADDRESS, REFUSED_BYTES } from "../../../../core/quotas/budgets.ts";
import { strangerAt } from "../../../../relay/domain/caller.ts";
import { type Administration, openActions } from "../../../../relay/operating/administer.ts";
import { ManualTimers } from "../../../addon/manual-timers.ts";
import { manifestOf } from "../../../manifest-of.ts";
import { smallWav } from "../../../wav-bytes.ts";
import { fitting, produceAll } from "./produce.ts";
import { World } from "./world.ts";

const KICK = { file: "kick.wav" };
const HERE = "127.0.0.1";
/** Lists no codes, because its refusals have no body. */
const BODILESS = "readUploadOffset";

/** Produces every refusal that comes from the name of the host, the operator, or what is scarce. */
export async function produceTurnedAway(world: World): Promise<void> {
  await otherNames(world);
  await crowds(world);
  await blocks(world);
  await switches(world);
  await deniedSounds(world);
  await lostSound(world);
  await manyRegistrations(world);
}

async function otherNames(world: World): Promise<void> {
  const host = "made-up.example";
  const ask = (id: string) =>
    id === "openSocket"
      ? world.call(id, { headers: { host } })
      : world.rawCall(id, "Connection: close", `Host: ${host}\r\n`);
  await produceAll(world.watch, "HOST_UNKNOWN", ask);
  await ask(BODILESS);
}

async function crowds({ watch }: World): Promise<void> {
  // Without time that passes, no idle connection is ended for another one.
  const options = { timers: new ManualTimers() };
  const most = 100;
  await using full = await World.start(
    { SOUNDFERRY_MAX_CONNECTIONS: String(most) },
    watch,
    options,
  );
  const ask = async (one: World, id: string) =>
    id === "openSocket" ? one.call(id) : one.rawCall(id, "Connection: close");
  {
    const { admission } = full.relay.relay.context;
    const others = { address: "203.0.113.1", networks: [], isProven: true };
    const left = most - admission.budget("connections").used;
    using _all = admission.take("connections", others, left);
    await produceAll(watch, "BUSY", (id) => ask(full, id));
    await ask(full, BODILESS);
  }
  await using alone = await World.start({}, watch, options);
  const { admission } = alone.relay.relay.context;
  const own = CONNECTIONS_PER_ADDRESS - admission.budget("connections").used;
  {
    using _own = admission.take("connections", strangerAt(HERE), own);
    await produceAll(watch, "TOO_MUCH_AT_ONCE", (id) => ask(alone, id));
    await ask(alone, BODILESS);
  }
  admission.refused.add(strangerAt(HERE), REFUSED_BYTES.perAddress);
  await produceAll(watch, "REFUSED_TOO_MUCH", (id) => alone.call(id, fitting(id)));
}

async function blocks({ watch }: World): Promise<void> {
  for (const [code, kind] of [
    ["DEVICE_BLOCKED", "device"],
    ["ADDRESS_BLOCKED", "address"],
  ] as const) {
    await using world = await World.start({}, watch);
    const subject = kind === "device" ? world.importer.deviceId : HERE;
    await operate(world, (admin) => admin.block({ kind, subject }, true));
    await produceAll(watch, code, (id) => world.call(id, fitting(id)));
    await world.call(BODILESS, fitting(BODILESS));
  }
}

async function switches({ watch }: World): Promise<void> {
  await using world = await World.start({}, watch);
  for (const name of ["registrations", "announcements", "claims"] as const) {
    await operate(world, (admin) => admin.turn(name, true));
    const code = `${name.toUpperCase()}_OFF`;
    await produceAll(watch, code, (id) => world.call(id, fitting(id)));
  }
}

async function deniedSounds({ watch }: World): Promise<void> {
  await using world = await World.start({}, watch);
  const [id, whole, waiting] = [
    await world.announced(),
    await world.announced(),
    await world.sent(),
  ];
  await world.call("uploadFile", { parts: { id: whole, ...KICK }, body: smallWav() });
  const sum = createHash("sha256").update(smallWav()).digest("hex");
  await operate(world, (admin) => admin.deny(sum));
  const packageOf: Partial<Record<string, string>> = {
    commitPackage: whole,
    takePackage: waiting,
    downloadFile: waiting,
  };
  await produceAll(watch, "SOUND_DENIED", (operation) => {
    const parts = { id: packageOf[operation] ?? id, ...KICK };
    return world.call(operation, { ...fitting(operation), parts });
  });
}

async function lostSound({ watch }: World): Promise<void> {
  await using world = await World.start({}, watch);
  const parts = { id: await world.sent(), ...KICK };
  await rm(join(world.relay.folder, "sounds", parts.id), { recursive: true });
  await produceAll(watch, "SOUND_LOST", (operation) => world.call(operation, { parts }));
}

async function manyRegistrations({ watch }: World): Promise<void> {
  const headers = { "x-forwarded-for": "203.0.113.1" };
  for (const [code, scope] of [
    ["NETWORK_REGISTRATIONS_TOO_MANY", "PER_ADDRESS_PER_DAY"],
    ["REGISTRATIONS_TOO_MANY", "PER_DAY"],
  ] as const) {
    const settings = { SOUNDFERRY_TRUST_PROXY: HERE, [`SOUNDFERRY_REGISTRATIONS_${scope}`]: "1" };
    await using world = await World.start(settings, watch);
    await produceAll(watch, code, async (id) => {
      for (let tries = 0; tries < 2; tries += 1)
        await world.call(id, { body: manifestOf([]), headers });
    });
  }
}

/** Changes something as the operator. It is in force when this resolves. */
async function operate(
  { relay }: World,
  act: (admin: Administration) => Promise<unknown>,
): Promise<void> {
  await using admin = await openActions({ dataFolder: relay.folder }, { who: "anna" });
  await act(admin);
  await relay.relay.context.operator.refresh();
}
