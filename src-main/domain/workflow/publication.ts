// What is published to a team: the files of its workflows, which replace all that was published before.

/** `path` is relative to the folder that is published. */
export type PublishedFile = { readonly path: string; readonly bytes: Uint8Array };

/** Number of files. */
export type Publication = { readonly added: number; readonly changed: number; readonly removed: number };

/** Publishes the files that workflows need in place of all files before. The name is that of the user. */
export type Publish = (files: readonly PublishedFile[], publishedBy: string) => Promise<Publication>;

/** Maximum bytes of all files that are published through a server. */
export const maxPublishBytes = 30_000_000;
