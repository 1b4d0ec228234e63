import "../equal-bytes.ts";
import "./random-seed.ts";
import { measureFile } from "./file-cost.ts";

// Vitest loads this file again before each file of tests, and Node what it imports once a worker.
measureFile();
