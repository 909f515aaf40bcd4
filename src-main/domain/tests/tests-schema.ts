// The JSON Schema of a tests file, made of the schemas that check one. Editors read the published copy,
// docs/tests.schema.json; `npm run generate` writes it, a spec fails when it is stale.
import { z } from 'zod';
import type { JsonSchema } from '../workflow/workflow-schema.ts';
import { testsKeys } from './tests-keys.ts';

/** In the 2020-12 dialect. It knows the form of a file; which mocks there are only Rowbench itself checks. */
export function testsJsonSchema(): JsonSchema {
  const schema = z.toJSONSchema(testsKeys, { io: 'input', target: 'draft-2020-12', reused: 'inline' });
  return { ...schema, title: 'Rowbench tests' };
}
