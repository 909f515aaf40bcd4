/**
 * The function, which gives its last result again for the same text. Callers must not change results. The last result is
 * released before another one is made, so that memory holds one at a time.
 */
export function rememberLast<Result>(make: (text: string) => Result): (text: string) => Result {
  let last: { readonly text: string; readonly result: Result } | undefined;
  return (text) => {
    if (last?.text === text) return last.result;
    last = undefined;
    const result = make(text);
    last = { text, result };
    return result;
  };
}
