import { ATTACHMENTS } from "./cases/attachments.ts";
import { FIGURES, SUPPLY_CHAIN } from "./cases/building.ts";
import type { Case } from "./cases/case.ts";
import { GITHUB_CONTEXT } from "./cases/context.ts";
import { CREDENTIALS } from "./cases/credentials.ts";
import { GATE_AND_FLOW_ACTION, SERVICE_DOWN } from "./cases/gate.ts";
import { HTTP, TLS_AND_PROXY } from "./cases/http.ts";
import { KUBERNETES } from "./cases/kubernetes.ts";

/** Every fault that the client must withstand, with the tests that prove it. */
export const CASES: readonly Case[] = [
  ...CREDENTIALS,
  ...HTTP,
  ...TLS_AND_PROXY,
  ...ATTACHMENTS,
  ...GITHUB_CONTEXT,
  ...KUBERNETES,
  ...GATE_AND_FLOW_ACTION,
  ...SUPPLY_CHAIN,
  ...SERVICE_DOWN,
  ...FIGURES,
];
