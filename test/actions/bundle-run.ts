import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type EndedAction, runActionBundle, runActionHere } from "./action-here.ts";
import type { recordingServer } from "./recording-server.ts";

/** A key of a length whose basic authorization no runner masks automatically. */
export const API_KEY = "de_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG";
export const SHA = "0dcf2a8e6bd4f1a7c1b8b0dd2a1c0e6bb1f4c2aa";

/** The runner's payload of a push. */
export const PUSH = {
  ref: "refs/heads/main",
  repository: {
    id: 4711,
    full_name: "acme/web",
    html_url: "https://github.com/acme/web",
    description: "The shop",
  },
  head_commit: {
    id: SHA,
    message: "Sell more",
    timestamp: "2026-11-20T10:00:00Z",
    author: { name: "Ada Example", email: "ada@example.com", username: "ada" },
  },
};

export interface BundleCall {
  server?: Awaited<ReturnType<typeof recordingServer>>;
  inputs: Readonly<Record<string, string>>;
  env?: Readonly<Record<string, string>>;
  /** Files in the workspace, by path. */
  files?: Readonly<Record<string, string>>;
  /** Event payload. Default: a push. */
  event?: unknown;
}

export interface BundleRun extends EndedAction {
  outputs: Record<string, string>;
  /** Reviewable output, with placeholders for what differs from run to run. */
  snapshot: string;
}

/** Runs a bundle of dist/ as the runner would: as a child process in its own workspace. */
export function runBundle(name: string, call: BundleCall): Promise<BundleRun> {
  return runIn(call, (env, workspace) => runActionBundle(name, env, workspace));
}

/** Runs an action as `runBundle` does, from its source in this process: see `runActionHere`. */
export function runHere(name: string, call: BundleCall): Promise<BundleRun> {
  return runIn(call, (env, workspace) => runActionHere(name, env, workspace));
}

async function runIn(
  { server, inputs, env = {}, files = {}, event = PUSH }: BundleCall,
  run: (env: NodeJS.ProcessEnv, workspace: string) => Promise<EndedAction>,
): Promise<BundleRun> {
  const folder = await mkdtemp(join(tmpdir(), "bundle-"));
  const workspace = join(folder, "workspace");
  const at = (file: string) => join(folder, file);
  await mkdir(workspace);
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(workspace, path)), { recursive: true });
    await writeFile(join(workspace, path), content);
  }
  await writeFile(at("event.json"), JSON.stringify(event));
  for (const file of ["output", "summary"]) await writeFile(at(file), "");
  try {
    const { status, stdout, stderr } = await run(
      {
        PATH: process.env["PATH"],
        INPUTS: JSON.stringify({
          "api-key": API_KEY,
          org: "acme",
          ...(server && { "base-url": server.address }),
          ...inputs,
        }),
        GITHUB_EVENT_NAME: "push",
        GITHUB_EVENT_PATH: at("event.json"),
        GITHUB_REF: "refs/heads/main",
        GITHUB_REPOSITORY: "acme/web",
        GITHUB_RUN_ID: "77",
        GITHUB_SHA: SHA,
        GITHUB_OUTPUT: at("output"),
        GITHUB_STEP_SUMMARY: at("summary"),
        GITHUB_WORKSPACE: workspace,
        RUNNER_TEMP: folder,
        ...env,
      },
      workspace,
    );
    const outputs = parseOutputs(await readFile(at("output"), "utf8"));
    const summary = await readFile(at("summary"), "utf8");
    const sections = {
      "exit status": String(status),
      stdout,
      stderr,
      outputs: Object.entries(outputs)
        .map(([key, value]) => `${key}=${value}`)
        .join("\n"),
      summary,
      requests: server?.requests.join("\n\n--\n\n") ?? "",
    };
    const snapshot = Object.entries(sections)
      .filter(([, content]) => content !== "")
      .map(([title, content]) => `# ${title}\n${content.trimEnd()}\n`)
      .join("\n");
    return { status, stdout, stderr, outputs, snapshot: steady(snapshot, folder, server?.address) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function steady(text: string, folder: string, address = "http://unused"): string {
  return text
    .replaceAll(address, "http://SERVICE")
    .replaceAll(new URL(address).host, "SERVICE")
    .replaceAll(address.replaceAll(":", "&#58;"), "http&#58;//SERVICE")
    .replaceAll(folder, "TEMP")
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, "UUID")
    .replace(/Retrying in \d+\.\d s/g, "Retrying in N s");
}

/** Reads `name<<delimiter` blocks, as the runner does. */
function parseOutputs(file: string): Record<string, string> {
  const outputs: Record<string, string> = {};
  for (const [, name = "", , value = ""] of file.matchAll(/^(.+?)<<(ghadelimiter_.+)\n([\s\S]*?)\n?\2$/gm)) {
    outputs[name] = value;
  }
  return outputs;
}
