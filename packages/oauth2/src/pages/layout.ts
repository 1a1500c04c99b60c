/** What all pages have in common. */
import { hashOf, html, page, type Html } from '@fastback/auth/service'
import { colorRules } from './colors.js'
import type { PageSettings } from './settings.js'
import { styles } from './style.js'

/** What a page has of its own. */
export interface PageContent {
  readonly title: string
  readonly body: Html
  /** For pages that show lists. */
  readonly isWide?: boolean
  /** A script that stands in the page. */
  readonly script?: string
}

export interface Layout {
  /** The whole page. */
  page (content: PageContent, language: string): string
  /** Of its style sheet, for `style-src`. */
  readonly styleHash: string
  /** Where its logo is, for `img-src`; undefined: it has none. */
  readonly image: string | undefined
}

/**
 * The frame of a provider's pages, with its colours, logo and name.
 *
 * ```js
 * layoutFor(settings).page({ title: 'Sign in', body: html`<form>…</form>` }, 'en')
 * ```
 * @throws FBK_OAUTH2_INVALID_OPTIONS for colours that cannot be read on one another
 */
export function layoutFor ({ logo, name, colors }: Pick<PageSettings, 'logo' | 'name' | 'colors'>): Layout {
  const sheet = `${colorRules(colors)}\n${styles}`
  const top = logo === undefined
    ? name === undefined ? undefined : html`<header class="top">${name}</header>\n`
    : html`<header class="top"><img src="${logo}" alt="${name ?? ''}"></header>\n`
  return {
    styleHash: hashOf(sheet),
    image: logo === undefined ? undefined : sourceOfImage(logo),
    page: ({ title, ...content }, language) => page({
      ...content, title: name === undefined ? title : `${title} – ${name}`, heading: title, language, style: sheet, top
    })
  }
}

const sourceOfImage = (logo: string): string =>
  logo.startsWith('data:') ? 'data:' : logo.startsWith('/') ? "'self'" : new URL(logo).origin
