import { flag } from "../github/step/input.ts";

export const receiptInput = {
  receipt: flag({
    default: "false",
    description:
      "Whether to write a receipt that `delivery-evidence verify` checks offline. If the service cannot prove the record, the step fails after the record is made. The key must not be limited to flows.",
  }),
};

export const RECEIPT_OUTPUT =
  "Path of the receipt, a JSON file with the record and its proof; empty without `receipt`.";

/** The line of the summary. */
export function receiptRow(line: string | undefined): readonly [string, string] {
  return ["Evidence log", line ? `In the evidence log at ${line}` : ""];
}
