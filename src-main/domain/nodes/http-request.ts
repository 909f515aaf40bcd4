// What an `http` node asks for: method, URL, query, headers and body.
import { z } from 'zod';
import { headerProblem } from '../upstream/header-problem.ts';
import { httpMethods } from '../upstream/http-methods.ts';
import { writtenFields, type Fields, type Slots } from './slots.ts';

export const requestSlot = (slots: Slots) =>
  z
    .strictObject({
      method: methodSlot(slots)
        .default('GET')
        .describe('Without it: GET. An `=expression` gives one of these.'),
      url: slots
        .url()
        .describe(
          'Begins with http:// or https:// and the host. Each `{{ }}` behind it is encoded, so that a value stays in its part of the URL.',
        ),
      query: slots
        .fields()
        .exactOptional()
        .describe(
          'Added to the url, encoded as it must be: names with values, or an `=expression` that gives an object of them. A list gives its name several times, null none.',
        ),
      headers: headersSlot(slots)
        .exactOptional()
        .describe(
          'Headers by name, or an `=expression` that gives an object of them. One that is null is left out.',
        ),
      body: slots
        .value()
        .exactOptional()
        .describe('Text is sent as it is, anything else as JSON. Without it: none.'),
    })
    .superRefine(({ method, body }, context) => {
      if (body === undefined || (method !== 'GET' && method !== 'HEAD')) return;
      context.addIssue({ code: 'custom', message: `A ${method} request has no body`, path: ['body'] });
    });

const methodSlot = (slots: Slots) =>
  z.union([z.enum(httpMethods), slots.computed()], {
    error: `Expected one of ${httpMethods.join(', ')}, or an =expression`,
  });

/** Names in lower case, each once. Those that an expression gives are checked when it runs. */
const headersSlot = (slots: Slots) =>
  slots.fields().transform((fields, context): Fields => {
    if (fields.kind !== 'object') return fields;
    const seen = new Set<string>();
    const entries = writtenFields(fields).map(([written, value]) => {
      const name = written.toLowerCase();
      const problem = headerProblem(name, seen);
      seen.add(name);
      if (problem !== undefined)
        context.issues.push({ code: 'custom', message: problem, input: fields, path: [written] });
      return [name, value] as const;
    });
    return { kind: 'object', entries };
  });
