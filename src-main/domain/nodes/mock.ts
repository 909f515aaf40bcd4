// Canned answers of a node, by name. They are data of the workflow file and do nothing until a run asks for one.
import { z } from 'zod';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json-value.ts';
import { fieldKind } from './field-kind.ts';
import { refuse } from './slot-problems.ts';

/** Result of one attempt of a mocked node: a value, or a failure with a message. */
type MockAnswer = { readonly value: JsonValue } | { readonly error: string };

/** One answer for each attempt, at least one; the last one stands for all further attempts. */
export type Mock = readonly MockAnswer[];

export type NamedMocks = readonly (readonly [name: string, mock: Mock])[];

/**
 * Names with answers. An answer is the node's value, whatever it is, with two exceptions, told by their only key:
 * `{ error: text }` fails the node, `{ attempts: [...] }` has `{ value }` or `{ error }` for each attempt.
 */
export const mockSlot = z
  .unknown()
  .transform((json, context): NamedMocks => {
    if (!isJsonObject(json)) return refuse(context, [{ message: 'Expected names with canned answers' }]);
    const problems: Problem[] = [];
    const mocks = Object.entries(json).map(
      ([name, answer]) => [name, readMock(answer, [name], problems)] as const,
    );
    return problems.length === 0 ? mocks : refuse(context, problems);
  })
  .meta({ type: 'object', additionalProperties: true, ...fieldKind('mock') });

type Problem = { readonly message: string; readonly path: readonly (string | number)[] };

function readMock(answer: JsonValue, path: Problem['path'], problems: Problem[]): Mock {
  if (hasOnly(answer, 'error')) return [readAnswer(answer, path, problems)];
  if (!hasOnly(answer, 'attempts') || !Array.isArray(answer['attempts'])) return [{ value: answer }];
  const attempts = answer['attempts'] as readonly JsonValue[];
  const around = [...path, 'attempts'];
  if (attempts.length === 0)
    problems.push({ message: 'Expected an answer for at least one attempt', path: around });
  return attempts.map((attempt, index) => readAnswer(attempt, [...around, index], problems));
}

function readAnswer(answer: JsonValue, path: Problem['path'], problems: Problem[]): MockAnswer {
  if (hasOnly(answer, 'value')) return { value: answer['value'] ?? null };
  const error = hasOnly(answer, 'error') ? answer['error'] : undefined;
  if (typeof error === 'string' && error !== '') return { error };
  problems.push(
    error === undefined
      ? { message: 'Expected { value: ... } or { error: text }', path }
      : { message: 'Expected text that says why the node fails', path: [...path, 'error'] },
  );
  return { value: null };
}

const hasOnly = (answer: JsonValue, key: string): answer is JsonObject =>
  isJsonObject(answer) && Object.hasOwn(answer, key) && Object.keys(answer).length === 1;
