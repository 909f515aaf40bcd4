/** Short name of a client, for people: the first product of its `User-Agent`. */
export function clientName(userAgent: string): string {
  if (/^Mozilla\//.test(userAgent)) return 'a browser';
  const [name = ''] = userAgent.split(/[\s/;(]/, 1);
  return name === '' ? 'a program without a name' : name.slice(0, 40);
}
