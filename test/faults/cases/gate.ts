import { section } from "./case.ts";

const GATE = "faults/gate.test.ts";

/** Gate and flow action. */
export const GATE_AND_FLOW_ACTION = section(7, [
  [
    "assert answers true; false; field missing, in quotes, null, array, empty, 404, 500, timeout",
    "0; 1 with the failing rules and for_control; 1, each with its own text; compliant is true only in the first",
    `${GATE} > the gate > opens for compliant: true, and for nothing else`,
    `${GATE} > stays shut for compliant: false, and names the rule and its control`,
    `${GATE} > stays shut at an answer %s, and says why > without the verdict`,
    `${GATE} > stays shut when the service does not answer or is not there, however little a failure counts`,
  ],
  [
    "flow action: name -x, a b, 0 characters; trigger ON_FOO; 0 targets; two kinds in a target; secret in a URL; PUT twice",
    "refused locally, masked in logs; idempotent",
    `${GATE} > a flow action > %s is refused before any request, and no address is shown`,
    `${GATE} > that the root action gives two kinds in one target is refused`,
    `${GATE} > whose address the service echoes is masked in what it said`,
    `${GATE} > is set twice as it is set once: the request is the same, and a PUT`,
  ],
  [
    "dry run",
    "0 requests; what would be sent is printed with secrets masked",
    "faults/dry-run.test.ts > a dry run of every action makes no request, and only the gate fails by it",
    "faults/dry-run.test.ts > a secret in it is masked",
  ],
]);

const UNAVAILABLE = "faults/unavailable.test.ts";

/** When the service is down. */
export const SERVICE_DOWN = section(9, [
  [
    "on-unavailable: fail",
    "exit 1 naming the last reason",
    `${UNAVAILABLE} > because it %s, every action fails with the last reason`,
  ],
  [
    "on-unavailable: warn",
    "exit 0, a warning annotation, status skipped",
    `${UNAVAILABLE} > because it %s, on-unavailable: warn lets the step pass without evidence`,
  ],
  [
    "on-unavailable: spool",
    "exit 0, status spooled; the whole submission is kept and can be replayed once",
    "e2e/spool.test.ts > goes on, leaves its evidence as artifacts, and a later run records all of it once",
    "e2e/spool.test.ts > fails all the same when it is refused, and uploads nothing",
    "actions/replay.test.ts > records what earlier runs spooled, in the order of all of them; again it finds all on record",
    "faults/secrets.test.ts > a key, in what is spooled, by the scheme %s",
    "spool/spool.test.ts > holds no key, in whatever form, and only its owner can read it",
    "spool/thousand.test.ts > of 1,000 submissions over a way full of faults, each is recorded once and in order",
  ],
  [
    "a refusal (400, 401, 403, 404, 413, 422)",
    "always fails",
    `${UNAVAILABLE} > a refusal always fails, since it would fail again: > %i`,
  ],
  [
    "a gate while the service is down",
    "never passes",
    `${UNAVAILABLE} > a gate has no input that would let it pass while the service is down`,
  ],
]);
