import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Terminal } from '../../../src-main/cli/terminal/terminal.ts';
import { callProgram, type ProgramResult } from '../../builders/call-program.ts';
import { temporaryFolder } from '../../builders/temporary-folder.ts';

const leads = (more = ''): string => `rowbench: 1
id: leads
name: "Leads \\e[31m"
nodes:
  - id: input
    type: input
    testRows: data/leads.rows.json
  - id: company
    type: http
    request: { url: "https://api.example.com/{{ row.host }}" }
${more}  - id: result
    type: output
    fields: { host: "=row.host.toLowerCase()", found: "=nodes.company.status" }
`;
const small = (id: string): string => `rowbench: 1
id: ${id}
nodes:
  - { id: input, type: input }
  - { id: result, type: output, fields: { n: "=row.n" } }
`;

let from: string;
let dataDir: string;

async function put(path: string, text: string | Uint8Array): Promise<void> {
  await mkdir(dirname(join(from, path)), { recursive: true });
  await writeFile(join(from, path), text);
}

const run = (args: readonly string[], terminal: Partial<Terminal> = {}): Promise<ProgramResult> =>
  callProgram([...args, '--data', dataDir], terminal);
const importing = (path: string, ...options: string[]) => run(['import', join(from, path), ...options]);

async function stored(): Promise<string[]> {
  const entries = await readdir(join(dataDir, 'workflows'), { recursive: true, withFileTypes: true }).catch(
    () => [],
  );
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(dataDir, 'workflows').length + 1))
    .sort();
}

async function trustOf(id: string): Promise<string | undefined> {
  const { stdout } = await run(['workflows', 'list', '--json']);
  return (JSON.parse(stdout || '[]') as { id: string; trust: string }[]).find((each) => each.id === id)
    ?.trust;
}

beforeEach(async () => {
  from = join(await temporaryFolder(), 'from');
  dataDir = join(await temporaryFolder(), 'data');
  await put('leads.workflow.yaml', leads());
  await put('data/leads.rows.json', '[{"host":"A"}]');
});

describe('rowbench import', () => {
  it('copies a workflow with what belongs to it, shows it, and leaves it untrusted without a yes', async () => {
    const test = '{ name: a, rows: more.json, cassette: leads.cassette.json, expect: { status: completed } }';
    await put('leads.tests.yaml', `tests: [${test}]\n`);
    await put('more.json', '[]');
    await put('leads.cassette.json', '{}');
    await put('other.tests.yaml', 'not ours');
    await put('unrelated.txt', 'x');
    const { code, stdout, stderr } = await importing('leads.workflow.yaml');
    expect([code, stdout]).toEqual([0, '']);
    expect(stderr).toBe(`leads: Leads  [31m (leads.workflow.yaml, 3 nodes)
  with data/leads.rows.json, leads.cassette.json, leads.tests.yaml, more.json
  calls (1 node):
    company (line 8): https://api.example.com
  code (1 piece):
    result.fields.host (line 11):
      row.host.toLowerCase()
Imported leads, not trusted: it runs once you have trusted it with: rowbench trust leads --data "${dataDir}"
`);
    expect(await stored()).toEqual(
      [
        'data/leads.rows.json',
        'leads.cassette.json',
        'leads.tests.yaml',
        'leads.workflow.yaml',
        'more.json',
      ].map((name) => join('leads', name)),
    );
    expect(await readFile(join(dataDir, 'workflows/leads/leads.workflow.yaml'), 'utf8')).toBe(leads());
    expect(await trustOf('leads')).toBe('untrusted');
  });

  it('trusts with --yes', async () => {
    const { code, stderr } = await importing('leads.workflow.yaml', '--yes');
    expect(code).toBe(0);
    expect(stderr).toMatch(/\nImported leads, trusted\.\n$/);
    expect(await trustOf('leads')).toBe('trusted');
  });

  it('asks at a terminal, after all has been shown, and trusts on yes', async () => {
    const questions: string[] = [];
    const ask = async (question: string): Promise<string> => {
      questions.push(question);
      return ' Yes ';
    };
    await run(['import', join(from, 'leads.workflow.yaml')], { ask });
    expect(questions).toEqual(['Trust and import? [y/N] ']);
    expect(await trustOf('leads')).toBe('trusted');
  });

  it.each(['', 'n', 'yess', 'ja'])('imports nothing when the answer is %j', async (answer) => {
    const ask = async (): Promise<string> => answer;
    const { code, stderr } = await run(['import', join(from, 'leads.workflow.yaml')], { ask });
    expect([code, await stored()]).toEqual([1, []]);
    expect(stderr).toMatch(/\nNothing was imported\.\n$/);
  });

  it('takes all workflows of a folder, each with its own files', async () => {
    await put('b.workflow.yaml', small('b'));
    await put('b.tests.yaml', 'tests: [{ name: a, rows: [], expect: { status: completed } }]\n');
    await put('below/c.workflow.yaml', small('c'));
    const { code } = await importing('.', '--yes');
    expect(code).toBe(0);
    expect(await stored()).toEqual([
      join('b', 'b.tests.yaml'),
      join('b', 'b.workflow.yaml'),
      join('leads', 'data', 'leads.rows.json'),
      join('leads', 'leads.workflow.yaml'),
    ]);
  });

  it('gives another id with --as, everything else as it was', async () => {
    await importing('leads.workflow.yaml', '--as', 'leads-2');
    const text = await readFile(join(dataDir, 'workflows/leads-2/leads.workflow.yaml'), 'utf8');
    expect(text).toBe(leads().replace('id: leads\n', 'id: leads-2\n'));
    expect(await trustOf('leads-2')).toBe('untrusted');
  });

  it('takes tables along, and refuses a workflow whose table is not there', async () => {
    const lookup = small('zones').replace(
      '  - { id: result',
      '  - { id: zone, type: lookup, table: t/zones.csv, key: code, match: "=row.code" }\n  - { id: result',
    );
    await put('zones.workflow.yaml', lookup);
    const refused = await importing('zones.workflow.yaml');
    expect(refused.stderr).toContain('error: zones.workflow.yaml:5:38: table: t/zones.csv is not there\n');
    await put('t/zones.csv', 'code\n1\n');
    expect((await importing('zones.workflow.yaml')).code).toBe(0);
    expect(await stored()).toEqual([join('zones', 't', 'zones.csv'), join('zones', 'zones.workflow.yaml')]);
  });

  it('shows which other workflows it runs', async () => {
    const outer = small('outer').replace(
      '  - { id: result',
      '  - { id: w, type: workflow, workflow: inner, row: {} }\n  - { id: result',
    );
    await put('outer.workflow.yaml', outer);
    const { code, stderr } = await importing('outer.workflow.yaml');
    expect(code).toBe(0);
    expect(stderr).toContain('  runs the workflows inner\n');
    expect(stderr).toContain('\n  inner: not here; without it outer cannot run: import it too\n');
    await put('inner.workflow.yaml', small('inner'));
    expect((await importing('inner.workflow.yaml')).code).toBe(0);
    expect((await importing('outer.workflow.yaml', '--replace')).stderr).toContain(
      '\n  inner: an earlier import\n',
    );
    const whole = await importing('.', '--replace');
    expect([whole.code, whole.stderr.includes('  inner: ')]).toEqual([0, false]);
    const mine = join(dataDir, 'workflows', 'mine.workflow.yaml');
    await writeFile(mine, small('inner'));
    expect((await importing('outer.workflow.yaml', '--replace')).stderr).toContain(
      `\n  inner: your own file ${mine}\n`,
    );
    await expect(importing('.', '--as', 'x')).rejects.toThrow('--replace takes their place');
  });

  it('names a file that has no telling name by the id', async () => {
    await put('flow.yaml', small('flow'));
    await importing('flow.yaml');
    expect(await stored()).toEqual([join('flow', 'flow.workflow.yaml')]);
  });

  it('prints what it imported as JSON', async () => {
    const { stdout } = await importing('leads.workflow.yaml', '--yes', '--json');
    expect(JSON.parse(stdout)).toMatchObject([{ id: 'leads', trust: 'trusted', network: ['public'] }]);
  });
});

describe('an id that is taken', () => {
  it('is refused, unless the import before it is replaced: then it is untrusted again', async () => {
    await importing('leads.workflow.yaml', '--yes');
    await run(['grants', 'allow', 'leads', 'loopback']);
    const refused = await importing('leads.workflow.yaml', '--yes');
    expect([refused.code, refused.stderr]).toEqual([
      1,
      'error: The id "leads" is taken by an earlier import: --replace puts this one in its place, --as ID beside it\n' +
        'Nothing was imported.\n',
    ]);
    await put('leads.workflow.yaml', small('leads'));
    expect((await importing('leads.workflow.yaml', '--replace')).code).toBe(0);
    expect(await trustOf('leads')).toBe('untrusted');
    expect((await run(['grants', 'list'])).stdout).toMatch(/^leads +public$/m);
    expect(await stored()).toEqual([join('leads', 'leads.workflow.yaml')]);
  });

  it("never takes the place of the user's own file", async () => {
    await mkdir(join(dataDir, 'workflows'), { recursive: true });
    await writeFile(join(dataDir, 'workflows', 'mine.workflow.yaml'), small('leads'));
    const { code, stderr } = await importing('leads.workflow.yaml', '--replace', '--yes');
    expect([code, await stored()]).toEqual([1, ['mine.workflow.yaml']]);
    expect(stderr).toContain('is taken by your own file');
  });
});

describe('an import with anything wrong', () => {
  const refusals: readonly (readonly [string, () => Promise<void>, readonly string[]])[] = [
    [
      'every issue of every file',
      async () => {
        await put('leads.workflow.yaml', leads('  - { id: company, type: htp }\n'));
        await put('b.workflow.yaml', 'rowbench: 1\nid: "a b"\nnodes: []\n');
        await put('leads.tests.yaml', 'tests: []\n');
      },
      [
        'b.workflow.yaml:2:5: ',
        'b.workflow.yaml:3:8: ',
        'leads.workflow.yaml:11:11: ',
        'leads.workflow.yaml:11:26: ',
      ],
    ],
    [
      'a version from the future',
      () => put('x.workflow.yaml', 'rowbench: 2\n'),
      ['a newer Rowbench is needed'],
    ],
    ['more than a megabyte', () => put('x.workflow.yaml', `#${'x'.repeat(1_000_001)}`), ['larger than 1 MB']],
    [
      'a text beyond all bounds',
      () => put('x.workflow.yaml', Buffer.alloc(4_000_001)),
      ['is larger than 4 MB'],
    ],
    ['bytes that are no text', () => put('x.workflow.yaml', Buffer.from([0xff])), ['is not UTF-8 text']],
    [
      'one id in two files',
      () => put('x.workflow.yaml', small('leads')),
      ['x.workflow.yaml: its id "leads" is that of leads.workflow.yaml too'],
    ],
    [
      'tests that are wrong',
      () => put('leads.tests.yaml', 'tests: [{ name: a }]\n'),
      ['leads.tests.yaml:1:9: Missing key "expect"'],
    ],
    [
      'tests without their rows',
      () => put('leads.tests.yaml', 'tests: [{ name: a, rows: no.json, expect: { status: completed } }]\n'),
      ['leads.tests.yaml:1:26: rows: no.json is not there'],
    ],
    [
      'a name that hides what it is',
      () => put('a\u202elmay.workflow.yaml', small('x')),
      ['not every system has files of this name'],
    ],
  ];

  it.each(refusals)('stores nothing and tells %s', async (_, arrange, words) => {
    await arrange();
    const { code, stderr } = await importing('.', '--yes');
    expect(code).toBe(1);
    for (const each of words) expect(stderr).toContain(each);
    expect(stderr).toMatch(/\nNothing was imported\.\n$/);
    expect(await stored()).toEqual([]);
  });

  it.each(['leads.workflow.yaml', 'leads.tests.yaml'])(
    'follows no link out of the folder: %s',
    async (name) => {
      const outside = join(await temporaryFolder(), 'outside.yaml');
      await writeFile(outside, name.includes('tests') ? 'tests: []\n' : small('leads'));
      const clean = join(from, '..', 'linked');
      await mkdir(clean);
      await writeFile(join(clean, 'other.workflow.yaml'), small('other'));
      if (name.includes('tests')) await writeFile(join(clean, 'leads.workflow.yaml'), small('leads'));
      await symlink(outside, join(clean, name));
      const { code, stderr } = await run(['import', clean, '--yes']);
      expect([code, await stored()]).toEqual([1, []]);
      expect(stderr).toContain(`error: ${name} is a link that leads out of the folder\n`);
    },
  );

  it('leaves out rows that are a link out of the folder, or a folder, and says so', async () => {
    const secret = join(await temporaryFolder(), 'secret.json');
    await writeFile(secret, '["secret"]');
    const clean = join(from, '..', 'linked');
    await mkdir(join(clean, 'data'), { recursive: true });
    await writeFile(join(clean, 'leads.workflow.yaml'), leads());
    await symlink(secret, join(clean, 'data', 'leads.rows.json'));
    const { code, stderr } = await run(['import', clean, '--yes']);
    expect(code).toBe(0);
    expect(stderr).toContain(
      '  leads.workflow.yaml:7:15: warning: testRows: data/leads.rows.json is a link that leads out of the folder\n',
    );
    expect(await stored()).toEqual([join('leads', 'leads.workflow.yaml')]);
  });

  it('says that there is nothing to import', async () => {
    await expect(importing('nowhere')).rejects.toThrow('nowhere: no such file or folder');
    await expect(importing('data')).rejects.toThrow('holds no workflow files');
  });
});
