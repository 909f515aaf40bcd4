import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { deferred } from '../../../src-main/base/deferred.ts';
import { silentLog } from '../../../src-main/base/log.ts';
import { systemClock } from '../../../src-main/base/system-clock.ts';
import { parserCodec } from '../../../src-main/executor/parser/parser-protocol.ts';
import {
  ParserProcess,
  type ParserProcessOptions,
  type StartParser,
} from '../../../src-main/executor/parser/parser-process.ts';
import { forkProcesses, makeWorkingFolder } from '../../../src-main/executor/process/fork-worker.ts';
import { OrphanGuard } from '../../../src-main/executor/process/orphan-guard.ts';
import { utilityProcesses } from '../../../src-main/executor/process/utility-worker.ts';
import type { WorkerExit, WorkerProcess } from '../../../src-main/executor/process/worker-process.ts';
import { FileParser } from '../../../src-main/services/workflows/file-parser.ts';
import { FakeClock } from '../../builders/fake-clock.ts';
import { slowWorkflow, smallWorkflow } from '../../builders/parsed-texts.ts';
import { utilityDouble } from '../../builders/utility-double.ts';

const bundled = fileURLToPath(new URL('../../../dist/file-parser.cjs', import.meta.url));

type Started = {
  readonly parser: FileParser;
  readonly process: ParserProcess;
  readonly starts: StartedProcess[];
};
type StartedProcess = { process: WorkerProcess<unknown>; readonly ended: Promise<WorkerExit> };

/** A parser whose processes a test can end and wait for. */
async function startParser(
  options: Partial<ParserProcessOptions> = {},
  { script = bundled, memoryMb = 256 } = {},
): Promise<Started> {
  const folder = await makeWorkingFolder();
  const guard = new OrphanGuard();
  const starts: StartedProcess[] = [];
  const fork = forkProcesses({ script, memoryMb, workingFolder: folder.path, guard }, parserCodec);
  const start: StartParser = (events) => {
    const ended = deferred<WorkerExit>();
    const process = fork({
      ...events,
      onExit: (exit) => {
        events.onExit(exit);
        ended.resolve(exit);
      },
    });
    starts.push({ process, ended: ended.promise });
    return process;
  };
  const process = new ParserProcess({ script, clock: systemClock, log: silentLog, start, ...options });
  onTestFinished(async () => {
    await process.close();
    guard.close();
    await folder.remove();
  });
  return { parser: new FileParser(process.run), process, starts };
}

describe('the parser process', () => {
  it('gives what the same text gives in this process', async () => {
    const { parser } = await startParser();
    const { workflow, issues } = await parser.workflow(smallWorkflow('a'));
    expect(workflow).toMatchObject({ id: 'a', nodes: [{ id: 'input' }, { id: 'result' }] });
    expect(issues).toEqual([]);
    expect(await parser.positions(smallWorkflow('a'), [['nodes', 1, 'fields'], ['nothing']])).toEqual([
      { line: 5, column: 41 },
      { line: 1, column: 1 },
    ]);
    expect(await parser.rename(smallWorkflow('a'), 'b')).toBe(smallWorkflow('b'));
    expect((await parser.tests('tests: 1')).issues).toMatchObject([{ line: 1 }]);
    expect((await parser.outline(smallWorkflow('a'))).nodes).toHaveLength(2);
  });

  it('parses all files that are asked for at once, in one process', async () => {
    const { parser, starts } = await startParser();
    const ids = ['a', 'b', 'c', 'd'];
    const parsed = await Promise.all(ids.map((id) => parser.workflow(smallWorkflow(id))));
    expect(parsed.map(({ id }) => id)).toEqual(ids);
    expect(starts).toHaveLength(1);
  });

  it('is ended when a file takes too long, which costs no other file anything', async () => {
    const { parser, starts } = await startParser({ deadlineMs: 1500 });
    const results = await Promise.all([parser.workflow(slowWorkflow), parser.workflow(smallWorkflow('a'))]);
    expect(results[0].issues).toEqual([
      { severity: 'error', message: 'This file could not be checked within 1.5 seconds', line: 1, column: 1 },
    ]);
    expect(results[1]).toMatchObject({ id: 'a', issues: [] });
    expect(starts).toHaveLength(2);
  });

  // A check that took a little longer than the limit of a draft was thrown away, and nothing checked the text again.
  it('gives a late result to all who wait for the same text', async () => {
    const { parser, starts } = await startParser({ yieldAfterMs: 1, deadlineMs: 600_000 });
    const text = slowWorkflow.replace('=1,'.repeat(300_000), '');
    const [{ issues }, { nodes }] = await Promise.all([parser.workflow(text), parser.outline(text)]);
    expect(issues.map(({ message }) => message)).not.toContainEqual(expect.stringContaining('another text'));
    expect(nodes).toMatchObject([{ id: 's' }]);
    expect(starts).toHaveLength(1);
  });

  it.each([
    ['waits already', async () => {}],
    ['comes later', async (clock: FakeClock) => clock.advance(500)],
  ])('ends a late job for another text that %s', async (_, before) => {
    const clock = new FakeClock();
    const { parser, starts } = await startParser({ clock, yieldAfterMs: 500 });
    const late = parser.workflow(slowWorkflow);
    await expect.poll(() => clock.pending).toBe(2);
    await before(clock);
    const other = parser.workflow(smallWorkflow('a'));
    clock.advance(500);
    expect((await late).issues).toMatchObject([
      { message: 'This file takes more than 0.5 seconds to check, and another text waits' },
    ]);
    expect(await other).toMatchObject({ id: 'a', issues: [] });
    expect(starts).toHaveLength(2);
  });

  it('is ended by its engine when a file takes too much memory, and starts again for the next', async () => {
    const { parser, starts } = await startParser({ deadlineMs: 600_000 }, { memoryMb: 16 });
    expect((await parser.workflow(slowWorkflow)).issues).toMatchObject([
      { message: 'This file takes more than 256 MB of memory to check' },
    ]);
    expect(await parser.workflow(smallWorkflow('a'))).toMatchObject({ id: 'a', issues: [] });
    expect(starts).toHaveLength(2);
  });

  // Ctrl-C reached a parser that had just been started, and the server warned of a file that could not be read.
  it('begins a file once more when a signal ends it while it starts', async () => {
    const { parser, starts } = await startParser();
    const parsed = parser.workflow(smallWorkflow('a'));
    await expect.poll(() => starts.length).toBe(1);
    starts[0]?.process.kill();
    expect(await parsed).toMatchObject({ id: 'a', issues: [] });
    expect(starts).toHaveLength(2);
  });

  it('begins a file once more when it is ended from outside', async () => {
    const { parser, starts } = await startParser();
    await parser.workflow(smallWorkflow('a'));
    const parsed = parser.workflow(smallWorkflow('b'));
    starts[0]?.process.kill();
    expect(await parsed).toMatchObject({ id: 'b', issues: [] });
    expect(starts).toHaveLength(2);
  });

  it('is tried twice and no more for a file that ends it', async () => {
    const script = join(import.meta.dirname, '../../fixtures/crashing-parser.mjs');
    const { parser, starts } = await startParser({}, { script });
    expect((await parser.workflow(smallWorkflow('a'))).issues).toMatchObject([
      { message: 'This file could not be checked: it ends the program that checks it' },
    ]);
    expect(starts).toHaveLength(2);
  });

  it('ends five seconds after the last file', async () => {
    const clock = new FakeClock();
    const { parser, starts } = await startParser({ clock });
    await parser.workflow(smallWorkflow('a'));
    await expect.poll(() => clock.pending).toBe(1);
    clock.advance(4_999);
    expect(clock.pending).toBe(1);
    clock.advance(1);
    expect(await starts[0]?.ended).toMatchObject({ signal: 'SIGKILL' });
    expect(await parser.workflow(smallWorkflow('b'))).toMatchObject({ id: 'b' });
  });

  it('refuses a file of more values than a server could keep', async () => {
    const { parser } = await startParser({ deadlineMs: 600_000 });
    const text = `${smallWorkflow('a')}  - { id: s, type: set, values: { a: "${'{{1}}'.repeat(190_000)}" } }\n`;
    expect((await parser.workflow(text)).issues).toMatchObject([
      { message: 'This file holds too many values and expressions' },
    ]);
  });

  it('runs as a utility process of the desktop app', async () => {
    const utility = utilityDouble();
    const options = { script: bundled, memoryMb: 64, name: 'Rowbench file parser' };
    const start = utilityProcesses(utility.fork, options, parserCodec);
    const process = new ParserProcess({ script: bundled, clock: systemClock, log: silentLog, start });
    onTestFinished(() => process.close());
    expect(await new FileParser(process.run).workflow(smallWorkflow('a'))).toMatchObject({
      id: 'a',
      issues: [],
    });
    expect(utility.starts).toMatchObject([{ options: { serviceName: 'Rowbench file parser', env: {} } }]);
  });
});
