import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type LocalService, startLocalService, stepVariables } from "./local-service.ts";
import { median, slowest } from "./measure.ts";
import type { Measured, Measurements } from "./rows.ts";
import { notReading, STAGES, type StallingServer } from "./stalling-servers.ts";

const ROUNDS = 3;
/** Time limit for the service, in seconds. */
const TIMEOUT = 1;
/** Time limit for GitHub's API, in seconds. */
const GITHUB_LIMIT = 5;
const INTERRUPTED = 130;
const ATTEST = { flow: "web", name: "lint", compliant: "true" };
const UPLOAD = { ...ATTEST, attachments: "report.bin", "archive-attachments": "false" };

interface Step {
  readonly bundle: string;
  readonly inputs: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
}

/** Time for which steps continue after their deadline or a signal, in milliseconds, wherever they stall. */
export async function stalls(root: string): Promise<Measurements<"stalls">> {
  await using service = await startLocalService();
  const folder = await mkdtemp(join(tmpdir(), "bench-stalls-"));
  await writeFile(join(folder, "report.bin"), Buffer.alloc(10_000_000, 7));
  const start = ({ bundle, inputs, env }: Step) => startStep({ root, folder, service, bundle, inputs, env });
  try {
    return {
      deadline: slowestOf(await deadlines(start)),
      interrupt: slowestOf(await interrupts(start, folder)),
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

type Start = (step: Step) => RunningStep;

/** Milliseconds by stage or place. */
type Times = Readonly<Record<string, number>>;

function slowestOf(times: Times): Measured {
  const { value, name } = slowest(times);
  return { value, note: name };
}

async function deadlines(start: Start): Promise<Times> {
  const times: Record<string, number> = {};
  const beyond = async (what: string, run: () => Promise<EndedStep>) => {
    times[what] = await medianOf(async () => {
      const ended = await run();
      expectStatus(what, ended, 1);
      return ended.milliseconds - TIMEOUT * 1000;
    });
  };
  const stalled = async (open: () => Promise<StallingServer>, inputs: Step["inputs"]) => {
    await using server = await open();
    const given = { ...inputs, "base-url": server.url, timeout: String(TIMEOUT) };
    return await start({ bundle: "attest", inputs: given }).ended;
  };
  for (const [stage, open] of Object.entries(STAGES)) {
    await beyond(`the service stalls ${stage}`, () => stalled(open, ATTEST));
  }
  await beyond("the service reads nothing of 10 MB", () => stalled(notReading, UPLOAD));
  const begin = async (address?: string) => {
    const inputs = {
      flow: "stalls",
      "flow-description": "GitHub is silent",
      "github-token": address ? "token" : "",
    };
    const env = address === undefined ? {} : { GITHUB_API_URL: address };
    const ended = await start({ bundle: "begin-trail", inputs, env }).ended;
    expectStatus("begin-trail", ended, 0);
    return ended.milliseconds;
  };
  // Excludes the step's work with the service before and after.
  const usual = await medianOf(() => begin());
  times["GitHub says nothing"] = await medianOf(async () => {
    await using gitHub = await silent();
    return (await begin(gitHub.url)) - usual - GITHUB_LIMIT * 1000;
  });
  return times;
}

async function silent(): Promise<StallingServer> {
  const open = STAGES["before it says anything"];
  if (!open) throw new Error("Unknown stage");
  return await open();
}

/** Interrupts a step at a place, and returns how long it continues. */
type Interrupted = (step: Step, reached: (running: RunningStep) => Promise<unknown>) => Promise<number>;

async function interrupts(start: Start, folder: string): Promise<Times> {
  const times: Record<string, number> = {};
  for (const [place, come] of Object.entries(await places(folder))) {
    for (const signal of ["SIGINT", "SIGTERM"] as const) {
      const what = `${signal} ${place}`;
      const interrupted: Interrupted = async (given, reached) => {
        const step = start(given);
        await Promise.race([reached(step), step.ended]);
        const sent = performance.now();
        step.kill(signal);
        expectStatus(what, await step.ended, INTERRUPTED);
        return performance.now() - sent;
      };
      times[what] = await medianOf(() => come(interrupted));
    }
  }
  return times;
}

async function places(
  folder: string,
): Promise<Record<string, (interrupted: Interrupted) => Promise<number>>> {
  const started = join(folder, "started");
  const env = { PATH: `${folder}:${process.env["PATH"]}`, STARTED: started };
  for (const name of ["kubectl", "git"]) {
    await writeFile(join(folder, name), `#!/bin/sh\n: >"$STARTED"\nexec sleep 600\n`);
    await chmod(join(folder, name), 0o755);
  }
  // Without it, the step does not run git.
  await mkdir(join(folder, ".git"));
  await writeFile(join(folder, ".git", "HEAD"), "");
  const whileItRuns = async (interrupted: Interrupted, step: Step) => {
    await rm(started, { force: true });
    return await interrupted({ ...step, env }, () => exists(started));
  };
  return {
    "in an upload": async (interrupted) => {
      await using server = await notReading();
      const inputs = { ...UPLOAD, "base-url": server.url };
      return await interrupted({ bundle: "attest", inputs }, () => server.stalled);
    },
    "between two attempts": async (interrupted) => {
      await using server = await busy();
      const inputs = { ...ATTEST, "base-url": server.url };
      return await interrupted({ bundle: "attest", inputs }, (step) => step.printed("Retrying in"));
    },
    "while kubectl runs": (interrupted) =>
      whileItRuns(interrupted, { bundle: "report-env", inputs: { environment: "prod" } }),
    "while git runs": (interrupted) => whileItRuns(interrupted, { bundle: "attest", inputs: ATTEST }),
  };
}

/** A service that requests a retry in a minute. */
async function busy(): Promise<AsyncDisposable & { readonly url: string }> {
  const server = createServer((request, response) => {
    request
      .resume()
      .on("end", () => response.writeHead(503, { "retry-after": "60" }).end('{"message": "busy"}'));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

interface RunningStep {
  readonly ended: Promise<EndedStep>;
  kill(signal: NodeJS.Signals): void;
  /** Resolves when the step has printed the text. */
  printed(text: string): Promise<void>;
}

interface EndedStep {
  readonly status: number | null;
  readonly stdout: string;
  /** Duration from start to end. */
  readonly milliseconds: number;
}

interface StartedStep extends Omit<Step, "env"> {
  readonly root: string;
  readonly folder: string;
  readonly service: LocalService;
  readonly env: Step["env"] | undefined;
}

function startStep({ root, folder, service, bundle, inputs, env }: StartedStep): RunningStep {
  const begun = performance.now();
  const child = spawn(process.execPath, [join(root, "dist", bundle, "index.js")], {
    cwd: folder,
    env: { ...stepVariables(service, inputs), GITHUB_WORKSPACE: folder, RUNNER_TEMP: folder, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let stdout = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  const ended = once(child, "close").then(([status]): EndedStep => {
    return { status, stdout, milliseconds: performance.now() - begun };
  });
  return {
    ended,
    kill: (signal) => void child.kill(signal),
    async printed(text) {
      while (!stdout.includes(text)) await once(child.stdout, "data");
    },
  };
}

function expectStatus(what: string, { status, stdout }: EndedStep, expected: number): void {
  if (status !== expected) throw new Error(`${what}: ended with ${status}, not ${expected}:\n${stdout}`);
}

async function exists(path: string): Promise<void> {
  while (!(await stat(path).catch(() => undefined))) await delay(5);
}

async function medianOf(run: () => Promise<number>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) times.push(await run());
  return median(times);
}
