import { parseJson } from "../api/json.ts";
import { asObject, asObjects, asText } from "../api/untyped.ts";
import type { Answer } from "../net/exchange.ts";
import { headerOf } from "../net/headers.ts";
import { retryAfter } from "../net/retry.ts";
import type { RefusedAnswer } from "./remote-fault.ts";
import { xmlTexts } from "./xml-texts.ts";

/** Code and message of an error, in the forms of the three clouds and their token services. */
export function refusedAnswer({ status, headers, bytes }: Answer): RefusedAnswer {
  const text = bytes.toString();
  const waitMs = retryAfter(headers);
  const json = parseJson(text)?.value;
  const about = json === undefined ? inXml(text) : inJson(json);
  const header = headerOf({ headers }, "x-amzn-errortype");
  return { status, waitMs, ...about, code: shortCode(header ?? about.code ?? "") };
}

function inXml(text: string) {
  const texts = xmlTexts(text);
  return { code: texts.get("Code")?.[0], detail: texts.get("Message")?.[0] };
}

/**
 * Amazon: `{__type, message}`. Azure and Google: `{error: {code, status, message}}`, where Google's `code` is the HTTP
 * status, and its `details` have a more exact `reason`. Token services: `{error: "invalid_client", error_description}`.
 */
function inJson(json: unknown) {
  const { __type, message, Message, error, error_description: description } = asObject(json);
  if (typeof error === "string") return { code: error, detail: asText(description).split(/[\r\n]/)[0] };
  const inner = asObject(error);
  return {
    code: asText(__type) || reasonOf(inner["details"]) || asText(inner["status"]) || asText(inner["code"]),
    detail: asText(message) || asText(Message) || asText(inner["message"]),
  };
}

function reasonOf(details: unknown): string {
  return asObjects(details)
    .map(({ reason }) => asText(reason))
    .join("");
}

/** Characters of a code that are read. A proxy may answer with anything. */
const MAX_CODE = 200;

/** `com.amazonaws.ecs#ClientException:http://…` is `ClientException`. */
function shortCode(code: string): string | undefined {
  return /^(?:[^:]*#)?([\w.-]+)/.exec(code.slice(0, MAX_CODE))?.[1];
}
