import { afterAll, beforeAll, expect, it } from "vitest";
import type { TestService } from "../running-service.ts";
import { expectNoHarm, startTarget } from "./attack.ts";
import { hostileTexts } from "./hostile-json.ts";
import { everyOperation, requestTo, validBody } from "./targets.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTarget();
});
afterAll(() => service.dispose());

const withBody = everyOperation.flatMap((operation) =>
  operation.body ? [{ name: operation.name, operation, schema: operation.body.schema }] : [],
);

it.each(withBody)("no JSON breaks $name", async ({ operation, schema }) => {
  const attempts = hostileTexts(schema, validBody(operation)).map(({ title, text, refused }) => ({
    title,
    request: requestTo(operation, service, text),
    refused,
  }));
  expect(attempts.some(({ refused }) => refused)).toBe(true);
  await expectNoHarm(service, attempts);
});
