#!/usr/bin/env node
/*
 * Replaces GitHub's own program, with GitHub's state in the file GH_STATE: it stores releases, attestations and runs,
 * records each requested change, and fails where the state says so.
 */
import { readFileSync, writeFileSync } from "node:fs";

interface State {
  release?: { isDraft: boolean; files: string[] };
  isImmutable: boolean;
  attested: string[];
  runs: { databaseId: number; status: string; conclusion: string }[];
  /** The result of a watched trial. */
  ends: string;
  changes: string[];
  /** Fails once, before it completes. */
  failsAt?: string;
}

const path = process.env["GH_STATE"] ?? "";
const state: State = JSON.parse(readFileSync(path, "utf8"));
const args = process.argv.slice(2);
const command = args.slice(0, 2).join(" ");
process.exitCode = answer();
writeFileSync(path, JSON.stringify(state));

function answer(): number {
  if (state.failsAt === command) {
    delete state.failsAt;
    process.stderr.write("connection reset by peer\n");
    return 1;
  }
  switch (command) {
    case "release view":
      if (state.release === undefined) {
        process.stderr.write("release not found\n");
        return 1;
      }
      return print({
        isDraft: state.release.isDraft,
        isImmutable: state.isImmutable && !state.release.isDraft,
      });
    case "release create":
      return change(() => {
        state.release = { isDraft: true, files: [] };
      });
    case "release upload":
      return change(() => {
        state.release?.files.push(...args.slice(3).filter((file) => !file.startsWith("--")));
      });
    case "release edit":
      return change(() => {
        if (state.release) state.release.isDraft = false;
      });
    case "attestation verify":
      return state.attested.includes(`${args[2]} ${args.at(-1)}`) ? 0 : 1;
    case "run list":
      return print(state.runs);
    case "workflow run":
      return change(() => {
        state.runs.push({ databaseId: 7 + state.runs.length, status: "in_progress", conclusion: "" });
      });
    case "run watch": {
      const run = state.runs.find(({ databaseId }) => String(databaseId) === args[2]);
      Object.assign(run ?? {}, { status: "completed", conclusion: state.ends });
      return state.ends === "success" ? 0 : 1;
    }
    default:
      throw new Error(`gh was asked for ${args.join(" ")}`);
  }
}

function print(value: unknown): number {
  process.stdout.write(JSON.stringify(value));
  return 0;
}

function change(make: () => void): number {
  make();
  state.changes.push(args.join(" "));
  return 0;
}
