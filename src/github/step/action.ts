import type { Connection } from "../../api/client/connection.ts";
import type { FilePlace, InputProblem } from "../../api/client/errors.ts";
import type { CallOptions, Reply } from "../../api/client/reply.ts";
import type { ErrorCode } from "../../api/error-codes.ts";
import type { AnswerOf, OperationShape, RequestOf } from "../../api/operation.ts";
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

/** Inputs of every action. */
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
      "Authentication method: `key` sends the API key, `oidc` proves the workflow's identity with a token from GitHub. `auto` uses `oidc` if `base-url` is set and no key is set.",
    fallback: "EVIDENCE_AUTH",
  }),
  "trust-policy": text({
    description: "Name of the trust policy to use, if several match the workflow.",
    fallback: "EVIDENCE_TRUST_POLICY",
  }),
  org: required({ description: "Name of the organization.", fallback: "EVIDENCE_ORG" }),
  region: choice({
    choices: ["eu", "us"],
    description: "Region of the hosted service. Set `region` or `base-url`.",
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
    description: "Time limit for all requests together, in seconds, including those to a cloud.",
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

/** Defaults to the job's own token. */
export function githubToken(description: string): Input<string | undefined> {
  return { ...text({ description, default: "${{ github.token }}" }), secret: true };
}

export interface Outcome<Output extends string> {
  readonly outputs: Readonly<Record<Output, string>>;
  readonly summary?: Summary;
  /** Further summary tables that need a request. Called only if the summary is shown. */
  readonly laterTables?: (() => Promise<readonly Table[]>) | undefined;
  /** Fails the step although the action did its work, as for a closed gate. */
  readonly failure?: Failure;
}

/** A failure of the step. The annotation's title is the title with the code. */
export interface Failure {
  readonly code: ErrorCode;
  readonly title: string;
  readonly text: string;
  /** Whether the result is unknown, rather than a refusal. A command then ends with status 2. */
  readonly undecided?: true;
}

export interface ActionContext {
  readonly runner: Runner;
  readonly connection: Connection;
  /** Aborted when the step is interrupted. */
  readonly signal: AbortSignal;
  readonly dryRun: boolean;
  /** Whether `http://` addresses of other machines are allowed. */
  readonly allowHttp: boolean;
  /** Calls an operation; in a dry run, logs it instead and returns undefined. */
  call<O extends OperationShape>(
    operation: O,
    request: RequestOf<O>,
    options?: CallOptions & { readonly fields?: FieldInputs },
  ): Promise<Reply<AnswerOf<O>> | undefined>;
  /**
   * Rewrites the problems of a request to name inputs; returns any other error unchanged.
   *
   * @param fields inputs for the fields of this request, if they differ from the action's
   */
  byInputs(error: unknown, fields?: FieldInputs): Promise<unknown>;
  /** Masks a secret in the log from now on. */
  mask(secret: string): void;
  info(line: string): void;
  warn(text: string): void;
  error(text: string, title: string, place?: FilePlace): void;
}

/** Result of checking inputs together: their problems, or the parsed values. */
export type Checked<Ready> = { readonly problems: readonly InputProblem[] } | { readonly values: Ready };

interface UsedBy {
  readonly choice: string;
  readonly values: Readonly<Record<string, readonly string[]>>;
}

/** An action: the contents of `action.yml` and its README, and its code. */
export interface Action<I extends Inputs = Inputs, Output extends string = string, Ready = unknown> {
  readonly name: string;
  readonly title: string;
  /** Under 125 characters. */
  readonly description: string;
  readonly inputs: I;
  readonly outputs: Readonly<Record<Output, string>>;
  /**
   * Input of each request field. A field named like an input, apart from hyphens, comes from that input. If this is
   * absent, problems name the fields of the interface.
   */
  readonly fields?: FieldInputs;
  /** A choice, such as `kind`, and the values of it for which other inputs are used. Inputs for all values are absent. */
  readonly usedBy?: UsedBy;
  /** Outputs if the step fails before they are known. */
  readonly unknown?: Partial<Readonly<Record<Output, string>>>;
  /** Finds problems between inputs. `run` can rely on the checked values. */
  check(values: ValuesOf<I>, given: ReadonlySet<string>): Checked<Ready> | Promise<Checked<Ready>>;
  run(values: Ready, context: ActionContext): Promise<Outcome<Output>>;
}

/** Defines an action. Without `check`, it uses its inputs unchanged. */
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

/** Inputs of an action by request field. */
export function fieldInputs({ inputs, fields }: Action): FieldInputs {
  if (fields === undefined) return {};
  const names = ["org", ...Object.keys(inputs)];
  return { ...Object.fromEntries(names.map((name) => [name.replaceAll("-", "_"), name])), ...fields };
}

export function allInputs(action: Action): Inputs {
  return { ...action.inputs, ...sharedInputs };
}
