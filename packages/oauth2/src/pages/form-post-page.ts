import { hashOf, html } from '@fastback/auth/service'
import type { PageContent } from './layout.js'
import type { Texts } from './texts/en.js'

/** Sends the form on; who has no scripts presses the button. */
const script = 'document.forms[0].submit()'

export const formPostScript = hashOf(script)

export interface FormPostPage {
  readonly redirectUri: string
  readonly parameters: ReadonlyArray<readonly [string, string]>
}

/** The parameters of a response as a form (`response_mode=form_post`). */
export function formPostPage ({ redirectUri, parameters }: FormPostPage, texts: Texts): PageContent {
  return {
    title: texts.oneMoment,
    script,
    body: html`<form method="post" action="${redirectUri}">
${parameters.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<button type="submit">${texts.continue}</button>
</form>`
  }
}
