// Fonts for the guide's pictures: characters that the app's own fonts lack. A user's system has fonts for them; a machine that
// draws pictures may have none, and would show boxes.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';

type Source = {
  /** Stylesheet of the package, with a font face for each part of the font. */
  readonly css: string;
  readonly has: RegExp;
};

const modules = new URL('../../node_modules/', import.meta.url);
const sources: readonly Source[] = [
  { css: '@fontsource-variable/noto-sans-sc/index.css', has: /\p{Script=Han}/u },
  // The parts in `400.css` draw blanks in Chromium 156.
  { css: '@fontsource/noto-color-emoji/emoji-400.css', has: /\p{Emoji_Presentation}/u },
];

/** The families of the app's texts (`tokens.css`), which get the characters. */
const families = ['Inter Variable', 'JetBrains Mono Variable'];

type Face = { readonly base64: string; readonly unicodeRange: string };

/** Loads the fonts of the characters into the page. Throws for a character that no part of its font lists. */
export async function addPictureFonts(page: Page, text: string): Promise<void> {
  const faces: Face[] = [];
  for (const { css, has } of sources)
    for (const char of new Set([...text].filter((each) => has.test(each))))
      faces.push(await faceOf(css, char.codePointAt(0) ?? 0));
  await page.evaluate(
    async ([faces, families]) => {
      for (const { base64, unicodeRange } of faces) {
        const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
        for (const family of families) {
          const face = new FontFace(family, bytes, { unicodeRange, weight: '100 900' });
          document.fonts.add(await face.load());
        }
      }
    },
    [faces, families] as const,
  );
}

async function faceOf(css: string, codePoint: number): Promise<Face> {
  const text = await readFile(new URL(css, modules), 'utf8');
  for (const [, rule = ''] of text.matchAll(/@font-face \{([^}]*)\}/g)) {
    const file = /url\(\.\/([^)]+\.woff2)\)/.exec(rule)?.[1];
    const ranges = /unicode-range: ([^;]+)/.exec(rule)?.[1]?.split(',');
    if (file === undefined || ranges?.some((range) => isIn(range, codePoint)) === false) continue;
    const bytes = await readFile(fileURLToPath(new URL(file, new URL(css, modules))));
    return { base64: bytes.toString('base64'), unicodeRange: `U+${codePoint.toString(16)}` };
  }
  throw new Error(`${css} has no U+${codePoint.toString(16)}`);
}

/** @param range `U+4e00` or `U+4e00-4eff` */
function isIn(range: string, codePoint: number): boolean {
  const [first = '', last = first] = range.trim().replace(/^U\+/i, '').split('-');
  return codePoint >= Number.parseInt(first, 16) && codePoint <= Number.parseInt(last, 16);
}
