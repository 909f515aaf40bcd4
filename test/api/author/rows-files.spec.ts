// Files of rows that a workflow or its tests name, in the editor: which there are, their checks, saves and history.
import { appendFile, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { textHash } from '../../../src-main/files/text-file.ts';
import { askAbout, fileWith } from '../../builders/editor-window.ts';
import { startTestApp } from '../../builders/start-test-app.ts';
import { temporaryFolder } from '../../builders/temporary-folder.ts';

const leads = (table: string): string => `rowbench: 1
id: leads
nodes:
  - { id: input, type: input, testRows: rows.csv }
  - { id: zone, type: lookup, table: ${table}, key: zip, match: =row.zip }
  - { id: result, type: output, fields: { zone: =nodes.zone } }
`;
const tests = `rowbench: 1
tests:
  - name: all
    rows: more.ndjson
    expect: { status: completed }
`;
const rows = 'zip,name\n1,Ada\n2,Grace\n3,Emmy\n';

async function openApp() {
  const app = await startTestApp({ workflows: { leads: leads('zones.json') } });
  onTestFinished(() => app.close());
  const folder = join(app.dataDir, 'workflows');
  const pathOf = (name: string): string => join(folder, name);
  await writeFile(pathOf('leads.tests.yaml'), tests);
  await writeFile(pathOf('rows.csv'), rows);
  await writeFile(pathOf('zones.json'), '[{ "zip": 1 }]');
  await writeFile(pathOf('more.ndjson'), '{"zip":1}\n');
  await writeFile(pathOf('other.json'), '[]');
  const { handlers } = app;
  const workflowId = 'leads';
  const open = () => handlers['author.open']({ workflowId });
  const namesOf = async () => (await open()).files.map(({ name }) => name);
  const save = (name: string, text: string, base: string) =>
    handlers['author.save']({ workflowId, files: [{ name, baseHash: textHash(base), text }] });
  const check = async (name: string, text: string) => {
    const files = [fileWith('leads.workflow.yaml', leads('zones.json')), fileWith(name, text)];
    return (await askAbout(handlers, workflowId, files, 'check', {}))?.sidecars[name];
  };
  return { handlers, pathOf, open, namesOf, save, check, workflowId };
}

it('files of rows open with the workflow that names them, also while it has errors', async () => {
  const { pathOf, namesOf } = await openApp();
  const all = ['leads.workflow.yaml', 'leads.tests.yaml', 'more.ndjson', 'rows.csv', 'zones.json'];
  expect(await namesOf()).toEqual(all);
  await writeFile(pathOf('leads.workflow.yaml'), `${leads('zones.json')}  - [`);
  await expect.poll(namesOf).toEqual(all);

  const outside = join(await temporaryFolder(), 'outside.json');
  await writeFile(outside, '[]');
  await symlink(outside, pathOf('link.json'));
  await writeFile(pathOf('leads.workflow.yaml'), leads('link.json'));
  await writeFile(pathOf('rows.csv'), `zip\n${'1\n'.repeat(150_000)}`);
  await expect.poll(namesOf).toEqual(['leads.workflow.yaml', 'leads.tests.yaml', 'more.ndjson']);
});

it('files of rows that do not open are named with the reason', async () => {
  const { pathOf, open } = await openApp();
  expect((await open()).unopened).toEqual([]);
  // 200,000 characters with more bytes still open.
  await writeFile(pathOf('rows.csv'), `zip\n${'é'.repeat(199_800)}`);
  expect((await open()).unopened).toEqual([]);
  await writeFile(pathOf('rows.csv'), `zip\n${'1\n'.repeat(500_000)}`);
  await writeFile(pathOf('zones.json'), Uint8Array.of(0x5b, 0xff, 0x5d));
  const { files, unopened } = await open();
  expect(files.map(({ name }) => name)).toEqual(['leads.workflow.yaml', 'leads.tests.yaml', 'more.ndjson']);
  expect(unopened).toEqual([
    { name: 'rows.csv', bytes: 1_000_004, reason: 'large' },
    { name: 'zones.json', bytes: 3, reason: 'unreadable' },
  ]);
  for (let index = 1; index <= 8; index += 1) await writeFile(pathOf(`leads.${index}.json`), '[]');
  expect((await open()).unopened).toContainEqual({ name: 'more.ndjson', bytes: 10, reason: 'many' });
});

it('a file of rows is checked, saved with its history, and refused where the workflow does not name it', async () => {
  const { handlers, pathOf, save, check, workflowId } = await openApp();
  expect(await check('rows.csv', rows)).toEqual([]);
  expect(await check('zones.json', '[{ "zip": 1 }')).toMatchObject([{ severity: 'error' }]);

  const changed = rows.replace('Ada', 'Ada L.');
  expect(await save('rows.csv', changed, rows)).toMatchObject({ kind: 'saved' });
  expect(await readFile(pathOf('rows.csv'), 'utf8')).toBe(changed);
  const saved = await handlers['author.history']({ workflowId, name: 'rows.csv' });
  expect(saved.map(({ by }) => by)).toEqual(['app', 'outside']);
  const id = saved[1]?.id ?? '';
  expect(await handlers['author.savedText']({ workflowId, id, name: 'rows.csv' })).toEqual({ text: rows });
  expect(await handlers['author.history']({ workflowId })).toEqual([]);

  await expect(save('other.json', '[1]', '[]')).rejects.toThrow('other.json');
  await expect(save('../leads.json', '[1]', '[]')).rejects.toThrow('../leads.json');
  expect(await readFile(pathOf('other.json'), 'utf8')).toBe('[]');
});

it.each([
  [
    'rows.csv',
    `zip,${'x'.repeat(1001)}\n1,Ada\n`,
    1,
    1,
    'the name of a column is longer than 1000 characters. Name the line that has the names with `header`, or none',
  ],
  ['zones.json', '[\n  { "zip": 1 }\n  { "zip": 2 }\n]\n', 3, 3, 'expected "," or "]"'],
  ['zones.json', '[\n  { "zip": 1 }\n', 3, 1, 'the text ends too early'],
  ['more.ndjson', '{"zip":1}\n{"zip":}\n', 2, 8, 'expected a value, found "}"'],
  ['leads.cassette.json', '{\n  "rowbench": 1,\n}', 3, 1, 'expected a name in double quotes, found "}"'],
])(
  'the issue of a broken %s is at the line and column of the fault',
  async (name, text, line, column, message) => {
    const { check } = await openApp();
    expect(await check(name, text)).toEqual([{ severity: 'error', message, line, column }]);
  },
);

it('rows that another program has changed are not overwritten, and changes of other lines are merged', async () => {
  const { handlers, pathOf, save, workflowId } = await openApp();
  await handlers['author.open']({ workflowId });
  await appendFile(pathOf('rows.csv'), '4,Alan\n');
  const mine = rows.replace('Ada', 'Ada L.');
  const answer = await save('rows.csv', mine, rows);
  expect(answer).toMatchObject({
    kind: 'changed',
    files: [
      {
        name: 'rows.csv',
        text: `${rows}4,Alan\n`,
        hunks: [{ kind: 'same' }, { kind: 'mine' }, { kind: 'same' }, { kind: 'theirs', text: '4,Alan\n' }],
      },
    ],
  });
  expect(await readFile(pathOf('rows.csv'), 'utf8')).toBe(`${rows}4,Alan\n`);
});

it('a new file of rows with the name of the workflow is saved, and opens before anything names it', async () => {
  const { handlers, pathOf, namesOf, save, workflowId } = await openApp();
  const create = (name: string) =>
    handlers['author.save']({ workflowId, files: [{ name, baseHash: null, text: '[{ "zip": 9 }]' }] });
  expect(await create('leads.rows.json')).toMatchObject({ kind: 'saved' });
  expect(await readFile(pathOf('leads.rows.json'), 'utf8')).toBe('[{ "zip": 9 }]');
  expect(await namesOf()).toContain('leads.rows.json');
  expect(await create('leads.rows.json')).toMatchObject({ kind: 'changed' });
  expect(await save('leads.rows.json', '[]', '[{ "zip": 9 }]')).toMatchObject({ kind: 'saved' });

  await writeFile(pathOf('leads.eu.workflow.yaml'), leads('zones.json').replace('id: leads', 'id: eu'));
  for (const name of ['leads.eu.rows.json', 'leads.sh', '../leads.rows.json', 'leads.x/y.json'])
    await expect(create(name)).rejects.toThrow(name);
});
