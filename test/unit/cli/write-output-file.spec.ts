import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { writeOutputFile } from '../../../src-main/cli/write-output-file.ts';
import { temporaryFolder } from '../../builders/temporary-folder.ts';

async function* pieces(...texts: (string | Error)[]): AsyncGenerator<string> {
  for (const text of texts) {
    if (text instanceof Error) throw text;
    yield text;
  }
}

describe('an output file', () => {
  it('takes the place of the old one when it is whole', async () => {
    const folder = await temporaryFolder();
    const file = join(folder, 'out.json');
    await writeFile(file, 'old');
    await writeOutputFile(file, pieces('[', ']'));
    expect([await readFile(file, 'utf8'), await readdir(folder)]).toEqual(['[]', ['out.json']]);
  });

  it('that cannot be written is named as the user named it', async () => {
    const file = join(await temporaryFolder(), 'none', 'out.json');
    await expect(writeOutputFile(file, pieces('x'))).rejects.toThrow(
      `${file} cannot be written: no such file`,
    );
  });

  it('leaves the old one and nothing else when it fails midway', async () => {
    const folder = await temporaryFolder();
    const file = join(folder, 'out.json');
    await writeFile(file, 'old');
    await expect(writeOutputFile(file, pieces('[', new Error('disk')))).rejects.toThrow('disk');
    expect([await readFile(file, 'utf8'), await readdir(folder)]).toEqual(['old', ['out.json']]);
  });
});
