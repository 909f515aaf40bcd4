import { counted } from '../../../domain/format.ts';
import type { AnswerForm } from '../../../domain/upstream/body-form.ts';
import { setOwn } from '../plain-value.ts';
import type { RowScope } from '../sandbox.ts';
import { bodyValue, type OutsideAnswer } from './answer-body.ts';
import { compileRequest } from './compile-request.ts';
import type { MakeRunner } from './node-runner.ts';
import { callOutside, readAnswer, type OutsideCall } from './outside-call.ts';

export const runHttp: MakeRunner<'http'> = (config, tools) => {
  const { auth, limit, session, share, expect, answerAs } = config;
  const { redirect } = config.request;
  const request = compileRequest(config, tools.compiler);
  const ask = async (call: OutsideCall, scope: RowScope): Promise<unknown> =>
    readAnswer(await callOutside(call, scope, tools), (answer) =>
      valueOf(answer, answerAs, (count) => {
        tools.log(scope, 'info', [`${counted(count, 'number')} kept as text`]);
      }),
    );
  const every = {
    ...(auth === undefined ? {} : { auth }),
    ...(limit === undefined ? {} : { intervalMs: limit }),
    ...(expect === undefined ? {} : { expect }),
    ...(redirect === 'answer' ? { redirect } : {}),
    ...(session === undefined ? {} : { session }),
    ...(share === undefined ? {} : { isShared: true as const }),
  };
  return (scope) => ask({ ...request(scope), ...every }, scope);
};

/** @param onTexts gets the count of numbers that became text, if there are any */
function valueOf(
  answer: OutsideAnswer,
  form: AnswerForm | undefined,
  onTexts: (count: number) => void,
): unknown {
  const headers: Record<string, unknown> = {};
  for (const [name, value] of answer.headers) setOwn(headers, name, value);
  return Object.freeze({
    status: answer.status,
    headers: Object.freeze(headers),
    body: bodyValue(answer, form, onTexts),
    ...(answer.url === undefined ? {} : { url: answer.url }),
  });
}
