import { z } from 'zod';
import { adminChange, answer, nothing, viewer } from '../procedure.ts';
import {
  longestSecret,
  secretHostPattern,
  secretNameForm,
  secretNamePattern,
  secretValuePattern,
  shortestSecret,
} from '../../domain/secrets/secret.ts';
import type { MissingSecret } from '../../domain/trust/preflight.ts';

/** The parts of a secret that a client may see. Its value is never returned. */
export type SecretView = {
  readonly name: string;
  readonly hosts: readonly string[];
  /** null for one that this process was started with. */
  readonly createdAt: string | null;
};

const secretName = z.string().regex(secretNamePattern, `A secret is named by ${secretNameForm}`);
const secretHost = z
  .string()
  .toLowerCase()
  .regex(
    secretHostPattern,
    'A host is a name or an address, with ":port" where it is not called with https at its usual port',
  );
export const secretValue = z
  .string()
  .min(shortestSecret, `A secret has at least ${shortestSecret} characters`)
  .max(longestSecret, `A secret has at most ${longestSecret} characters`)
  .regex(
    secretValuePattern,
    'A secret has no line breaks, no blanks at its ends, and only characters up to ÿ',
  );

export const secretProcedures = {
  'secret.list': viewer(nothing, answer<readonly SecretView[]>),
  /** Secrets that workflows name and that are not stored. */
  'secret.missing': viewer(nothing, answer<readonly MissingSecret[]>),
  'secret.set': adminChange(
    z.strictObject({ name: secretName, hosts: z.array(secretHost).min(1).max(20), value: secretValue }),
    answer<SecretView>,
  ),
  'secret.remove': adminChange(z.strictObject({ name: secretName }), answer<SecretView>),
};
