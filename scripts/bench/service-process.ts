import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const PROGRAM = fileURLToPath(new URL("service-program.ts", import.meta.url));
/** Time after which a process that does not end is killed. */
const PATIENCE_MS = 15_000;

export type Question = "usage" | "texts";

/** Resource usage of a service since its start. */
interface Usage {
  /** CPU milliseconds of all its threads. */
  readonly cpu: number;
  readonly statements: number;
  /** Peak memory, in KiB. */
  readonly peak: number;
}

interface Started {
  readonly address: string;
  /** Keys of the created organizations, by name. */
  readonly keys: Readonly<Record<string, string>>;
}

/** A message over the service's channel. All but the first are sent on request. */
export interface Answer {
  readonly started?: Started;
  readonly usage?: Usage;
  readonly texts?: readonly string[];
}

export interface ServiceProcess extends Started, AsyncDisposable {
  usage(): Promise<Usage>;
  /** All prepared SQL texts. */
  texts(): Promise<readonly string[]>;
}

/** Starts the service as a process that reports its resource usage. */
export async function startServiceProcess(
  dataFolder: string,
  orgs: readonly string[],
  { workers = 0, opa = "" }: { workers?: number; opa?: string | undefined } = {},
): Promise<ServiceProcess> {
  const child = fork(PROGRAM, [dataFolder, String(workers), opa, ...orgs], {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const failure = once(child, "close").then(([status]) => {
    throw new Error(`The service ended with ${status}`);
  });
  // Its exit is not a failure if no response is pending.
  failure.catch(() => {});
  const answer = async (): Promise<Answer> => {
    const [reply] = await Promise.race([once(child, "message"), failure]);
    return reply;
  };
  const ask = async (question: Question) => {
    const reply = answer();
    child.send(question);
    return await reply;
  };
  const { started } = await answer();
  if (started === undefined) throw new Error("The service did not report its address");
  return {
    ...started,
    async usage() {
      const { usage } = await ask("usage");
      if (usage === undefined) throw new Error("The service did not report its usage");
      return usage;
    },
    async texts() {
      const { texts } = await ask("texts");
      if (texts === undefined) throw new Error("The service did not report its SQL texts");
      return texts;
    },
    async [Symbol.asyncDispose]() {
      const closed = once(child, "close");
      child.kill("SIGTERM");
      const late = setTimeout(() => child.kill("SIGKILL"), PATIENCE_MS);
      await closed;
      clearTimeout(late);
    },
  };
}
