import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LineStates, type LineLexer } from '../../../../src-renderer/format/line-states.ts';
import { yamlLexer, type YamlState } from '../../../../src-renderer/format/yaml-text.ts';

const pieces = [
  'a: 1',
  'text: "open',
  'closed"',
  "- 'x",
  'list: [1,',
  '2]',
  'code: |',
  '  if (x) {',
  '  }',
  '',
  '}',
];
const lineText = fc.constantFrom(...pieces);
const edit = fc.record({
  at: fc.nat(),
  removed: fc.nat(3),
  inserted: fc.array(lineText, { minLength: 1, maxLength: 4 }),
  lookAt: fc.option(fc.nat()),
});

/** States of all lines, lexed from the first line on. */
function wholeStates(lines: readonly string[]): YamlState[] {
  const states = [yamlLexer.start];
  for (const line of lines.slice(0, -1)) states.push(yamlLexer.next(line, states.at(-1) ?? yamlLexer.start));
  return states;
}

/** A lexer that counts the lines that it lexes. */
function countingLexer(): { readonly lexer: LineLexer<YamlState>; lexed: number } {
  const counting = {
    lexed: 0,
    lexer: {
      ...yamlLexer,
      next: (line: string, state: YamlState): YamlState => {
        counting.lexed += 1;
        return yamlLexer.next(line, state);
      },
    },
  };
  return counting;
}

describe('the states of lines', () => {
  it('equal those of a whole tokenisation after any edits, whichever lines were looked at in between', () => {
    fc.assert(
      fc.property(fc.array(lineText, { minLength: 1, maxLength: 30 }), fc.array(edit), (first, edits) => {
        const lines = [...first];
        const states = new LineStates(yamlLexer, lines.length);
        const textOf = (line: number): string => lines[line] ?? '';
        for (const { at, removed, inserted, lookAt } of edits) {
          const from = at % lines.length;
          const replacedLines = Math.min(removed + 1, lines.length - from);
          lines.splice(from, replacedLines, ...inserted);
          states.replaceLines(from, replacedLines, inserted.length);
          if (lookAt !== null) {
            const line = lookAt % lines.length;
            expect(states.at(line, textOf)).toEqual(wholeStates(lines)[line]);
          }
        }
        expect(lines.map((_, line) => states.at(line, textOf))).toEqual(wholeStates(lines));
      }),
    );
  });

  it('cost one line after an edit that leaves the next line as it was', () => {
    const counting = countingLexer();
    const lines = Array.from({ length: 10_000 }, (_, n) => `key${n}: ${n}`);
    const states = new LineStates(counting.lexer, lines.length);
    const textOf = (line: number): string => lines[line] ?? '';
    states.at(9_999, textOf);
    expect(counting.lexed).toBe(9_999);
    lines[5_000] = 'key: other';
    states.replaceLines(5_000, 1, 1);
    states.at(9_999, textOf);
    expect(counting.lexed).toBe(10_000);
    lines.splice(100, 0, 'one: more', 'and: another');
    states.replaceLines(100, 1, 3);
    states.at(lines.length - 1, textOf);
    expect(counting.lexed).toBe(10_003);
  });

  it('change up to the line where an opened text is closed', () => {
    const counting = countingLexer();
    const lines = ['a: 1', 'b: 2', 'c: "x" ', 'd: 4', 'e: 5'];
    const states = new LineStates(counting.lexer, lines.length);
    const textOf = (line: number): string => lines[line] ?? '';
    states.at(4, textOf);
    lines[0] = 'a: "1';
    states.replaceLines(0, 1, 1);
    expect(states.at(2, textOf)).toMatchObject({ kind: 'quoted', quote: '"' });
    expect(states.at(4, textOf)).toEqual(wholeStates(lines)[4]);
  });
});
