/** The function, which gives its last result again for the same text. Callers must not change results. */
export function rememberLast<Result>(make: (text: string) => Result): (text: string) => Result {
  let last: { readonly text: string; readonly result: Result } | undefined;
  return (text) => {
    last = last?.text === text ? last : { text, result: make(text) };
    return last.result;
  };
}
