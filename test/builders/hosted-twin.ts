// An app with a connection to a hosted service that is built from the interface document.
import { expect, onTestFinished } from 'vitest';
import type { RunView } from '../../src-main/contract/index.ts';
import { startFakeHosted, type FakeHosted, type HostedQuirks, type HostedWorkflow } from './fake-hosted.ts';
import { hastyClock } from './hasty-clock.ts';
import { startTestApp, type TestApp } from './start-test-app.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { workflowText } from './workflow-text.ts';

/** Status calls are ten seconds apart. */
export const hostedClock = hastyClock(20);

export const score = (row: Readonly<Record<string, unknown>>) => ({
  id: row['id'],
  score: Number(row['n'] ?? 0) * 2,
});

export const leadRows = (count: number): readonly Record<string, unknown>[] =>
  Array.from({ length: count }, (_, index) => ({ id: `lead-${index + 1}`, n: index + 1 }));

export const linesOf = (rows: readonly unknown[]): string =>
  rows.map((row) => `${JSON.stringify(row)}\n`).join('');

export type Twin = { readonly app: TestApp; readonly service: FakeHosted; readonly home: string };

/** An app whose workflow `sample` is at the service, too. @param text of its file here */
export async function startTwin(
  quirks: HostedQuirks = {},
  workflow: HostedWorkflow = score,
  text = workflowText(''),
): Promise<Twin> {
  const service = await startFakeHosted({ sample: workflow }, quirks);
  onTestFinished(() => service.close());
  const home = await temporaryFolder();
  const app = await startTestApp({ workflows: { sample: text }, home, clock: hostedClock });
  onTestFinished(() => app.close());
  await addProd(app, service);
  return { app, service, home };
}

export const addProd = (app: TestApp, service: FakeHosted, more = {}) =>
  app.handlers['hosted.add']({
    name: 'prod',
    url: service.url,
    header: 'x-acme-key',
    key: service.key,
    ...more,
  });

export const startThere = async ({ app }: Twin, rows: readonly unknown[]): Promise<string> => {
  const { runId } = await app.handlers['hosted.run']({
    workflowId: 'sample',
    connection: 'prod',
    lines: linesOf(rows),
  });
  return runId;
};

export const showRun = ({ app }: Pick<Twin, 'app'>, runId: string): Promise<RunView> =>
  app.handlers['run.show']({ runId });

export const untilStatus = async (
  twin: Pick<Twin, 'app'>,
  runId: string,
  status: RunView['status'],
): Promise<RunView> => {
  await expect.poll(async () => (await showRun(twin, runId)).status, { timeout: 15_000 }).toBe(status);
  return showRun(twin, runId);
};

export async function outputsOf({ app }: Pick<Twin, 'app'>, runId: string): Promise<readonly unknown[]> {
  const lines: unknown[] = [];
  for await (const { bytes } of app.services.runs.readOutputs(runId))
    for (const line of Buffer.from(bytes).toString().split('\n').slice(0, -1))
      lines.push(line === '' ? undefined : JSON.parse(line));
  return lines;
}

type GatewayOptions = {
  readonly compute?: HostedWorkflow;
  /** Share of the limits, in percent. */
  readonly share?: number;
  /** Here and at the service, by id. */
  readonly workflows?: Readonly<Record<string, string>>;
};

/** An app that was started with `--hosted prod`. */
export async function startGateway(
  quirks: HostedQuirks = {},
  { compute = score, share = 50, workflows = { sample: workflowText('') } }: GatewayOptions = {},
): Promise<Twin> {
  const there = Object.fromEntries(Object.keys(workflows).map((id) => [id, compute]));
  const service = await startFakeHosted(there, quirks);
  onTestFinished(() => service.close());
  const home = await temporaryFolder();
  const app = await startTestApp({ workflows, home, clock: hostedClock });
  await addProd(app, service, { sharePercent: share });
  return restarted({ app, service, home }, 'prod');
}

/** The same data folder under a new server. */
export async function restarted(twin: Twin, gateway: string | undefined): Promise<Twin> {
  await twin.app.close();
  const options = { workflows: {}, home: twin.home, clock: hostedClock, gateway, limits: 'off' } as const;
  const app = await startTestApp(options);
  onTestFinished(() => app.close());
  return { ...twin, app };
}
