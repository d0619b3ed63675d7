import type { CallOptions, Reply } from "../../api/client/call.ts";
import type { Connection } from "../../api/client/connection.ts";
import type { FilePlace, InputProblem } from "../../api/client/errors.ts";
import type { ErrorCode } from "../../api/error-codes.ts";
import type { OperationShape, RequestOf } from "../../api/operation.ts";
import type { FieldInputs } from "./field-inputs.ts";
import {
  choice,
  flag,
  type Input,
  type Inputs,
  required,
  secret,
  text,
  type ValuesOf,
  whole,
} from "./input.ts";
import type { Runner } from "./runner.ts";
import type { Summary, Table } from "./summary.ts";

/** The inputs every action has. */
export const sharedInputs = {
  "api-key": secret({
    required: false,
    description: "API key of a service account. Not needed if the service trusts the workflow.",
    fallback: "EVIDENCE_API_KEY",
  }),
  auth: choice({
    choices: ["auto", "key", "oidc"],
    default: "auto",
    description:
      "Authentication method: `key` sends the API key, `oidc` proves the workflow's identity with a token from GitHub. `auto` uses `oidc` if no key is set and `base-url` is.",
    fallback: "EVIDENCE_AUTH",
  }),
  "trust-policy": text({
    description: "Name of the trust policy to use, if several match the workflow.",
    fallback: "EVIDENCE_TRUST_POLICY",
  }),
  org: required({ description: "Name of the organization.", fallback: "EVIDENCE_ORG" }),
  region: choice({
    choices: ["eu", "us"],
    description: "Region of the hosted service. Give `region` or `base-url`.",
    fallback: "EVIDENCE_REGION",
  }),
  "base-url": text({
    description: "Address of your service, with or without `/api/v2`; overrides `region`.",
    fallback: "EVIDENCE_BASE_URL",
  }),
  "auth-scheme": choice({
    choices: ["bearer", "basic"],
    default: "bearer",
    description: "Authorization scheme for the key.",
  }),
  timeout: whole({
    min: 1,
    max: 3600,
    default: "120",
    description: "Time limit for all requests to the service, in seconds.",
  }),
  retries: whole({ min: 0, max: 20, default: "3", description: "Number of retries after a failed attempt." }),
  "dry-run": flag({
    default: "false",
    description: "Whether to log what would be sent, without sending it.",
  }),
  summary: flag({ default: "true", description: "Whether to add a table to the summary of the run." }),
  "allow-http": flag({
    default: "false",
    description:
      "Whether to allow an `http://` address of another machine. The key is then sent unencrypted.",
  }),
};

/** The job's own token unless another is given. */
export function githubToken(description: string): Input<string | undefined> {
  return { ...text({ description, default: "${{ github.token }}" }), secret: true };
}

export interface Outcome<Output extends string> {
  readonly outputs: Readonly<Record<Output, string>>;
  readonly summary?: Summary;
  /** Further tables of the summary that cost a request: they are asked for only where there is a page for them. */
  readonly laterTables?: (() => Promise<readonly Table[]>) | undefined;
  /** Why the step fails though the action did its work: a gate that stays shut. */
  readonly failure?: Failure;
}

/** Why a step fails. The title of its annotation is the title with the code. */
export interface Failure {
  readonly code: ErrorCode;
  readonly title: string;
  readonly text: string;
}

export interface ActionContext {
  readonly runner: Runner;
  readonly connection: Connection;
  /** Aborted when the step is interrupted. */
  readonly signal: AbortSignal;
  readonly dryRun: boolean;
  /** Other machines may be asked by `http://`. */
  readonly allowHttp: boolean;
  /** Carries out an operation; in a dry run shows it instead and gives undefined. */
  call<O extends OperationShape>(
    operation: O,
    request: RequestOf<O>,
    options?: CallOptions & { readonly fields?: FieldInputs },
  ): Promise<Reply<O> | undefined>;
  /**
   * What is wrong with a request, by the inputs that it was made of; any other error as it is.
   *
   * @param fields where the fields of this one request come from, when that is not what the action says of all
   */
  byInputs(error: unknown, fields?: FieldInputs): Promise<unknown>;
  /** Keeps a secret that was learnt on the way out of the log from here on. */
  mask(secret: string): void;
  info(line: string): void;
  warn(text: string): void;
  error(text: string, title: string, place?: FilePlace): void;
}

/** Inputs that were looked at together: what is wrong with them, or the values, in a form that shows they go together. */
export type Checked<Ready> = { readonly problems: readonly InputProblem[] } | { readonly values: Ready };

/** One action: what `action.yml` and its README say, and what it does. */
export interface Action<I extends Inputs = Inputs, Output extends string = string, Ready = unknown> {
  readonly name: string;
  readonly title: string;
  /** Under 125 characters. */
  readonly description: string;
  readonly inputs: I;
  readonly outputs: Readonly<Record<Output, string>>;
  /**
   * The inputs that fields of requests come from, by the names of the fields. A field whose name is that of an input,
   * but for the hyphens, comes from that. Without it, problems name the fields of the interface.
   */
  readonly fields?: FieldInputs;
  /** What the outputs are when the step fails before they are known. */
  readonly unknown?: Partial<Readonly<Record<Output, string>>>;
  /** Finds the problems that only several inputs together have. What it proves, `run` need not ask again. */
  check(values: ValuesOf<I>, given: ReadonlySet<string>): Checked<Ready> | Promise<Checked<Ready>>;
  run(values: Ready, context: ActionContext): Promise<Outcome<Output>>;
}

/** An action; one without `check` works with its inputs as they are. */
export function defineAction<const I extends Inputs, Output extends string, Ready>(
  action: Action<I, Output, Ready>,
): Action<I, Output, Ready>;
export function defineAction<const I extends Inputs, Output extends string>(
  action: Omit<Action<I, Output, ValuesOf<I>>, "check">,
): Action<I, Output, ValuesOf<I>>;
export function defineAction<I extends Inputs, Output extends string>(
  action: Omit<Action<I, Output, ValuesOf<I>>, "check">,
): Action<I, Output, ValuesOf<I>> {
  return { check: (values) => ({ values }), ...action };
}

/** The inputs of an action by the fields of requests that come from them. */
export function fieldInputs({ inputs, fields }: Action): FieldInputs {
  if (fields === undefined) return {};
  const names = ["org", ...Object.keys(inputs)];
  return { ...Object.fromEntries(names.map((name) => [name.replaceAll("-", "_"), name])), ...fields };
}

export function allInputs(action: Action): Inputs {
  return { ...action.inputs, ...sharedInputs };
}
