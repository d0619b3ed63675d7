import { describedObjects } from "./doc-comments.ts";
import type { OpenApiDocument } from "./document.ts";

/** Creates the OpenAPI document of all operations, with the doc comments of `src/api` as descriptions. */
export async function apiDescription(): Promise<OpenApiDocument> {
  const { operations }: typeof import("../../src/api/resources/operations.ts") = await import(
    new URL("../../src/api/resources/operations.ts?described", import.meta.url).href
  );
  const { openApiDocument }: typeof import("./document.ts") = await import(
    new URL("document.ts?described", import.meta.url).href
  );
  const declared: object[] = describedObjects();
  return openApiDocument(
    Object.values(operations).toSorted((a, b) => declared.indexOf(a) - declared.indexOf(b)),
  );
}

/** JSON with one line per operation and schema, so that changes can be reviewed. */
export function documentText(document: OpenApiDocument): string {
  return `${inLines(document, 3)}\n`;
}

function inLines(value: unknown, levels: number): string {
  if (levels === 0 || typeof value !== "object" || value === null || Array.isArray(value)) {
    return JSON.stringify(value);
  }
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .map(([name, member]) => `${JSON.stringify(name)}:${inLines(member, levels - 1)}`);
  return `{\n${members.join(",\n")}\n}`;
}
