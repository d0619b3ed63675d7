import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** A scripted response of the service. */
export interface Answer {
  status: number;
  body: unknown;
  headers?: Readonly<Record<string, string>>;
}

/** The trail status in our service's responses, here of a trail whose template requires nothing. */
const SAID_BY_OURS = { "x-template-match": "result=nothing-asked" };

/** Answers requests with the given responses in turn, and records each request as text. */
export async function recordingServer(answers: readonly Answer[]) {
  const requests: string[] = [];
  const server = createServer(async (request, response) => {
    requests.push(await describe(request));
    const answer = answers[Math.min(requests.length, answers.length) - 1] ?? {
      status: 599,
      body: "no answer",
    };
    const body = typeof answer.body === "string" ? answer.body : JSON.stringify(answer.body);
    response
      .writeHead(answer.status, { "content-type": "application/json", ...SAID_BY_OURS, ...answer.headers })
      .end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}`,
    requests,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

/** The lines relevant to a snapshot, with placeholders for what differs from run to run. */
async function describe(request: IncomingMessage): Promise<string> {
  const { method, url, headers } = request;
  const body = await text(request);
  const boundary = /boundary=(.*)/.exec(headers["content-type"] ?? "")?.[1];
  const shown = {
    authorization: headers.authorization,
    "content-type": boundary
      ? headers["content-type"]?.replace(boundary, "BOUNDARY")
      : headers["content-type"],
    "idempotency-key": headers["idempotency-key"] && "UUID",
    "user-agent": headers["user-agent"],
    "x-request-id": headers["x-request-id"] && "UUID",
  };
  const lines = Object.entries(shown).flatMap(([name, value]) => (value ? [`${name}: ${value}`] : []));
  const content = boundary ? body.replaceAll(boundary, "BOUNDARY").replaceAll("\r\n", "\n") : body;
  return [`${method} ${url}`, ...lines, "", content].join("\n").trimEnd();
}
