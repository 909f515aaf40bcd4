// Opens the stored state of retention. Who calls: DataFolder.
import { join } from 'node:path';
import { isUnreadable } from '../domain/errors.ts';
import { retentionFileSchema, type RetentionFile } from '../domain/run/retention-file.ts';
import { previousOf } from './durable/durable-files.ts';
import { corruptSuffix } from './durable/json-file.ts';
import type { StoreParts } from './durable/store-parts.ts';
import { hasCode } from '../files/file-system.ts';
import { JsonDocument } from './json-document.ts';

const label = 'retention.json';

/** A damaged file is set aside and replaced: no run depends on it, so it refuses no start. */
export async function openRetentionIn(
  parts: StoreParts,
  folder: string,
): Promise<JsonDocument<RetentionFile>> {
  const path = join(folder, label);
  const open = (): Promise<JsonDocument<RetentionFile>> =>
    JsonDocument.open<RetentionFile>(parts, {
      path,
      label,
      schema: retentionFileSchema,
      initial: { version: 1 },
    });
  try {
    return await open();
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    const suffix = corruptSuffix(parts.clock);
    for (const damaged of [path, previousOf(path)])
      await parts.files.rename(damaged, damaged + suffix).catch((failure: unknown) => {
        if (!hasCode(failure, 'ENOENT')) throw failure;
      });
    parts.report(`${error.message}. It was kept as ${label}${suffix}, and the age of runs is measured anew.`);
    return open();
  }
}
