import { fileURLToPath } from 'node:url'
import { draw } from '../pictures.mjs'
import { sidebar } from '../navigation.mjs'

const built = name => fileURLToPath(new URL(`../../.site/${name}`, import.meta.url))

/** Anchors as the repository's pages have them, so that links work in both places. */
const slugify = text => text.trim().toLowerCase().replaceAll(/[^\p{L}\p{N}\s_-]/gu, '').replaceAll(/\s/g, '-')

/** Documents are plain Markdown: what looks like a tag or an expression of Vue is text. */
function plainMarkdown (md) {
  const { text, code_inline: code, fence } = md.renderer.rules
  md.renderer.rules.text = (...args) => text(...args).replaceAll('{{', '&#123;&#123;')
  md.renderer.rules.code_inline = (...args) => code(...args).replaceAll('{{', '&#123;&#123;')
  md.renderer.rules.fence = (tokens, index, ...rest) => tokens[index].info.trim() === 'picture'
    ? draw(tokens[index].content)
    : fence(tokens, index, ...rest)
  // Wide tables and blocks of code are moved sideways, by keys as well.
  md.renderer.rules.table_open = () => '<div class="table" tabindex="0" role="region" aria-label="Table"><table tabindex="-1">\n'
  md.renderer.rules.table_close = () => '</table></div>\n'
}

/** Guides come first, rules for those who work on Fastback last. */
const weight = id => /\/guides\//.test(id) ? 3 : /\/(?:rules|internals)\/|changelog|contributing/.test(id) ? 0.3 : 1

const searchOptions = { boostDocument: weight, fuzzy: 0.15, prefix: true, boost: { title: 4, text: 2, titles: 1 } }

export default {
  title: 'Fastback',
  description: 'An HTTP API out of model definitions, on Fastify; runs LoopBack 3 folders.',
  lang: 'en',
  base: process.env.SITE_BASE ?? '/',
  srcDir: built('pages'),
  outDir: built('out'),
  cacheDir: built('cache'),
  // A page that is not written yet must not be linked: no exceptions.
  ignoreDeadLinks: false,
  metaChunk: true,
  // The index of the search is one file, loaded when somebody searches.
  vite: { build: { chunkSizeWarningLimit: 2500 }, publicDir: built('pages/public') },
  markdown: {
    html: false,
    // Addresses in messages are examples.
    linkify: false,
    anchor: { slugify },
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    config: plainMarkdown
  },
  themeConfig: {
    nav: [
      { text: 'Guides', link: '/guides/start-command-line' },
      { text: 'HTTP', link: '/http' },
      { text: 'Settings', link: '/settings/' },
      { text: 'Errors', link: '/errors/' },
      { text: 'API', link: '/api/' }
    ],
    sidebar: sidebar(),
    outline: { level: [2, 3] },
    search: {
      provider: 'local',
      options: { miniSearch: { searchOptions } }
    }
  }
}
