import { html, page } from '@fastback/auth/service'

export function errorPage (error: string, description: string): string {
  return page('This did not work', html`<p class="error" role="alert">${description}</p>
<p>Code: ${error}</p>`)
}
