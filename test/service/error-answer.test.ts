import { expect, it } from "vitest";
import { errorAnswer } from "../../src/service/http/error-answer.ts";
import { HttpError } from "../../src/service/http/http-error.ts";
import {
  Busy,
  Conflict,
  Damaged,
  Forbidden,
  Invalid,
  NotFound,
  TooLarge,
  Unprocessable,
} from "../../src/service/kernel/errors.ts";

const detail = { loc: ["query", "kind"], msg: "Input should be 'a'", type: "enum" };

it.each([
  [new Invalid("no"), 400, {}, { message: "no" }],
  [new Invalid("no", { name: "too long" }), 400, {}, { message: "no", errors: { name: "too long" } }],
  [new Forbidden(), 403, {}, { message: "You don't have permission to access this resource" }],
  [new NotFound("no"), 404, {}, { message: "no" }],
  [new Conflict("no"), 409, {}, { message: "no" }],
  [new TooLarge("no"), 413, {}, { message: "no" }],
  [new Unprocessable("no"), 422, {}, { message: "no" }],
  [new Unprocessable(detail), 422, {}, { message: "query.kind: Input should be 'a'", detail: [detail] }],
  [new Damaged("no"), 500, {}, { message: "no" }],
  [new Busy("no", 7), 503, { "retry-after": "7" }, { message: "no" }],
  [new HttpError(405, "no", { allow: "GET" }), 405, { allow: "GET" }, { message: "no" }],
  [new Error("a secret"), 500, {}, { message: "The service failed; its log says why under request id abc" }],
])("%o is answered with %d", (error, status, headers, body) => {
  expect(errorAnswer(error, "abc")).toEqual({ status, headers, body: JSON.stringify(body) });
});
