import { expect, test } from "vitest";
import { isClaimRequest } from "../../../core/protocol/schemas/validate.generated.js";

const claim = (appId: string, more: object = {}) =>
  isClaimRequest({ code: "K7MQ2X", app_name: "Limp", app_id: appId, ...more });

test("[O3] lengths count code points, not UTF-16 units", () => {
  expect(claim("🎹".repeat(200))).toBe(true);
  expect(claim("🎹".repeat(201))).toBe(false);
});

test("[O3] a validator names the first fault in the schema's order", () => {
  claim("x".repeat(201));
  expect(isClaimRequest.errors).toMatchObject([{ instancePath: "/app_id", keyword: "maxLength" }]);
  claim("x".repeat(201), { code: "" });
  expect(isClaimRequest.errors).toMatchObject([{ instancePath: "/code", keyword: "minLength" }]);
});

test("[O3] a validator accepts unknown members, including __proto__", () => {
  const more: object = JSON.parse('{ "mood": "dark", "__proto__": { "code": 3 } }');
  expect(claim("limp-1", more)).toBe(true);
  const members = '{ "code": "K7MQ2X", "app_name": "Limp", "app_id": "limp-1" }';
  expect(isClaimRequest(JSON.parse(`{ "__proto__": ${members} }`))).toBe(false);
});
