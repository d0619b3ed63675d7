import { readFile } from "node:fs/promises";

/** The OpenAPI document of the service. The client's bundle contains it instead of this module. */
export function interfaceDocument(): Promise<string> {
  return readFile(new URL("../service/http/openapi.json", import.meta.url), "utf8");
}
