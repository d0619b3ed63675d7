import { createServer as createProxy } from "node:http";
import { createServer } from "node:https";
import { expect, test } from "vitest";
import { lookUpIssues } from "../../../src/evidence/jira/look-up-issues.ts";
import { withRemote } from "../../../src/evidence/remote/remote-service.ts";
import { Deadline } from "../../../src/net/deadline.ts";
import { selfSigned } from "../../api/certificates.ts";
import { shownText } from "../../api/connections.ts";
import { type Answer, httpServer, json, listening } from "../../api/local-server.ts";

const TOKEN = "remote-token-0123456789";

/** The message for a user when Jira sends this response to every request. */
async function shown(answer: Answer): Promise<string> {
  return await shownAt((await httpServer(answer)).url);
}

async function shownAt(url: string, env: Readonly<Record<string, string>> = {}): Promise<string> {
  const address = new URL(`${url}/`);
  using deadline = new Deadline(10);
  const options = {
    ...{ name: "Jira", address, inputs: { address: "jira-url", token: "jira-token" } },
    ...{ secrets: [TOKEN], env, deadline, retries: 1, info: () => {}, pause: async () => {} },
  };
  const question = { address, authorization: `Bearer ${TOKEN}`, keys: ["WEB-1"] };
  return await withRemote(options, (jira) => lookUpIssues({ jira, ...question })).then(
    (issues) => expect.fail(`was believed: ${JSON.stringify(issues)}`),
    (error: unknown) => shownText(error).replaceAll(address.host, "HOST"),
  );
}

const page = (status: number, text: string): Answer => {
  return (response) => void response.writeHead(status, { "content-type": "text/html" }).end(text);
};

test("an untrusted certificate is reported with the fix", async () => {
  const server = createServer(selfSigned(["127.0.0.1"]), (_, response) => response.end());
  server.on("tlsClientError", () => {});
  const text = await shownAt(`https://127.0.0.1:${await listening(server)}`);
  expect(text).toMatch(/^the certificate is self-signed \(HOST\)/);
  expect(text).toContain("NODE_EXTRA_CA_CERTS");
});

test("a proxy is used where its variable says so, and is named without its password", async () => {
  const urls: string[] = [];
  const proxy = createProxy();
  proxy.on("connect", ({ url = "" }, socket) => {
    urls.push(url);
    socket.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n");
  });
  const https_proxy = `http://me:proxy-password@127.0.0.1:${await listening(proxy)}`;
  const text = await shownAt("https://jira.example/", { https_proxy });
  expect(text).toContain("the proxy requires authentication (407) (HOST through the proxy 127.0.0.1:");
  expect(text).not.toContain("proxy-password");
  expect(urls).toEqual(["jira.example:443"]);
});

test.each<[title: string, answer: Answer, expected: string[]]>([
  [
    "asks for a day's wait",
    (response) => json(response, 429, {}, { "retry-after": "86400" }),
    ["status 429, and Jira asks for a wait of 86400 s before the next attempt, but ", "(HOST)"],
  ],
  [
    "stays down, with a page of its gateway",
    page(502, "<h1>Bad gateway</h1>"),
    ['Jira did not return the issue WEB-1: text/html "<h1>Bad gateway</h1>" (HOST, status 502)', "Try again"],
  ],
  [
    "does not let the token read",
    (response) => json(response, 403, { errorMessages: ["CAPTCHA needed"] }),
    ["jira-token: Jira does not let the token read the issue WEB-1: CAPTCHA needed (HOST, status 403)"],
  ],
  [
    "echoes the token",
    (response, { headers }) => json(response, 400, { errorMessages: [`no ${headers.authorization}`] }),
    ["Jira did not return the issue WEB-1: no Bearer *** (HOST, status 400)"],
  ],
  [
    "is a login page",
    page(200, "<!doctype html>Log in"),
    ['not JSON: text/html "<!doctype html>Log in" (HOST, status 200)', "jira-url is the address of Jira"],
  ],
  ["tells a list", (response) => json(response, 200, []), ["not an issue (HOST, status 200)"]],
  ["returns another key", (response) => json(response, 200, { key: "../x" }), ["not an issue"]],
  [
    "breaks off",
    (response) => {
      response.writeHead(200, { "content-length": "100" }).write('{"key"');
      setTimeout(() => response.destroy(), 20);
    },
    ["the other side closed the connection (HOST, 2 attempts)", "whether jira-url should begin"],
  ],
  [
    "redirects",
    (response) => response.writeHead(302, { location: `https://login.example/?t=${TOKEN}` }).end(),
    ["the request was redirected to https://login.example (HOST, status 302)", "Redirects are not followed"],
  ],
  [
    "reports every issue as missing to an unknown user",
    (response, { path }) =>
      json(response, path.includes("/issue/") ? 404 : 401, { errorMessages: ["Log in"] }),
    ["jira-token: Jira does not accept the token: Log in (HOST, status 401)"],
  ],
  [
    "sends an endless response",
    (response) => {
      const write = () => {
        while (!response.destroyed && response.write(Buffer.alloc(1024 * 1024, " ")));
      };
      response.on("drain", write);
      write();
    },
    ["the response is larger than 20 MB (HOST, status 200)"],
  ],
])("a service that %s is reported as such", async (_, answer, expected) => {
  const text = await shown(answer);
  for (const part of expected) expect(text).toContain(part);
  expect(text).not.toContain(TOKEN);
});
