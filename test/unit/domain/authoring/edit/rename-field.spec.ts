import { describe, expect, it } from 'vitest';
import {
  fieldCallers,
  renameFieldInCaller,
  renameFieldInFiles,
  type FieldRename,
  type FieldRenameFiles,
} from '../../../../../src-main/domain/authoring/edit/rename-field.ts';
import { applyChanges } from '../../../../../src-main/domain/authoring/edit/text-changes.ts';

const workflow = `nodes:
  - id: input
    type: input
    fields: { email: { type: string }, name: {} } # email
    testRows: [{ email: "a", name: email }, { name: b }]
  - id: use
    type: set
    when: row.email
    values:
      email: =row?.email + row['email'] + nodes.input.email + nodes.use.email
      text: "{{ row.email }} email row.email"
      code: '=(() => { const { email } = row; return email; })()'
      local: '=[{ email: 1 }].map((row) => row.email)'
  - id: out
    type: output
    fields: { email: =row.email, size: 1 }
`;
const tests = `tests:
  - name: email
    rows: [{ email: x }, { name: email }]
    expect:
      status: completed
      rows: [{ email: x }, null]
      ignore: [ email.host, emails ]
      fields: { email.host: { that: row.email } }
      trace:
        - { row: 1, nodes: { input: { value: { email: x } }, out: { value: { email: x } } } }
  - name: missing
    rows: []
    expect: { status: failed, error: 'field "email" is missing' }
`;
const files = { workflow, tests: [tests, 'tests: []\n'] };

function renamed(before: FieldRenameFiles, rename: FieldRename): FieldRenameFiles {
  const result = renameFieldInFiles(before, rename);
  if (result.refusal) throw new Error(result.refusal.reason);
  return {
    workflow: applyChanges(before.workflow, result.workflow),
    tests: before.tests.map((text, index) => applyChanges(text, result.tests[index] ?? [])),
  };
}

const mail = { name: 'email', newName: 'mail' } as const;
const refusalOf = (text: string, rename: FieldRename) =>
  renameFieldInFiles({ workflow: text, tests: [] }, rename).refusal;

describe('a renamed field', () => {
  it('of the input has its new name in rows, reads and tests, and nowhere else', () => {
    expect(renamed(files, { of: 'input', ...mail })).toEqual({
      workflow: workflow
        .replace('{ email: { type', '{ mail: { type')
        .replace('{ email: "a"', '{ mail: "a"')
        .replace('when: row.email', 'when: row.mail')
        .replace(
          "row?.email + row['email'] + nodes.input.email",
          "row?.mail + row['mail'] + nodes.input.mail",
        )
        .replace('{{ row.email }}', '{{ row.mail }}')
        .replace('const { email } = row', 'const { mail: email } = row')
        .replace('email: =row.email,', 'email: =row.mail,'),
      tests: [
        tests
          .replace('rows: [{ email: x }, { name', 'rows: [{ mail: x }, { name')
          .replace('that: row.email', 'that: row.mail')
          .replace('input: { value: { email', 'input: { value: { mail')
          .replace('field "email"', 'field "mail"'),
        'tests: []\n',
      ],
    });
  });

  it('of the output has its new name in expected rows, rules and ignored fields', () => {
    expect(renamed(files, { of: 'output', ...mail })).toEqual({
      workflow: workflow.replace('fields: { email: =row', 'fields: { mail: =row'),
      tests: [
        tests
          .replace('rows: [{ email: x }, null', 'rows: [{ mail: x }, null')
          .replace('ignore: [ email.host', 'ignore: [ mail.host')
          .replace('{ email.host: {', '{ mail.host: {')
          .replace('out: { value: { email', 'out: { value: { mail'),
        'tests: []\n',
      ],
    });
  });

  it('goes back to its old name without another byte', () => {
    const there = renamed(files, { of: 'output', ...mail });
    expect(renamed(there, { of: 'output', name: 'mail', newName: 'email' })).toEqual(files);
  });
});

describe('a rename of a field', () => {
  it('is refused for a computed key, with its line', () => {
    const computed = workflow.replace('row.email\n', 'row[row.name]\n');
    expect(refusalOf(computed, { of: 'input', ...mail })).toEqual({
      file: 'workflow',
      index: 0,
      line: 8,
      reason: 'row[…] has a computed key here, which may be "email": write row.<field>',
    });
  });

  it.each(['name', ''])('is refused for the new name %j', (newName) => {
    expect(refusalOf(workflow, { of: 'input', name: 'email', newName })).toBeDefined();
  });

  it('is refused for a name that code cannot read with a dot, and for a field of the output that a rule reads', () => {
    expect(refusalOf(workflow, { of: 'input', name: 'email', newName: 'e mail' })?.line).toBe(8);
    const rule = tests.replace('that: row.email', 'that: output.email');
    expect(renameFieldInFiles({ workflow, tests: [rule] }, { of: 'output', ...mail }).refusal).toMatchObject({
      file: 'tests',
      line: 8,
    });
  });

  it('names lines that read the whole row, and files with rows', () => {
    const whole = workflow
      .replace('size: 1', 'size: "={ ...row }"')
      .replace(/testRows: .*/, 'testRows: leads.rows.json');
    const result = renameFieldInFiles({ workflow: whole, tests: [] }, { of: 'input', ...mail });
    expect(result).toMatchObject({ unclearLines: [16], rowFiles: ['leads.rows.json'] });
  });

  it('names a file of rows of a test that says how it is read', () => {
    const test = 'tests:\n  - { name: email, rows: { file: leads.csv, delimiter: ";" }, expect: {} }\n';
    const result = renameFieldInFiles({ workflow, tests: [test] }, { of: 'input', ...mail });
    expect(result).toMatchObject({ rowFiles: ['leads.csv'] });
  });

  it('finds lines of calling workflows', () => {
    const caller = `nodes:
  - { id: one, type: workflow, workflow: leads, row: { email: =row.x } }
  - { id: two, type: workflow, workflow: leads, row: =row }
  - { id: three, type: workflow, workflow: other, row: { email: 1 } }
  - { id: four, type: set, values: { x: =nodes.one.email } }
`;
    const lines = (of: FieldRename['of']) =>
      fieldCallers(caller, 'leads', { of, name: 'email' }).map(({ line }) => line);
    expect(lines('input')).toEqual([2, 3]);
    expect(lines('output')).toEqual([5]);
    const renamed = (of: FieldRename['of'], newName: string): string => {
      const result = renameFieldInCaller(caller, 'leads', { of, name: 'email', newName });
      return result.refusal?.reason ?? applyChanges(caller, result.changes ?? []);
    };
    expect(renamed('input', 'mail')).toBe(caller.replace('leads, row: { email', 'leads, row: { mail'));
    expect(renamed('output', 'mail')).toBe(caller.replace('one.email', 'one.mail'));
    expect(renamed('output', 'e mail')).toContain('its name needs letters');
  });
});
