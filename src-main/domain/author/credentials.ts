// Which names of headers, parameters and fields carry a credential, and how a secret is called.

const credentialNames =
  /(?:^|[-_.])(?:authorization|token|secret|password|passwd|pwd|credential|credentials|cookie|session|signature|jwt)(?:$|[-_.])|api[-_.]?key|access[-_.]?key|auth[-_.]?key|^key$|^auth$|(?:access|refresh|auth|id)token$|clientsecret$/i;

/** True if a value under that name is likely a credential. */
export const isCredentialName = (name: string): boolean => credentialNames.test(name);

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
