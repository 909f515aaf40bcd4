// Examples that call another workflow, with its nodes as a body, and the other way round: their tests pass in both forms.
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { moveBodyIn, moveBodyOut } from '../../../src-main/domain/authoring/edit/move-body.ts';
import { applyChanges } from '../../../src-main/domain/authoring/edit/text-changes.ts';
import { runCli } from '../../builders/run-cli.ts';
import { temporaryFolder } from '../../builders/temporary-folder.ts';

const examples = fileURLToPath(new URL('../../../examples/', import.meta.url));

async function copyOfExamples() {
  const folder = await temporaryFolder();
  await cp(examples, folder, { recursive: true });
  const read = (name: string): Promise<string> => readFile(join(folder, name), 'utf8');
  const write = (name: string, text: string): Promise<void> => writeFile(join(folder, name), text);
  const test = (id: string) => runCli(['test', join(folder, `${id}.workflow.yaml`)], { cwd: folder });
  return { read, write, test };
}

it('delivery-quotes has the outputs and failures of its called workflow with the nodes of that as a body', async () => {
  const { read, write, test } = await copyOfExamples();
  const text = await read('delivery-quotes.workflow.yaml');
  const called = { id: 'postal-zones', text: await read('postal-zones.workflow.yaml') };
  const moved = moveBodyIn(text, 'quotes', called);
  if (moved.refusal !== undefined) throw new Error(moved.refusal.reason);
  await write('delivery-quotes.workflow.yaml', applyChanges(text, moved.changes));
  const tests = await read('delivery-quotes.tests.yaml');
  await write('delivery-quotes.tests.yaml', tests.replace('workflow "postal-zones", node', 'quotes, node'));
  expect(await test('delivery-quotes')).toMatchObject({ code: 0 });
});

it('contact-checks has the outputs of its body, and replays its cassette, with a workflow of its own', async () => {
  const { read, write, test } = await copyOfExamples();
  const text = await read('contact-checks.workflow.yaml');
  const moved = moveBodyOut(text, { id: 'contacts', newId: 'check-contact' });
  if (moved.refusal !== undefined) throw new Error(moved.refusal.reason);
  await write('contact-checks.workflow.yaml', applyChanges(text, moved.changes));
  await write('check-contact.workflow.yaml', moved.text);
  expect(await test('contact-checks')).toMatchObject({ code: 0 });
});
