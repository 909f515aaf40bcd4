// Reads spreadsheets that the app sends for row entry. Who calls: the control API.
import { AppError } from '../../base/app-error.ts';
import { tooManySheets } from '../../domain/store-errors.ts';
import type { ReadOptions } from '../../domain/rows/files/read-options.ts';
import type { SheetAnswer } from '../../executor/parser/sheet-protocol.ts';
import type { SheetProcess } from '../../executor/parser/sheet-process.ts';

type SheetContent = Extract<SheetAnswer, { readonly type: 'rows' }>;

/** Maximum files that are held in memory at once; they are read one after the other. */
const maxFiles = 3;

export class SheetService {
  readonly #process: Pick<SheetProcess, 'read'>;
  #files = 0;

  constructor(process: Pick<SheetProcess, 'read'>) {
    this.#process = process;
  }

  /**
   * Reads the sheet that the options name, or the first with cells that is not hidden. Throws `invalid_input` that says why it cannot be read, and
   * `too_many_exports`.
   */
  async read(loadFile: () => Promise<Uint8Array>, read: ReadOptions): Promise<SheetContent> {
    if (this.#files >= maxFiles) throw tooManySheets(maxFiles);
    this.#files += 1;
    try {
      const answer = await this.#process.read({ read, types: [], bytes: await loadFile() });
      if (answer.type === 'rows') return answer;
      const problem = answer.type === 'refused' ? answer.problem : 'it has several sheets';
      throw new AppError('invalid_input', `${problem.charAt(0).toUpperCase()}${problem.slice(1)}`);
    } finally {
      this.#files -= 1;
    }
  }
}
