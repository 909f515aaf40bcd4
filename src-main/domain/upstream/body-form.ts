// Forms in which a call can send its body and read its answer, and what goes with what. Checked in the file where it shows
// there, and otherwise when the call is made.

/** `json`: text as it is, anything else as JSON. */
export const bodyForms = ['json', 'form', 'multipart', 'text', 'base64'] as const;
export type BodyForm = (typeof bodyForms)[number];

export const answerForms = ['json', 'text', 'base64'] as const;
export type AnswerForm = (typeof answerForms)[number];

const formType = 'application/x-www-form-urlencoded';

/** Content type of a body in this form, if the author gives none. A multipart body has one of its own. */
export const usualTypes = {
  json: 'application/json',
  form: formType,
  text: 'text/plain; charset=utf-8',
  base64: 'application/octet-stream',
} as const;

/** The reason why a body of this form cannot have the content type, as a sentence; undefined if it can. */
export function contentTypeProblem(form: BodyForm, contentType: string): string | undefined {
  if (form === 'multipart')
    return 'Rowbench itself sets the content-type of a multipart body, since it names the boundary: leave it out';
  const type = mediaType(contentType);
  if (form === 'form' && type !== formType)
    return `A form body has the content-type ${formType}, not ${type}`;
  return undefined;
}

/** The reason why JSON that is no text cannot have the content type, as a sentence; undefined if it can. */
export function jsonTypeProblem(contentType: string): string | undefined {
  const type = mediaType(contentType);
  if (type === formType) return `The body would be sent as JSON, not as ${type}: add bodyAs: form`;
  if (type === 'multipart/form-data')
    return `The body would be sent as JSON, not as ${type}: add bodyAs: multipart, and leave the header out`;
  return undefined;
}

/** The type without parameters, in lower case. */
export const mediaType = (contentType: string): string =>
  (contentType.split(';')[0] ?? '').trim().toLowerCase();

/** True for the Base64 of some bytes, with or without its end of `=`. */
export const isBase64 = (text: string): boolean => {
  const digits = text.replace(/={1,2}$/, '');
  const isPadded = digits.length < text.length;
  return /^[\w+/-]*$/.test(digits) && digits.length % 4 !== 1 && (!isPadded || text.length % 4 === 0);
};
