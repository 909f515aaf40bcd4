// The answer to a request with a truncated body overtook the answer to the request before it on the same connection. A
// run was accepted, and its caller received the other request's error, or nothing.
import { expect, it, onTestFinished } from 'vitest';
import { answersIn } from '../builders/answers-in.ts';
import { RawConnection } from '../builders/raw-http.ts';
import { sampleWorkflows, startTestApp, workflowPath } from '../builders/start-test-app.ts';

it('a request with a broken body is answered after the one before it', async () => {
  const app = await startTestApp({ workflows: { echo: sampleWorkflows.echo }, limits: 'off' });
  onTestFinished(() => app.close());
  const head = `POST ${workflowPath('echo')} HTTP/1.1\r\nHost: 127.0.0.1:${app.port}\r\nx-service-key: ${app.key}\r\ncontent-type: application/json\r\n`;
  const rows = '{"rows":[{"n":1}]}';
  const whole = `${head}content-length: ${rows.length}\r\n\r\n${rows}`;
  for (const broken of [
    `${head}transfer-encoding: chunked\r\n\r\nzz\r\n`,
    `${head}transfer-encoding: chunked\r\n\r\n5\r\n{"row\r\nzz\r\n`,
  ]) {
    const connection = await RawConnection.open(app.port);
    connection.send(`${whole}${whole}${broken}`);
    const answers = answersIn(await connection.closed(), ['POST', 'POST', 'POST']);
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 400]);
  }
});
