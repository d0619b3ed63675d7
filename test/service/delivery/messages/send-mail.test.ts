import { createServer } from "node:net";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import fc from "fast-check";
import type { SMTPServerOptions } from "smtp-server";
import { afterAll, afterEach, describe, expect, onTestFinished, test } from "vitest";
import type { NotificationPayload } from "../../../../src/api/resources/notification-payload.ts";
import { mailOf } from "../../../../src/service/delivery/messages/mail.ts";
import { mailer } from "../../../../src/service/delivery/messages/send-mail.ts";
import { selfSigned } from "../../../api/certificates.ts";
import { closedPort, listening } from "../../../api/local-server.ts";
import { hostilePayload } from "./hostile-payloads.ts";
import { mailServer, refusal } from "./mail-server.ts";
import { environmentPayload } from "./payloads.ts";

const FROM = "Evidence <evidence@example.com>";
const PASSWORD = "p@ss/word&1";
const LOGIN = `robot:${encodeURIComponent(PASSWORD)}@`;

const usual = getCACertificates("default");
// Reading all of the usual ones takes 20 ms.
afterEach(() => setDefaultCACertificates([]));
afterAll(() => setDefaultCACertificates(usual));

/** A certificate of the server for these names, which this test trusts. */
function trusted(...names: string[]) {
  const { key, cert } = selfSigned(names);
  setDefaultCACertificates([cert.toString()]);
  return { key, cert };
}

const login: SMTPServerOptions = {
  authOptional: false,
  onAuth({ username, password }, _, callback) {
    if (username === "robot" && password === PASSWORD) callback(null, { user: "robot" });
    else callback(refusal(535, `5.7.8 No such login: ${password}`));
  },
};

function openMailer(smtpUrl: string, deadlineSeconds?: number) {
  const opened = mailer({ smtpUrl, from: FROM, ...(deadlineSeconds !== undefined && { deadlineSeconds }) });
  onTestFinished(() => opened.close());
  const send = (payload: NotificationPayload = environmentPayload, to = "team@example.com") =>
    opened.send(
      mailOf([payload], { deliveryId: "d-1", host: "evidence.example.com", from: opened.from, to }),
    );
  return { ...opened, send };
}

const plainly = (port: number) => openMailer(`smtp://localhost:${port}?requireTLS=false`);

describe("sending a mail", () => {
  test("works over STARTTLS with a login, as text and as HTML", async () => {
    const server = await mailServer({ ...login, ...trusted("localhost") });
    const { send } = openMailer(`smtp://${LOGIN}localhost:${server.port}`);
    expect(await send()).toEqual({ outcome: "delivered" });
    const [received] = server.received;
    expect(received).toMatchObject({
      envelope: { from: "evidence@example.com", to: ["team@example.com"] },
      encrypted: true,
      user: "robot",
      mail: {
        from: { name: "Evidence", address: "evidence@example.com" },
        to: [{ address: "team@example.com" }],
        subject: "shop 9f86d08 in production: registry.example.com/shop:7 has no provenance",
        messageId: "<d-1@evidence.example.com>",
        inReplyTo: expect.stringMatching(/^<environment-/),
        references: expect.stringMatching(/^<environment-/),
        attachments: [],
      },
    });
    const expected = mailOf([environmentPayload], {
      deliveryId: "d-1",
      host: "evidence.example.com",
      from: { address: "evidence@example.com" },
      to: "team@example.com",
    });
    expect(received?.mail.text?.trim()).toBe(expected.text.trim());
    expect(received?.mail.html?.trim()).toBe(expected.html.trim());
    const headers = Object.fromEntries((received?.mail.headers ?? []).map(({ key, value }) => [key, value]));
    expect(headers).toMatchObject({
      "auto-submitted": "auto-generated",
      "x-auto-response-suppress": "All",
      "list-id": "<notifications.evidence.example.com>",
      "list-unsubscribe": "<mailto:evidence@example.com?subject=unsubscribe>",
    });
  });

  test("works over TLS from the first byte", async () => {
    const server = await mailServer({ secure: true, ...trusted("localhost") });
    expect(await openMailer(`smtps://localhost:${server.port}`).send()).toEqual({ outcome: "delivered" });
    expect(server.received[0]?.encrypted).toBe(true);
  });

  test("reuses an open connection, and repeats the id in a second attempt", async () => {
    const server = await mailServer({ disabledCommands: ["STARTTLS"] });
    const { send } = plainly(server.port);
    expect([await send(), await send()]).toEqual([{ outcome: "delivered" }, { outcome: "delivered" }]);
    expect(server.connections()).toBe(1);
    expect(new Set(server.received.map(({ mail }) => mail.messageId)).size).toBe(1);
  });

  test.each([
    "=?utf-8?q?=0D=0ABcc:_a=40b.example?=",
    "x\r\nBcc: a@b.example",
    "\u202eelpmaxe",
    "<!channel> ä 👍",
  ])("about %j has that as its subject, and no other header", async (environment) => {
    const server = await mailServer({ disabledCommands: ["STARTTLS"] });
    await plainly(server.port).send({ ...environmentPayload, environment });
    const line = environment.replaceAll("=?", "= ?").replace("\r\n", " ").replace("\u202e", "");
    const mail = server.received[0]?.mail;
    expect(mail?.subject).toBe(`shop 9f86d08 in ${line}: registry.example.com/shop:7 has no provenance`);
    expect(mail?.headers.map(({ key }) => key)).not.toContain("bcc");
  });

  test("adds the headers of every mail and one recipient, whatever users wrote", async () => {
    const server = await mailServer({ disabledCommands: ["STARTTLS"] });
    const { send } = plainly(server.port);
    await send();
    const names = server.received[0]?.mail.headers.map(({ key }) => key);
    await fc.assert(
      fc.asyncProperty(hostilePayload, async (payload) => {
        expect(await send(payload)).toEqual({ outcome: "delivered" });
        const last = server.received.at(-1);
        expect(last?.envelope.to).toEqual(["team@example.com"]);
        expect(last?.mail.headers.map(({ key }) => key)).toEqual(names);
        const { subject, text } = mailOf([payload], {
          deliveryId: "d-1",
          host: "h",
          from: { address: "a@b" },
          to: "c@d",
        });
        expect(last?.mail.subject?.replaceAll(/\s+/g, " ").trim()).toBe(
          subject.replaceAll(/\s+/g, " ").trim(),
        );
        expect(last?.mail.text?.trim()).toBe(text.trim());
        expect(last?.mail.attachments).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });
});

describe("a mail that the server does not accept", () => {
  const answers = (of: "onMailFrom" | "onRcptTo", status: number): SMTPServerOptions => ({
    disabledCommands: ["STARTTLS"],
    [of]: (_: unknown, __: unknown, callback: (error: Error) => void) =>
      callback(refusal(status, "Not this one")),
  });
  const endsData = (status: number): SMTPServerOptions => ({
    disabledCommands: ["STARTTLS"],
    onData(stream, _, callback) {
      stream.resume().on("end", () => callback(refusal(status, "Not this text")));
    },
  });

  test.each([
    ["an unknown recipient", answers("onRcptTo", 550), "failed"],
    ["a full mailbox", answers("onRcptTo", 452), "retry"],
    ["a greylisted recipient", answers("onRcptTo", 451), "retry"],
    ["a refused text", endsData(554), "failed"],
    ["a text that is deferred", endsData(451), "retry"],
    ["a conversation out of order", answers("onRcptTo", 503), "retry"],
    ["a refused sender", answers("onMailFrom", 550), "operator"],
    ["a recipient for whom one has to log in", answers("onRcptTo", 530), "operator"],
    ["a sender who has to log in", { ...login, disabledCommands: ["STARTTLS"] }, "operator"],
  ] satisfies [string, SMTPServerOptions, string][])("for %s", async (_, options, outcome) => {
    const server = await mailServer(options);
    expect(await plainly(server.port).send()).toEqual({ outcome, reason: expect.stringMatching(/\d{3}/) });
    expect(server.received).toEqual([]);
  });

  test("without STARTTLS is sent without TLS, but no login, unless the operator allows it", async () => {
    const logins: unknown[] = [];
    const server = await mailServer({
      disabledCommands: ["STARTTLS"],
      allowInsecureAuth: true,
      onAuth({ username }, _, callback) {
        logins.push(username);
        callback(null, { user: String(username) });
      },
    });
    // Another name of this machine, not in the certificate.
    const elsewhere = `0.0.0.0:${server.port}?requireTLS=false`;
    expect(await openMailer(`smtp://${LOGIN}${elsewhere}`).send()).toMatchObject({
      outcome: "operator",
      reason: expect.stringContaining("STARTTLS"),
    });
    expect(await openMailer(`smtp://${elsewhere}`).send()).toEqual({ outcome: "delivered" });
    expect(logins).toEqual([]);
    expect(await openMailer(`smtp://${LOGIN}${elsewhere}&allowPlainLogin=true`).send()).toEqual({
      outcome: "delivered",
    });
    const here = `smtp://${LOGIN}127.0.0.1:${server.port}?requireTLS=false`;
    expect(await openMailer(here).send()).toEqual({ outcome: "delivered" });
    expect(logins).toEqual(["robot", "robot"]);
  });

  test.each([
    ["verbatim", PASSWORD],
    ["percent-encoded", encodeURIComponent(PASSWORD)],
    ["percent-encoded in lower case", encodeURIComponent(PASSWORD).toLowerCase()],
    ["percent-encoded as a whole", Buffer.from(PASSWORD).toString("hex").replace(/../g, "%$&")],
    ["as hex", Buffer.from(PASSWORD).toString("hex")],
    ["as hex in capitals, with colons", "70:40:73:73:2F:77:6F:72:64:26:31"],
    ["as base64", Buffer.from(PASSWORD).toString("base64")],
    ["as base64 for addresses", Buffer.from(PASSWORD).toString("base64url")],
    ["as base64 behind others", Buffer.from(`x${PASSWORD}y`).toString("base64")],
    ["as base64 behind two others", Buffer.from(`xy${PASSWORD}`).toString("base64")],
    ["as base64 of the login", Buffer.from(`\0robot\0${PASSWORD}`).toString("base64")],
    ["as HTML", "p&#64;ss/word&amp;1"],
    ["quoted-printable", "p=40ss/word&1"],
  ])("reports an error without the password that the server repeats %s", async (_, repeated) => {
    const server = await mailServer({
      ...trusted("localhost"),
      onAuth: (_, __, callback) => callback(refusal(535, `No such login [${repeated}]`)),
    });
    const result = await openMailer(`smtp://${LOGIN}localhost:${server.port}`).send();
    expect(result).toMatchObject({
      outcome: "operator",
      reason: expect.stringMatching(/No such login \[\w{0,2}\*+[\w=]{0,3}\]/),
    });
  });

  test("because of a wrong login is reported to the operator, without the password", async () => {
    const server = await mailServer({ ...login, ...trusted("localhost") });
    const { send } = openMailer(`smtp://robot:not-the-word@localhost:${server.port}`);
    const sent = await send();
    expect(sent).toEqual({
      outcome: "operator",
      reason: expect.stringContaining("535 5.7.8 No such login: ***"),
    });
    expect(JSON.stringify(sent)).not.toContain("not-the-word");
  });

  test("without encryption is reported to the operator, until the operator turns encryption off", async () => {
    const server = await mailServer({ disabledCommands: ["STARTTLS"] });
    const strict = openMailer(`smtp://localhost:${server.port}`);
    expect(await strict.send()).toMatchObject({ outcome: "operator" });
    expect(server.received).toEqual([]);
    expect(await plainly(server.port).send()).toEqual({ outcome: "delivered" });
  });

  test.each([
    ["from an unknown authority", "smtp", () => selfSigned(["localhost"])],
    ["from an unknown authority", "smtps", () => selfSigned(["localhost"])],
    ["for another host", "smtp", () => trusted("mail.example.com")],
    ["for another host", "smtps", () => trusted("mail.example.com")],
  ])("because of a certificate %s, over %s, is reported to the operator", async (_, scheme, certificate) => {
    const { key, cert } = certificate();
    const server = await mailServer({ key, cert, secure: scheme === "smtps" });
    const sent = await openMailer(`${scheme}://${LOGIN}localhost:${server.port}`).send();
    expect(sent).toEqual({ outcome: "operator", reason: expect.stringMatching(/certificate|altnames/i) });
    expect(server.received).toEqual([]);
  });

  test("because the server does not speak TLS is reported to the operator", async () => {
    const server = await mailServer({ disabledCommands: ["STARTTLS"] });
    const sent = await openMailer(`smtps://localhost:${server.port}`).send();
    expect(sent).toMatchObject({ outcome: "operator" });
  });

  test("because the server disconnects is retried later, and is not sent twice meanwhile", async () => {
    let connections = 0;
    const server = createServer((socket) => {
      connections++;
      socket.on("error", () => {});
      const replies = ["250 mail.example.com", "250 OK", "250 OK", "354 Go on"];
      socket.write("220 mail.example.com\r\n");
      socket.on("data", () => {
        const reply = replies.shift();
        if (reply === undefined) socket.end();
        else socket.write(`${reply}\r\n`);
      });
    });
    const port = await listening(server);
    expect(await plainly(port).send()).toEqual({ outcome: "retry", reason: expect.any(String) });
    expect(connections).toBe(1);
  });

  test("because the service stops while the server hangs is retried later, and its connection is closed", async () => {
    const asked = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<void>();
    const server = await mailServer({
      disabledCommands: ["STARTTLS"],
      onData: () => asked.resolve(),
      onClose: () => ended.resolve(),
    });
    const { send, close } = plainly(server.port);
    const sent = send();
    await asked.promise;
    await close();
    expect(await sent).toEqual({ outcome: "retry", reason: expect.stringContaining("closed") });
    await ended.promise;
  });

  test("because the server sends single bytes is retried later, and its connection is closed", async () => {
    const closed = Promise.withResolvers<void>();
    const dripping = createServer((socket) => {
      socket.write("220 mail ready\r\n");
      const timer = setInterval(() => socket.write("250-"), 20);
      socket
        .on("error", () => {})
        .on("close", () => {
          clearInterval(timer);
          closed.resolve();
        });
      socket.resume();
    });
    const port = await listening(dripping);
    const { send } = openMailer(`smtp://localhost:${port}?requireTLS=false`, 0.3);
    expect(await send()).toEqual({ outcome: "retry", reason: "The mail server took longer than 0.3 s" });
    await closed.promise;
  });

  test("because no server listens is retried later", async () => {
    expect(await plainly(await closedPort()).send()).toEqual({
      outcome: "retry",
      reason: expect.stringContaining("ECONNREFUSED"),
    });
  });

  test.each([
    "a@b.example, c@d.example",
    "Name <a@b.example>",
    '"a b"@c.example',
    "group:a@b.example;",
    "a@b.example\r\nRCPT TO:<c@d.example>",
    `${"a".repeat(65)}@b.example`,
    "a@-b.example",
    "@b.example",
    "a",
    "",
  ])("to %j, which is not a single address, fails before it is sent", async (to) => {
    expect(await plainly(1).send(environmentPayload, to)).toMatchObject({ outcome: "failed" });
  });
});

describe("the mail settings of the operator", () => {
  test.each([
    ["mail.example.com", "is not a valid mail server URL"],
    ["https://mail.example.com", "is not a valid mail server URL"],
    ["smtp://", "is not a valid mail server URL"],
    ["smtp://user:secret/word@mail.example.com", "is not a valid mail server URL"],
    ["smtp://user:secret#word@mail.example.com", "is not a valid mail server URL"],
    ["smtp://user:secret@mail.example.com/path", "must not contain a path or fragment"],
    ["smtp://user@mail.example.com", "must have both a user and a password"],
    ["smtp://user:secret%zz@mail.example.com", "has an invalid % in its login"],
    [
      "smtp://user:secret@mail.example.com?tls=no",
      "accepts only the parameters requireTLS and allowPlainLogin",
    ],
    [
      "smtp://user:secret@mail.example.com?requireTLS=maybe",
      "accepts only the parameters requireTLS and allowPlainLogin",
    ],
    ["smtp://user:secret@mail.example.com:0", "has port 0"],
  ])("with server %s are refused with the reason, and without the password", (smtpUrl, reason) => {
    const refused = () => mailer({ smtpUrl, from: FROM });
    expect(refused).toThrow(`--smtp-url ${reason}`);
    expect(refused).not.toThrow(/secret/);
  });

  test.each(["", "Evidence", "a@b, c@d", "Evidence <a@b", "Ev\r\nBcc: x <a@b.example>", '"E" <a@b.example>'])(
    "with sender %j are refused with the reason",
    (from) => {
      expect(() => mailer({ smtpUrl: "smtp://mail.example.com", from })).toThrow(
        "--mail-from is not a valid email address. Write evidence@example.com",
      );
    },
  );

  test("accept a plain address", () => {
    expect(mailer({ smtpUrl: "smtp://mail.example.com", from: "evidence@example.com" }).from).toEqual({
      address: "evidence@example.com",
    });
  });
});
