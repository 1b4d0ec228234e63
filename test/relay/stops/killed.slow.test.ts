import { describe } from "vitest";
import { testStops } from "./test-stops.ts";

describe("a relay that is killed", () => testStops("killed"));
