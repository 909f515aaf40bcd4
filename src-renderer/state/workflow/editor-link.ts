/** A link that opens the file in VS Code; undefined for a relative path. */
export function editorLink(path: string): string | undefined {
  const forward = path.replaceAll('\\', '/');
  const rooted = /^[A-Za-z]:\//.test(forward) ? `/${forward}` : forward;
  // VS Code would take the name of a network share for a remote machine.
  if (!rooted.startsWith('/') || rooted.startsWith('//')) return undefined;
  const escaped = rooted.split('/').map(encodeURIComponent).join('/');
  return `vscode://file${escaped.replace(/^\/([A-Za-z])%3A\//, '/$1:/')}:1`;
}
