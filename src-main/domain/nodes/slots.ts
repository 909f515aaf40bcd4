// Slots: what can stand at one place of a node, as zod schemas. A slot checks and compiles what the author wrote,
// so that the rest of Rowbench only ever sees parsed values. What the names in scope are is settled where a
// workflow is parsed; a node type says only which slot stands where.
import { z } from 'zod';
import { isJsonObject, type JsonValue } from '../../base/json-value.ts';
import { durationForm, durationPattern, longestWaitMs, parseDuration } from '../duration.ts';
import { shifted, type Parsed } from '../expressions/code-problem.ts';
import { parseFixedText } from '../expressions/fixed-text.ts';
import { parseBody, parseExpression } from '../expressions/parse-expression.ts';
import { parseMembers, parseText, parseValue } from '../expressions/parse-value.ts';
import { parseUrl } from '../expressions/parse-url.ts';
import { scopeWith, type Scope } from '../expressions/scope.ts';
import type { Expression, Value } from '../expressions/value.ts';
import { fieldKind } from './field-kind.ts';
import { entriesInOrder } from '../rows/name-order.ts';
import type { Fields } from './fields.ts';
import { missing, refuse, refuseKind, settle, type SlotContext } from './slot-problems.ts';

export type Slots = {
  /** Any JSON, with expressions and templates at any depth. */
  readonly value: () => Slot<Value>;
  /** Text, which may be an expression or a template. */
  readonly text: () => Slot<Value>;
  /** The URL of a call: text, where no row can choose the host unless all of it is an expression. */
  readonly url: () => Slot<Value>;
  /** Text that is the same for every row, in which variables may stand; `form` is for it with their values. */
  readonly fixedText: (form: TextForm) => Slot<string>;
  /** Always an expression; a leading `=` is optional, `true` and `false` may stand as they are. */
  readonly expression: () => Slot<Expression>;
  /** The body of a JavaScript function. */
  readonly body: () => Slot<Expression>;
  /** A time to wait: `400ms` (becomes a literal in milliseconds), or an expression. */
  readonly wait: () => Slot<Value>;
  readonly fields: () => Slot<Fields>;
  /** An expression behind `=`, where a value of another form can stand too. */
  readonly computed: () => Slot<Expression>;
  /** Slots whose expressions know further names. */
  readonly knowing: (names: readonly string[]) => Slots;
};

type Slot<T> = z.ZodType<T>;

/** Form of a text, and the message for a text of another form. */
type TextForm = { readonly pattern: RegExp; readonly message: string };

export function slotsFor(scope: Scope): Slots {
  return {
    value: () =>
      z
        .unknown()
        .transform((json, context) => {
          if (json === undefined) return missing(context);
          const parsed = parseValue(json as JsonValue, scope);
          return parsed.ok ? parsed.value : refuse(context, parsed.problems);
        })
        .meta(fieldKind('value')),
    text: () =>
      z
        .string()
        .transform((text, context) => settle(context, parseText(text, scope)))
        .meta(fieldKind('text')),
    url: () =>
      z
        .string()
        .transform((text, context) => settle(context, parseUrl(text, scope)))
        .meta(fieldKind('text')),
    fixedText: (form) =>
      z
        .string()
        .transform((text, context) => readFixedText({ text, form, scope }, context))
        .meta(fieldKind('text')),
    expression: () =>
      z
        .union([z.string(), z.boolean()], 'Expected an expression')
        .transform((written, context) => {
          const text = String(written);
          const skipped = text.startsWith('=') ? 1 : 0;
          return settle(context, shifted(parseExpression(text.slice(skipped), scope), skipped));
        })
        .meta(fieldKind('expression')),
    body: () =>
      z
        .string()
        .transform((text, context) => settle(context, parseBody(text, scope)))
        .meta(fieldKind('code')),
    wait: () =>
      z
        .string()
        .transform((text, context) => readWait(text, scope, context))
        .meta({ anyOf: [{ pattern: durationPattern.source }, { pattern: '^=' }], ...fieldKind('wait') }),
    fields: () =>
      z
        .unknown()
        .transform((json, context) => readFields(json, scope, context))
        .meta({
          anyOf: [
            { type: 'object', additionalProperties: true },
            { type: 'string', pattern: '^=' },
          ],
          ...fieldKind('values'),
        }),
    computed: () => computedSlot(scope),
    knowing: (names) => slotsFor(scopeWith(scope, names)),
  };
}

const computedSlot = (scope: Scope): Slot<Expression> =>
  z
    .string()
    .transform((text, context) =>
      text.startsWith('=') ? settle(context, parseComputed(text, scope)) : refuseKind(context),
    )
    .meta({ pattern: '^=', ...fieldKind('expression') });

function readFixedText(
  { text, form, scope }: { readonly text: string; readonly form: TextForm; readonly scope: Scope },
  context: SlotContext,
): string {
  const parsed = parseFixedText(text, scope);
  if (!parsed.ok) return refuse(context, parsed.problems);
  const { text: filled, isComplete } = parsed.value;
  return !isComplete || form.pattern.test(filled) ? filled : refuse(context, [{ message: form.message }]);
}

function readWait(text: string, scope: Scope, context: SlotContext): Value {
  if (text.startsWith('=')) return settle(context, parseText(text, scope));
  const ms = parseDuration(text);
  if (ms === undefined) {
    return refuse(context, [{ message: `Expected ${durationForm}, or an =expression in milliseconds` }]);
  }
  if (ms > longestWaitMs) return refuse(context, [{ message: 'Expected at most 24h' }]);
  return { kind: 'literal', value: ms };
}

function readFields(json: unknown, scope: Scope, context: SlotContext): Fields {
  if (json === undefined) return missing(context);
  if (typeof json === 'string' && json.startsWith('=')) return settle(context, parseComputed(json, scope));
  if (!isJsonObject(json)) return refuse(context, [{ message: expectedFields }]);
  const parsed = parseMembers(entriesInOrder(json), scope);
  return parsed.ok ? { kind: 'object', entries: parsed.members } : refuse(context, parsed.problems);
}

const expectedFields = 'Expected names with values, or an =expression that gives an object';

const parseComputed = (text: string, scope: Scope): Parsed<Expression> =>
  shifted(parseExpression(text.slice(1), scope), 1);
