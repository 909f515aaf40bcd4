// On a team server, ROWBENCH_SECRET_KEY_FILE showed up as a secret with the name KEY_FILE, whose value was the path of the key.
import { expect, it } from 'vitest';
import { environmentSecrets } from '../../src-main/domain/secrets/secret.ts';

it('the file that seals the secrets of a team is not one of them', () => {
  const env = { ROWBENCH_SECRET_KEY_FILE: '/etc/rowbench/secret.key', ROWBENCH_SECRET_KEY: 'a value' };
  expect(environmentSecrets(env)).toEqual([{ name: 'KEY', value: 'a value', hosts: [] }]);
});
