import sax from "sax";

/** Texts of a small XML document by element name. Empty if it is not XML. */
export function xmlTexts(xml: string): ReadonlyMap<string, readonly string[]> {
  const texts = new Map<string, string[]>();
  const parser = sax.parser(true);
  let text = "";
  parser.onopentag = () => {
    text = "";
  };
  parser.ontext = (more) => {
    text += more;
  };
  parser.onclosetag = (name) => {
    const known = texts.get(name);
    if (known) known.push(text);
    else texts.set(name, [text]);
    text = "";
  };
  parser.onerror = () => {
    texts.clear();
  };
  try {
    parser.write(xml).close();
  } catch {
    // After its first error, the parser throws for all further input.
  }
  return texts;
}
