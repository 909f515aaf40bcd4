import { describe, expect, it } from 'vitest';
import { applyChanges } from '../../../../src-main/domain/authoring/edit/text-changes.ts';
import { applyProfile } from '../../../../src-main/domain/profiles/apply-profile.ts';
import { parseProfiles } from '../../../../src-main/domain/profiles/parse-profiles.ts';
import type { Profile } from '../../../../src-main/domain/profiles/profile.ts';

const staging: Profile = {
  name: 'staging',
  vars: { base: 'https://staging.example.com', limits: { rows: 5 }, other: 1 },
  secrets: { CRM_TOKEN: 'CRM_TOKEN_STAGING', OTHER: 'X' },
};

function applied(text: string, profile: Profile = staging): string {
  const { changes } = applyProfile(text, profile);
  if (changes === undefined) throw new Error('refused');
  return applyChanges(text, changes);
}

describe('a file of profiles', () => {
  it('gives each profile its values and secrets', () => {
    const text =
      '# mine\nstaging: { vars: { base: https://s.example, rates: [1, null] }, secrets: { CRM: CRM_STAGING } }\nempty: {}\n';
    expect(parseProfiles(text, ['base', 'rates'])).toEqual({
      issues: [],
      profiles: [
        {
          name: 'staging',
          vars: { base: 'https://s.example', rates: [1, null] },
          secrets: { CRM: 'CRM_STAGING' },
        },
        { name: 'empty', vars: {}, secrets: {} },
      ],
    });
  });

  it.each([
    ['- a', '1:1: Expected profiles: names with vars'],
    ['a b: {}', '1:1: A profile has a name of 1 to 64 letters, digits, "_" and "-"'],
    ['staging: 1', '1:10: Expected names with values'],
    ['staging: { varz: {} }', '1:12: Unknown key "varz" (did you mean "vars"?)'],
    [
      'staging:\n  vars: { bse: 1 }',
      '2:11: No workflow in this folder has a variable "bse" (did you mean "base"?)',
    ],
    [
      'staging: { vars: { base: =row.x } }',
      '1:26: A variable has a literal value: "=" and "{{ }}" stand in nodes only',
    ],
    [
      'staging: { secrets: { A: lower } }',
      '1:26: A secret is named by capital letters, digits and "_", 64 in all at most',
    ],
    ['staging: {', '1:10: This { is never closed'],
  ])('has its mistakes reported with their places: %j', (text, problem) => {
    const { issues } = parseProfiles(text, ['base']);
    expect(issues.map(({ line, column, message }) => `${line}:${column}: ${message}`)).toEqual([
      expect.stringContaining(problem),
    ]);
  });

  it('may be empty', () => {
    expect(parseProfiles('\n')).toEqual({ profiles: [], issues: [] });
  });
});

describe('a profile', () => {
  it('replaces values and secrets of a workflow, and nothing else', () => {
    const text = `rowbench: 1 # CRM_TOKEN
id: test
vars:
  base: https://a.example # the service
  limits: { rows: 1 } # few
nodes:
  - { id: call, type: http, auth: { secret: CRM_TOKEN }, request: { url: '{{ vars.base }}/x' } }
`;
    expect(applied(text)).toBe(
      text
        .replace('https://a.example', 'https://staging.example.com')
        .replace('rows: 1 }', 'rows: 5 }')
        .replace('secret: CRM_TOKEN', 'secret: CRM_TOKEN_STAGING'),
    );
  });

  it('keeps a file of JSON one of JSON', () => {
    const text = '{"rowbench": 1, "vars": {"base": null}, "nodes": []}';
    expect(JSON.parse(applied(text))).toEqual({
      rowbench: 1,
      vars: { base: staging.vars['base'] },
      nodes: [],
    });
  });

  it.each(['id: test\nnodes: []\n', 'vars: 1\n', '[', ''])('leaves %j as it is', (text) => {
    expect(applied(text)).toBe(text);
  });
});
