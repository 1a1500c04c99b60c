// How the search of the site weighs what it finds: the page and the test of it use the same.
// VitePress hands these to the browser as text, so that each function must stand by itself.

/** Guides come first; types, rules and what is for those who work on Fastback come last. An error's code: its page. */
const boostDocument = (id, term) =>
  term.startsWith('#') && id.startsWith('/errors/') ? 12 : /\/guides\//.test(id) ? 3 : /\/(?:types|rules|internals|changelog|contributing)/.test(id) ? 0.3 : 1

/** Words, as MiniSearch takes them, and each error code as one token: "core" and "model" are in every guide. */
const tokenize = text =>
  [...text.split(/[\n\r\p{Z}\p{P}]+/u), ...(text.match(/[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+/g) ?? []).map(code => `#${code}`)]

/** How the index is made. */
export const indexOptions = { tokenize }

const boost = { title: 4, text: 2, titles: 1 }
export const searchOptions = { boostDocument, tokenize, fuzzy: 0.15, prefix: true, boost }
