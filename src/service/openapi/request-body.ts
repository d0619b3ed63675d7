import {
  type JsonBody,
  MAX_ATTACHMENTS,
  MAX_FILE_BYTES,
  MAX_JSON_BODY_BYTES,
  MAX_JSON_PART_BYTES,
  type MultipartBody,
} from "../../api/operation.ts";
import { sizeText } from "../kernel/sizes.ts";

interface Described {
  /** Where the schema of the JSON stands. */
  readonly schema: { readonly $ref: string };
  readonly example: unknown;
}

/** The body of a request: JSON, or a form of one JSON part and files. */
export function requestBody(body: JsonBody | MultipartBody, described: Described): object {
  return body.kind === "json" ? jsonRequest(described) : formRequest(body, described);
}

function jsonRequest({ schema, example }: Described): object {
  return {
    required: true,
    description: `At most ${sizeText(MAX_JSON_BODY_BYTES)}.`,
    content: { "application/json": { schema, example } },
  };
}

function formRequest({ part, files }: MultipartBody, { schema, example }: Described): object {
  const file = (description: string) => ({
    type: "string",
    contentMediaType: "application/octet-stream",
    // Of a file this counts bytes.
    maxLength: MAX_FILE_BYTES,
    description,
  });
  const limit = `at most ${sizeText(MAX_FILE_BYTES)}`;
  const several = Object.entries(files).filter(([, { count }]) => count === "many");
  return {
    required: true,
    description: `A form; the part \`${part}\` is JSON text of at most ${sizeText(MAX_JSON_PART_BYTES)}.`,
    content: {
      "multipart/form-data": {
        schema: {
          type: "object",
          required: [part],
          properties: {
            [part]: { ...schema, examples: [example] },
            ...Object.fromEntries(Object.keys(files).map((name) => [name, file(`A file of ${limit}.`)])),
          },
          ...(several.length > 0 && {
            patternProperties: Object.fromEntries(
              several.map(([name]) => [
                `^${name}\\.(0|[1-9][0-9]*)$`,
                file(`One of several files, counted from 0: ${MAX_ATTACHMENTS} in all, each ${limit}.`),
              ]),
            ),
          }),
        },
        encoding: { [part]: { contentType: "application/json" } },
        example: { [part]: example },
      },
    },
  };
}
