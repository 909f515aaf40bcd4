// Help with writing the files of a session: completions, descriptions, quick fixes, and what stands at the caret. The server
// works it out; an answer about a text that has changed since is dropped.
import type { AtOffset, Completions, FixedIssue, PickedValue, SymbolAt } from '#contract';
import { LatestOnly } from '../../latest-only.ts';
import type { Session } from '../../live/session.svelte.ts';
import { typingPauseMs } from './editor-document.svelte.ts';
import type { EditorSession } from './editor-session.svelte.ts';
import { Renaming } from './renaming.ts';

export type TextFix = FixedIssue['fixes'][number];

/** Pause of the caret before what stands there is looked for. */
const lookAfterMs = 150;

/** Pause in edits before fixes are looked for: in a large file that takes so long that an edit would wait for it. */
const fixAfterMs = 400;

const testsFile = /\.tests\.(yaml|yml|json)$/;

export class LanguageHelp {
  readonly #call: Session['call'];
  readonly #session: EditorSession;
  readonly #looks = new LatestOnly();
  readonly #fixing = new LatestOnly();
  #fixed = $state.raw<{ readonly text: string; readonly issues: readonly FixedIssue[] }>();
  /** The text in which the caret was last looked at. */
  #lookedAt: string | undefined;
  #breadcrumb = $state.raw<readonly string[]>([]);

  constructor(call: Session['call'], session: EditorSession) {
    this.#call = call;
    this.#session = session;
  }

  /** Issues of the workflow's text that can be fixed; none while the text has changed since. */
  get fixed(): readonly FixedIssue[] {
    return this.#fixed?.text === this.#session.text ? this.#fixed.issues : [];
  }

  /** Fixes of an issue of the workflow's text; none while the text has changed since. */
  fixesOf({ line, column, message }: Omit<FixedIssue, 'fixes'>): readonly TextFix[] {
    const found = this.fixed.find(
      (each) => each.line === line && each.column === column && each.message === message,
    );
    return found?.fixes ?? [];
  }

  /** Keys that lead to the caret. */
  get breadcrumb(): readonly string[] {
    return this.#breadcrumb;
  }

  /** Completions in a file; undefined for none, and in a file of another kind. */
  async complete(
    name: string,
    offset: number,
    { text, signal }: { readonly text: string; readonly signal: AbortSignal },
  ): Promise<Completions | undefined> {
    // The editor reports its text soon: then the completions are of that one.
    const isKnown = this.#hasHelp(name) && text === this.#session.textOf(name);
    const found = isKnown && (await this.#session.ask('complete', { name, offset }).catch(() => null));
    return signal.aborted || found === false ? undefined : (found ?? undefined);
  }

  /** Description of what stands at the offset of a file. */
  async hover(name: string, offset: number) {
    const { symbol } = await this.#at(name, offset);
    if (symbol === undefined) return undefined;
    const { from, to, name: title, kind, description, value } = symbol;
    const text = kind === 'key' || kind === 'value' ? description : `${title}: ${description}`;
    return { from, to, text, ...(value === undefined ? {} : { value }) };
  }

  /** Name of the key whose value is at the offset; undefined for none. */
  async keyAt(name: string, offset: number): Promise<string | undefined> {
    return (await this.#at(name, offset)).breadcrumb.at(-1);
  }

  async symbol(name: string, offset: number): Promise<SymbolAt | undefined> {
    return (await this.#at(name, offset)).symbol;
  }

  /**
   * Writes a read of the value where the caret is, in one step of undo. Resolves to the offset behind it; throws
   * an error with a message for the user.
   */
  async insertRead(offset: number, picked: PickedValue): Promise<number> {
    const { text, shown, fileName } = this.#session;
    if (shown !== fileName) throw new Error("Show the workflow's own file first");
    const found = await this.#session.ask('insertRead', { offset, ...picked });
    if (found?.refusal !== undefined) throw new Error(found.refusal);
    if (found === undefined || text !== this.#session.text)
      throw new Error('The text has changed: pick the value again');
    await this.#session.applyToFiles([{ name: fileName, changes: [found.change] }], 'Read a value');
    return found.caret;
  }

  /** The rename of what stands at the offset; undefined where nothing can be renamed. */
  async renaming(name: string, offset: number): Promise<Renaming | undefined> {
    const symbol = await this.symbol(name, offset);
    if (symbol === undefined) return undefined;
    const deps = { call: this.#call, session: this.#session };
    if (symbol.kind === 'node') return new Renaming(deps, { kind: 'node', name: symbol.name });
    const { of } = symbol;
    return of && new Renaming(deps, { kind: 'field', of, name: symbol.name });
  }

  /** Looks for the keys that lead to the caret, once it rests. */
  followCaret(name: string, offset: number): void {
    const signal = this.#looks.start();
    const text = this.#session.textOf(name);
    // With a changed text, it is asked about together with the rest.
    const pauseMs = text === this.#lookedAt ? lookAfterMs : typingPauseMs;
    this.#lookedAt = text;
    this.#looks.startLater(pauseMs, () => {
      void this.#at(name, offset).then(({ breadcrumb }) => {
        if (!signal.aborted) this.#breadcrumb = breadcrumb;
      });
    });
  }

  /** The text has been checked: looks for fixes unless it changes soon. */
  findFixesLater(): void {
    this.#fixing.startLater(fixAfterMs, () => void this.findFixes());
  }

  /** The text has changed. */
  stopFindingFixes(): void {
    this.#fixing.cancel();
  }

  /** Looks for fixes of the issues of the text as it is. Never rejects. */
  async findFixes(): Promise<void> {
    const { text, checked } = this.#session;
    if (checked === undefined || checked.issues.length === 0) return;
    const issues = (await this.#session.ask('fixes', {}).catch(() => [])) ?? [];
    if (text === this.#session.text) this.#fixed = { text, issues };
  }

  /** Makes the changes of a fix, in one step that can be undone. */
  apply({ title, changes }: TextFix): Promise<void> {
    return this.#session.applyToFiles([{ name: this.#session.fileName, changes }], title);
  }

  close(): void {
    this.#looks.cancel();
    this.#fixing.cancel();
  }

  /** Never rejects. */
  async #at(name: string, offset: number): Promise<AtOffset> {
    const found =
      this.#hasHelp(name) && (await this.#session.ask('symbol', { name, offset }).catch(() => undefined));
    return found || { breadcrumb: [] };
  }

  /** False for files that are neither the workflow nor its tests. */
  #hasHelp(name: string): boolean {
    return name === this.#session.fileName || testsFile.test(name);
  }
}
