import { call, describeBody } from "../../api/client/call.ts";
import type { FilePlace } from "../../api/client/errors.ts";
import type { ActionContext } from "./action.ts";
import type { FieldInputs } from "./field-inputs.ts";

interface Given
  extends Pick<ActionContext, "runner" | "connection" | "signal" | "dryRun" | "allowHttp" | "mask"> {
  readonly log: ContextLog;
}

/** Receives what an action tells: a job's log, or a terminal. */
interface ContextLog {
  info(line: string): void;
  warning(text: string): void;
  error(text: string, title?: string, place?: FilePlace): void;
  debug(text: string): void;
  /** A section with a title. */
  group(title: string, text: string): void;
}

/** @param inputsOfAll inputs for the fields of any request */
export function makeContext({ log, ...given }: Given, inputsOfAll: FieldInputs): ActionContext {
  const send: ActionContext["call"] = async (operation, request, options) => {
    if (given.dryRun) {
      const body = await describeBody(operation, request);
      log.group(`Dry run: would send ${operation.name}`, JSON.stringify(body ?? request, null, 2));
      return undefined;
    }
    const reply = await call(given.connection, operation, request, options);
    for (const warning of reply.warnings) log.warning(warning);
    log.debug(`${operation.name}: ${reply.status}, request ${reply.requestId}`);
    return reply;
  };
  // Loaded only on failure.
  const ownInputs: ActionContext["byInputs"] = async (error, fields) => {
    const { byInputs } = await import("./field-inputs.ts");
    return byInputs(error, { ...inputsOfAll, ...fields });
  };
  return {
    ...given,
    call: (operation, request, options) =>
      send(operation, request, options).catch(async (error: unknown) => {
        throw await ownInputs(error, options?.fields);
      }),
    byInputs: ownInputs,
    info: log.info,
    warn: log.warning,
    error: log.error,
  };
}
