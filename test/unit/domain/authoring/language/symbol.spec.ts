// What stands at an offset of a file: definition, mentions, description, and the way there.
import { describe, expect, it } from 'vitest';
import { emptyContext } from '../../../../../src-main/domain/authoring/language/language-context.ts';
import { lookAt } from '../../../../../src-main/domain/authoring/language/symbol.ts';
import { computingMs } from '../../../../builders/cpu-ratio.ts';

const text = `rowbench: 1
id: leads
nodes:
  - id: input
    type: input
    fields: { email: { type: string }, 'first name': {} }
    testRows: [{ email: a@b.example }]
  - id: score
    type: set
    values: { to: =row.email, host: "{{ row['email'].trim() }}" }
  - id: alert
    type: code
    after: [score]
    code: |
      const { score: other } = nodes;
      const { email } = row;
      return [other, email, nodes.score.host];
  - { id: result, type: output, fields: { a: =nodes.score.to, b: =nodes.alert } }
`;

/** @param marked a part of the text with the offset as ¦ */
const at = (marked: string, source = text) => {
  const offset = source.indexOf(marked.replace('¦', '')) + marked.indexOf('¦');
  return lookAt({ text: source }, offset, emptyContext);
};

const named = (marked: string, source = text) => {
  const { symbol } = at(marked, source);
  return symbol?.mentions.map(({ from, to, line }) => [source.slice(from, to), line]);
};

describe('a symbol', () => {
  it.each(['id: sc¦ore', 'after: [s¦core', '{ score¦: other', 'nodes.¦score.host', '=nodes.scor¦e.to'])(
    'is the node at %s',
    (marked) => {
      const { symbol } = at(marked);
      expect(symbol).toMatchObject({
        kind: 'node',
        name: 'score',
        definition: { line: 8, text: '- id: score' },
      });
      expect(named(marked)).toEqual([8, 13, 15, 17, 18].map((line) => ['score', line]));
    },
  );

  it.each(['fields: { em¦ail', '[{ e¦mail', '=row.¦email', "row['emai¦l", '{ email¦ } = row'])(
    'is the field at %s',
    (marked) => {
      expect(at(marked).symbol).toMatchObject({
        kind: 'field',
        name: 'email',
        description: 'Field of the row: text',
        value: '"a@b.example"',
        definition: { line: 6 },
      });
      expect(named(marked)).toEqual([6, 7, 10, 10, 16].map((line) => ['email', line]));
    },
  );

  it('has the same lines in a file with CRLF and a byte order mark', () => {
    const source = `\ufeff${text.replaceAll('\n', '\r\n')}`;
    expect(named('nodes.scor¦e.to', source)).toEqual([8, 13, 15, 17, 18].map((line) => ['score', line]));
  });

  it('is a key with its description, or the type of a node', () => {
    expect(at('    aft¦er:').symbol).toMatchObject({
      kind: 'key',
      name: 'after',
      mentions: [],
    });
    expect(at('type: s¦et').symbol).toMatchObject({ kind: 'value', name: 'set' });
    expect(at('    cod¦e: |').symbol?.description).toContain('JavaScript');
  });

  it('is absent in data, and elsewhere than names', () => {
    expect(at('a@b¦.example').symbol).toBeUndefined();
    expect(at('oth¦er, email').symbol).toBeUndefined();
  });

  it('has the keys that lead to it, with the ids of nodes', () => {
    expect(at('{ to: =row¦.email').breadcrumb).toEqual(['nodes', 'score', 'values', 'to']);
    expect(at('id: le¦ads').breadcrumb).toEqual(['id']);
    for (const caret of ['¦  - id: score', ' ¦ - id: score', '  ¦- id: score'])
      expect(at(caret)).toEqual({ breadcrumb: ['nodes', 'score', 'id'] });
    expect(at('nodes:¦').breadcrumb).toEqual(['nodes']);
    expect(lookAt({ text: '# No YAML' }, 3, emptyContext)).toEqual({ breadcrumb: [] });
  });

  it('has the path of what a comment is about, and never the comment', () => {
    const source = `# Run it with\n# two lines\nid: leads # as a URL has it\nnodes:\n  # Rows come in.\n\n  # One call: at a time.\n  - id: call\n    type: code\n    code: |\n      # in the code\n      return 1\n# end`;
    for (const caret of ['¦# Run', '# Run¦', '¦# two', 'leads # as¦'])
      expect(at(caret, source)).toEqual({ breadcrumb: ['id'] });
    for (const caret of ['¦# Rows', '  # Rows come¦', '¦# One', '# One call: at¦'])
      expect(at(caret, source)).toEqual({ breadcrumb: ['nodes', 'call', 'id'] });
    expect(at('# in ¦the', source)).toMatchObject({ breadcrumb: ['nodes', 'call', 'code'] });
    expect(at('# e¦nd', source)).toEqual({ breadcrumb: [] });
  });

  // In 300 nodes it took two seconds at each rest of the caret, and every edit waited for it.
  it('takes about as long for each node of a large file as of a small one', () => {
    const timeIn = (count: number): number => {
      const nodes = Array.from(
        { length: count },
        (_, n) => `  - id: n${n}\n    type: set\n    after: [score]\n    values: { a: =nodes.score.to }\n`,
      ).join('');
      const source = text.replace('  - id: alert\n', `${nodes}  - id: alert\n`);
      const times = Array.from({ length: 5 }, (_, run) => {
        return computingMs(() => {
          expect(at('type: outpu¦t', `${source}# ${run}\n`).symbol).toMatchObject({ kind: 'value' });
        });
      });
      return Math.min(...times) / count;
    };
    timeIn(100);
    const [small, large] = [timeIn(100), timeIn(1_000)];
    // With one look through all nodes per mention it was 3.1.
    expect(large / small).toBeLessThan(2.5);
  });
});
