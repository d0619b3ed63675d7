import { plainNumbers } from "../exact-numbers.ts";
import type { FileAnswer, FileToSend } from "../files.ts";
import { nearest } from "../nearest.ts";
import { fileAnswer, type OperationShape } from "../operation.ts";
import { parameterValue, takesSeveral } from "../parameter-text.ts";
import { operations } from "../resources/operations.ts";
import { camelName, type Schema, toWire } from "../wire-names.ts";
import { schemaFor } from "./answer.ts";
import { InputError, type InputProblem } from "./errors.ts";
import { type Naming, optionName } from "./naming.ts";

/*
 * Calls operations whose name and parameters are texts, from a command line or workflow. Uses wire names such as
 * `flow_name`, because the reference shows them.
 */

/** Arguments of one call. */
export interface Invocation {
  /** Path and query parameters by name, and file paths by part. */
  readonly params: Readonly<Record<string, string | readonly string[]>>;
  /** Body with wire names; undefined without a body. */
  readonly body?: unknown;
  /** Opens a file to send. Throws an InputError if it cannot. */
  readonly openFile: (path: string, part: string) => Promise<FileToSend>;
  readonly naming?: Naming;
}

/**
 * Finds an operation by name.
 *
 * @throws {InputError} with similar names if there is none
 */
export function operationNamed(name: string, naming: Naming = "inputs"): OperationShape {
  const known: Readonly<Record<string, OperationShape>> = operations;
  const operation = Object.hasOwn(known, name) ? known[name] : undefined;
  if (operation) return operation;
  const meant = nearest(name, Object.keys(known));
  const hint = meant.length === 0 ? "" : `; did you mean ${meant.join(", ")}?`;
  const isCommand = naming === "options";
  throw new InputError(
    [{ input: isCommand ? "OPERATION" : "operation", problem: `'${name}' does not exist${hint}` }],
    {
      advice: isCommand
        ? "delivery-evidence call --list lists all operations."
        : "The API reference lists all operations.",
    },
  );
}

/**
 * Makes a request from names and texts. Checks only the names; values are checked when the request is sent.
 *
 * @throws {InputError} with all invalid names and files
 */
export async function requestFor(
  operation: OperationShape,
  { params, body, openFile, naming = "inputs" }: Invocation,
): Promise<Record<string, unknown>> {
  const schemas = parameterSchemas(operation);
  const parts = operation.body?.kind === "multipart" ? operation.body.files : {};
  const problems: InputProblem[] = [];
  const request: Record<string, unknown> = {};
  const files: Record<string, FileToSend | FileToSend[]> = {};
  for (const [name, given] of Object.entries(params)) {
    const texts = typeof given === "string" ? [given] : given;
    const [schema, part] = [schemas.get(name), Object.hasOwn(parts, name) ? parts[name] : undefined];
    if (!schema && !part) problems.push(unknownParameter(operation, name));
    else if (texts.length > 1 && (schema ? !takesSeveral(schema) : part?.count === "one")) {
      problems.push({ input: name, problem: "takes only one value" });
    } else if (schema) request[camelName(name)] = parameterValue(schema, texts);
    else {
      const opened = await openAll(texts, name, openFile, problems);
      const [first] = opened;
      if (first) files[camelName(name)] = part?.count === "many" ? opened : first;
    }
  }
  if (body !== undefined && !operation.body) {
    problems.push({ input: optionName(naming, "body"), problem: `${operation.name} takes no body` });
  }
  if (problems.length > 0) throw new InputError(problems);
  return {
    ...request,
    // An empty body in place of none, so that the error names each missing field.
    ...(operation.body && { body: plainNumbers(operation.body.schema, body ?? {}) }),
    ...(Object.keys(files).length > 0 && { files }),
  };
}

/** Converts a response body back to wire names. */
export function wireBody(operation: OperationShape, status: number, body: unknown): unknown {
  return toWire(schemaFor(operation, status), body);
}

/** The response as a file, if the operation returns one. */
export function fileIn(operation: OperationShape, body: unknown): FileAnswer | undefined {
  // `fileAnswer` has this type.
  return operation.responses[200] === fileAnswer ? (body as FileAnswer) : undefined;
}

/** Path and query parameters of an operation, without the organization, and its files. */
export function parameterNames(operation: OperationShape): string[] {
  const files = operation.body?.kind === "multipart" ? Object.keys(operation.body.files) : [];
  return [...parameterSchemas(operation).keys(), ...files];
}

/** Path and query parameters of an operation by wire name. */
function parameterSchemas({ params, query }: OperationShape): Map<string, Schema> {
  return new Map(Object.entries({ ...params?._zod.def.shape, ...query?._zod.def.shape }));
}

function unknownParameter(operation: OperationShape, name: string): InputProblem {
  if (name === "org") return { input: name, problem: "is not a parameter: set the option or input `org`" };
  const known = parameterNames(operation);
  const takes = known.length === 0 ? "takes none" : `takes ${known.join(", ")}`;
  return { input: name, problem: `is not a parameter of ${operation.name}, which ${takes}` };
}

async function openAll(
  paths: readonly string[],
  part: string,
  openFile: Invocation["openFile"],
  problems: InputProblem[],
): Promise<FileToSend[]> {
  const files: FileToSend[] = [];
  for (const path of paths) {
    try {
      files.push(await openFile(path, part));
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      problems.push(...error.problems);
    }
  }
  return files;
}
