// Owns what the fields of forms are sent as.

/** Reais with a mark before the cents, with marks between thousands or without; three digits after a mark are thousands. */
const AMOUNT = /^(?:\d{1,3}([.,])\d{3}(?:\1\d{3})*(?:(?!\1)[.,]\d{1,2})?|\d+(?:[.,]\d{1,2})?)$/

/**
 * What a field is sent as: reais as whole cents, numbers as numbers, and a value as what it reads as. What is none of
 * these goes as it was typed, and is refused with what would be right.
 * @param {string} text
 * @param {string | undefined} type
 * @returns {unknown}
 */
export function valueOf(text, type) {
  if (type === 'number') return Number.isNaN(Number(text)) ? text : Number(text)
  if (type === 'value') return /^(?:true|false|-?\d+(?:\.\d+)?)$/.test(text) ? JSON.parse(text) : text
  return type === 'money' ? centsOf(text) : text
}

/** @param {string} text */
function centsOf(text) {
  const amount = text.trim().replace(/^R\$\s*/, '')
  if (!AMOUNT.test(amount)) return text
  const [, whole = '', cents = ''] = /^(.*?)(?:[.,](\d{1,2}))?$/.exec(amount) ?? []
  return Number(whole.replace(/[.,]/g, '') + cents.padEnd(2, '0'))
}
