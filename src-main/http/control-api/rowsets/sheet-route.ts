// POST /_rowbench/v1/sheet?sheet=NAME&header=3: the rows of a sheet of the workbook in the body; the query has options of reading.
// The first line of the answer has the names of all sheets and how the sheet was read; each further line is a row.
import type { Context } from 'koa';
import { bodyTooLarge } from '../../../domain/request-errors.ts';
import { byteSize } from '../../../domain/format.ts';
import { parseReadOptions, type ReadOptions } from '../../../domain/rows/files/read-options.ts';
import type { RowsetsRoom } from '../../../services/rowsets/open.ts';
import { declaredBytes, readBody } from '../../request-body.ts';
import type { ControlRoute } from '../control-route.ts';
import { streamFile } from '../stream-file.ts';
import type { StreamDeps } from '../stream-rows.ts';

/** Maximum bytes of a workbook. */
const maxBytes = 100_000_000;

export const sheetRoute = ({ sheets }: RowsetsRoom, deps: StreamDeps): ControlRoute => ({
  method: 'POST',
  name: 'sheet.read',
  path: /^\/sheet$/,
  answer: async (context) => {
    const { type: _, lines, ...head } = await sheets.read(() => readWhole(context, deps), optionsIn(context));
    const text = async function* (): AsyncGenerator<string | Uint8Array> {
      yield await Promise.resolve(`${JSON.stringify(head)}\n`);
      yield lines;
    };
    await streamFile(context, { ...deps, text: text(), type: 'application/x-ndjson; charset=utf-8' });
  },
});

/** Throws `invalid_input` for an option that there is not. */
const optionsIn = ({ query }: Context): ReadOptions =>
  parseReadOptions(
    Object.fromEntries(
      Object.entries(query).map(([name, value]) => [
        name,
        name === 'strict' ? value === 'true' : String(value),
      ]),
    ),
  );

async function readWhole(context: Context, { clock }: StreamDeps): Promise<Uint8Array> {
  if (Number(context.req.headers['content-length'] ?? 0) > maxBytes)
    throw bodyTooLarge(`a workbook may have ${byteSize(maxBytes)} at most`);
  // Filled as chunks arrive: to join them at the end would keep the server busy. What is not filled takes no memory.
  const file = Buffer.allocUnsafeSlow(declaredBytes(context.req, maxBytes) ?? maxBytes);
  let length = 0;
  for await (const chunk of readBody(context.req, { response: context.res, maxBytes: file.length, clock }))
    length += chunk.copy(file, length);
  return file.subarray(0, length);
}
