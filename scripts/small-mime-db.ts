// Reduces mime-db, a list of 2,500 media types, to the types that our answers need, so that a server starts sooner.
import type { Plugin } from 'vite';

type MediaTypes = Readonly<Record<string, { readonly charset?: string }>>;

/** Koa gives these to a body whose answer names no type. */
const typesOfBodies = ['application/octet-stream', 'text/html', 'text/plain'];

export function smallMimeDb(): Plugin {
  return {
    name: 'small-mime-db',
    transform: {
      filter: { id: /node_modules\/mime-db\/db\.json$/ },
      order: 'pre',
      handler(json) {
        const all = Object.entries(JSON.parse(json) as MediaTypes);
        // An answer that names its type has that type's charset.
        const needed = all.filter(
          ([type, { charset }]) => charset !== undefined || typesOfBodies.includes(type),
        );
        return JSON.stringify(Object.fromEntries(needed));
      },
    },
  };
}
