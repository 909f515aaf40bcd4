// Stored rows, rows of spreadsheets, and rows of large files.
import type { Platform } from '../platform.ts';
import { RowSetService } from './row-set-service.ts';
import { RowsFileService } from './rows-file-service.ts';
import { SheetService } from './sheet-service.ts';

export type RowsetsRoom = ReturnType<typeof openRowsets>;

export const openRowsets = ({ clock, processes, backend }: Platform) => ({
  rowSets: new RowSetService({ store: backend.stores.rowSets, clock }),
  sheets: new SheetService(processes.sheetProcess),
  rowsFiles: new RowsFileService(processes.openRowsFile),
});
