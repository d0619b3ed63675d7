import * as z from "zod/mini";
import { templateFile } from "./template.ts";

/** Generated from the parser of template files. `id` is the schema's address. */
export function templateSchema(id: string): Record<string, unknown> {
  const { $schema, ...rules } = z.toJSONSchema(templateFile, { target: "draft-2020-12", io: "input" });
  return {
    $schema,
    $id: id,
    title: "Flow template",
    ...rules,
  };
}
