import { hashOf, html } from '@fastback/auth/service'
import type { PageContent } from './layout.js'
import type { Texts } from './texts/en.js'

/** Goes on when all frames are there, or have had five seconds; who has no scripts follows the link. */
const script = `const go = () => location.replace(document.getElementById('next').href)
addEventListener('load', go)
setTimeout(go, 5000)`

export const goOnScript = hashOf(script)

export interface LoggingOutPage {
  /** Addresses of clients, each to be loaded once. */
  readonly frames: readonly string[]
  /** Where a client asked to be led to afterwards. */
  readonly next: string | undefined
}

/** Signed out here, and being signed out at clients (OI-136). Their frames reach nothing outside themselves. */
export const loggingOutPage = ({ frames, next }: LoggingOutPage, texts: Texts): PageContent => ({
  title: texts.signedOut,
  ...next === undefined ? {} : { script },
  body: html`<p role="status">${next === undefined ? texts.signedOutHere : texts.signingOutElsewhere}</p>
${next === undefined
  ? undefined
  : html`<p><a id="next" href="${next}">${texts.continue}</a></p>
`}${frames.map(frame => html`<iframe src="${frame}" title="${texts.signOut}" sandbox="allow-scripts allow-same-origin" hidden></iframe>
`)}`
})
