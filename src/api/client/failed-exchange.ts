import type { Failure } from "../../net/client.ts";
import type { NetworkFault } from "../../net/network-fault.ts";
import { InputError, NetworkError, ProtocolError, TimeoutError } from "./errors.ts";

export interface Exchange {
  readonly host: string;
  readonly proxy?: string | undefined;
  readonly operation?: string | undefined;
  readonly status?: number | undefined;
  readonly attempts?: number;
}

/**
 * Makes a message that begins with the cause, because the cause tells the reader what to do.
 *
 * @example
 * failed("connection refused", { host: "evidence.example.com", operation: "attestGeneric", attempts: 4 });
 * // connection refused (evidence.example.com, attestGeneric, 4 attempts)
 */
export function failed(cause: string, { host, proxy, operation, status, attempts = 1 }: Exchange): string {
  const facts = [
    proxy === undefined ? host : `${host} through the proxy ${proxy}`,
    operation,
    status === undefined ? undefined : `status ${status}`,
    attempts > 1 ? `${attempts} attempts` : undefined,
  ];
  return `${cause} (${facts.filter((fact) => fact !== undefined).join(", ")})`;
}

/** Words about the other side of an exchange, for messages. */
export interface Counterpart {
  readonly name: string;
  /** Replaces the host of the address. */
  readonly host?: string;
  /** Advice if the request may have taken effect. */
  readonly doubt?: string;
  /** Advice for a network fault. */
  readonly unanswered: (fault: NetworkFault) => string;
  readonly tooLate: string;
  readonly tooLarge?: string;
  /** Text for the target of a redirect, and advice. */
  readonly redirected?: { readonly to: (target: URL | null) => string; readonly advice: string };
}

export function failedExchange(failure: Failure, counterpart: Counterpart): Error {
  const { url, operation, mayBeDone = false, cause } = failure;
  const exchange = { host: counterpart.host ?? url.host, operation };
  const through = { ...exchange, proxy: failure.proxy?.host };
  const advised = (advice: string) =>
    [(mayBeDone && counterpart.doubt) || "", advice].filter((sentence) => sentence !== "").join(" ");
  switch (failure.kind) {
    case "unusable-proxy":
      return new InputError([{ input: failure.variable, problem: failure.problem }]);
    case "unanswered": {
      const { fault, attempts } = failure;
      const what = failed(fault.reason, { ...through, status: fault.status, attempts });
      const advice = advised(counterpart.unanswered(fault));
      return new NetworkError({ what, advice, fault: fault.code, cause });
    }
    case "too-late": {
      const before = failure.before === "" ? "" : `; before that: ${failure.before}`;
      const what = failed(`no complete answer within ${failure.deadline.seconds} s${before}`, exchange);
      return new TimeoutError({ what, advice: advised(counterpart.tooLate), cause });
    }
    case "long-wait": {
      const { waitMs, byServer, deadline, reason } = failure;
      const seconds = (ms: number) => `${Math.ceil(ms / 1000)} s`;
      const who = byServer ? `${counterpart.name} asks for a wait of` : "it takes a wait of";
      const left = `${seconds(deadline.remaining)} of ${deadline.seconds} s`;
      const wait = `${reason}, and ${who} ${seconds(waitMs)} before the next attempt, but ${left} are left`;
      return new TimeoutError({ what: failed(wait, exchange), advice: advised(counterpart.tooLate), cause });
    }
    case "too-large": {
      const { status, maxBytes } = failure;
      const what = failed(`the response is larger than ${maxBytes / 2 ** 20} MB`, { ...exchange, status });
      return new ProtocolError({ what, ...(counterpart.tooLarge && { advice: counterpart.tooLarge }) });
    }
    case "redirected": {
      const { to = (target: URL | null) => target?.origin ?? "nowhere", advice = "" } =
        counterpart.redirected ?? {};
      const { status } = failure;
      const what = failed(`the request was redirected to ${to(failure.to)}`, { ...exchange, status });
      return new ProtocolError({ what, advice });
    }
  }
}
