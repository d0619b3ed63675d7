import { section } from "./case.ts";

const KEYS = "faults/credentials.test.ts";
const CONFIGURATION = "faults/configuration.test.ts";
const REPLAY = "faults/replay.test.ts";
const LEAVES = `${REPLAY} > replay leaves what it cannot record, and says why:`;
const REFUSED = "an API key that cannot be one is refused by every action before any request:";

/** Credentials and configuration. */
export const CREDENTIALS = section(1, [
  [
    "API key empty (fork PR: secrets absent)",
    'exit 1, "api-key: is missing" with the secret to set, or that forks get none, and no request',
    `${KEYS} > ${REFUSED} > an empty one, with the secret to set`,
    `${REPLAY} > replay refuses %j before it asks anybody > "api-key": ""`,
  ],
  [
    "key with non-Latin-1 character or BOM",
    "exit 1, clear text, not undici's raw message",
    `${KEYS} > one with %s, in clear words > a BOM before it`,
    `${KEYS} > one with %s, in clear words > a character outside Latin-1`,
  ],
  [
    "both bearer and basic requested",
    "exit 1; never both headers",
    `${KEYS} > is bearer unless basic is chosen, and never both`,
  ],
  [
    "basic authorization with keys of 42, 43, 44, 45 characters under ACTIONS_STEP_DEBUG",
    "the header is the base64 of the key and its colon; stdout shows neither",
    `${KEYS} > as basic is the key of %i characters and its colon, and neither is shown in debugging`,
  ],
  [
    "multi-line secret",
    "every line masked; an empty string is never passed to add-mask",
    `${KEYS} > one of several lines, of which every line is masked and no empty one`,
  ],
  [
    "401",
    'one attempt, exit 1 "the API key was rejected", the server quoted',
    `${KEYS} > 401, with what the service said`,
    `${LEAVES} > 401`,
  ],
  [
    "403",
    "one attempt, exit 1, names the operation and the organization that the key lacks the right for",
    `${KEYS} > 403, with the operation and organization it has no right for`,
    `${LEAVES} > 403`,
  ],
  [
    "base-url missing, relative, file:, javascript:, with user:pass@, query, fragment, embedded newline",
    "exit 1 before any request; without one the service of the region is asked",
    `${CONFIGURATION} > by attest and one other action: %j > evidence.example`,
    `${CONFIGURATION} > by attest and one other action: %j > javascript:alert(1)`,
    `${CONFIGURATION} > by attest and one other action: %j > https://app.x\\n.evil.example`,
    `${CONFIGURATION} > a base-url left empty is the hosted service of the region %s`,
  ],
  [
    "base-url is http:// to a non-loopback host",
    "exit 1 unless explicitly allowed",
    `${CONFIGURATION} > by attest and one other action: %j > http://10.0.0.1`,
    `${CONFIGURATION} > unless http:// is asked for, in every action`,
  ],
  [
    "base-url with or without /api/v2 and trailing slash",
    "the same final URL, never /api/v2/api/v2, never //",
    `${CONFIGURATION} > a base-url that ends in %j leads to the same endpoint`,
  ],
  [
    "org, flow, trail or env is .. or . or empty",
    "exit 1",
    `${CONFIGURATION} > a name that the address would take for a step elsewhere is refused > by %s in %s`,
    `${CONFIGURATION} > by the root action in the parameters of an operation`,
  ],
  [
    "names with / ? # % space é, and %2e%2e",
    "percent-encoded once; the server receives the original; %2e%2e stays literal",
    `${CONFIGURATION} > a name with signs that addresses are made of arrives as it was given > from %s in %s`,
    `${CONFIGURATION} > from assert-artifact in %s, which stands in the query`,
  ],
  [
    "boolean inputs no, 0, False with a blank",
    "the words of the YAML 1.2 core schema only; blanks around them are no part of them; anything else exit 1",
    `${CONFIGURATION} > a boolean that is none is refused by every action: > %s`,
    `${CONFIGURATION} > %s is no verdict either, and never a compliant one`,
    `${CONFIGURATION} > while %j is false > False `,
  ],
  [
    "Node older than 22.19",
    "a one-line error that says what is needed, not a TypeError",
    "actions/launch.test.ts > the place Node is taken from > v22.18.9",
  ],
  [
    "child processes (git, kubectl, credential helpers)",
    "do not inherit INPUTS, EVIDENCE_API_KEY or any INPUT_* variable",
    `${CONFIGURATION} > a program that an action starts does not get our inputs and keys > kubectl`,
    `${CONFIGURATION} > git, of %s > attest`,
    `${CONFIGURATION} > git, of running-commit`,
    `${CONFIGURATION} > a credential helper`,
  ],
  [
    "inputs that exclude each other, an input the kind does not use, an empty value of an unset variable",
    "one error that lists them all; never silently ignored, never another meaning",
    `${CONFIGURATION} > inputs that do not go together are told in one error that lists them all: > %s %j`,
  ],
  [
    "key of fewer than 8 characters (added)",
    "refused before any request; nothing printed depends on it, and it is not masked: that would tell it",
    "faults/secrets.test.ts > anything that depends on a key of %i characters, which is refused before any request",
  ],
]);
