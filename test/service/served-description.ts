import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { request } from "undici";
import { expect } from "vitest";
import type { OperationShape } from "../../src/api/operation.ts";
import { EVENT_HEADER, LEAF_HEADER } from "../../src/api/receipt-headers.ts";
import type { Answered, RequestToSend } from "./requests.ts";
import type { TestService } from "./running-service.ts";

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  schema: object;
}

interface Described {
  parameters: Parameter[];
  requestBody?: { content: Record<string, { schema: object }> };
  responses: Record<string, object>;
}

interface DescribedResponse {
  headers?: Record<string, object>;
  content?: Record<string, { schema: object }>;
}

/** The API description that the service publishes, checked by a third-party validator. */
export interface ServedDescription {
  /** Expects a request to match the description of its operation. */
  expectRequest(operation: OperationShape, sent: RequestToSend): void;
  /** Expects a response to match one of those in the description of its operation. */
  expectAnswer(operation: OperationShape, answer: Answered): void;
  checkOf(schema: object): ValidateFunction;
}

const ID = "https://service.test/openapi";

/** Reads the API description of a service. */
export async function readDescription(service: TestService): Promise<ServedDescription> {
  const answer = await request(`${service.address}/api/v2/openapi.json`, { dispatcher: service.dispatcher });
  const document: { paths: Record<string, Record<string, Described>> } = JSON.parse(await answer.body.text());
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema({ ...document, $id: ID });

  /** Compiles a schema of the document, resolving its references there. */
  const compiled = new Map<string, ValidateFunction>();
  const checkOf = (schema: object) => {
    const text = JSON.stringify(schema).replaceAll('"#/', `"${ID}#/`);
    const check = compiled.get(text) ?? ajv.compile(JSON.parse(text));
    compiled.set(text, check);
    return check;
  };
  const expectValid = (schema: object, value: unknown, what: string) => {
    const check = checkOf(schema);
    check(value);
    expect({ what, errors: check.errors ?? [] }).toEqual({ what, errors: [] });
  };
  const described = ({ name, method, path }: OperationShape): Described => {
    const found = document.paths[path]?.[method.toLowerCase()];
    if (!found) throw new Error(`${name} is not described`);
    return found;
  };
  const resolved = (response: object): DescribedResponse => {
    if (!("$ref" in response) || typeof response.$ref !== "string") return response;
    const steps = response.$ref.slice(2).split("/");
    return steps.reduce<object>((at, step) => Reflect.get(at, step), document);
  };
  const expectParameter = ({ name, schema }: Parameter, sent: readonly string[]) => {
    const check = checkOf(schema);
    const forms = sent.flatMap((text) => [text, Number(text), text === "true"]);
    expect({ name, sent, fits: [...forms, sent].some((form) => check(form)) }).toMatchObject({ fits: true });
  };

  return {
    checkOf,
    expectRequest(operation, { path, json, form = json }) {
      const { parameters, requestBody } = described(operation);
      const url = new URL(path, service.address);
      const steps = url.pathname.split("/").map(decodeURIComponent);
      for (const parameter of parameters.filter((p) => p.in === "path")) {
        const step = steps[operation.path.split("/").indexOf(`{${parameter.name}}`)];
        expectParameter(parameter, step === undefined ? [] : [step]);
      }
      const inQuery = new Map(parameters.filter((p) => p.in === "query").map((p) => [p.name, p]));
      for (const [name, parameter] of inQuery) {
        const sent = url.searchParams.getAll(name);
        if (parameter.required || sent.length > 0) expectParameter(parameter, sent);
      }
      expect([...url.searchParams.keys()].filter((name) => !inQuery.has(name))).toEqual([]);
      if (!operation.body) return;
      const [content] = Object.values(requestBody?.content ?? {});
      const whole = operation.body.kind === "json" ? form : { [operation.body.part]: form };
      expectValid(content?.schema ?? { not: {} }, whole, "the request");
    },

    expectAnswer(operation, { status, body, text, headers }) {
      const response = described(operation).responses[String(status)];
      if (!response) throw new Error(`${operation.name} is not described to answer ${status}: ${text}`);
      const { headers: promised = {}, content = {} } = resolved(response);
      expect(Object.keys(headers)).toEqual(
        expect.arrayContaining(alwaysSent(Object.keys(promised)).map((name) => name.toLowerCase())),
      );
      const [[type, { schema }] = ["none", { schema: {} }]] = Object.entries(content);
      if (type === "*/*") return expect(text).not.toBe("");
      expect(headers["content-type"]).toBe(type);
      return expectValid(schema, body, `the answer ${status}`);
    },
  };
}

/** All but those of a receipt, which are absent if nothing was recorded. */
function alwaysSent(headers: readonly string[]): string[] {
  return headers.filter((name) => name !== LEAF_HEADER && name !== EVENT_HEADER);
}
