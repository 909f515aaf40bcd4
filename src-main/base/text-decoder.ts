// The decoder of the Encoding Standard. Node and browsers have the same one; this layer compiles without the types of either.

/** Decodes bytes that come in pieces. */
export type StreamDecoder = {
  /** The standard's name of the encoding, in lower case. */
  readonly encoding: string;
  /** Throws a TypeError for bytes that are not of the encoding, if it is fatal. */
  decode(bytes?: Uint8Array, options?: { readonly stream: boolean }): string;
};

type DecoderOptions = { readonly fatal: boolean };

const { TextDecoder } = globalThis as unknown as {
  readonly TextDecoder: new (label: string, options: DecoderOptions & { ignoreBOM: true }) => StreamDecoder;
};

/** A decoder that leaves byte order marks in the text; undefined for a name that the standard does not have. */
export function streamDecoder(label: string, options: DecoderOptions): StreamDecoder | undefined {
  try {
    return new TextDecoder(label, { ...options, ignoreBOM: true });
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
