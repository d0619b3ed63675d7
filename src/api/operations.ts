import { reportArtifact } from "./artifacts.ts";
import { assertArtifact } from "./asserts.ts";
import { attestGeneric, getArtifactAttestation } from "./attestations.ts";
import { createEnvironment } from "./environments.ts";
import { putFlowAction } from "./flow-actions.ts";
import { createFlow, createFlowWithTemplate } from "./flows.ts";
import { listRepos } from "./repos.ts";
import { reportK8S } from "./snapshots.ts";
import { beginTrail } from "./trails.ts";

/** Every operation of the interface, by name. */
export const operations = {
  assertArtifact,
  attestGeneric,
  beginTrail,
  createEnvironment,
  createFlow,
  createFlowWithTemplate,
  getArtifactAttestation,
  listRepos,
  putFlowAction,
  reportArtifact,
  reportK8S,
};

export type OperationName = keyof typeof operations;
