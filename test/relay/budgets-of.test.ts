import { expect, test } from "vitest";
import { DOWNLOADS, SPARE_DESCRIPTORS } from "../../core/quotas/budgets.ts";
import { budgetsOf } from "../../relay/budgets-of.ts";
import { readRelaySettings } from "../../relay/settings.ts";

const SETTINGS = readRelaySettings({ environment: {} });

test("[L6] where the system allows a process few files, connections and transfers together need no more", () => {
  for (const descriptors of [700, 1024, 4096, 65_536]) {
    const { connections, uploads } = budgetsOf(SETTINGS, descriptors);
    const opened = connections.all + uploads.all + DOWNLOADS.all + SPARE_DESCRIPTORS;
    expect(opened).toBeLessThanOrEqual(descriptors);
    expect(uploads.all).toBe(Math.min(SETTINGS.uploads, descriptors / 4));
    expect(connections.all).toBeGreaterThanOrEqual(64);
  }
});

test("[L6] settings are the budgets where files are no limit", () => {
  const { connections, uploads, sockets } = budgetsOf(SETTINGS);
  expect([connections.all, uploads.all, sockets.all]).toEqual([
    SETTINGS.connections,
    SETTINGS.uploads,
    SETTINGS.sockets,
  ]);
});
