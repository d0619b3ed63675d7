import { afterAll, beforeAll, expect, it } from "vitest";
import type { OperationShape } from "../../src/api/operation.ts";
import { OPA } from "../go-programs.ts";
import { newDatabase } from "../records.ts";
import { type RequestToSend, send } from "../service/requests.ts";
import { startTestService, type TestService } from "../service/running-service.ts";
import { IN_ORDER, succeedingRequests } from "../service/succeeding-requests.ts";

let service: TestService;
let requestOf: (operation: OperationShape) => RequestToSend;
beforeAll(async () => {
  service = await startTestService({}, { database: { url: await newDatabase() }, opa: OPA });
  requestOf = await succeedingRequests(service);
});
afterAll(() => service.dispose());

it.each(IN_ORDER)("$name succeeds", async (operation) => {
  const { status, text } = await send(service, requestOf(operation));
  expect([200, 201], text).toContain(status);
});
