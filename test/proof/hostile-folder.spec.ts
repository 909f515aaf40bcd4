import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { silentLog } from '../../src-main/base/log.ts';
import { systemClock } from '../../src-main/base/system-clock.ts';
import { ParserProcess } from '../../src-main/executor/parser/parser-process.ts';
import { FileParser } from '../../src-main/services/workflows/file-parser.ts';
import { WorkflowService } from '../../src-main/services/workflows/workflow-service.ts';
import { WorkflowFiles } from '../../src-main/storage/documents/workflow-files.ts';
import { slowWorkflow, smallWorkflow } from '../builders/parsed-texts.ts';
import { temporaryFolder } from '../builders/temporary-folder.ts';

const script = fileURLToPath(new URL('../../dist/file-parser.cjs', import.meta.url));

const large = (text: string): string => text.repeat(Math.floor(400_000 / text.length));

type World = { readonly own: string; readonly workflows: WorkflowService };

async function openFolder(
  files: Readonly<Record<string, string>>,
  options: { readonly maxCharacters?: number; readonly deadlineMs?: number } = {},
): Promise<World> {
  const own = join(await temporaryFolder(), 'workflows');
  await mkdir(own);
  for (const [name, text] of Object.entries(files)) await writeFile(join(own, `${name}.workflow.yaml`), text);
  const { maxCharacters, deadlineMs } = options;
  const process = new ParserProcess({
    script,
    clock: systemClock,
    log: silentLog,
    ...(deadlineMs === undefined ? {} : { deadlineMs }),
  });
  onTestFinished(() => process.close());
  const workflows = new WorkflowService({
    files: new WorkflowFiles({ own }),
    log: silentLog,
    parser: new FileParser(process.run),
    ...(maxCharacters === undefined ? {} : { maxCharacters }),
  });
  return { own, workflows };
}

describe('a folder of hostile files', () => {
  it('is read without holding up the server, and with 100 issues a file', async () => {
    const { workflows } = await openFolder({
      a: large('! '),
      b: large('- @\n'),
      c: `[${large('1,')}]`,
      d: large('a: 1\n'),
      good: smallWorkflow('good'),
    });
    let ticks = 0;
    let isReading = true;
    const tick = (): void => {
      ticks += 1;
      if (isReading) setTimeout(tick, 1);
    };
    tick();
    await workflows.refresh();
    isReading = false;
    // Where the files are parsed by this process, there are some ten.
    expect(ticks).toBeGreaterThan(100);
    const known = workflows.known();
    expect(known).toHaveLength(5);
    for (const { issues } of known) expect(issues.length).toBeLessThanOrEqual(101);
    expect(workflows.has('good')).toBe(true);
  }, 120_000);

  it('keeps no workflow from being found while a large file is parsed', async () => {
    const { workflows } = await openFolder({ large: `[${large('1,')}]`, z: smallWorkflow('z') });
    const reading = workflows.refresh();
    await expect.poll(() => workflows.has('z'), { interval: 1 }).toBe(true);
    expect(workflows.known().map(({ id }) => id)).toEqual(['z']);
    expect(await workflows.find('z')).toMatchObject({ id: 'z' });
    await reading;
    expect(workflows.known()).toHaveLength(2);
  }, 120_000);

  it('has one issue for a file that takes too long, and is not parsed again until the file changes', async () => {
    const { own, workflows } = await openFolder(
      { slow: slowWorkflow, good: smallWorkflow('good') },
      { deadlineMs: 1500 },
    );
    await workflows.refresh();
    const [good, stopped] = workflows.known();
    expect(good?.issues).toEqual([]);
    expect(stopped?.issues).toMatchObject([{ message: 'This file could not be checked within 1.5 seconds' }]);
    await workflows.refresh();
    expect(workflows.known()[1]).toBe(stopped);
    await writeFile(join(own, 'slow.workflow.yaml'), smallWorkflow('slow'));
    expect(await workflows.find('slow')).toMatchObject({ issues: [] });
  });

  it('takes no more memory than a server has for workflows, and the smallest files first', async () => {
    const padded = (id: string, length: number): string => `${smallWorkflow(id)}# ${'x'.repeat(length)}\n`;
    const { own, workflows } = await openFolder(
      { a: padded('a', 9_000), b: padded('b', 8_000), c: smallWorkflow('c'), d: smallWorkflow('d') },
      { maxCharacters: 12_000 },
    );
    await workflows.refresh();
    expect(
      workflows
        .known()
        .filter(({ workflow }) => workflow !== undefined)
        .map(({ id }) => id),
    ).toEqual(['b', 'c', 'd']);
    expect(await workflows.find('a')).toMatchObject({
      source: '',
      issues: [
        {
          message:
            'This file is left out: all workflow files together hold more than 0.012 million characters',
        },
      ],
    });
    await rm(join(own, 'b.workflow.yaml'));
    await workflows.refresh();
    expect(await workflows.find('a')).toMatchObject({ issues: [] });
  });
});
