// The HTTP side of the floor servers: accept rows, answer a status, hand out outputs.
import Koa from 'koa';

/**
 * @param runs by id, each with `status` and, once it has completed, `outputs`
 * @param accept keeps the rows that were sent and sets their run going; resolves to its id
 */
export function serveRuns(runs, accept) {
  const app = new Koa();
  app.use(async (ctx) => {
    const [, kind, name, part] = ctx.path.split('/');
    if (ctx.method === 'POST') {
      const chunks = [];
      for await (const chunk of ctx.req) chunks.push(chunk);
      const { rows } = JSON.parse(Buffer.concat(chunks).toString());
      const runId = await accept(rows, name);
      ctx.status = 201;
      ctx.body = { success: true, data: { runId } };
    } else if (kind === 'runs' && part === undefined) {
      ctx.body = { success: true, data: { status: runs.get(name).status } };
    } else {
      const { outputs } = runs.get(name);
      ctx.body = {
        success: true,
        data: Object.fromEntries(outputs.map((output, at) => [`row_${at + 1}`, output])),
      };
    }
  });
  const server = app.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));
}
