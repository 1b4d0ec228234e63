import type { Schema } from "../../../../core/protocol/schemas/schema.ts";
import type { Operation } from "./operation.ts";

// The relay's calls about itself, described.

const OK = {
  type: "object",
  properties: { status: { type: "string", const: "ok" } },
  required: ["status"],
} as const satisfies Schema;

const READY = {
  type: "object",
  properties: {
    status: { type: "string", const: "ready" },
    degraded: {
      description:
        "`full`: the disk is full. Announcing and uploading are refused; everything else works. " +
        "`damage`: many stored sounds are not what their apps sent. The disk may be failing. " +
        "`clock`: the machine's clock jumped. What expires and is deleted waits. " +
        "`newcomers`: a few networks have used up what all share; others are served.",
      type: "string",
      enum: ["full", "damage", "clock", "newcomers"],
    },
    notices: {
      description: "What an operator should know, in sentences. Empty if all is well.",
      type: "array",
      items: { type: "string" },
    },
  },
  required: ["status", "notices"],
} as const satisfies Schema;

export const manifestSchema: Operation = {
  id: "readManifestSchema",
  tag: "The relay",
  summary: "The strict JSON Schema of a manifest",
  description:
    "Stricter than the relay: a manifest that passes it gets no warning about its structure.",
  answers: { 200: { description: "JSON Schema, draft 2020-12.", schema: { type: "object" } } },
};

export const openapi: Operation = {
  id: "readContract",
  tag: "The relay",
  summary: "This contract",
  description:
    "Compressed where that is accepted. With its `ETag` in `If-None-Match`, only what is new is sent.",
  answers: {
    200: { description: "OpenAPI 3.1.", schema: { type: "object" }, headers: ["TextTag"] },
    304: { description: "You have it already.", headers: ["TextTag"] },
  },
};

export const docs: Operation = {
  id: "readReference",
  tag: "The relay",
  summary: "This contract as a page",
  answers: {
    200: {
      description: "HTML that loads nothing.",
      contentType: "text/html; charset=utf-8",
      headers: ["ContentPolicy"],
    },
  },
};

export const llms: Operation = {
  id: "readGuideForPrograms",
  tag: "The relay",
  summary: "What a program that writes code for an app should know, as llmstxt.org describes it",
  answers: { 200: { description: "Markdown.", contentType: "text/plain; charset=utf-8" } },
};

export const healthz: Operation = {
  id: "isServing",
  tag: "The relay",
  summary: "Check that the relay is up",
  answers: { 200: { description: "Yes.", schema: OK, example: { status: "ok" } } },
};

export const readyz: Operation = {
  id: "isReady",
  tag: "The relay",
  summary: "Check that its storage can be read and changed",
  answers: {
    200: { description: "Yes.", schema: READY, example: { status: "ready", notices: [] } },
  },
  refusals: ["NOT_READY", "STOPPING"],
};
