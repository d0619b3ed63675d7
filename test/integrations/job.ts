import { spawn } from "node:child_process";
import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { EvidenceClient } from "../../src/api/client/client.ts";
import { VERSION } from "../../src/api/version.ts";
import { CLI } from "../cli/command.ts";
import { type Ended, runHere } from "../cli/terminal.ts";
import { COMPILE_CACHE } from "../program-variables.ts";
import { ORG, startTestService, type TestService } from "../service/running-service.ts";
import { CI_SYSTEMS, type CiName, type Command, type ShellCall, type Texts } from "./ci-systems.ts";

/** Starts the client. */
const CLIENT = `exec '${process.execPath}' '${CLI}' "$@"`;

/** Prints the arguments and the variables in place of the client's output. */
const RECORDER = "printf '%s\\0' \"$@\"; printf '\\0'; exec env -0";

/** Variables of a job of Jenkins, which no wrapper starts. */
export function jenkinsAt(commit: string): Texts {
  return {
    ...{ JENKINS_URL: "https://ci.example.com/", BUILD_URL: "https://ci.example.com/job/web/5/" },
    ...{ GIT_COMMIT: commit, GIT_URL: "https://github.com/acme/web.git", BUILD_NUMBER: "5" },
  };
}

/** A start of the client. */
interface ClientCall {
  readonly args: readonly string[];
  readonly env: Texts;
}

/** A service, and a folder in which the scripts of jobs run. */
export interface Job extends AsyncDisposable {
  readonly service: TestService;
  readonly client: EvidenceClient;
  /** Variables that the user sets for the connection. */
  readonly connection: Texts;
  write(name: string, content: string): Promise<void>;
  files(): Promise<string[]>;
  /** Runs a script with the client. */
  run(call: ShellCall): Promise<Ended>;
  /** Runs a script that may start the client once, and returns how. */
  record(call: ShellCall): Promise<Ended & { readonly client: ClientCall | undefined }>;
  /** The script of a system's wrapper, with all variables of a job. */
  wrapper(system: CiName, command: Command, texts: Texts, more?: Texts): ShellCall;
  /** Runs a script that starts the client once. The client then runs in this process, which takes less time. */
  perform(call: ShellCall): Promise<Ended>;
}

export async function startJob(): Promise<Job> {
  const service = await startTestService();
  const folder = await mkdtemp(join(tmpdir(), "ci job "));
  const workspace = join(folder, "work space");
  await mkdir(workspace);
  const real = await programs(join(folder, "real"), CLIENT);
  const recording = await programs(join(folder, "recording"), RECORDER);
  const connection = {
    EVIDENCE_BASE_URL: service.address,
    EVIDENCE_ORG: ORG,
    EVIDENCE_API_KEY: service.keys.member,
  };
  const start = async ({ shell: [command, ...options], script, env }: ShellCall, path: string) => {
    const child = spawn(command, [...options, script], {
      cwd: workspace,
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...COMPILE_CACHE, ...connection, PATH: `${path}:${process.env["PATH"]}`, ...env },
    });
    const closed = new Promise<number>((resolve) => child.on("close", (status) => resolve(status ?? 1)));
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
    return { status: await closed, stdout, stderr };
  };
  const record: Job["record"] = async (call) => {
    const ended = await start(call, recording);
    const [args, variables] = ended.stdout.split("\0\0");
    if (args === undefined || variables === undefined) return { ...ended, client: undefined };
    const env = variables
      .split("\0")
      .filter(Boolean)
      .map((each) => each.split(/=(.*)/s).slice(0, 2));
    return { ...ended, client: { args: args.split("\0"), env: Object.fromEntries(env) } };
  };
  return {
    client: new EvidenceClient({ apiKey: service.keys.reader, org: ORG, baseUrl: service.address }),
    ...{ service, connection, record },
    async write(name, content) {
      await mkdir(dirname(join(workspace, name)), { recursive: true });
      await writeFile(join(workspace, name), content);
    },
    files: () => readdir(workspace),
    run: (call) => start(call, real),
    wrapper(system, command, texts, more = {}) {
      const { variables } = CI_SYSTEMS[system];
      const environment = { ...connection, ...variables, ...more };
      const { env, ...rest } = CI_SYSTEMS[system].call(command, texts, environment);
      return { ...rest, env: { ...environment, ...env } };
    },
    async perform(call) {
      const { client, ...ended } = await record(call);
      if (client === undefined) return ended;
      const before = process.cwd();
      process.chdir(workspace);
      try {
        return await runHere(client.args, { env: client.env });
      } finally {
        process.chdir(before);
      }
    },
    async [Symbol.asyncDispose]() {
      await service.dispose();
      await rm(folder, { recursive: true });
    },
  };
}

/** Puts programs that start the client into a folder: npx for its package of this version, and the installed one. */
async function programs(folder: string, client: string): Promise<string> {
  await mkdir(folder);
  const npx = `[ "$1 $2" = '--yes @delivery-evidence/client@${VERSION}' ] || exit 9\nshift 2\n${client}`;
  for (const [name, script] of Object.entries({ npx, "delivery-evidence": client })) {
    await writeFile(join(folder, name), `#!/bin/sh\n${script}\n`);
    await chmod(join(folder, name), 0o755);
  }
  return folder;
}
