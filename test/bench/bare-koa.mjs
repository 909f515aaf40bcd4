// The smallest Koa server that answers as the status route does, out of memory. Prints its port.
import Router from '@koa/router';
import Koa from 'koa';

const now = new Date().toISOString();
const runs = new Map();
const router = new Router();
router.get('/api/v1/workflows/:workflowId/runs/:runId/async/status', (context) => {
  const { runId } = context.params;
  if (!runs.has(runId)) runs.set(runId, { status: 'completed', startedAt: now, finishedAt: now });
  context.body = { success: true, data: runs.get(runId) };
});
const server = new Koa().use(router.routes()).listen(0, '127.0.0.1', () => {
  process.stdout.write(`${server.address().port}\n`);
});
server.keepAliveTimeout = 60_000;
