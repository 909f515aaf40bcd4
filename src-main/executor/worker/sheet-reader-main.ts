// The process that reads spreadsheets, and large files of rows in pieces: no user has trusted them yet, so it has no files,
// no environment and no network, and its caller ends it when it takes too long. One job at a time.
import { FrameReader } from '../process/frames.ts';
import { frameFromSheetReader, type FromSheetReader, type SheetJob } from '../parser/sheet-protocol.ts';
import { frameOfRowsFile, type RowsFileAnswer, type RowsFileJob } from '../parser/rows-file-protocol.ts';
import { openMainLine } from './main-line.ts';
import { RowsFileReader } from './rows-file-reader.ts';
import { readWorkbook } from './sheet/read-workbook.ts';

const none = new Uint8Array(0);

const rowsFile = new RowsFileReader();
const reader = new FrameReader((head, [bytes = none]) => {
  if (isRowsFileJob(head))
    void rowsFile.answer({ ...head, bytes: Uint8Array.from(bytes) } as RowsFileJob).then(sendRows, fail);
  else send(readWorkbook({ ...(head as Omit<SheetJob, 'bytes'>), bytes }));
});
const line = openMainLine((bytes) => reader.readBytes(bytes));
const isRowsFileJob = (head: unknown): head is RowsFileJob =>
  typeof head === 'object' && head !== null && 'step' in head;
const sendRows = (answer: RowsFileAnswer): void => line.write(frameOfRowsFile(answer));
const fail = (error: unknown): never => {
  throw error;
};
const send = (message: FromSheetReader): void => line.write(frameFromSheetReader(message));

send({ type: 'ready' });
