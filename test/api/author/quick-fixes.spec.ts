// Issues of broken files in the editor, and the fixes that it offers for them.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { describeIssue } from '../../../src-main/domain/workflow/issue.ts';
import { brokenFiles } from '../../builders/broken-files.ts';
import { runCli } from '../../builders/run-cli.ts';
import { startTestApp } from '../../builders/start-test-app.ts';
import { temporaryFolder } from '../../builders/temporary-folder.ts';

const startLeads = async () => {
  const leads =
    'rowbench: 1\nid: leads\nnodes:\n  - { id: input, type: input }\n  - { id: r, type: output, fields: {} }\n';
  const app = await startTestApp({ workflows: { leads } });
  onTestFinished(() => app.close());
  return app;
};

describe('the editor', () => {
  it('finds the same issues as rowbench validate in each of the broken files', async () => {
    const app = await startLeads();
    const folder = await temporaryFolder();
    for (const [index, { text }] of brokenFiles.entries()) {
      const { issues } = await app.handlers['author.check']({ workflowId: 'leads', text });
      const name = `broken-${index}.workflow.yaml`;
      await writeFile(join(folder, name), text);
      const { stdout, stderr } = await runCli(['validate', name], { cwd: folder });
      for (const issue of issues) expect(stdout + stderr).toContain(describeIssue(name, issue));
      expect((stdout + stderr).split(`${name}:`).length - 1).toBe(issues.length);
    }
  });

  it('offers fixes at the places of issues', async () => {
    const app = await startLeads();
    const [{ text } = { text: '' }] = brokenFiles;
    const fixed = await app.handlers['author.fixes']({ workflowId: 'leads', text });
    const { issues } = await app.handlers['author.check']({ workflowId: 'leads', text });
    expect(fixed.map(({ fixes, ...issue }) => [fixes.length, issue])).toEqual(
      issues.map(({ line, column, message }) => [2, { line, column, message }]),
    );
  });
});
