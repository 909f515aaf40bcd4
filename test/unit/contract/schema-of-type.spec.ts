import { expect, it } from 'vitest';
import { z } from 'zod';
import { schemaOfType } from '../../../src-main/contract/procedure.ts';

type Address = { readonly row: number; readonly field?: string };

// `npm run check:types` reports each directive below whose line compiles.
it('a schema with other members than its type does not compile', () => {
  const row = z.number();
  const field = z.string().exactOptional();
  const schema = schemaOfType<Address>()(z.strictObject({ row, field }));
  expect(schema.parse({ row: 1 })).toEqual({ row: 1 });
  // @ts-expect-error the type alone has an optional member
  schemaOfType<Address>()(z.strictObject({ row }));
  // @ts-expect-error the schema alone has an optional member
  schemaOfType<Address>()(z.strictObject({ row, field, node: field }));
  // @ts-expect-error a member has another type
  schemaOfType<Address>()(z.strictObject({ row: field, field }));
});
