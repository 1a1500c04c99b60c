import { html } from '@fastback/auth/service'
import { fillText } from './fill.js'
import type { PageContent } from './layout.js'
import type { Texts } from './texts/en.js'

export interface ErrorPage {
  /** Code of the protocol: `invalid_request`. */
  readonly error: string
  /** In English, as programs get it. */
  readonly description: string
}

export function errorPage ({ error, description }: ErrorPage, texts: Texts): PageContent {
  return {
    title: texts.failed,
    body: html`<p class="error" role="alert" lang="en">${description}</p>
<p class="quiet">${fillText(texts.failedCode, { code: error })}</p>`
  }
}
