import type { Parsed } from './code-problem.ts';
import { checkCode } from './parse-expression.ts';
import type { Scope } from './scope.ts';
import { readBody } from './syntax.ts';
import type { Expression } from './value.ts';

/** The text as the body of a JavaScript function: statements, `return` for the value, `await` allowed. */
export function parseBody(text: string, scope: Scope): Parsed<Expression> {
  if (text.trim() === '') return { ok: false, problems: [{ message: 'The code is empty', offset: 0 }] };
  const read = readBody(text);
  return read.ok ? checkCode('body', read.value, scope) : read;
}
