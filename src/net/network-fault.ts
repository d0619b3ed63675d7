export interface NetworkFault {
  code: string;
  /** Reason at the start of a message, such as `connection refused`. */
  reason: string;
  /** Advice that names the service's address `base-url`. */
  advice: string;
  retried: boolean;
  mayHaveArrived: boolean;
  /** HTTP status of a response that was interrupted after its headers. */
  status?: number;
}

type Explanation = Pick<NetworkFault, "reason" | "advice">;

const REACHABLE = "Check that base-url is right and that the runner may reach it.";
const SCHEME = "If this persists, check whether base-url should begin with https:// or name another port.";
const PROXY = "Check the proxy variables and that the proxy allows this host.";
const BETWEEN = "Try again later. If this persists, check the network between the runner and the service.";
const CERTIFICATE =
  "If the service uses a private certificate authority, name its certificate in NODE_EXTRA_CA_CERTS.";

/** Faults while connecting: no part of the request was sent. */
const CONNECTING: Readonly<Record<string, Explanation>> = {
  ECONNREFUSED: { reason: "connection refused", advice: REACHABLE },
  ENOTFOUND: { reason: "the host name is unknown", advice: REACHABLE },
  EAI_AGAIN: { reason: "the name server did not answer", advice: "Check the runner's DNS." },
  EHOSTUNREACH: { reason: "no route to the host", advice: REACHABLE },
  ENETUNREACH: { reason: "the network cannot be reached", advice: REACHABLE },
  UND_ERR_PRX_CONN: { reason: "the proxy closed the connection", advice: PROXY },
  UND_ERR_CONNECT_TIMEOUT: { reason: "no connection was made in time", advice: REACHABLE },
};

const NOT_TLS: Explanation = {
  reason: "the server does not speak TLS on this port",
  advice: "Check whether base-url should begin with http:// or name another port.",
};
/** Faults of the TLS handshake, which retries cannot fix. */
const TLS: Readonly<Record<string, Explanation>> = {
  SELF_SIGNED_CERT_IN_CHAIN: {
    reason: "the certificate is signed by an unknown authority",
    advice: CERTIFICATE,
  },
  DEPTH_ZERO_SELF_SIGNED_CERT: { reason: "the certificate is self-signed", advice: CERTIFICATE },
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: { reason: "the certificate cannot be verified", advice: CERTIFICATE },
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: { reason: "the certificate's issuer is unknown", advice: CERTIFICATE },
  CERT_HAS_EXPIRED: {
    reason: "the certificate has expired",
    advice: "The service must renew its certificate.",
  },
  ERR_TLS_CERT_ALTNAME_INVALID: { reason: "the certificate is for another host", advice: REACHABLE },
  ERR_SSL_WRONG_VERSION_NUMBER: NOT_TLS,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: NOT_TLS,
  UND_ERR_PRX_TLS: {
    reason: "the secure connection to the proxy failed",
    advice: "Check the proxy's address.",
  },
};

const SILENT: Explanation = { reason: "the other side did not answer in time", advice: BETWEEN };
const CUT_OFF: Explanation = { reason: "the response was cut off", advice: BETWEEN };
/** Faults of an open connection: the request may have arrived. */
const BROKEN: Readonly<Record<string, Explanation>> = {
  ECONNRESET: { reason: "the connection was reset", advice: SCHEME },
  UND_ERR_SOCKET: { reason: "the other side closed the connection", advice: SCHEME },
  EPIPE: { reason: "the other side closed the connection", advice: SCHEME },
  ETIMEDOUT: SILENT,
  UND_ERR_HEADERS_TIMEOUT: SILENT,
  UND_ERR_BODY_TIMEOUT: SILENT,
  UND_ERR_HEADERS_OVERFLOW: { reason: "the response has too many headers", advice: BETWEEN },
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: CUT_OFF,
};
const NOT_HTTP: Explanation = { reason: "the server does not speak HTTP", advice: SCHEME };

/** Codes of OpenSSL and Node for faults of TLS and certificates. */
const TLS_CODE =
  /^(ERR_SSL_|ERR_TLS_|ERR_OSSL_|CERT_|CRL_|UNABLE_TO_|ERROR_IN_|EPROTO$|HOSTNAME_MISMATCH$|INVALID_(CA|PURPOSE)$|PATH_LENGTH_EXCEEDED$)/;

/** This program closed its connections while a request was open, for example because another one had failed. */
const CLOSED_HERE = "UND_ERR_DESTROYED";

/** Unknown faults count as broken connections, which are retried. */
export function explainFault(error: unknown, status?: number): NetworkFault {
  const code = codeOf(error);
  if (status !== undefined) {
    const refused = status >= 400 && status < 500;
    return { code, ...CUT_OFF, retried: true, mayHaveArrived: !refused, status };
  }
  const proxyStatus = proxyAnswer(error);
  if (proxyStatus !== undefined) return proxyFault(proxyStatus);
  const connecting = CONNECTING[code];
  if (connecting) return { code, ...connecting, retried: true, mayHaveArrived: false };
  const tls = TLS[code] ?? (TLS_CODE.test(code) ? { reason: code, advice: "" } : undefined);
  if (tls) return { code, ...tls, retried: false, mayHaveArrived: false };
  const broken =
    BROKEN[code] ??
    (code.startsWith("HPE_")
      ? NOT_HTTP
      : { reason: `the connection broke (${inWords(code, error)})`, advice: BETWEEN });
  return { code, ...broken, retried: code !== CLOSED_HERE, mayHaveArrived: true };
}

function proxyFault(status: number): NetworkFault {
  const refused = { code: "PROXY", mayHaveArrived: false };
  if (status !== 407)
    return { ...refused, reason: `the proxy answered ${status}`, advice: PROXY, retried: status >= 500 };
  return {
    ...refused,
    reason: "the proxy requires authentication (407)",
    advice: "Put the user and password into the proxy variable: http://user:password@host:port.",
    retried: false,
  };
}

/** Status of a proxy, which undici reports only in the message of an error. */
function proxyAnswer(error: unknown): number | undefined {
  const text = /^Proxy (?:response|Authentication Required) \((\d{3})\)/;
  const status = chain(error)
    .map(({ message }) => text.exec(message)?.[1])
    .find(Boolean);
  return status === undefined ? undefined : Number(status);
}

/** The innermost code, which is the most precise, unless a wrapper identifies the proxy. */
function codeOf(error: unknown): string {
  let code = "";
  for (const link of chain(error)) {
    if (link.code && !(code === "UND_ERR_PRX_CONN" && link.code === "UND_ERR_SOCKET")) code = link.code;
    if (code === "UND_ERR_PRX_TLS") break;
  }
  return code;
}

/** The system's code, which users can look up. For undici, the message, which says more than its codes. */
function inWords(code: string, error: unknown): string {
  if (code !== "" && !code.startsWith("UND_ERR_")) return code;
  return chain(error).at(-1)?.message ?? String(error);
}

/** An error and its causes, outermost first. */
function chain(error: unknown, depth = 0): { code: string; message: string }[] {
  if (!(error instanceof Error) || depth === 5) return [];
  return [{ code: ownCode(error), message: error.message }, ...chain(error.cause, depth + 1)];
}

/** Code of an error. The HTTP parser has codes, `HPE_…`, for most of its faults. */
function ownCode(error: Error): string {
  if ("code" in error && typeof error.code === "string") return opensslCode(error) ?? error.code;
  return error.name === "HTTPParserError" ? "HPE_UNKNOWN" : "";
}

/**
 * Code of OpenSSL for a fault while writing, which Node reports as EPROTO with a message such as
 * `write EPROTO 80…:error:0A00010B:SSL routines:ssl3_get_record:wrong version number:…`
 */
function opensslCode({ message }: Error): string | undefined {
  const [, reason] = /\bEPROTO\b.*:SSL routines:[^:]*:([^:]+):/.exec(message) ?? [];
  return reason && `ERR_SSL_${reason.toUpperCase().replaceAll(" ", "_")}`;
}
