#!/usr/bin/env node
"use strict";

const { startOnNewNode } = require("./doctor/oldest-node.cjs");

startOnNewNode(() => import("./soundferry-conformance.ts"));
