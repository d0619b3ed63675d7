import { plainNumbers } from "../exact-numbers.ts";
import { nearest } from "../nearest.ts";
import { type FileAnswer, type FileToSend, fileAnswer, type OperationShape } from "../operation.ts";
import { parameterValue, takesSeveral } from "../parameter-text.ts";
import { operations } from "../resources/operations.ts";
import { camelName, type Schema, toWire } from "../wire-names.ts";
import { schemaFor } from "./answer.ts";
import { InputError, type InputProblem } from "./errors.ts";

/*
 * The interface for those who name an operation and its parameters in text: a command line, a workflow. Names are
 * those of the wire, `flow_name`, since that is what the reference shows.
 */

/** The arguments of one call. */
export interface Invocation {
  /** The parameters of path and query by name, and for each part that takes files the paths of them. */
  readonly params: Readonly<Record<string, string | readonly string[]>>;
  /** As the interface has it; undefined when none was given. */
  readonly body?: unknown;
  /** Opens a file to send, or says what is wrong with it. */
  readonly openFile: (path: string, part: string) => Promise<FileToSend>;
}

/**
 * The operation of this name.
 *
 * @throws {InputError} with the nearest names when there is none
 */
export function operationNamed(name: string): OperationShape {
  const known: Readonly<Record<string, OperationShape>> = operations;
  const operation = Object.hasOwn(known, name) ? known[name] : undefined;
  if (operation) return operation;
  const meant = nearest(name, Object.keys(known));
  const hint = meant.length === 0 ? "" : `; did you mean ${meant.join(", ")}?`;
  throw new InputError([{ input: "operation", problem: `there is no '${name}'${hint}` }], {
    advice: "The interface's reference names all operations.",
  });
}

/**
 * The request of a call, from names and texts. Its values are checked when it is sent; what is checked here is that
 * every name means something to the operation.
 *
 * @throws {InputError} with everything that cannot be used
 */
export async function requestFor(
  operation: OperationShape,
  { params, body, openFile }: Invocation,
): Promise<Record<string, unknown>> {
  const schemas = parameterSchemas(operation);
  const parts = operation.body?.kind === "multipart" ? operation.body.files : {};
  const problems: InputProblem[] = [];
  const request: Record<string, unknown> = {};
  const files: Record<string, FileToSend | FileToSend[]> = {};
  for (const [name, given] of Object.entries(params)) {
    const texts = typeof given === "string" ? [given] : given;
    const [schema, part] = [schemas.get(name), Object.hasOwn(parts, name) ? parts[name] : undefined];
    if (!schema && !part) problems.push(unknownParameter(operation, name, [...schemas.keys()], parts));
    else if (texts.length > 1 && (schema ? !takesSeveral(schema) : part?.count === "one")) {
      problems.push({ input: name, problem: "takes one value, not several" });
    } else if (schema) request[camelName(name)] = parameterValue(schema, texts);
    else {
      const opened = await openAll(texts, name, openFile, problems);
      const [first] = opened;
      if (first) files[camelName(name)] = part?.count === "many" ? opened : first;
    }
  }
  if (body !== undefined && !operation.body) {
    problems.push({ input: "body", problem: `${operation.name} takes none` });
  }
  if (problems.length > 0) throw new InputError(problems);
  return {
    ...request,
    // An absent body is an empty one, so that each field that is missing is named.
    ...(operation.body && { body: plainNumbers(operation.body.schema, body ?? {}) }),
    ...(Object.keys(files).length > 0 && { files }),
  };
}

/** The answer to an operation in the names of the interface, as it came over the wire. */
export function wireBody(operation: OperationShape, status: number, body: unknown): unknown {
  return toWire(schemaFor(operation, status), body);
}

/** The answer as a file, for an operation that gives one. */
export function fileIn(operation: OperationShape, body: unknown): FileAnswer | undefined {
  // The marker stands for exactly this type.
  return operation.responses[200] === fileAnswer ? (body as FileAnswer) : undefined;
}

/** The parameters an operation takes in its path and query, by their names on the wire. */
function parameterSchemas({ params, query }: OperationShape): Map<string, Schema> {
  return new Map(Object.entries({ ...params?._zod.def.shape, ...query?._zod.def.shape }));
}

function unknownParameter(
  operation: OperationShape,
  name: string,
  parameters: readonly string[],
  parts: object,
): InputProblem {
  if (name === "org") return { input: name, problem: "is given on its own, not among the parameters" };
  const known = [...parameters, ...Object.keys(parts)];
  const takes = known.length === 0 ? "takes none" : `takes ${known.join(", ")}`;
  return { input: name, problem: `is no parameter of ${operation.name}, which ${takes}` };
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
