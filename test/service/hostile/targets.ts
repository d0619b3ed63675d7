import * as z from "zod/mini";
import type { MultipartBody, OperationShape } from "../../../src/api/operation.ts";
import { operations } from "../../../src/api/resources/operations.ts";
import { sampleRequest } from "../requests.ts";
import type { TestService } from "../running-service.ts";
import type { RawRequest } from "./raw-request.ts";
import { filled } from "./schema-values.ts";

/** Every operation: an added one is attacked as well. */
export const everyOperation: readonly OperationShape[] = Object.values(operations);

export const multipartOperations = everyOperation.flatMap((operation) =>
  operation.body?.kind === "multipart" ? [{ ...operation, body: operation.body }] : [],
);

/** A valid body, to be broken in one way at a time. */
export function validBody({ name, ...operation }: OperationShape): unknown {
  const { json, form } = sampleRequest({ name, ...operation });
  const sample = json ?? form;
  const schema = operation.body?.schema;
  return schema === undefined || z.core.safeParse(schema, sample).success ? sample : filled(schema);
}

/** The path of an operation as segments, with parameter names. */
export function segmentsOf(operation: OperationShape): { text: string; parameter: string | undefined }[] {
  const texts = (sampleRequest(operation).path.split("?")[0] ?? "").split("/");
  return operation.path.split("/").map((segment, index) => ({
    text: texts[index] ?? segment,
    parameter: /^\{(\w+)\}$/.exec(segment)?.[1],
  }));
}

export const BOUNDARY = "xxBOUNDARYxx";
export const FORM_TYPE = `multipart/form-data; boundary=${BOUNDARY}`;

/** One part of a form; `disposition` follows `form-data`. */
export function part(disposition: string, content: string | Uint8Array): Buffer {
  return Buffer.concat([
    Buffer.from(`--${BOUNDARY}\r\ncontent-disposition: form-data; ${disposition}\r\n\r\n`),
    Buffer.from(content),
    Buffer.from("\r\n"),
  ]);
}

export const END_OF_FORM = Buffer.from(`--${BOUNDARY}--\r\n`);

/** A form with the given JSON part, then the other parts. */
export function formOf(body: MultipartBody, json: string | Uint8Array, ...others: Uint8Array[]): Buffer {
  return Buffer.concat([part(`name="${body.part}"`, json), ...others, END_OF_FORM]);
}

/** A request to an operation with this text as its JSON, or none. Sent with a key that may do everything. */
export function requestTo(
  operation: OperationShape,
  service: TestService,
  json: string | Uint8Array = JSON.stringify(validBody(operation)) ?? "",
): RawRequest {
  const { method, body } = operation;
  const target = `/api/v2${segmentsOf(operation)
    .map(({ text }) => text)
    .join("/")}`;
  const authorization = `Bearer ${service.keys.admin}`;
  if (!body) return { method, target, headers: { authorization } };
  return body.kind === "json"
    ? { method, target, headers: { authorization, "content-type": "application/json" }, body: json }
    : { method, target, headers: { authorization, "content-type": FORM_TYPE }, body: formOf(body, json) };
}
