// Runs cases of edits: each as it stands, with CRLF, with a byte order mark, without its last line break, and with lines
// put in front. After each edit the inverse gives the first text again.
import { expect, it } from 'vitest';
import type { EditResult } from '../../../../../src-main/domain/authoring/edit/edit-text.ts';
import { applyChanges, inverseOf } from '../../../../../src-main/domain/authoring/edit/text-changes.ts';

export type EditCase = {
  readonly title: string;
  readonly before: string;
  /** The text after the edit, or the reason why it is refused. */
  readonly after: string | RegExp;
  readonly edit: (text: string) => EditResult;
  /** Variants in which the case has another meaning. */
  readonly without?: readonly string[];
};

const variants: Readonly<Record<string, (text: string) => string>> = {
  'as it stands': (text) => text,
  'with CRLF': (text) => text.replaceAll('\n', '\r\n'),
  'with a byte order mark': (text) => `\ufeff${text}`,
  'without its last line break': (text) => text.replace(/\n$/, ''),
  'with lines in front': (text) => (/^[[{]/.test(text) ? `\n\n${text}` : `# In front.\n#\n\n${text}`),
};

export function runEditCases(cases: readonly EditCase[]): void {
  for (const { title, before, after, edit, without = [] } of cases) {
    it(title, () => {
      for (const [name, variant] of Object.entries(variants)) {
        if (without.includes(name)) continue;
        const text = variant(before);
        const { changes, refusal } = edit(text);
        if (typeof after !== 'string') {
          expect(refusal?.reason, name).toMatch(after);
          continue;
        }
        expect(refusal, name).toBeUndefined();
        const edited = applyChanges(text, changes ?? []);
        expect(edited, name).toBe(variant(after));
        expect(applyChanges(edited, inverseOf(text, changes ?? [])), name).toBe(text);
      }
    });
  }
}
