// Headers that every answer carries. There are no CORS headers and no cookies anywhere: a key or a token in a header is
// the only way in, and keys are not for code in a browser.

/** Against sniffing, embedding, leaking addresses and caching. Answers of the APIs are never a document to show. */
export const securityHeaders: Readonly<Record<string, string>> = {
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
};
