import * as z from "zod/mini";
import { templateFile } from "./template.ts";

/** The JSON Schema of template files, made from the very definition that they are checked with. */
export function templateSchema(): Record<string, unknown> {
  const { $schema, ...rules } = z.toJSONSchema(templateFile, { target: "draft-2020-12", io: "input" });
  return {
    $schema,
    $id: "https://delivery-evidence.dev/schemas/flow-template/v1",
    title: "Flow template",
    ...rules,
  };
}
