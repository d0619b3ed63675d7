import { section } from "./case.ts";

const ANSWERS = "faults/answers.test.ts";
const CONNECTIONS = "faults/connections.test.ts";
const DEADLINES = "faults/deadlines.test.ts > the deadline ends every action when the service stalls";
const INTERRUPTS = "faults/interrupts.test.ts";
const INJECTION = "faults/injection.test.ts";
const REPLAY = "faults/replay.test.ts";
const LEAVES = `${REPLAY} > replay leaves what it cannot record, and says why:`;
const BREAKS = "a service that breaks off is asked again by every action, and half an answer is none:";

/** HTTP behaviour. */
export const HTTP = section(2, [
  [
    "400 with message and errors",
    "one attempt; each field error on its own line, keys in order",
    `${ANSWERS} > 400, with the field errors on lines of their own, in order`,
  ],
  [
    "404 unknown org, flow, environment",
    "one attempt; message kept",
    `${ANSWERS} > 404, with what the service does not know`,
  ],
  [
    "409 twice then 201; permanent 409",
    "exit 0 in 3 attempts with the waits in the log; one attempt",
    `${ANSWERS} > 409 twice and then a success, in three attempts, each wait told`,
    `${ANSWERS} > 409, where the operation says that it stays one`,
  ],
  [
    "429 with Retry-After: 1 then 200",
    "waits at least a second, exit 0",
    `${ANSWERS} > 429 with a Retry-After of a second, which is not come back before`,
  ],
  [
    "Retry-After: 86400",
    "exit 1 promptly with the wanted wait",
    `${ANSWERS} > but not for a day: the step ends at once with the wait that was asked for`,
  ],
  [
    "500 for ever",
    "exactly N attempts, exit 1 with the server's message and the number of attempts",
    `${ANSWERS} > and one that stays is told with the service's words and the number of attempts`,
    `${LEAVES} > 500`,
  ],
  ["501", "not retried", `${ANSWERS} > 501, which is not a passing fault`],
  [
    "502, 503, 504 with a CDN's HTML page",
    'retried; "text/html" and its first 200 characters, not a JSON parser error',
    `${ANSWERS} > %i with the page of a gateway, of which only the start is shown`,
    `${LEAVES} > the page of a gateway`,
  ],
  [
    "200 with an HTML body on a JSON read",
    'exit 1 "not JSON"',
    `${ANSWERS} > a web page, of whatever status says all is well`,
    `${ANSWERS} > to a read, %j > fine`,
    `${LEAVES} > a web page for an answer`,
  ],
  [
    '201 with "OK", OK, empty, an object; 202 and 204',
    "success",
    `${ANSWERS} > a success is what the service answers to a write: > %i %j`,
  ],
  [
    "301, 302, 303 on POST",
    'exit 1 "redirected to X; set base-url", not a silent GET',
    `${ANSWERS} > a redirect (%i), which is never followed > [301, 302, 303, 307, 308]`,
    `${LEAVES} > a redirect`,
  ],
  [
    "307, 308 cross-origin",
    "exit 1; the body is not sent to the other origin",
    `${ANSWERS} > a redirect (%i), which is never followed > [301, 302, 303, 307, 308]`,
  ],
  [
    "connection refused, DNS failure",
    "retried within the deadline, then a named reason",
    `${CONNECTIONS} > a connection that is refused is tried again by every action and then named`,
    `${CONNECTIONS} > a host that no name server knows is tried again by every action and then named`,
    `${LEAVES} > nobody there`,
  ],
  [
    "reset before headers, in mid-upload, in mid-response; truncated body",
    "retried; after the last try exit 1; never a partial JSON accepted",
    `${CONNECTIONS} > ${BREAKS} > %s > before the headers`,
    `${CONNECTIONS} > ${BREAKS} > in the middle of an upload`,
    `${CONNECTIONS} > %s > in the middle of an answer of a known length`,
    `${LEAVES} > half an answer`,
  ],
  [
    "server never answers; stalls after the headers; drips for ever",
    "the deadline fires",
    `${DEADLINES} > before it says anything`,
    `${DEADLINES} > after its headers`,
    `${DEADLINES} > by a byte at a time for ever`,
  ],
  [
    "TCP open but the TLS handshake never completes",
    "given up after the time for connecting, and ended in time",
    `${CONNECTIONS} > a connection that stalls %s is given up long before the deadline > in the TLS handshake`,
    `${DEADLINES} > in the TLS handshake`,
  ],
  [
    "ambiguous POST failure, then success on retry",
    "at most one logical attestation; the log says that a duplicate is possible",
    `${CONNECTIONS} > a submission whose answer is lost is sent again under the same key, so that it can be recorded once`,
    `${ANSWERS} > a record that may be double is told where the service may not know the repeat, and once is sent under one key`,
  ],
  [
    "SIGINT in upload, in backoff",
    'exit 130 in under 1 s, "may or may not have been recorded"',
    `${INTERRUPTS} > when it uploads to a service that does not read`,
    `${INTERRUPTS} > when it waits for the next attempt`,
    `${INTERRUPTS} > when the service stalls %s`,
    `${INTERRUPTS} > though something is left running that nobody ends`,
  ],
  [
    "a promise that never settles",
    "exit code not 0",
    `${CONNECTIONS} > work that never settles is not a success: with nothing left to wait for, the step fails and says so`,
  ],
  [
    "response of 1 GB",
    "cut at the cap, exit 1, memory bounded",
    `${CONNECTIONS} > an answer without end is cut at the cap by every action, and memory stays bounded`,
    `${CONNECTIONS} > an answer of exactly 20 MB is read, and none of a byte more`,
  ],
  [
    "extra unknown fields in records; in a closed list",
    "accepted; a warning only",
    `${ANSWERS} > with fields that nobody here knows, which are warned of only where the list is closed`,
  ],
  [
    "server message with commands, ANSI escapes, 1 MB of text",
    "shown escaped and cut; no command takes effect; later masks still work",
    `${INJECTION} > what the service says commands nothing, in every action: > a refusal with its fields`,
    `${INJECTION} > a megabyte of it, which is cut; and masks still work after it`,
    `${INJECTION} > a success`,
  ],
  [
    "server message echoes the API key",
    "masked",
    "faults/secrets.test.ts > a key of any length, nor what authorizes by it, after $name > a refusal of the key that echoes it",
    "faults/secrets.test.ts > the parts of a page's key at the end of what is shown of it",
  ],
]);

const TLS = "faults/tls.test.ts";
const PROXIES = "faults/proxies.test.ts";

/** TLS and proxy. */
export const TLS_AND_PROXY = section(3, [
  [
    "private CA; NODE_EXTRA_CA_CERTS naming a missing file",
    'fails naming NODE_EXTRA_CA_CERTS, works with it; "does not exist"',
    `${TLS} > of a private authority fails every action with the way out, which then leads to a success`,
    `${LEAVES} > a certificate of its own`,
    `${TLS} > a variable that tells Node whom to trust is warned of by every action > names a file that is not there`,
  ],
  [
    "host name mismatch, expired certificate; NODE_TLS_REJECT_UNAUTHORIZED=0",
    "one attempt; a warning annotation",
    `${TLS} > %s ends every action after one attempt > for another host`,
    `${TLS} > %s ends every action after one attempt > that has expired`,
    `${TLS} > when it turns the check of certificates off`,
  ],
  [
    "https:// to a plain port, http:// to a TLS port",
    "clear text",
    `${TLS} > https:// to a port that speaks plain HTTP`,
    `${TLS} > http:// to a port that speaks TLS`,
  ],
  [
    "HTTPS_PROXY=host:3128 without a scheme",
    "works",
    `${PROXIES} > %s leads every action to the service through a tunnel > without a scheme`,
  ],
  [
    "proxy 407",
    '"proxy requires authentication", not an abort; the password is never printed',
    `${PROXIES} > that wants a password gets it, and one that gets another says so without showing it`,
    `${LEAVES} > a proxy that wants another password`,
  ],
  [
    "NO_PROXY exact, suffix, .suffix, host:port, *, IPv6; CIDR",
    "honoured; documented as not understood",
    `${PROXIES} > sends the request for %s directly when it is '%s'`,
    `${PROXIES} > sends the request for %s through the proxy when it is '%s' > 10.0.0.0/8`,
  ],
  [
    "ALL_PROXY, socks5://",
    "used; an error, never silently direct",
    `${PROXIES} > ALL_PROXY is used where the scheme has none of its own`,
    `${PROXIES} > that is no proxy for HTTP is refused by every action, which never goes directly: %s`,
  ],
]);
