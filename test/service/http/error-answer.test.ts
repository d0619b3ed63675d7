import { expect, it } from "vitest";
import { errorAnswer, HttpError } from "../../../src/service/http/error-answer.ts";
import {
  Busy,
  Conflict,
  Damaged,
  Forbidden,
  Invalid,
  NotFound,
  TooLarge,
  Unprocessable,
} from "../../../src/service/kernel/errors.ts";

const detail = { loc: ["query", "kind"], msg: "Input should be 'a'", type: "enum" };

it.each([
  [new Invalid("request.field_invalid", "no"), 400, {}, { message: "no", code: "request.field_invalid" }],
  [
    new Invalid("request.field_invalid", "no", { name: "too long" }),
    400,
    {},
    { message: "no", code: "request.field_invalid", errors: { name: "too long" } },
  ],
  [
    new Forbidden(),
    403,
    {},
    { message: "You don't have permission to access this resource", code: "access.denied" },
  ],
  [new NotFound("flow.not_found", "no"), 404, {}, { message: "no", code: "flow.not_found" }],
  [new Conflict("resource.exists", "no"), 409, {}, { message: "no", code: "resource.exists" }],
  [new TooLarge("request.too_large", "no"), 413, {}, { message: "no", code: "request.too_large" }],
  [
    new Unprocessable("request.field_invalid", "no"),
    422,
    {},
    { message: "no", code: "request.field_invalid" },
  ],
  [
    new Unprocessable("request.field_invalid", detail),
    422,
    {},
    { message: "query.kind: Input should be 'a'", code: "request.field_invalid", detail: [detail] },
  ],
  [new Damaged("attachment.damaged", "no"), 500, {}, { message: "no", code: "attachment.damaged" }],
  [new Busy("service.busy", "no", 7), 503, { "retry-after": "7" }, { message: "no", code: "service.busy" }],
  [
    new HttpError(405, "request.method_not_allowed", "no", { allow: "GET" }),
    405,
    { allow: "GET" },
    { message: "no", code: "request.method_not_allowed" },
  ],
  [
    new Error("a secret"),
    500,
    {},
    { message: "The service failed; its log says why under request id abc", code: "service.failed" },
  ],
])("%o is answered with %d", (error, status, headers, body) => {
  expect(errorAnswer(error, "abc")).toEqual({ status, headers, body: JSON.stringify(body) });
});
