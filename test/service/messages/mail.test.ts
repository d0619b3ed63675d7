import { once } from "node:events";
import { createServer } from "node:net";
import fc from "fast-check";
import PostalMime from "postal-mime";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { afterEach, describe, expect, test } from "vitest";
import { mailOf } from "../../../src/service/messages/mail.ts";
import { mailer } from "../../../src/service/messages/send-mail.ts";
import { parseSmtpUrl } from "../../../src/service/messages/smtp-server-address.ts";
import { hostilePayload } from "./hostile-payloads.ts";
import { environmentPayload, groupPayload } from "./payloads.ts";

const from = "evidence@example.com";
const options = { deliveryId: "dlv_17", host: "evidence.example.com", from, to: "team@example.com" };
const mail = mailOf(environmentPayload, options);

const open: (() => void)[] = [];
afterEach(() => {
  for (const close of open.splice(0)) close();
});

/** A server on this machine, and what arrived there. */
async function start(given: SMTPServerOptions = {}) {
  const arrived: { raw: Buffer; to: string[] }[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    logger: false,
    onData(stream, session, done) {
      const parts: Buffer[] = [];
      stream.on("data", (part: Buffer) => parts.push(part));
      stream.on("end", () => {
        arrived.push({
          raw: Buffer.concat(parts),
          to: session.envelope.rcptTo.map(({ address }) => address),
        });
        done();
      });
    },
    ...given,
  });
  server.on("error", () => {});
  const listening = server.listen(0, "127.0.0.1");
  await once(listening, "listening");
  open.push(() => server.close());
  const address = listening.address();
  return { arrived, port: typeof address === "object" ? address?.port : 0 };
}

function send(port: number | undefined, login = "", query = "?requireTLS=false") {
  const sender = mailer({ smtpUrl: `smtp://${login}127.0.0.1:${port}${query}`, from });
  open.push(() => sender.close());
  return sender.send(mail);
}

function refusal(responseCode: number, message = "no") {
  return Object.assign(new Error(message), { responseCode });
}

describe("a mail", () => {
  test.each([
    ["an environment", environmentPayload],
    ["many artifacts at once", groupPayload],
  ])("about %s reads as it was agreed", (_, payload) => {
    expect(mailOf(payload, options)).toMatchSnapshot();
  });

  test("arrives with the headers by which it is threaded, and by which no machine answers it", async () => {
    const { arrived, port } = await start();
    expect(await send(port)).toEqual({ outcome: "delivered" });
    const [{ raw, to } = { raw: Buffer.alloc(0), to: [] }] = arrived;
    expect(to).toEqual([options.to]);
    const found = await PostalMime.parse(raw);
    expect(found.subject).toMatch(/^NON-COMPLIANT: /);
    expect(found.messageId).toBe("<dlv_17@evidence.example.com>");
    expect(found.references).toMatch(/^<environment-[0-9a-f]{32}@evidence\.example\.com>$/);
    expect(found.text?.replaceAll("\r", "").trim()).toBe(mail.text.trim());
    expect(found.html?.replaceAll("\r", "").trim()).toBe(mail.html.trim());
    const headers = Object.fromEntries(found.headers.map(({ key, value }) => [key, value]));
    expect(headers).toMatchObject({
      "auto-submitted": "auto-generated",
      "x-auto-response-suppress": "All",
      "list-id": "<notifications.evidence.example.com>",
      "list-unsubscribe": "<mailto:evidence%40example.com?subject=unsubscribe>",
    });
  });

  test("has no header, no address and no markup that a user wrote", async () => {
    const { arrived, port } = await start();
    const sender = mailer({ smtpUrl: `smtp://127.0.0.1:${port}?requireTLS=false`, from });
    open.push(() => sender.close());
    const property = fc.asyncProperty(hostilePayload, async (payload) => {
      arrived.length = 0;
      const hostile = mailOf(payload, options);
      expect(await sender.send(hostile)).toEqual({ outcome: "delivered" });
      const found = await PostalMime.parse(arrived[0]?.raw ?? "");
      expect(new Set(found.headers.map(({ key }) => key))).toEqual(HEADERS);
      expect(arrived[0]?.to).toEqual([options.to]);
      expect(found.cc ?? found.bcc).toBeUndefined();
      const tags = [...hostile.html.matchAll(/<\/?([a-z!][a-z0-9]*)/gi)].map(([, tag]) => tag);
      expect(tags.filter((tag) => !TAGS.includes(tag ?? ""))).toEqual([]);
      const links = [...hostile.html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href);
      expect(links.filter((href) => !/^https?:\/\//.test(href ?? ""))).toEqual([]);
    });
    await fc.assert(property, { numRuns: 100 });
  });

  test("is not made for what is no plain address", () => {
    for (const to of ["a@b.example, c@d.example", "A <a@b.example>", '"a"@b.example', "a@b\r\nBcc: c", "a"]) {
      expect(() => mailOf(environmentPayload, { ...options, to }), to).toThrow("Not an e-mail address");
    }
  });
});

const HEADERS = new Set(
  "from to subject message-id in-reply-to references date mime-version content-type auto-submitted x-auto-response-suppress list-id list-unsubscribe".split(
    " ",
  ),
);
const TAGS = "!doctype html head meta title body div h1 p table tr th td ul li a".split(" ");

describe("a server of the operator's that", () => {
  test.each([
    ["rejects the recipient", { onRcptTo: (_: unknown, __: unknown, done) => done(refusal(550)) }, "failed"],
    ["defers the recipient", { onRcptTo: (_: unknown, __: unknown, done) => done(refusal(450)) }, "retry"],
    ["rejects the sender", { onMailFrom: (_: unknown, __: unknown, done) => done(refusal(553)) }, "operator"],
    ["is too busy to greet", { onConnect: (_: unknown, done) => done(refusal(421)) }, "retry"],
    ["asks for a login", { authOptional: false }, "operator"],
  ] satisfies [string, SMTPServerOptions, string][])("%s", async (_, given, outcome) => {
    const { port } = await start(given);
    expect(await send(port)).toMatchObject({ outcome });
  });

  test("drops the connection, or is not there, is tried again", async () => {
    const dropping = createServer((socket) => socket.destroy());
    await once(dropping.listen(0, "127.0.0.1"), "listening");
    const address = dropping.address();
    const port = typeof address === "object" ? address?.port : 0;
    expect(await send(port)).toMatchObject({ outcome: "retry" });
    dropping.close();
    await once(dropping, "close");
    expect(await send(port)).toMatchObject({ outcome: "retry" });
  });

  test("has no STARTTLS is sent nothing, and neither is one whose certificate nobody signed", async () => {
    const plain = await start();
    expect(await send(plain.port, "", "")).toMatchObject({ outcome: "operator" });
    const signedByNobody = await start({ disabledCommands: [] });
    expect(await send(signedByNobody.port, "", "")).toMatchObject({ outcome: "operator" });
    expect([...plain.arrived, ...signedByNobody.arrived]).toEqual([]);
  });

  test("refuses the login does not get the password into the reason, though it repeats it", async () => {
    const { port } = await start({
      allowInsecureAuth: true,
      onAuth: ({ password }, _, done) => done(refusal(535, `no such password: ${password}`)),
    });
    const refused = await send(port, "evidence:s3cret%2Fpass@");
    expect(refused).toMatchObject({ outcome: "operator", reason: expect.stringContaining("***") });
    expect(JSON.stringify(refused)).not.toContain("s3cret");
  });
});

describe("--smtp-url", () => {
  test.each([
    ["smtps://me:a%40b@mail.example.com", { port: 465, secure: true, requireTLS: false }],
    ["smtp://mail.example.com", { port: 587, secure: false, requireTLS: true }],
    ["smtp://127.0.0.1:25?requireTLS=false", { port: 25, secure: false, requireTLS: false }],
  ])("%s", (url, read) => {
    expect(parseSmtpUrl(url)).toMatchObject(read);
  });

  test.each([
    "https://me:s3cret@mail.example.com",
    "smtp://me:s3cret@mail.example.com/x",
    "smtp://me:s3cret@mail.example.com?tls=no",
    "smtp://:s3cret@mail.example.com",
    "smtp://me:s3cret%@mail.example.com",
  ])("that cannot be used is told without its password: %s", (url) => {
    expect(() => parseSmtpUrl(url)).toThrow(/^--smtp-url (?!.*s3cret)/);
  });
});
