import { readdirSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { draw } from '../pictures.mjs'
import { sidebars } from '../navigation.mjs'
import { indexOptions, searchOptions } from '../search.mjs'

const built = name => fileURLToPath(new URL(`../../.site/${name}`, import.meta.url))

/** Names of the pages of a folder. */
const namesIn = folder => readdirSync(built(`pages/${folder}`)).map(file => path.basename(file, '.md'))
  .filter(name => name !== 'index')

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
  md.renderer.rules.table_open = () => '<div class="table" tabindex="0" role="group" aria-label="Table"><table tabindex="-1">\n'
  md.renderer.rules.table_close = () => '</table></div>\n'
  // A heading that says nothing is none.
  const { th_open: open, th_close: close } = md.renderer.rules
  const otherwise = (tokens, index, options, env, self) => self.renderToken(tokens, index, options)
  md.renderer.rules.th_open = (tokens, index, ...rest) =>
    tokens[index + 1].content === '' ? '<td>' : (open ?? otherwise)(tokens, index, ...rest)
  md.renderer.rules.th_close = (tokens, index, ...rest) =>
    tokens[index - 1].content === '' ? '</td>' : (close ?? otherwise)(tokens, index, ...rest)
}

export default {
  title: 'Fastback',
  description: 'An HTTP API out of model definitions, on Fastify; runs LoopBack 3 folders.',
  lang: 'en',
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  base: process.env.SITE_BASE ?? '/',
  srcDir: built('pages'),
  outDir: built('out'),
  cacheDir: built('cache'),
  // A page that is not written yet must not be linked: no exceptions.
  ignoreDeadLinks: false,
  metaChunk: true,
  // The index of the search is one file, loaded when somebody searches.
  vite: { build: { chunkSizeWarningLimit: 4000 }, publicDir: built('pages/public') },
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
    sidebar: sidebars(namesIn('api'), namesIn('types')),
    outline: { level: [2, 3] },
    search: {
      provider: 'local',
      options: { miniSearch: { options: indexOptions, searchOptions } }
    }
  }
}
