import type { Secret } from '../../domain/secrets/secret.ts';

/** Where the broker gets a secret for a call that names one. It keeps the value no longer than the call takes. */
export interface SecretSource {
  /** Undefined for a name that stands for none. Rejects when secrets cannot be read. */
  find(name: string): Promise<Secret | undefined>;
}
