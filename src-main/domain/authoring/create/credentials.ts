// Which names of headers, parameters and fields carry a credential, and how a secret is called.
import { isJsonObject, type JsonValue } from '../../../base/json-value.ts';

const credentialNames =
  /(?:^|[-_.])(?:authorization|token|secret|password|passwd|pwd|credential|credentials|cookie|session|signature|jwt)(?:$|[-_.])|api[-_.]?key|access[-_.]?key|auth[-_.]?key|^key$|^auth$|(?:access|refresh|auth|id)token$|clientsecret$/i;

/** True if a value under that name is likely a credential. */
export const isCredentialName = (name: string): boolean => credentialNames.test(name);

/** Name of the first field, at any depth, whose text is likely a credential; undefined: there is none. */
export function credentialIn(json: JsonValue): string | undefined {
  if (Array.isArray(json)) return (json as JsonValue[]).map(credentialIn).find((name) => name !== undefined);
  if (!isJsonObject(json)) return undefined;
  for (const [name, value] of Object.entries(json)) {
    const found = typeof value === 'string' && isCredentialName(name) ? name : credentialIn(value ?? null);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Name of the secret for a host: that of the shell's variable, or made of the host: `CRM_TOKEN` for api.crm.com. */
export function secretNameFor(host: string, variable?: string): string {
  const name = (variable ?? `${mainLabel(host)}_TOKEN`).toUpperCase().replace(/[^A-Z0-9_]+/g, '_');
  return (/^[A-Z]/.test(name) ? name : `S_${name}`).slice(0, 64);
}

/** The part of a host that names its owner. */
function mainLabel(host: string): string {
  const labels = host.replace(/:\d+$/, '').split('.');
  return (labels.length < 2 || /^\d+$/.test(labels.at(-1) ?? '') ? labels[0] : labels.at(-2)) ?? 'API';
}

/** The part of a URL's path that looks like a credential, as in the address of a chat's webhook. */
function credentialInPath(url: string): string | undefined {
  const [path = ''] = url.replace(/^[a-z]+:\/\/[^/?#]*/i, '').split(/[?#]/);
  const webhook = /\/(?:services|webhooks?|hooks)\/(?:[\w-]+\/)*([\w-]{20,})\/?$/i.exec(path)?.[1];
  const parts = webhook === undefined ? path.split('/') : [webhook];
  return parts.find((part) => !uuid.test(part) && (part === webhook || token.test(part)));
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A long hexadecimal number, or digits and letters of both cases in one part without a dot. */
const token = /^(?:[0-9a-f]{32,}|(?=.*\d)(?=.*[a-z])(?=.*[A-Z])[\w:~-]{20,})$/;

export type PathCredential = {
  /** The host of the URL, without its port. */
  readonly host: string;
  /** True if the service is known to have credentials in such paths; otherwise a part of the path looks like one. */
  readonly isCertain: boolean;
};

/** Services whose addresses are credentials: each path is that of a chat's webhook or of a bot. */
const addressServices: readonly (readonly [host: RegExp, path: RegExp])[] = [
  [/^hooks\.slack(?:-gov)?\.com$/, /^\/(?:services|workflows|triggers)\/[^/]+\/[^/]+/],
  [/^(?:[a-z]+\.)?discord(?:app)?\.com$/, /^\/api\/(?:v\d+\/)?webhooks\/\d+\/[^/]+/],
  [/^(?:[a-z0-9-]+\.webhook|outlook)\.office(?:365)?\.com$/, /^\/webhook(?:b2)?\/[^/]+/],
  [/^api\.telegram\.org$/, /^\/(?:file\/)?bot\d+:[^/]+/],
];

/** A credential in the path of a URL, which the workflow file would keep; undefined for a path without one. */
export function pathCredential(url: string): PathCredential | undefined {
  const [, host = '', path = ''] = /^[a-z]+:\/\/([^/?#:]+)(?::\d+)?([^?#]*)/i.exec(url.toLowerCase()) ?? [];
  const isCertain = addressServices.some(([hosts, paths]) => hosts.test(host) && paths.test(path));
  return isCertain || credentialInPath(url) !== undefined ? { host, isCertain } : undefined;
}
