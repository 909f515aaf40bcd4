import { describe, expect, it } from 'vitest';
import { welcome, type ShownWorkflow } from '../../../src-main/cli/welcome.ts';

const words = (workflow: ShownWorkflow | undefined, firstKey?: string): string =>
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

const flow: ShownWorkflow = { id: 'flow', name: 'Flow', sampleRow: { n: 1 } };

describe('the words below the ready line', () => {
  it('hold the first key and a call with the sample row of the workflow', () => {
    const text = words(flow, 'rbk_secret');
    expect(text).toContain('shown this once: rbk_secret\n');
    expect(text).toContain(
      `curl -sS -X POST http://127.0.0.1:4170/api/v1/workflows/flow/runs/async -H 'x-service-key: rbk_secret'`,
    );
    expect(text).toContain(`-d '{"rows":[{"n":1}]}'`);
  });

  it('hold a place for the key where it is not known any more', () => {
    const text = words(flow);
    expect(text).toContain('Make a key with: node dist/cli.js keys create --name NAME --data "d"\n');
    expect(text).toContain(`-H 'x-service-key: YOUR_KEY'`);
  });

  it('say what to do where no workflow can run', () => {
    expect(words(undefined)).toContain('No workflow can run yet: node dist/cli.js serve --workflows DIR');
  });
});
