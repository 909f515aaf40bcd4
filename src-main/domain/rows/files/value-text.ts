// Texts of one value, such as a number, a date or a time: they tell columns of values from the names above them.

const unit = String.raw`(?:[$€£¥%]|EUR|USD|GBP|CHF|JPY)`;
const forms = [
  String.raw`\(?[+-]?${unit}?\s?[+-]?(?:\d{1,3}(?:[ .,'\u00a0]\d{3})+|\d+)?(?:[.,]?\d+|\d[.,])(?:[eE][+-]?\d+)?\)?\s?${unit}?`,
  String.raw`\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}(?:[T ,]\s*\d{1,2}:\d{2}.{0,20})?`,
  String.raw`\d{1,3}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?:\s?[aApP][mM])?`,
];
const value = new RegExp(`^(?:${forms.join('|')})$`);

/** Maximum length of a text that is looked at: no value is longer. */
const maxLength = 40;

/** True for a text of one number, date or time, in any usual form and with a unit or without. */
export const isValueText = (text: string): boolean =>
  text.length <= maxLength && /^[\d$€£¥(+.,EUGCJ-]/.test(text) && value.test(text);

/** True for a whole number that may as well be the year that a column is about. */
export const isYear = (text: string): boolean => /^(?:19|20)\d\d$/.test(text);
