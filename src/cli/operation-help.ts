import { readFile } from "node:fs/promises";
import { operationNamed } from "../api/client/invoke.ts";
import { rows, sections, WIDTH, wrapped } from "./layout.ts";

interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly string[];
  readonly default?: unknown;
  readonly description?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly $ref?: string;
}

interface Content {
  readonly schema: Schema;
  readonly example: unknown;
}

interface Described {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly parameters: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly description?: string;
    readonly schema: Schema;
    readonly example?: unknown;
  }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> };
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const DOCUMENT = new URL("../service/http/openapi.json", import.meta.url);

let parsed: Promise<Document> | undefined;
/** The document, parsed once: a build asks for the help of all operations. */
const readDocument = () => (parsed ??= readFile(DOCUMENT, "utf8").then((text): Document => JSON.parse(text)));

/**
 * Help for an operation, from the OpenAPI document of the service. The client's bundle contains only the texts.
 *
 * @throws {InputError} for an unknown operation
 */
export async function operationHelp(name: string): Promise<string> {
  const { path, method, body } = operationNamed(name, "options");
  const { paths, components } = await readDocument();
  const described = paths[path]?.[method.toLowerCase()];
  if (described === undefined) throw new Error(`The description of ${name} is missing`);
  const { summary, description, parameters, requestBody } = described;
  const taken = parameters.filter((each) => each.in !== "header" && each.name !== "org");
  const [content] = Object.values(requestBody?.content ?? {});
  const form = body?.kind === "multipart" ? body : undefined;
  const { $ref = "" } = (form ? content?.schema.properties?.[form.part] : content?.schema) ?? {};
  const { properties = {}, required = [] } = components.schemas[$ref.replace(/^.*\//, "")] ?? {};
  const files = Object.keys(form?.files ?? {});
  const sample: unknown = form ? Object(content?.example)[form.part] : content?.example;
  const words = taken.filter((each) => each.required).map((each) => `${each.name}=${each.example}`);
  const usage = [`  delivery-evidence call ${name}`, ...words];
  return sections({
    [summary]: [],
    ...(description && { [wrapped(description, WIDTH).join("\n")]: [] }),
    ...(taken.length + files.length > 0 && {
      "Parameters:": rows([
        ...taken.map((each) => [`${each.name}=VALUE`, fieldText(each.schema, each)] as const),
        ...files.map((each) => [`${each}=FILE`, "File to send."] as const),
      ]),
    }),
    ...(body && {
      "Fields of --body FILE:": rows(
        Object.entries(properties).map(([field, schema]) => [
          field,
          fieldText(schema, { ...schema, required: required.includes(field) }),
        ]),
      ),
    }),
    "Example:": body
      ? [`${usage.join(" ")} --body - <<'END'`, ...JSON.stringify(sample, null, 2).split("\n"), "END"]
      : [usage.join(" ")],
    '"delivery-evidence help call" prints the options.': [],
  });
}

function fieldText(
  { type, enum: values, default: otherwise }: Schema,
  { required, description }: { required?: boolean; description?: string },
): string {
  return [
    ...(description ? [description.replace(/[.\s]+$/, "")] : []),
    ...(values ? [`Values: ${values.join(", ")}`] : type ? [`Type: ${[type].flat().join(" or ")}`] : []),
    ...(otherwise === undefined ? [] : [`Default: ${JSON.stringify(otherwise)}`]),
    ...(required ? ["Required"] : []),
  ]
    .map((sentence) => `${sentence}.`)
    .join(" ");
}
