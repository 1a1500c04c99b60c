import { hashOf, html, page } from '@fastback/auth/service'

/** Sends the form on; who has no scripts presses the button. */
const script = 'document.forms[0].submit()'

export const formPostScript = hashOf(script)

/** The parameters of a response as a form (`response_mode=form_post`). */
export function formPostPage (redirectUri: string, parameters: ReadonlyArray<readonly [string, string]>): string {
  return page('One moment', html`<form method="post" action="${redirectUri}">
${parameters.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<button type="submit">Continue</button>
</form>`, script)
}
