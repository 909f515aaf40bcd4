// The examples are the first thing that a user tries: each returns exactly the output that is stored beside it.
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { inputRows } from '../../../src-main/services/rowsets/input-rows.ts';
import { isFinal } from '../../../src-main/domain/run/run-status.ts';
import { openTestServices, type TestServices } from '../../builders/open-test-services.ts';

const folder = fileURLToPath(new URL('../../../examples/', import.meta.url));
const names = await readdir(folder);
const ids = names.filter((name) => name.endsWith('.workflow.yaml')).map((name) => name.replace('.workflow.yaml', ''));

const failing = 'fails-on-row-3';
const failure = expect.stringMatching(/^Node "outage" failed on row 3: The address service has no answer for /) as string;

const textOf = (name: string): Promise<string> => readFile(`${folder}${name}`, 'utf8');
const rowFilesOf = (id: string): string[] => names.filter((name) => name.startsWith(`${id}.rows.`));

// What others call out for is shown by their tests alone: see the test command's spec.
const alone = ids.filter((id) => id === failing || names.includes(`${id}.expected.json`));

describe.each(alone)('%s', (id) => {
  it.each(rowFilesOf(id))('gives its expected outputs for %s', async (rowFile) => {
    const services = await openTestServices({ [id]: await textOf(`${id}.workflow.yaml`) });
    const { runId } = await services.start(id, await rowsOf(services, id, rowFile));
    await expect.poll(async () => isFinal((await services.runs.get(runId)).run.status), { timeout: 20_000 }).toBe(true);
    const { run } = await services.runs.get(runId);
    const outputs = (await services.outputs(runId)).map((output) => output ?? null);
    if (id === failing) return expect(run).toMatchObject({ status: 'failed', error: failure });
    expect(run.status).toBe('completed');
    expect(outputs).toEqual(JSON.parse(await textOf(`${id}.expected.json`)));
  });
});

/** The rows as `rowbench run` reads them: CSV cells take the types that the input node declares. */
async function rowsOf(services: TestServices, id: string, rowFile: string): Promise<unknown[]> {
  const file = `${folder}${id}.workflow.yaml`;
  const workflow = (await services.workflows.find(id))?.workflow;
  if (workflow === undefined) throw new Error(`${file} is not valid`);
  const chunks: Uint8Array[] = [];
  for await (const bytes of inputRows({
    workflow,
    file,
    rows: `${folder}${rowFile}`,
    workerScript: 'none',
  })) chunks.push(bytes);
  const lines = Buffer.concat(chunks).toString().trimEnd().split('\n');
  return lines.map((line): unknown => JSON.parse(line));
}

it('shows at least five real uses', () => {
  expect(ids.length).toBeGreaterThanOrEqual(5);
});
