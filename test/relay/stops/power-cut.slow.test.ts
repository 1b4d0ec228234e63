import { describe } from "vitest";
import { testStops } from "./test-stops.ts";

describe("a relay whose power is cut", () => testStops("power cut"));
