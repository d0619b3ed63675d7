export { items, type PagedOperation, pages } from "./api/client/all-pages.ts";
export { EvidenceClient } from "./api/client/client.ts";
export { type ConnectionOptions, REGIONS, type Region } from "./api/client/connection-options.ts";
export * from "./api/client/errors.ts";
export type { ItemOf } from "./api/client/list-item.ts";
export type * from "./api/client/methods.ts";
export type { CallOptions, Reply } from "./api/client/reply.ts";
export type { FileToSend } from "./api/files.ts";
export type {
  AdmissionWebhookNotification,
  EnvironmentNotification,
  FlowNotification,
  KeyNotification,
  NotificationPayload,
  NotificationType,
  OrganizationNotification,
  RunningNotification,
  ScimTokenNotification,
} from "./api/resources/notification-payload.ts";
export { type OperationName, operations } from "./api/resources/operations.ts";
export {
  verifyWebhook,
  type WebhookHeaders,
  type WebhookProblem,
  WebhookVerificationError,
} from "./api/resources/verify-webhook.ts";
export { Deadline } from "./net/deadline.ts";
