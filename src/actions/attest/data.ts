import { InputError } from "../../api/client/errors.ts";
import { plainNumbers } from "../../api/exact-numbers.ts";
import type { OperationShape, RequestOf } from "../../api/operation.ts";
import { fromWire } from "../../api/wire-names.ts";
import { readJsonData } from "../../evidence/json-data.ts";
import type { ActionContext } from "../../github/step/action.ts";

const INPUT = "data";

export async function readData(data: string, { runner }: ActionContext) {
  return readJsonData(data, { input: INPUT, workspace: runner.workspace ?? process.cwd() });
}

type BodyOf<O extends OperationShape> = RequestOf<O> extends { body: infer Body } ? Body : never;

/**
 * Reads one field of a kind from `data`, which contains either the field's value or an object with only that field. The
 * request's validation checks the value.
 */
export async function dataOf<O extends OperationShape>(
  given: string,
  operation: O,
  field: string,
  context: ActionContext,
): Promise<BodyOf<O>> {
  const data = await readData(given, context);
  const value = field in data ? only(field, data) : data;
  return translated(operation, { [field]: value });
}

/** Several fields of a kind in `data`; others are refused. */
export async function fieldsOfData<O extends OperationShape>(
  given: string,
  operation: O,
  fields: readonly string[],
  context: ActionContext,
): Promise<Partial<BodyOf<O>>> {
  const data = await readData(given, context);
  const unknown = Object.keys(data).filter((name) => !fields.includes(name));
  if (Array.isArray(data) || unknown.length > 0) throw unexpected(unknown, fields);
  return translated(operation, data);
}

function only(field: string, data: object): unknown {
  const others = Object.keys(data).filter((name) => name !== field);
  if (others.length > 0) throw unexpected(others, [field]);
  return Object.entries(data)[0]?.[1];
}

function unexpected(found: readonly string[], wanted: readonly string[]): InputError {
  const listed = (names: readonly string[]) => names.map((name) => `'${name}'`).join(", ");
  const problem =
    found.length > 0
      ? `contains ${listed(found)}; allowed: ${listed(wanted)}`
      : `must be an object with ${listed(wanted)}`;
  return new InputError([{ input: INPUT, problem }]);
}

function translated<O extends OperationShape>({ body }: O, data: object): BodyOf<O> {
  // Converts wire names to the type's names; the call validates the values.
  return (body ? fromWire(body.schema, plainNumbers(body.schema, data)) : data) as BodyOf<O>;
}
