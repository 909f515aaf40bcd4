import { describe, expect, it } from 'vitest';
import { welcome } from '../../../src-main/cli/welcome.ts';
import { parseWorkflow } from '../../../src-main/domain/workflow/parse-workflow.ts';
import type { Workflow } from '../../../src-main/domain/workflow/workflow.ts';
import { flowText } from '../../builders/flow-file.ts';

const words = (workflow: Workflow | undefined, firstKey?: string): string =>
  welcome({
    url: 'http://127.0.0.1:4170',
    link: { url: 'http://127.0.0.1:4170/#code=x', minutes: 10 },
    firstKey,
    workflow,
    command: 'node dist/cli.js',
    dataArgument: ' --data "d"',
    platform: 'linux',
    env: {},
  });

const flow = (text = flowText()): Workflow | undefined => parseWorkflow(text).workflow;

describe('the words below the ready line', () => {
  it('hold the first key and a call with the workflow’s first test row', () => {
    const text = words(flow(), 'rbk_secret');
    expect(text).toContain('shown this once: rbk_secret\n');
    expect(text).toContain(
      `curl -sS -X POST http://127.0.0.1:4170/api/v1/workflows/flow/runs/async -H 'x-service-key: rbk_secret'`,
    );
    expect(text).toContain(`-d '{"rows":[{"n":1}]}'`);
  });

  it('hold a place for the key where it is not known any more', () => {
    const text = words(flow());
    expect(text).toContain('Make a key with: node dist/cli.js keys create --name NAME --data "d"\n');
    expect(text).toContain(`-H 'x-service-key: YOUR_KEY'`);
  });

  it('make a row up from the declared fields where there are no short test rows', () => {
    const text = words(flow(flowText().replace(/ {4}testRows: .*\n/, '')));
    expect(text).toContain(`-d '{"rows":[{"n":1,"tags":[]}]}'`);
  });

  it('say what to do where no workflow can run', () => {
    expect(words(undefined)).toContain('No workflow can run yet: node dist/cli.js serve --workflows DIR');
  });
});
