import { describe, expect, test } from "vitest";
import { explainFault } from "../../src/net/network-fault.ts";

function fault(code: string, message = "raw text of a library", cause?: unknown): Error {
  return Object.assign(new Error(message, { cause }), { code });
}

describe("a connection that was not established is retried, and nothing can have arrived:", () => {
  test.each([
    ["ECONNREFUSED", "connection refused"],
    ["ENOTFOUND", "the host name is unknown"],
    ["EAI_AGAIN", "the name server did not answer"],
    ["EHOSTUNREACH", "no route to the host"],
    ["ENETUNREACH", "the network cannot be reached"],
    ["UND_ERR_CONNECT_TIMEOUT", "no connection was made in time"],
    ["UND_ERR_PRX_CONN", "the proxy closed the connection"],
  ])("%s", (code, reason) => {
    const explained = explainFault(fault(code));
    expect(explained).toMatchObject({ code, reason, retried: true, mayHaveArrived: false });
    expect(explained.advice).not.toBe("");
  });
});

describe("a TLS fault is permanent, so it is not retried:", () => {
  test.each([
    ["SELF_SIGNED_CERT_IN_CHAIN", "unknown authority", "NODE_EXTRA_CA_CERTS"],
    ["DEPTH_ZERO_SELF_SIGNED_CERT", "self-signed", "NODE_EXTRA_CA_CERTS"],
    ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "cannot be verified", "NODE_EXTRA_CA_CERTS"],
    ["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", "issuer is unknown", "NODE_EXTRA_CA_CERTS"],
    ["UNABLE_TO_GET_ISSUER_CERT", "UNABLE_TO_GET_ISSUER_CERT", ""],
    ["CERT_HAS_EXPIRED", "expired", "renew"],
    ["CERT_NOT_YET_VALID", "CERT_NOT_YET_VALID", ""],
    ["CERT_REVOKED", "CERT_REVOKED", ""],
    ["INVALID_CA", "INVALID_CA", ""],
    ["HOSTNAME_MISMATCH", "HOSTNAME_MISMATCH", ""],
    ["EPROTO", "EPROTO", ""],
    ["ERR_TLS_CERT_ALTNAME_INVALID", "another host", "base-url"],
    ["ERR_SSL_WRONG_VERSION_NUMBER", "does not speak TLS", "http://"],
    ["ERR_SSL_PACKET_LENGTH_TOO_LONG", "does not speak TLS", "http://"],
    ["ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION", "ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION", ""],
  ])("%s", (code, reason, advice) => {
    const explained = explainFault(fault(code));
    expect(explained).toMatchObject({ code, retried: false, mayHaveArrived: false });
    expect(explained.reason).toContain(reason);
    expect(explained.advice).toContain(advice);
  });
});

test("a request that this program ended itself is not retried", () => {
  const explained = explainFault(fault("UND_ERR_DESTROYED", "The client is destroyed"));
  expect(explained).toMatchObject({ retried: false, mayHaveArrived: true });
});

describe("a broken connection is retried, and the request may have arrived:", () => {
  test.each([
    ["ECONNRESET", "the connection was reset"],
    ["UND_ERR_SOCKET", "the other side closed the connection"],
    ["HPE_INVALID_VERSION", "the server does not speak HTTP"],
    ["HPE_INVALID_CONSTANT", "the server does not speak HTTP"],
    ["EPIPE", "the other side closed the connection"],
    ["ETIMEDOUT", "the other side did not answer in time"],
    ["EBADF", "the connection broke (EBADF)"],
    ["UND_ERR_HEADERS_TIMEOUT", "the other side did not answer in time"],
    ["UND_ERR_BODY_TIMEOUT", "the other side did not answer in time"],
    ["UND_ERR_HEADERS_OVERFLOW", "the response has too many headers"],
    ["UND_ERR_RES_CONTENT_LENGTH_MISMATCH", "the response was cut off"],
    ["UND_ERR_INFO", "the connection broke (raw text of a library)"],
    ["UND_ERR_OF_THE_FUTURE", "the connection broke (raw text of a library)"],
  ])("%s", (code, reason) => {
    const explained = explainFault(fault(code));
    expect(explained).toMatchObject({ code, reason, retried: true, mayHaveArrived: true });
    expect(explained.advice).not.toBe("");
  });

  test.each([
    [new Error("odd"), "the connection broke (odd)"],
    ["a text", "the connection broke (a text)"],
    [undefined, "the connection broke (undefined)"],
  ])("%s, an unknown fault", (error, reason) => {
    expect(explainFault(error)).toMatchObject({ code: "", reason, retried: true, mayHaveArrived: true });
  });
});

describe("a proxy's error is never reported as an abort:", () => {
  test.each([
    [407, "the proxy requires authentication (407)", "user:password@host", false],
    [403, "the proxy answered 403", "allows this host", false],
    [502, "the proxy answered 502", "allows this host", true],
  ])("%i", (status, reason, advice, retried) => {
    const error = fault("UND_ERR_ABORTED", `Proxy response (${status}) !== 200 when HTTP Tunneling`);
    expect(explainFault(error)).toMatchObject({ code: "PROXY", reason, retried, mayHaveArrived: false });
    expect(explainFault(error).advice).toContain(advice);
  });

  test("also without a tunnel", () => {
    expect(explainFault(fault("UND_ERR_INVALID_ARG", "Proxy Authentication Required (407)"))).toMatchObject({
      code: "PROXY",
      reason: "the proxy requires authentication (407)",
      retried: false,
    });
  });

  test("also inside of another error", () => {
    const inner = fault("UND_ERR_ABORTED", "Proxy response (407) !== 200 when HTTP Tunneling");
    expect(explainFault(fault("UND_ERR_SOCKET", "outer", inner)).code).toBe("PROXY");
  });
});

test("the innermost name is reported", () => {
  expect(explainFault(fault("UND_ERR_PRX_CONN", "outer", fault("ECONNREFUSED"))).code).toBe("ECONNREFUSED");
});

test("a proxy's own certificate is not mistaken for the service's", () => {
  const error = fault("UND_ERR_PRX_TLS", "outer", fault("ERR_TLS_CERT_ALTNAME_INVALID"));
  expect(explainFault(error)).toMatchObject({
    code: "UND_ERR_PRX_TLS",
    reason: "the secure connection to the proxy failed",
    retried: false,
  });
});

test("a circular chain of causes ends", () => {
  const error = fault("ECONNRESET");
  error.cause = error;
  expect(explainFault(error).code).toBe("ECONNRESET");
});

test("a TLS fault found while writing is reported like one found while reading", () => {
  const message =
    "write EPROTO 80DB61F5477F0000:error:0A00010B:SSL routines:tls_validate_record_header:wrong version number:../deps/openssl/openssl/ssl/record/methods/tlsany_meth.c:77:\n";
  expect(explainFault(fault("EPROTO", message))).toEqual(explainFault(fault("ERR_SSL_WRONG_VERSION_NUMBER")));
  expect(explainFault(fault("EPROTO", "read EPROTO")).code).toBe("EPROTO");
});
