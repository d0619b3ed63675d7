interface RawRequest {
  readonly host: string;
  readonly apiKey: string;
  readonly type: string;
  readonly body: string;
  /** Length of a body that is sent later. */
  readonly announced?: number;
}

/** The text of an HTTP request. */
export function requestText(method: string, path: string, request: RawRequest): string {
  const { host, apiKey, type, body, announced = Buffer.byteLength(body) } = request;
  const headers = {
    host,
    authorization: `Bearer ${apiKey}`,
    "content-type": type,
    "content-length": announced,
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n${body}`;
}

/** Whether a response is complete. */
export function isWhole(answer: string): boolean {
  const end = answer.indexOf("\r\n\r\n");
  if (end < 0) return false;
  const length = /\r\ncontent-length: (\d+)/i.exec(answer.slice(0, end))?.[1];
  if (length === undefined) return answer.endsWith("0\r\n\r\n");
  return answer.length >= end + 4 + Number(length);
}

export function statusOf(answer: string): number {
  return Number(answer.slice("HTTP/1.1 ".length, "HTTP/1.1 200".length));
}
