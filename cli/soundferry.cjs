#!/usr/bin/env node
"use strict";

// The installed command, in words that Node 10 can read: an older Node fails at the first import of the rest.
const { startOnNewNode } = require("./doctor/oldest-node.cjs");

startOnNewNode(() => import("./soundferry.ts"));
