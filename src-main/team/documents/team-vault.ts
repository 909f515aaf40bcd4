// Seals the secrets of a team with a key that each machine has in a file of its own. INVARIANT: the database never has the
// key. Who calls: open-team.ts; `rowbench database migrate` creates the file.
import { randomBytes } from 'node:crypto';
import { AppError } from '../../base/app-error.ts';
import { systemClock } from '../../base/system-clock.ts';
import { hasCode } from '../../files/file-system.ts';
import { nodeFileSystem } from '../../files/node-file-system.ts';
import { diskReason, readWhole } from '../../files/read-bytes.ts';
import { DurableFiles } from '../../storage/durable/durable-files.ts';
import { openSealedText, sealKeyBytes, sealText } from '../../storage/documents/key-file-vault.ts';
import type { Sql } from '../sql.ts';

/** Row of the table of secrets that tells whether a key is the one that the others were sealed with. */
const checkName = 'key-check';
const checkPurpose = 'check of the key';

/** The vault of a process that was started without the key. */
export const noVault = {
  seal: async (): Promise<string> => {
    throw noSecretKey();
  },
  open: async (): Promise<string> => {
    throw noSecretKey();
  },
};

const noSecretKey = (): AppError =>
  new AppError(
    'invalid_input',
    'Secrets of a team need its key: start Rowbench with ROWBENCH_SECRET_KEY_FILE, the path of a file that "rowbench database migrate --secret-key-file" creates',
  );

export class TeamVault {
  readonly #key: Uint8Array;

  private constructor(key: Uint8Array) {
    this.#key = key;
  }

  /**
   * Reads the key. Throws `invalid_input` for a file without a key, and for another key than the one of the database.
   * @param isReadOnly true for a worker, which stores nothing
   */
  static async open(sql: Sql, path: string, { isReadOnly = false } = {}): Promise<TeamVault> {
    const vault = new TeamVault(await readKey(path));
    if (!isReadOnly)
      await sql.query(
        'insert into rowbench.secrets (name, version, value) values ($1, 1, $2) on conflict do nothing',
        [checkName, sealText(vault.#key, '', checkPurpose)],
      );
    const [check] = await sql.query<{ value: string }>('select value from rowbench.secrets where name = $1', [
      checkName,
    ]);
    if (check !== undefined && !vault.#opens(check.value))
      throw new AppError(
        'invalid_input',
        `${path} has another key than the one that this database's secrets are sealed with. Copy the file from a machine of the team`,
      );
    return vault;
  }

  async seal(value: string, purpose: string): Promise<string> {
    return sealText(this.#key, value, purpose);
  }

  /** Throws `data_unreadable`. */
  async open(sealed: string, purpose: string): Promise<string> {
    return openSealedText(this.#key, sealed, purpose);
  }

  #opens(check: string): boolean {
    try {
      openSealedText(this.#key, check, checkPurpose);
      return true;
    } catch {
      return false;
    }
  }
}

/** Creates a file with a new key, for its owner alone. False if the file exists: then it stays as it is. Throws `invalid_input`. */
export async function createSecretKeyFile(path: string): Promise<boolean> {
  const line = Buffer.from(`${randomBytes(sealKeyBytes).toString('base64')}\n`);
  try {
    await new DurableFiles(nodeFileSystem, systemClock).create(path, line);
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw new AppError('invalid_input', `${path} cannot be created (${diskReason(error)})`, { cause: error });
  }
}

async function readKey(path: string): Promise<Uint8Array> {
  const bytes = await readWhole(nodeFileSystem, path).catch((error: unknown) => {
    throw new AppError('invalid_input', `${path} cannot be read (${diskReason(error)})`, { cause: error });
  });
  if (bytes === undefined)
    throw new AppError(
      'invalid_input',
      `There is no file ${path}. Create it with: rowbench database migrate --secret-key-file ${path}`,
    );
  const key = Buffer.from(Buffer.from(bytes).toString('latin1').trim(), 'base64');
  if (key.length !== sealKeyBytes)
    throw new AppError('invalid_input', `${path} has no key of ${sealKeyBytes} bytes in base64`);
  return key;
}
