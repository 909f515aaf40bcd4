// Koa with the interface's three answers in memory: no keys, no limits, no guard. Prints its port.
import Koa from 'koa';

const run = {
  workflowId: 'text',
  runId: '0197a000-0000-7000-8000-000000000001',
  status: 'completed',
  startedAt: '2026-01-01T00:00:00.000Z',
  finishedAt: '2026-01-01T00:00:01.000Z',
};
const app = new Koa();
app.use((ctx) => {
  if (ctx.method === 'POST') ctx.status = 201;
  ctx.body = { success: true, data: ctx.path.endsWith('/response') ? { row_1: { n: 1 } } : run };
});
const server = app.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));
