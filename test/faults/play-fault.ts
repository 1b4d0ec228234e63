import { afterAll, describe, test } from "vitest";
import { canMount } from "../relay/storage/disk/small-disk.ts";
import { expectAllIsWell } from "./afterwards.ts";
import { ACTIVITIES, type Fault, type PlayedCell, TIMES } from "./fault.ts";
import { Site } from "./site.ts";

const CAN_MOUNT = canMount();

/**
 * A test for each cell of a fault, one after the other at the same site. One that failed leaves the next a new site.
 * Prints what became of every cell.
 */
export function playFault(fault: Fault): void {
  const { name, what } = fault;
  describe(`${name}, ${what}`, () => {
    const table: string[] = [];
    let site: Site | undefined;
    afterAll(async () => {
      await site?.[Symbol.asyncDispose]();
      process.stdout.write(`${table.join("\n")}\n`);
    });

    const play = async (cell: PlayedCell) => {
      const own = (site ??= await Site.open(fault.site));
      try {
        await cell.play(own);
        await expectAllIsWell(own);
      } catch (error) {
        site = undefined;
        await own[Symbol.asyncDispose]();
        throw error;
      }
    };

    for (const time of TIMES) {
      for (const activity of ACTIVITIES) {
        const cell = fault.cells[time][activity];
        const place = `${name} ${time} × ${activity}`;
        if ("leftOut" in cell) {
          table.push(`${place}: left out, ${cell.leftOut}`);
          continue;
        }
        const canRun = fault.site?.diskSize === undefined || CAN_MOUNT;
        if (!canRun) table.push(`${place}: NOT RUN, because this system allows no mount`);
        const needs = canRun ? "" : " (needs a mount)";
        test.skipIf(!canRun)(`${cell.rule} ${place}: ${cell.title}${needs}`, async () => {
          table.push(`${place}: FAILED`);
          const line = table.length - 1;
          await play(cell);
          table[line] = `${place}: holds`;
        });
      }
    }
  });
}
