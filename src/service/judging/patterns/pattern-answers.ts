/** Whether a pattern is to be found in some texts. */
export interface PatternQuestion {
  readonly pattern: string;
  readonly texts: ReadonlySet<string>;
}

/** Work cannot go on before its questions about patterns are answered. */
export class UnansweredPatterns extends Error {
  constructor() {
    super("There are patterns that were not matched yet");
    this.name = "UnansweredPatterns";
  }
}

/** What is known of patterns: in which texts they were looked for, and in which of those they were found. */
export class PatternAnswers {
  /** The processor time that it took to know it, in milliseconds. */
  cpuMs = 0;
  readonly #known = new Map<string, { texts: ReadonlySet<string>; found: ReadonlySet<string> }>();
  #open: PatternQuestion[] = [];

  /** Notes what is not known yet. A pattern is asked about without texts too, as it may turn out to be none. */
  ask(pattern: string, texts: ReadonlySet<string>): void {
    const known = this.#known.get(pattern);
    const unknown = known ? new Set([...texts].filter((text) => !known.texts.has(text))) : texts;
    if (!known || unknown.size > 0) this.#open.push({ pattern, texts: unknown });
  }

  /** @throws UnansweredPatterns when something was asked that is not known yet */
  requireAll(): void {
    if (this.#open.length > 0) throw new UnansweredPatterns();
  }

  /** What was asked and is not known. It counts as asked no longer. */
  takeQuestions(): PatternQuestion[] {
    const questions = this.#open;
    this.#open = [];
    return questions;
  }

  add({ pattern, texts }: PatternQuestion, found: readonly string[]): void {
    const known = this.#known.get(pattern);
    this.#known.set(pattern, {
      texts: known ? new Set([...known.texts, ...texts]) : texts,
      found: new Set([...(known?.found ?? []), ...found]),
    });
  }

  /** Whether a pattern is found anywhere in a text; both were asked about. */
  isFound(pattern: string, text: string): boolean {
    const known = this.#known.get(pattern);
    if (!known?.texts.has(text)) throw new Error(`Nobody asked for '${pattern}' in '${text}'`);
    return known.found.has(text);
  }
}
