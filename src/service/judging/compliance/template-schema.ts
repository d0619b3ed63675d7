import * as z from "zod/mini";
import { templateFile } from "./template.ts";

/** The JSON Schema of template files, made from the very definition that they are checked with. `id` is its address. */
export function templateSchema(id: string): Record<string, unknown> {
  const { $schema, ...rules } = z.toJSONSchema(templateFile, { target: "draft-2020-12", io: "input" });
  return {
    $schema,
    $id: id,
    title: "Flow template",
    ...rules,
  };
}
