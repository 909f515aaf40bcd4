import { expect, it } from 'vitest';
import { environmentSecrets } from '../../../../src-main/domain/secrets/secret.ts';

it('a secret has its value in one variable and its hosts in another', () => {
  const env = {
    PATH: '/bin',
    ROWBENCH_API_KEY: 'key',
    ROWBENCH_SECRET_CRM_TOKEN: 'a value',
    ROWBENCH_SECRET_CRM_TOKEN_HOST: 'API.example.com, 127.0.0.1:8080',
    ROWBENCH_SECRET_LONELY: 'no host',
    ROWBENCH_SECRET_EMPTY: '',
    ROWBENCH_SECRET_lower: 'not a name',
    ROWBENCH_SECRET_: 'nor this',
  };
  expect(environmentSecrets(env)).toEqual([
    { name: 'CRM_TOKEN', value: 'a value', hosts: ['api.example.com', '127.0.0.1:8080'] },
    { name: 'LONELY', value: 'no host', hosts: [] },
  ]);
});
