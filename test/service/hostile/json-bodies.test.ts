import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expectNoHarm, startTarget, type Target } from "./attack.ts";
import { type HostileText, hostileTexts, textsForReader } from "./hostile-json.ts";
import { everyOperation, requestTo, validBody } from "./targets.ts";

let service: Target;
beforeAll(async () => {
  service = await startTarget();
});
afterAll(() => service.dispose());

const withBody = everyOperation.flatMap((operation) =>
  operation.body ? [{ name: operation.name, operation, schema: operation.body.schema }] : [],
);
/** JSON is read as a body, and as a part of a form. */
const readers = (["json", "multipart"] as const).flatMap((kind) =>
  withBody.filter(({ operation }) => operation.body?.kind === kind).slice(0, 1),
);

const attempts = (operation: (typeof withBody)[number]["operation"], texts: readonly HostileText[]) =>
  texts.map(({ title, text, refused }) => ({ title, request: requestTo(operation, service, text), refused }));

describe.each(readers)("the JSON reader of $name", ({ operation, schema }) => {
  it("survives everything", async () => {
    await expectNoHarm(service, attempts(operation, textsForReader(schema, validBody(operation))));
  });
});

it.each(withBody)("no JSON breaks $name", async ({ operation, schema }) => {
  const texts = hostileTexts(schema, validBody(operation));
  expect(texts.some(({ refused }) => refused)).toBe(true);
  await expectNoHarm(service, attempts(operation, texts));
});
