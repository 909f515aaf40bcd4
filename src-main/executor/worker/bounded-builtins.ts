// Bounds for built-in functions that take gigabytes of native memory in one call, which the heap limit does not see.
// Called by realm.ts before lockdown, which freezes these as it does all the others.

/** Maximum characters (UTF-16 units). Normalised they take 150 MB at most, since one can become 18. */
const maxCharacters = 4_194_304;
/** Maximum levels of nesting. The engine's parser takes some 40 bytes for each. */
const maxJsonDepth = 1_000_000;

type Native = (...args: never[]) => unknown;
const nativeOf = (holder: object, name: string): Native => Reflect.get(holder, name) as Native;
const call = (native: Native, self: unknown, args: readonly unknown[]): unknown =>
  Reflect.apply(native, self, args) as unknown;

/** Replaces functions of the engine by bounded ones with the same names and numbers of parameters. */
export function boundBuiltins(): void {
  replace(String.prototype, boundedText());
  replace(JSON, boundedJson());
  replace(globalThis, boundedEncoders());
}

/** Replaces functions; their properties stay writable and not enumerable. */
function replace(holder: object, functions: object): void {
  for (const [name, value] of Object.entries(functions)) Object.defineProperty(holder, name, { value });
}

// Methods and arrows rather than functions: like the engine's functions they have no `prototype` and cannot be called with
// `new`. Other values are converted to text once, by the engine's rule, so that they cannot give another text later.

function boundedText(): object {
  const native = nativeOf(String.prototype, 'normalize');
  return {
    normalize(this: unknown, ...form: readonly unknown[]) {
      const isText = this !== null && this !== undefined;
      return call(native, isText ? assertShort('normalize', textOf(this)) : this, form);
    },
  };
}

function boundedJson(): object {
  const native = nativeOf(JSON, 'parse');
  return {
    parse(text: unknown, reviver: unknown) {
      const json = textOf(text);
      if (json.length > maxJsonDepth && isDeeper(json, maxJsonDepth))
        throw rangeError(`JSON is nested more than ${maxJsonDepth} levels deep`);
      return call(native, JSON, [json, reviver]);
    },
  };
}

function boundedEncoders(): object {
  const uri = nativeOf(globalThis, 'encodeURI');
  const component = nativeOf(globalThis, 'encodeURIComponent');
  return {
    encodeURI: (text: unknown) => call(uri, undefined, [assertShort('encodeURI', textOf(text))]),
    encodeURIComponent: (text: unknown) =>
      call(component, undefined, [assertShort('encodeURIComponent', textOf(text))]),
  };
}

/** Converts a value to text as the language does. Throws a TypeError for a symbol. */
const textOf = (value: unknown): string => (typeof value === 'string' ? value : `${value as string}`);

/** Throws a RangeError for a text of more characters than any builtin takes. */
export function assertShort(name: string, text: string): string {
  if (text.length > maxCharacters)
    throw rangeError(`${name} takes at most ${maxCharacters} characters, and was given ${text.length}`);
  return text;
}

const quote = 0x22;
const backslash = 0x5c;

/** True if lists and objects are nested more than `max` levels deep. One pass; texts within it are skipped. */
function isDeeper(json: string, max: number): boolean {
  let depth = 0;
  for (let at = 0; at < json.length; at += 1) {
    const code = json.charCodeAt(at);
    // `[` and `{` differ in one bit, and so do `]` and `}`.
    if ((code | 0x20) === 0x7b) {
      depth += 1;
      if (depth > max) return true;
    } else if ((code | 0x20) === 0x7d) depth -= 1;
    else if (code === quote) {
      at += 1;
      while (at < json.length && json.charCodeAt(at) !== quote)
        at += json.charCodeAt(at) === backslash ? 2 : 1;
    }
  }
  return false;
}

// Errors that author code may catch: errors of the language, frozen. Those of a library or of our own classes would share a
// prototype that author code could change for all rows.

export const typeError = (message: string): TypeError => Object.freeze(new TypeError(message));
export const rangeError = (message: string): RangeError => Object.freeze(new RangeError(message));
export const uriError = (message: string): URIError => Object.freeze(new URIError(message));

/**
 * Calls a library. Throws a RangeError with the library's message in place of its error.
 * @param act must run no author code, whose errors pass as they are: read all arguments before
 */
export function fromLibrary<T>(name: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw rangeError(`${name}: ${error instanceof Error ? error.message : 'this is not possible'}`);
  }
}
