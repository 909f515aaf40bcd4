import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { AppError } from '../base/app-error.ts';
import { gzipDamaged, type Gunzip } from '../domain/rows/files/open-bytes.ts';

/** Unpacks while it is read. Throws `invalid_input`, and what reading the packed bytes throws. */
export const gunzip: Gunzip = async function* (packed) {
  // A failure is thrown where the bytes are read.
  const unpacked = pipeline(Readable.from(packed), createGunzip(), () => undefined);
  try {
    for await (const piece of unpacked) yield piece as Buffer;
  } catch (error) {
    throw isOfZlib(error) ? gzipDamaged(error.code === 'Z_BUF_ERROR', error) : error;
  }
};

const isOfZlib = (error: unknown): error is Error & { code: string } =>
  error instanceof Error && !(error instanceof AppError) && 'code' in error && /^Z_/.test(String(error.code));
