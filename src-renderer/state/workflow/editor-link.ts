/** A link that opens the file in an editor that is there to take it; undefined for a path that is not whole. */
export function editorLink(path: string, line = 1): string | undefined {
  const forward = path.replaceAll('\\', '/');
  const rooted = /^[A-Za-z]:\//.test(forward) ? `/${forward}` : forward;
  // A share's name would be taken for a machine to open the file on.
  if (!rooted.startsWith('/') || rooted.startsWith('//')) return undefined;
  const escaped = rooted.split('/').map(encodeURIComponent).join('/');
  return `vscode://file${escaped.replace(/^\/([A-Za-z])%3A\//, '/$1:/')}:${line}`;
}
