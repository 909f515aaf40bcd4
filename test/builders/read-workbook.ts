import { join } from 'node:path';
import { systemClock } from '../../src-main/base/system-clock.ts';
import { SheetProcess } from '../../src-main/executor/parser/sheet-process.ts';

/** The rows of a workbook as Rowbench reads them, as lines of JSON. */
export async function readWorkbook(bytes: Uint8Array): Promise<string> {
  const script = join(import.meta.dirname, '../../dist/sheet-reader.cjs');
  const reader = new SheetProcess({ script, clock: systemClock });
  try {
    const answer = await reader.read({ types: [], bytes });
    return answer.type === 'rows' ? Buffer.from(answer.lines).toString() : JSON.stringify(answer);
  } finally {
    await reader.close();
  }
}
