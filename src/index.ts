export { type ItemOf, items, type PagedOperation, pages } from "./api/all-pages.ts";
export type { CallOptions, Reply } from "./api/call.ts";
export { EvidenceClient } from "./api/client.ts";
export { type ConnectionOptions, REGIONS, type Region } from "./api/connection.ts";
export { Deadline } from "./api/deadline.ts";
export * from "./api/errors.ts";
export type { AnswerOf, FileToSend, RequestOf } from "./api/operation.ts";
export { type OperationName, operations } from "./api/operations.ts";
export {
  verifyWebhook,
  type WebhookHeaders,
  type WebhookProblem,
  WebhookVerificationError,
} from "./api/verify-webhook.ts";
