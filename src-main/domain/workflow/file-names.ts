// Which files are workflows, which are tests, and which tests belong to which workflow: by their names alone.

export const workflowFileName = /\.workflow\.(yaml|yml|json)$/;
export const testsFileName = /\.tests\.(yaml|yml|json)$/;

/** For `leads.large.tests.yaml`: `leads.large.workflow.yaml` and so on, then `leads.workflow.yaml` and so on. */
export function workflowNamesFor(testsName: string): string[] {
  const stem = testsName.replace(testsFileName, '');
  const stems = stem.includes('.') ? [stem, stem.slice(0, stem.indexOf('.'))] : [stem];
  return stems.flatMap((name) => ['yaml', 'yml', 'json'].map((ending) => `${name}.workflow.${ending}`));
}

/** Whether a tests file tests that workflow, being beside it. `names` is what there is in the folder. */
export const belongsTo = (testsName: string, workflowName: string, names: readonly string[]): boolean =>
  workflowNamesFor(testsName).find((name) => names.includes(name)) === workflowName;
