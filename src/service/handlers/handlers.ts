import type { OperationName, operations } from "../../api/operations.ts";
import type { Handler } from "../http/handler.ts";
import { handleReportArtifact } from "./artifacts.ts";
import { handleAssertArtifact } from "./asserts.ts";
import { handleAttestGeneric, handleGetArtifactAttestation } from "./attestations.ts";
import { handleCreateEnvironment } from "./environments.ts";
import { handlePutFlowAction } from "./flow-actions.ts";
import { handleCreateFlow, handleCreateFlowWithTemplate } from "./flows.ts";
import { handleReportK8S } from "./reports.ts";
import { handleListRepos } from "./repos.ts";
import { handleBeginTrail } from "./trails.ts";

/** Who serves which operation. An operation without a handler does not compile. */
export const handlers: { readonly [Name in OperationName]: Handler<(typeof operations)[Name]> } = {
  assertArtifact: handleAssertArtifact,
  attestGeneric: handleAttestGeneric,
  beginTrail: handleBeginTrail,
  createEnvironment: handleCreateEnvironment,
  createFlow: handleCreateFlow,
  createFlowWithTemplate: handleCreateFlowWithTemplate,
  getArtifactAttestation: handleGetArtifactAttestation,
  listRepos: handleListRepos,
  putFlowAction: handlePutFlowAction,
  reportArtifact: handleReportArtifact,
  reportK8S: handleReportK8S,
};
