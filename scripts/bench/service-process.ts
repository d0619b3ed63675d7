import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const PROGRAM = fileURLToPath(new URL("service-program.ts", import.meta.url));
/** One that does not end by itself is not waited for. */
const PATIENCE_MS = 15_000;

export type Question = "usage" | "texts";

/** What a service has used since its start. */
interface Usage {
  /** Milliseconds of all its threads. */
  readonly cpu: number;
  readonly statements: number;
  /** The most memory it has held, in KiB. */
  readonly peak: number;
}

interface Started {
  readonly address: string;
  /** The keys of the organizations that were made, by name. */
  readonly keys: Readonly<Record<string, string>>;
}

/** What a service says over its channel: each part when it is asked for it, the first of its own accord. */
export interface Answer {
  readonly started?: Started;
  readonly usage?: Usage;
  readonly texts?: readonly string[];
}

export interface ServiceProcess extends Started, AsyncDisposable {
  usage(): Promise<Usage>;
  /** Every SQL text that was prepared. */
  texts(): Promise<readonly string[]>;
}

/** Starts the service as a process that tells what it uses. */
export async function startServiceProcess(
  dataFolder: string,
  orgs: readonly string[],
  { workers = 0 }: { workers?: number } = {},
): Promise<ServiceProcess> {
  const child = fork(PROGRAM, [dataFolder, String(workers), ...orgs], {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const failure = once(child, "close").then(([status]) => {
    throw new Error(`The service ended with ${status}`);
  });
  // When nobody waits for an answer, its end is no failure.
  failure.catch(() => {});
  const answer = async (): Promise<Answer> => {
    const [told] = await Promise.race([once(child, "message"), failure]);
    return told;
  };
  const ask = async (question: Question) => {
    const told = answer();
    child.send(question);
    return await told;
  };
  const { started } = await answer();
  if (started === undefined) throw new Error("The service did not say where it is");
  return {
    ...started,
    async usage() {
      const { usage } = await ask("usage");
      if (usage === undefined) throw new Error("The service did not say what it has used");
      return usage;
    },
    async texts() {
      const { texts } = await ask("texts");
      if (texts === undefined) throw new Error("The service did not say what it has asked of SQLite");
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
