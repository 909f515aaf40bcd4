// Calls are recorded once and replayed afterwards. A counting service shows how often it was called.
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { writeFlow } from '../../builders/flow-file.ts';
import { runCli, type CliResult } from '../../builders/run-cli.ts';
import { temporaryFolder } from '../../builders/temporary-folder.ts';
import { inSequence, json, startUpstream, type TestUpstream } from '../../builders/upstream-server.ts';

const workflow = (upstream: TestUpstream): string => `rowbench: 1
id: flow
nodes:
  - { id: input, type: input, fields: { name: { type: string } }, testRows: [{ name: acme }, { name: bolt }, { name: acme }] }
  - id: company
    type: http
    request: { url: "${upstream.url('')}/{{ row.name }}" }
    auth: { secret: TOKEN }
    retry: { attempts: 3, delay: 1m }
    mock: { large: { status: 200, headers: {}, body: { size: 900 } }, small: { status: 200, headers: {}, body: { size: 1 } } }
  - { id: result, type: output, fields: { size: =nodes.company.body.size } }
`;

const secret = 'hush-hush-4711';

async function flow(change: (text: string) => string = (text) => text) {
  const upstream = await startUpstream({
    '/acme': (call, response) =>
      json({ size: 10, echo: call.headers.authorization }, 200, { 'set-cookie': 'a=1' })(call, response),
    '/bolt': inSequence(json({}, 429, { 'retry-after': '1' }), json({ size: 20 })),
  });
  const cwd = await temporaryFolder();
  await writeFile(join(cwd, 'flow.workflow.yaml'), change(workflow(upstream)));
  const env = {
    ROWBENCH_DATA: join(cwd, 'data'),
    ROWBENCH_SECRET_TOKEN: secret,
    ROWBENCH_SECRET_TOKEN_HOST: `127.0.0.1:${upstream.port}`,
  };
  const cli = (...args: readonly string[]): Promise<CliResult> => runCli(args, { cwd, env });
  const run = (...args: readonly string[]): Promise<CliResult> =>
    cli('run', 'flow.workflow.yaml', '--clock', 'virtual', '--format', 'ndjson', ...args);
  return { upstream, cwd, cli, run };
}

const outputs = '{"size":10}\n{"size":20}\n{"size":10}\n';

describe('a run from the command line', () => {
  it('is recorded once and played without a call, with the same outputs', async () => {
    const { upstream, cwd, run } = await flow();
    const recorded = await run('--record', '--allow-network', 'loopback');
    expect(recorded).toMatchObject({ code: 0, stdout: outputs });
    expect(recorded.stderr).toContain('Answers to calls are recorded in flow.cassette.json\n');
    const calls = upstream.calls.length;
    expect(calls).toBe(4);

    const played = await run('--replay');
    expect(played).toMatchObject({ code: 0, stdout: outputs });
    expect(upstream.calls).toHaveLength(calls);

    const text = await readFile(join(cwd, 'flow.cassette.json'), 'utf8');
    expect(text).not.toContain(secret);
    expect(text).toContain('"status": 429');
    expect(text).not.toMatch(/set-cookie|run-|Idempotency/i);
    expect((await readdir(cwd)).sort()).toEqual(['flow.cassette.json', 'flow.workflow.yaml']);
  });

  // The replay gave all rows the first answer, and nothing said so.
  it('says at its end how many requests got different answers', async () => {
    const upstream = await startUpstream({
      '/acme': inSequence(json({ size: 1 }), json({ size: 2 })),
      '/bolt': json({ size: 3 }),
    });
    const cwd = await temporaryFolder();
    const text = workflow(upstream).replace('    auth: { secret: TOKEN }\n', '');
    await writeFile(join(cwd, 'flow.workflow.yaml'), text);
    const tests =
      'rowbench: 1\ntests:\n  - { name: one, rows: [{ name: acme }], cassette: flow.cassette.json, expect: { status: completed } }\n';
    await writeFile(join(cwd, 'flow.tests.yaml'), tests + tests.split('tests:\n')[1]?.replace('one', 'two'));
    const cli = (...args: readonly string[]): Promise<CliResult> =>
      runCli(args, { cwd, env: { ROWBENCH_DATA: join(cwd, 'data') } });
    const ran = await cli('run', 'flow.workflow.yaml', '--record', '--allow-network', 'loopback');
    expect(ran.stderr).toContain(
      'Answers to calls are recorded in flow.cassette.json\n1 request got different answers; the first is kept\n',
    );
    const again = await cli('run', 'flow.workflow.yaml', '--record', '--allow-network', 'loopback');
    expect(again.stderr).not.toContain('different answers');
    const fresh = await startUpstream({ '/acme': inSequence(json({ size: 1 }), json({ size: 2 })) });
    await writeFile(join(cwd, 'flow.workflow.yaml'), text.replaceAll(upstream.url(''), fresh.url('')));
    const tested = await cli('test', '--record', '--allow-network', 'loopback');
    expect(tested.stderr).toContain(
      'recorded flow.cassette.json\n1 request got different answers; the first is kept\n',
    );
  });

  it('leaves a cassette that another command prints', async () => {
    const { cwd, cli, run } = await flow();
    await run('--record', '--allow-network', 'loopback');
    await mkdir(join(cwd, 'data'));
    expect(await cli('workflows', 'cassette', 'flow', '--workflows', cwd)).toEqual({
      code: 0,
      stdout: await readFile(join(cwd, 'flow.cassette.json'), 'utf8'),
      stderr: '',
    });
  });

  it('of a run without calls is said to hold nothing', async () => {
    const folder = await temporaryFolder();
    const file = await writeFlow(folder);
    const { code, stderr } = await runCli(['run', file, '--rows', '-', '--record', join(folder, 'x.json')], {
      stdin: '[{"n":1}]',
    });
    expect(code).toBe(0);
    expect(stderr).toContain('The run got no answers from other services: nothing was recorded in');
    expect(stderr).not.toContain('Answers to calls are recorded');
  });

  it('is recorded again to the same file', async () => {
    const { cwd, run } = await flow();
    const read = (): Promise<string> => readFile(join(cwd, 'x.json'), 'utf8');
    await run('--record', 'x.json', '--allow-network', 'loopback');
    const first = (await read()).replace(/\{\s*"status": 429[^}]*\}[^}]*\},\s*/, '');
    await run('--record', 'x.json', '--allow-network', 'loopback');
    const again = await read();
    expect(again.replaceAll(/"recordedAt": .*/g, '')).not.toContain('"status": 429');
    // What the service says the same way a second time leaves its lines alone.
    const acme = /"url": "[^"]*acme".*?"recordedAt": "[^"]*"/s;
    expect(acme.exec(again)?.[0]).toBe(acme.exec(first)?.[0]);
  });

  it('is filled in with what is new, and says how many calls the cassette and the services answered', async () => {
    const { upstream, cwd, run } = await flow();
    await writeFile(join(cwd, 'rows.json'), '[{"name":"acme"}]');
    await run('--record', '--rows', 'rows.json', '--allow-network', 'loopback');
    const before = upstream.calls.length;
    const filled = await run('--fill', '--allow-network', 'loopback');
    expect(filled).toMatchObject({ code: 0, stdout: outputs });
    expect(filled.stderr).toMatch(
      /flow\.cassette\.json answered [23] calls\. Services answered [12], and it has those answers now\n/,
    );
    expect(upstream.calls.length).toBeGreaterThan(before);
    const again = upstream.calls.length;
    const { calls } = JSON.parse((await run('--fill', '--json')).stdout) as { calls: object };
    expect(calls).toMatchObject({ answered: 0 });
    expect(upstream.calls).toHaveLength(again);
    const { stderr } = await run('--fill');
    expect(stderr).toMatch(/answered \d calls\. No service answered a call\n/);
    expect(await run('--fill', '--replay')).toMatchObject({ code: 2 });
    expect(await runCli(['test', cwd, '--fill'])).toMatchObject({ code: 2 });
  });

  it('fails at a call that was not recorded, and says which', async () => {
    const { upstream, cwd, run } = await flow();
    await run('--record', '--allow-network', 'loopback');
    const calls = upstream.calls.length;
    await writeFile(join(cwd, 'rows.json'), '[{"name":"acme"},{"name":"crow"}]');
    const { code, stderr } = await run('--replay', '--rows', 'rows.json');
    expect(code).toBe(1);
    expect(stderr).toContain(
      `Failed: Node "company" failed on row 2: no recorded answer to GET ${upstream.url('/crow')} in flow.cassette.json: it has GET ${upstream.url('/acme')}, GET ${upstream.url('/bolt')}`,
    );
    expect(upstream.calls).toHaveLength(calls);
  });

  it('is refused when there is nothing to play', async () => {
    const { run } = await flow();
    const { code, stderr } = await run('--replay');
    expect(code).toBe(2);
    expect(stderr).toBe(
      'error: There is no cassette flow.cassette.json. "rowbench run FILE --record" makes it\n',
    );
  });

  it('takes first mocks, or those chosen, without a call', async () => {
    const { upstream, run } = await flow();
    expect(await run('--mocks')).toMatchObject({ code: 0, stdout: '{"size":900}\n'.repeat(3) });
    expect(await run('--mocks', '--mock', 'company=small')).toMatchObject({
      stdout: '{"size":1}\n'.repeat(3),
    });
    expect(await run('--mock', 'company=small')).toMatchObject({ stdout: '{"size":1}\n'.repeat(3) });
    expect(upstream.calls).toHaveLength(0);
  });

  it('fails at a node without a mock, and says what to do', async () => {
    const { upstream, run } = await flow((text) => text.replace(/ {4}mock: .*\n/, ''));
    const { code, stderr } = await run('--mocks');
    expect([code, upstream.calls.length]).toEqual([1, 0]);
    expect(stderr).toContain('Node "company" failed on row 1: no call is made to GET http://127.0.0.1:');
    expect(stderr).toContain(
      ': the run is answered by mocks alone, and this node has none: give it a "mock" (not retried)\n',
    );
  });

  it.each([
    [['--mock', 'company'], '--mock company: expected NODE=NAME, such as --mock company=large'],
    [['--replay', '--mocks'], "option '--replay [file]' cannot be used with option '--mocks'"],
    [['--allow-network', 'moon'], 'Expected some of public, lan, loopback'],
  ])('is called wrongly with %j', async (args, words) => {
    const { run } = await flow();
    const { code, stderr } = await run(...args);
    expect([code, stderr]).toEqual([2, expect.stringContaining(words)]);
  });
});

const tests = (rest: string): string => `tests:
  - name: sizes
    rows: [{ name: acme }, { name: bolt }, { name: acme }]
    ${rest}
    expect: { status: completed, rows: [{ size: 10 }, { size: 20 }, { size: 10 }] }
`;

describe('a test whose nodes call out', () => {
  it('is recorded once and passes offline ever after', async () => {
    const { upstream, cwd, cli } = await flow();
    await writeFile(join(cwd, 'flow.tests.yaml'), tests('cassette: flow.cassette.json'));
    const missing = await cli('test');
    expect([missing.code, missing.stdout]).toEqual([
      1,
      expect.stringMatching(
        /There is no cassette flow.cassette.json. To make it, record the test\n.*"rowbench test --record"/,
      ),
    ]);
    expect(upstream.calls).toHaveLength(0);

    const recorded = await cli('test', '--record', '--allow-network', 'loopback');
    expect([recorded.code, recorded.stdout]).toEqual([0, 'ok    flow.tests.yaml (1 test)\n']);
    expect(recorded.stderr).toContain('recorded flow.cassette.json\n');
    expect(upstream.calls).toHaveLength(4);

    const text = await readFile(join(cwd, 'flow.cassette.json'), 'utf8');
    for (let round = 0; round < 3; round += 1) expect((await cli('test')).code).toBe(0);
    expect(upstream.calls).toHaveLength(4);
    expect(await readFile(join(cwd, 'flow.cassette.json'), 'utf8')).toBe(text);
    expect(text).not.toContain(secret);
  });

  const bearing = (text: string): string =>
    text.replace('retry: { attempts: 3, delay: 1m }', 'onError: { value: { body: { size: 10 } } }');
  const statusOnly = tests('cassette: flow.cassette.json').replace(
    /expect: .*/,
    'expect: { status: completed }',
  );

  it('fails when a recorded call is refused or gets no answer, and leaves no cassette', async () => {
    const { upstream, cwd, cli } = await flow(bearing);
    await writeFile(join(cwd, 'flow.tests.yaml'), statusOnly);
    const refused = await cli('test', '--record');
    expect(refused.code).toBe(1);
    expect(refused.stdout).toContain('Node "company" on row 1 got no answer that could be recorded:');
    expect(refused.stdout).toContain('loopback');
    expect(refused.stderr).toContain(
      'error: no call got an answer: nothing was recorded in flow.cassette.json\n',
    );
    expect(await readdir(cwd)).not.toContain('flow.cassette.json');
    await upstream.close();
    const down = await cli('test', '--record', '--allow-network', 'loopback');
    expect(down.code).toBe(1);
    expect(down.stdout).toContain('Node "company" on row 1 got no answer that could be recorded:');
  });

  it('fails when no call was made, or no test names a cassette, and says so', async () => {
    const { cwd, cli } = await flow((text) =>
      text.replace('type: http', "type: http\n    when: row.name === 'x'"),
    );
    await writeFile(join(cwd, 'flow.tests.yaml'), statusOnly);
    const unmade = await cli('test', '--record', '--allow-network', 'loopback');
    expect([unmade.code, unmade.stderr]).toEqual([
      1,
      expect.stringContaining('error: no call got an answer: nothing was recorded in flow.cassette.json\n'),
    ]);
    await writeFile(join(cwd, 'flow.tests.yaml'), tests(''));
    const unnamed = await cli('test', '--record');
    expect([unnamed.code, unnamed.stderr]).toEqual([
      1,
      expect.stringContaining('error: no test that ran names a cassette: nothing was recorded\n'),
    ]);
  });

  it('plays a failure that its cassette has, while other answers are recorded', async () => {
    const { upstream, cwd, cli } = await flow(bearing);
    await writeFile(join(cwd, 'flow.tests.yaml'), statusOnly);
    const failed = { failed: 'no answer' };
    const entries = ['acme', 'bolt'].map((name) => ({
      request: { method: 'GET', url: upstream.url(`/${name}`) },
      responses: [failed],
    }));
    await writeFile(join(cwd, 'flow.cassette.json'), JSON.stringify({ rowbench: 1, entries }));
    await upstream.close();
    const { code, stderr } = await cli('test', '--record', '--allow-network', 'loopback');
    expect([code, stderr]).toEqual([
      0,
      expect.stringContaining('nothing new was recorded in flow.cassette.json\n'),
    ]);
  });

  it('fails without a cassette and says what to do, even where the workflow bears it', async () => {
    const { upstream, cwd, cli } = await flow((text) =>
      text.replace('retry: { attempts: 3, delay: 1m }', 'onError: { value: { body: { size: 10 } } }'),
    );
    await writeFile(join(cwd, 'flow.tests.yaml'), tests(''));
    const { code, stdout } = await cli('test');
    expect([code, upstream.calls.length]).toEqual([1, 0]);
    expect(stdout).toContain(
      `Node "company" on row 1 would reach the network: no call is made to GET ${upstream.url('/acme')}: give it a mock, or the test a cassette ("cassette: NAME.cassette.json"), then record the test\n    Record it with "rowbench test --record"`,
    );
  });

  it('fails at a call that its cassette does not have', async () => {
    const { cwd, cli } = await flow();
    await writeFile(join(cwd, 'flow.tests.yaml'), tests('cassette: flow.cassette.json'));
    await cli('test', '--record', '--allow-network', 'loopback');
    await writeFile(
      join(cwd, 'flow.tests.yaml'),
      tests('cassette: flow.cassette.json').replace('name: bolt', 'name: crow'),
    );
    const { code, stdout } = await cli('test');
    expect(code).toBe(1);
    expect(stdout).toContain('Node "company" on row 2 would reach the network: no recorded answer to GET');
    expect(stdout).toContain('Record it with "rowbench test --record"');
  });

  it('is not recorded with every change of a file', async () => {
    const { cli } = await flow();
    expect(await cli('test', '--record', '--watch')).toMatchObject({ code: 2 });
  });
});
