#!/usr/bin/env node
/*
 * The command `delivery-evidence`: the sources in a clone, which needs no build, and the compiled files in the package.
 * Not TypeScript, because Node does not run TypeScript below node_modules.
 */
import { existsSync } from "node:fs";

const source = new URL("cli.ts", import.meta.url);
await import(existsSync(source) ? source.href : "../lib/cli.js");
