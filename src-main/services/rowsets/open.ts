// Stored rows, and rows of spreadsheets.
import type { Platform } from '../platform.ts';
import { RowSetService } from './row-set-service.ts';
import { SheetService } from './sheet-service.ts';

export type RowsetsRoom = ReturnType<typeof openRowsets>;

export const openRowsets = ({ clock, processes, backend }: Platform) => ({
  rowSets: new RowSetService({ store: backend.stores.rowSets, clock }),
  sheets: new SheetService(processes.sheetProcess),
});
