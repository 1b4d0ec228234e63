import { expect, test } from "vitest";
import { OWN_NETWORKS } from "../../../../relay/http/lan/own-networks.ts";

test("[LAN2] the default route's address is one of this computer's, where there is a route", async () => {
  const own = OWN_NETWORKS.addresses();
  expect(own).toContain("127.0.0.1");
  const route = await OWN_NETWORKS.routeAddress();
  if (route !== undefined) expect(own).toContain(route);
  expect(OWN_NETWORKS.isPrivate("127.0.0.1")).toBe(false);
});

test("[LAN2] an unknown name leads nowhere", async () => {
  expect(await OWN_NETWORKS.resolve("no name")).toEqual([]);
  expect(await OWN_NETWORKS.resolve("localhost")).toContain("127.0.0.1");
});
