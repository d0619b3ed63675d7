import { parseJson } from "../../api/json.ts";
import { asObject, asText, type Untyped } from "../../api/untyped.ts";

/**
 * What a document is about: the predicate of an in-toto statement, which may be in a DSSE envelope and that in a
 * Sigstore bundle; else the document itself. Signatures are not checked: this only describes.
 */
export function contentOf(document: Untyped): unknown {
  const envelope = "dsseEnvelope" in document ? asObject(document["dsseEnvelope"]) : document;
  const statement = "payloadType" in envelope ? payloadOf(envelope) : envelope;
  return "predicateType" in statement ? statement["predicate"] : statement;
}

function payloadOf(envelope: Untyped): Untyped {
  const text = Buffer.from(asText(envelope["payload"]), "base64").toString();
  return asObject(parseJson(text)?.value);
}
