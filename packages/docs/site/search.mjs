// How the search of the site weighs what it finds: the page and the test of it use the same.
// VitePress hands these to the browser as text, so that the function must stand by itself.

/** Guides come first; types, rules and what is for those who work on Fastback come last. */
const boostDocument = id =>
  /\/guides\//.test(id) ? 3 : /\/(?:types|rules|internals|changelog|contributing)/.test(id) ? 0.3 : 1

export const searchOptions = { boostDocument, fuzzy: 0.15, prefix: true, boost: { title: 4, text: 2, titles: 1 } }
