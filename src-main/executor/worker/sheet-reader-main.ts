// The process that reads spreadsheets: no user has trusted them yet, so it has no files, no environment and no network,
// and its caller ends it when it takes too long. One job at a time.
import { FrameReader } from '../process/frames.ts';
import { frameFromSheetReader, type FromSheetReader, type SheetJob } from '../parser/sheet-protocol.ts';
import { openMainLine } from './main-line.ts';
import { readWorkbook } from './sheet/read-workbook.ts';

const none = new Uint8Array(0);

const reader = new FrameReader((head, [bytes = none]) => {
  send(readWorkbook({ ...(head as Omit<SheetJob, 'bytes'>), bytes }));
});
const line = openMainLine((bytes) => reader.readBytes(bytes));
const send = (message: FromSheetReader): void => line.write(frameFromSheetReader(message));

send({ type: 'ready' });
