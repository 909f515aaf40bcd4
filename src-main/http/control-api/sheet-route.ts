// POST /_rowbench/v1/sheet?sheet=NAME: the rows of a sheet of the workbook in the body. The first line of the answer has the
// names of all sheets; each further line is a row.
import type { Context } from 'koa';
import { bodyTooLarge } from '../../domain/request-errors.ts';
import { byteSize } from '../../domain/format.ts';
import type { SheetService } from '../../services/sheet-service.ts';
import { readBody } from '../request-body.ts';
import type { ControlRoute } from './control-route.ts';
import { streamFile } from './stream-file.ts';
import { queryOf, type StreamDeps } from './stream-rows.ts';

/** Maximum bytes of a workbook. */
const maxBytes = 100_000_000;

export const sheetRoute = ({
  sheets,
  ...deps
}: StreamDeps & { readonly sheets: SheetService }): ControlRoute => ({
  method: 'POST',
  name: 'sheet.read',
  path: /^\/sheet$/,
  answer: async (context) => {
    const { lines, ...head } = await sheets.read(() => readWhole(context, deps), queryOf(context, 'sheet'));
    const text = async function* (): AsyncGenerator<string | Uint8Array> {
      yield await Promise.resolve(`${JSON.stringify({ sheets: head.sheets, sheet: head.sheet })}\n`);
      yield lines;
    };
    await streamFile(context, { ...deps, text: text(), type: 'application/x-ndjson; charset=utf-8' });
  },
});

async function readWhole(context: Context, { clock }: StreamDeps): Promise<Uint8Array> {
  if (Number(context.req.headers['content-length'] ?? 0) > maxBytes)
    throw bodyTooLarge(`a workbook may have ${byteSize(maxBytes)} at most`);
  const chunks: Uint8Array[] = [];
  for await (const chunk of readBody(context.req, { response: context.res, maxBytes, clock }))
    chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}
