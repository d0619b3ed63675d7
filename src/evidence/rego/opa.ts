import { ProgramNotStarted, runProgram } from "../../net/run-program.ts";
import { PolicyFault } from "./verdict.ts";

/** The program that evaluates policies: https://www.openpolicyagent.org. */
export interface Opa {
  /** Absolute path, or a name on the PATH. */
  readonly path: string;
  /** Such as `1.22.2`. */
  readonly version: string;
  /** JSON text of what policies may use: no network, clock, environment, or chance. */
  readonly capabilities: string;
}

/**
 * Functions that make a verdict depend on more than the policy and its input, or that let data leave the machine. The
 * `$ref` of a JSON schema reads files of the machine, and before opa 1.20 the network. Certificates are verified at the
 * time of the clock.
 */
const REFUSED =
  /^(?:http\.send|json\.(?:match|verify)_schema|net\.lookup_ip_addr|opa\.runtime|rand\.intn|time\.now_ns|trace|uuid\.rfc4122|crypto\.x509\.parse_and_verify_.*|io\.jwt\.(?:verify_|encode_sign|decode_verify).*)$/;
const OLDEST = 1;

/** @throws {PolicyFault} (`engine`) if the program cannot be started or is too old */
export async function openOpa(path: string, signal: AbortSignal): Promise<Opa> {
  const ask = (...args: readonly string[]) => printed(path, args, signal);
  const [about, current] = await Promise.all([ask("version"), ask("capabilities", "--current")]);
  const version = /^Version: (\S+)/m.exec(about)?.[1] ?? "";
  if (!(Number.parseInt(version, 10) >= OLDEST))
    throw fault(`'${path}' is not opa 1.0 or newer: it prints the version '${version}'`);
  return { path, version, capabilities: restricted(current) };
}

/**
 * The whole environment of opa: neither secrets nor settings reach a policy. If its memory ends, it prints one line. It
 * takes one processor at most, because collecting garbage on all of them delays other programs and ends no earlier.
 */
export const ENVIRONMENT: Readonly<Record<string, string>> = { GOTRACEBACK: "none", GOMAXPROCS: "1" };

function restricted(current: string): string {
  const { builtins, ...others } = JSON.parse(current);
  const pure = builtins.filter(({ name }: { name: string }) => !REFUSED.test(name));
  return JSON.stringify({ ...others, builtins: pure, allow_net: [] });
}

async function printed(program: string, args: readonly string[], signal: AbortSignal): Promise<string> {
  const chunks: Buffer[] = [];
  const onStdout = (chunk: Buffer) => chunks.push(chunk);
  try {
    const { exitCode, stderr } = await runProgram({ program, args, env: ENVIRONMENT, signal, onStdout });
    if (exitCode !== 0) throw fault(`'${program} ${args.join(" ")}' failed: ${stderr.trim()}`);
    return Buffer.concat(chunks).toString();
  } catch (error) {
    if (!(error instanceof ProgramNotStarted)) throw error;
    throw fault(error.absent ? `'${program}' does not exist` : `'${program}' cannot be started`, error);
  }
}

function fault(message: string, cause?: unknown): PolicyFault {
  return new PolicyFault("engine", [{ message }], cause);
}
