import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { signedInPerson } from "../identity/signed-in-person.ts";
import { COMPILE_CACHE } from "../program-variables.ts";
import { formOn } from "../service/pages/visitor.ts";
import type { TestService } from "../service/running-service.ts";
import { CLI } from "./command.ts";
import { runHere } from "./terminal.ts";

interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A command line that waits for a person. */
export interface Waiting {
  readonly page: string;
  readonly ended: Promise<Ended>;
}

/** Starts the program and waits until it shows a code. */
export function startWaiting(args: readonly string[], env: Record<string, string>): Promise<Waiting> {
  const child = spawn(process.execPath, [CLI, ...args], {
    env: { ...COMPILE_CACHE, ...env },
    stdio: ["ignore", "pipe", "pipe"],
    timeout: 40_000,
  });
  const output = Promise.all([once(child, "exit"), text(child.stdout), text(child.stderr)]);
  const ended = output.then(([[status], stdout, stderr]) => ({ status, stdout, stderr }));
  return shownCode(ended, (show) => child.stderr.on("data", show));
}

/** The same without a process of its own. */
export function waitHere(args: readonly string[], env: Record<string, string>): Promise<Waiting> {
  let show: (text: string) => void = () => {};
  const ended = runHere(args, { env, onNote: (line) => show(`${line}\n`) });
  return shownCode(ended, (listener) => {
    show = listener;
  });
}

async function shownCode(
  ended: Promise<Ended>,
  listen: (show: (text: unknown) => void) => void,
): Promise<Waiting> {
  let shown = "";
  const page = await new Promise<string>((resolve, reject) => {
    listen((text) => {
      shown += text;
      const [, found] = /Open (\S+)\nand approve the code [A-Z]{4}-[A-Z]{4} if/.exec(shown) ?? [];
      if (found !== undefined) resolve(found);
    });
    ended.then(() => reject(new Error(`It ended: ${shown}`)), reject);
  });
  return { page, ended };
}

/** Answers in the browser of a person who has signed in. */
export async function answerAs(
  { service, login }: { service: Pick<TestService, "address" | "dispatcher">; login: string },
  { page }: Waiting,
  button: "Approve" | "Deny",
): Promise<void> {
  const user = await signedInPerson(service, login);
  const { pathname, search } = new URL(page);
  const seen = await user.get(pathname + search);
  const { status } = await user.send("", { ...formOn(seen, button), action: "/login/device/answer" });
  if (status !== 200) throw new Error(`${button} was answered ${status}`);
}
