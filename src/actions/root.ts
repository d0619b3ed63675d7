import { ApiError, codeOf, InputError } from "../api/client/errors.ts";
import { fileIn, operationNamed, requestFor, wireBody } from "../api/client/invoke.ts";
import type { Reply } from "../api/client/reply.ts";
import type { FileAnswer } from "../api/files.ts";
import type { OperationShape } from "../api/operation.ts";
import { openFileToSend } from "../evidence/file-to-send.ts";
import { type ActionContext, type Checked, defineAction, type Outcome } from "../github/step/action.ts";
import { required, text, type ValuesOf } from "../github/step/input.ts";
import { readParameters, readRequestData } from "./request-data.ts";
import { writeResultFile } from "./result-file.ts";

const inputs = {
  operation: required({
    description: "Name of the operation, such as `listRepos`. `docs/operations.md` lists all operations.",
  }),
  params: text({
    description:
      "Path and query parameters by name, and file paths by form field: YAML, JSON, or the path of a file with either.",
  }),
  body: text({
    description:
      "Request body, with the interface's field names: YAML, JSON, or the path of a file with either. If the operation takes a form, the JSON part of the form.",
  }),
};

type Values = ValuesOf<typeof inputs>;

const outputs = {
  result: "Response as JSON; empty if it is too large for an output. For a file: its name, type and size.",
  "result-file": "Path of a file with the whole response: JSON, or the requested file.",
  "status-code": "HTTP status of the response, also of a rejected request; empty if there was none.",
};

type Result = Outcome<keyof typeof outputs>;

const MAX_RESULT_BYTES = 900_000;
/** Request fields with secrets, and response fields with a new key or access token. */
const SECRET_FIELD = /webhook|secret|token|password/i;
const NEW_KEY_FIELD = /^((api_?)?key|access_token)$/i;
/** In characters. Masking shorter values, which are words, would make the log unreadable. */
const MIN_SECRET_LENGTH = 16;

const UNSAVED = {
  code: "step.file_unwritable",
  title: "The response could not be saved",
  text: "The response fits only into a file, which could not be written. See the warning above.",
} as const;

export const root = defineAction({
  name: "root",
  title: "Delivery Evidence",
  description:
    "Calls any operation of the delivery evidence service: trails, attestations, policies, approvals.",
  inputs,
  outputs,
  check,
  run,
});

/** The inputs with the operation that they name. */
interface Invocation extends Pick<Values, "params" | "body"> {
  readonly operation: OperationShape;
}

/** Reported together with problems of the other inputs. */
function check({ operation, ...values }: Values): Checked<Invocation> {
  // Already reported as missing.
  if (operation === "") return { problems: [] };
  try {
    return { values: { ...values, operation: operationNamed(operation) } };
  } catch (error) {
    if (error instanceof InputError) return { problems: error.problems };
    throw error;
  }
}

async function run({ operation, ...values }: Invocation, context: ActionContext): Promise<Result> {
  const workspace = context.runner.workspace ?? ".";
  const [params, body] = await Promise.all([
    values.params === undefined ? {} : readParameters(values.params, { input: "params", workspace }),
    values.body === undefined ? undefined : readRequestData(values.body, { input: "body", workspace }),
  ]);
  const request = await requestFor(operation, {
    params,
    body,
    openFile: (path, part) => openFileToSend(path, { input: part, workspace }),
  });
  for (const secret of secretsIn(body, SECRET_FIELD)) context.mask(secret);
  try {
    return await outcomeOf(operation, await context.call(operation, request), context);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return refused(operation, error, context);
  }
}

async function outcomeOf(
  operation: OperationShape,
  reply: Reply<unknown> | undefined,
  context: ActionContext,
): Promise<Result> {
  if (!reply) return { outputs: { result: "", "result-file": "", "status-code": "" } };
  const file = fileIn(operation, reply.body);
  const answer = file ? aboutFile(file) : wireBody(operation, reply.status, reply.body);
  for (const secret of newKeysIn(answer)) context.mask(secret);
  const json = JSON.stringify(answer) ?? "";
  // The service's file name could lead anywhere, so it is not used.
  const path = await writeResultFile("delivery-evidence", file?.content ?? answer, context);
  context.info(`${operation.name} returned ${reply.status}.`);
  const fits = Buffer.byteLength(json) <= MAX_RESULT_BYTES;
  const lost = path === "" && (file !== undefined || !fits);
  if (!fits && !lost)
    context.warn("The response is too large for the output `result`. Read the file at `result-file`.");
  return {
    outputs: { result: fits ? json : "", "result-file": path, "status-code": String(reply.status) },
    summary: {
      heading: operation.summary,
      mark: "passed",
      rows: [
        ["Operation", operation.name],
        ["Status", String(reply.status)],
      ],
    },
    // A read is useless without its file. A write has already been done.
    ...(lost && operation.method === "GET" && { failure: UNSAVED }),
  };
}

/** A refusal fails the step, but sets outputs for callers that continue. */
function refused(operation: OperationShape, error: ApiError, context: ActionContext): Result {
  if (error.requestId) context.info(`Request ${error.requestId}`);
  return {
    outputs: { result: "", "result-file": "", "status-code": String(error.status) },
    failure: {
      code: codeOf(error),
      title: `${operation.name} was refused`,
      text: [error.message, ...error.details, error.advice].filter(Boolean).join("\n"),
    },
  };
}

function aboutFile({ name, mediaType, content }: FileAnswer): unknown {
  return { name, media_type: mediaType, size: content.byteLength };
}

/** A new API key is at the top level of a response; deeper fields like `key` of a tag are not secret. */
function newKeysIn(answer: unknown): string[] {
  if (typeof answer !== "object" || answer === null || Array.isArray(answer)) return [];
  const top = Object.entries(answer).filter(([, value]) => typeof value === "string");
  return secretsIn(Object.fromEntries(top), NEW_KEY_FIELD);
}

function secretsIn(data: unknown, field: RegExp): string[] {
  if (typeof data !== "object" || data === null) return [];
  return Object.entries(data).flatMap(([name, value]) => {
    if (typeof value !== "string") return secretsIn(value, field);
    return field.test(name) && value.length >= MIN_SECRET_LENGTH ? [value] : [];
  });
}
