import { describe, expect, it } from 'vitest';
import { parseProfiles } from '../../../../src-main/domain/profiles/parse-profiles.ts';
import { outlineOf } from '../../../../src-main/domain/workflow/outline.ts';
import { parseWorkflow } from '../../../../src-main/domain/workflow/parse-workflow.ts';
import { cpuRatio } from '../../../builders/cpu-ratio.ts';

const names = (count: number, value = '1'): string[] =>
  Array.from({ length: count }, (_, index) => `v${index}: ${value}`);

const withVars = (count: number): string => `rowbench: 1
id: w
vars:
  ${names(count).join('\n  ')}
nodes:
  - { id: input, type: input }
  - { id: out, type: output, fields: { a: =vars.v0, b: =vars.other } }
`;

const withValues = (count: number): string => `rowbench: 1
id: w
nodes:
  - id: values
    type: set
    values:
      ${names(count, "'=1'").join('\n      ')}
`;

// The line of each name was found by a walk over all names before it: 20,000 names kept the thread busy for 50 seconds.
const maxRatio = 9;

describe('a file with tens of thousands of names', () => {
  it('has its variables counted before anything else looks at them', () => {
    expect(parseWorkflow(withVars(101)).issues).toEqual([
      { severity: 'error', message: 'Expected at most 100 variables', line: 4, column: 3 },
    ]);
    expect(parseWorkflow(withVars(100)).issues).toMatchObject([
      { message: expect.stringContaining('no variable "other"') as string },
    ]);
  });

  it('is parsed in a time that grows with its variables, not with their square', () => {
    const ratio = cpuRatio((count) => expect(parseWorkflow(withVars(count)).issues).toHaveLength(1));
    expect(ratio).toBeLessThan(maxRatio);
  });

  it('has an outline in a time that grows with the members of its nodes', () => {
    const ratio = cpuRatio((count) =>
      expect(outlineOf(withValues(count)).nodes[0]?.members).toHaveLength(count),
    );
    expect(ratio).toBeLessThan(maxRatio);
  });

  it('is parsed in a time that grows with its profiles', () => {
    const text = (count: number): string => names(count, '{ other: 1 }').join('\n');
    const ratio = cpuRatio((count) => expect(parseProfiles(text(count)).issues.length).toBeGreaterThan(1));
    expect(ratio).toBeLessThan(maxRatio);
  });
});
