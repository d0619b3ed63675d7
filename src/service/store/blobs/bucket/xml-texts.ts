import sax from "sax";

/** The texts of a small XML document by the names of the elements they are in. What is no XML has none. */
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
    // After its first error the parser throws at whatever comes next.
  }
  return texts;
}
