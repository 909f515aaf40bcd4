import { secretNamePattern, type Secret } from './secret.ts';

const prefix = 'ROWBENCH_SECRET_';
const hostSuffix = '_HOST';
/** Variable with the path of the file that seals a team's secrets; it is no secret itself. */
const keyFileVariable = 'ROWBENCH_SECRET_KEY_FILE';

/**
 * Secrets as an automated build hands them over: `ROWBENCH_SECRET_CRM_TOKEN` is the value of CRM_TOKEN, and
 * `ROWBENCH_SECRET_CRM_TOKEN_HOST` where it may be sent, several hosts with commas between them.
 */
export function environmentSecrets(env: { readonly [name: string]: string | undefined }): readonly Secret[] {
  return Object.entries(env).flatMap(([variable, value = '']) => {
    const name = variable.slice(prefix.length);
    const isSecret =
      variable.startsWith(prefix) &&
      variable !== keyFileVariable &&
      secretNamePattern.test(name) &&
      !name.endsWith(hostSuffix);
    return isSecret && value !== '' ? [{ name, value, hosts: hostsIn(env[`${variable}${hostSuffix}`]) }] : [];
  });
}

const hostsIn = (list = ''): readonly string[] =>
  list
    .split(',')
    .map((host) => host.trim().toLowerCase())
    .filter((host) => host !== '');
