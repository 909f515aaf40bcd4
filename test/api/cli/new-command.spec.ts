// `rowbench new`: the files it writes are valid, run, and pass their tests; nothing is overwritten.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { NewWorkflowService } from '../../../src-main/services/authoring/new-workflow-service.ts';
import { runCli } from '../../builders/run-cli.ts';
import { temporaryFolder } from '../../builders/temporary-folder.ts';

it('writes a workflow of rows that runs', async () => {
  const cwd = await temporaryFolder();
  await writeFile(
    join(cwd, 'leads.csv'),
    'email,size,code\nada@example.com,120,007\nalan@example.com,,012\n',
  );
  const made = await runCli(['new', 'lead-scoring', '--rows', 'leads.csv', '--agents'], { cwd });
  expect([made.code, made.stdout]).toEqual([0, 'lead-scoring.workflow.yaml\nAGENTS.md\n']);
  const text = await readFile(join(cwd, 'lead-scoring.workflow.yaml'), 'utf8');
  expect(text).toContain("      - { email: ada@example.com, size: 120, code: '007' }\n");
  expect((await runCli(['validate', '--strict'], { cwd })).code).toBe(0);
  const run = await runCli(['run', 'lead-scoring.workflow.yaml'], { cwd });
  expect([run.code, JSON.parse(run.stdout)]).toEqual([
    0,
    [
      { email: 'ada@example.com', size: 120, code: '007' },
      { email: 'alan@example.com', size: null, code: '012' },
    ],
  ]);
  const file = await runCli(['new', 'x', '--dir', 'leads.csv'], { cwd });
  expect([file.code, file.stderr]).toEqual([
    2,
    expect.stringContaining('--dir leads.csv: is a file') as string,
  ]);
  const again = await runCli(['new', 'lead-scoring'], { cwd });
  expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('is there already') as string]);
  expect(await readFile(join(cwd, 'lead-scoring.workflow.yaml'), 'utf8')).toBe(text);
});

it.each(['', '2,y\n'.repeat(2000)])('says how its rows were read, also of a long file', async (more) => {
  const cwd = await temporaryFolder();
  await writeFile(join(cwd, 'leads.csv'), `Leads\nid,name\n1,x\n${more}`);
  const { stdout, stderr } = await runCli(['new', 'leads', '--rows', 'leads.csv', '--json'], { cwd });
  const text = 'leads.csv: header in line 2, 1 line above left out';
  expect(stderr).toBe(`${text}. To decide it: --header 2\n`);
  expect(JSON.parse(stdout)).toMatchObject({ readAs: { file: 'leads.csv', text } });
});

it('writes the call of a curl command, and not its credential', async () => {
  const cwd = await temporaryFolder();
  const curl = `curl 'https://api.crm.com/find?x=1' -H 'Authorization: Bearer hush-4711-hush'`;
  const made = await runCli(['new', 'crm', '--curl', '-'], { cwd, stdin: curl });
  expect([made.code, made.stderr]).toEqual([
    0,
    expect.stringContaining('secrets set CRM_TOKEN --host api.crm.com') as string,
  ]);
  expect(made.stdout + made.stderr).not.toContain('hush');
  expect(await readFile(join(cwd, 'crm.workflow.yaml'), 'utf8')).not.toContain('hush');
  expect((await runCli(['validate'], { cwd })).code).toBe(0);
  const refused = await runCli(['new', 'crm2', '--curl', 'curl -d @rows.json https://a.example'], { cwd });
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('would read a file') as string]);
  expect(await readdir(cwd)).toEqual(['crm.workflow.yaml']);
});

it('warns of a credential in the path of a URL', async () => {
  const cwd = await temporaryFolder();
  const curl = 'curl -d hi https://hooks.chat.example/services/T01/B02/aZ3kL9mQ2xR7tY5uW8pN4vB6';
  const made = await runCli(['new', 'chat', '--curl', curl], { cwd });
  expect([made.code, made.stderr]).toEqual([
    0,
    expect.stringContaining(
      'warning: The path of the URL may have a credential (hooks.chat.example/…)',
    ) as string,
  ]);
  expect(made.stderr).not.toContain('aZ3kL9mQ2xR7tY5uW8pN4vB6');
  const known = 'curl -d hi https://hooks.slack.com/services/T01/B02/aZ3kL9mQ2xR7tY5uW8pN4vB6';
  const json = await runCli(['new', 'known', '--json', '--curl', known], { cwd });
  expect(JSON.parse(json.stdout)).toMatchObject({
    pathCredential: { host: 'hooks.slack.com', isCertain: true },
  });
  expect(json.stdout + json.stderr).not.toContain('aZ3kL9mQ2xR7tY5uW8pN4vB6');
});

it('accepts the remedy of that warning: a variable whose value is in a profile', async () => {
  const cwd = await temporaryFolder();
  const curl = 'curl -d hi https://hooks.slack.com/services/T01/B02/aZ3kL9mQ2xR7tY5uW8pN4vB6';
  await runCli(['new', 'chat', '--curl', curl], { cwd });
  const file = join(cwd, 'chat.workflow.yaml');
  const text = (await readFile(file, 'utf8'))
    .replace('aZ3kL9mQ2xR7tY5uW8pN4vB6', '{{ vars.HOOK }}')
    .replace('nodes:', 'vars: { HOOK: null }\nnodes:');
  expect(text).toContain('/services/T01/B02/{{ vars.HOOK }}');
  await writeFile(file, text);
  await writeFile(join(cwd, 'profiles.yaml'), 'live: { vars: { HOOK: aZ3kL9mQ2xR7tY5uW8pN4vB6 } }\n');
  expect(await runCli(['validate', '--profile', 'live'], { cwd })).toMatchObject({ code: 0 });
});

it('copies every template so that it is valid and its tests pass', async () => {
  const cwd = await temporaryFolder();
  const names = (await new NewWorkflowService('examples').templates()).map(({ name }) => name);
  expect(names.length).toBeGreaterThan(5);
  for (const [index, name] of names.entries()) {
    const made = await runCli(['new', `copy-${index}`, '--template', name, '--dir', join(cwd, name)]);
    expect(made.code).toBe(0);
    expect(await readdir(join(cwd, name))).not.toContain(expect.stringContaining(`${name}.`));
  }
  const checked = await runCli(['validate', '--strict', cwd]);
  expect([checked.code, checked.stdout]).toEqual([0, '']);
  expect(await runCli(['test', cwd])).toMatchObject({ code: 0 });
  const unknown = await runCli(['new', 'x', '--template', 'nope', '--dir', cwd]);
  expect(unknown.stderr).toContain('There is no template "nope". There are: column-names, company-lookup, ');
});
