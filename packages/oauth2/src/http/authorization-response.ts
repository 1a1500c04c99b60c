/** Responses of the authorization endpoint at the client's redirect URI (O-015 to O-020, O-034, O-035). */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ResponseTarget } from '../checks/authorization-request.js'
import { formPostScript } from '../pages/form-post-page.js'
import { sourceOf, withoutTraces } from '../pages/send-page.js'
import type { Provider } from '../provider.js'

type Values = Readonly<Record<string, string | undefined>>

/** Sends parameters to the client, with `state` as it came and `iss`. */
export async function sendToClient (
  { pages, issuerOf }: Provider, request: FastifyRequest, reply: FastifyReply, target: ResponseTarget, values: Values
): Promise<FastifyReply> {
  const { redirectUri, responseMode, state } = target
  const parameters = Object.entries({ ...values, state, iss: issuerOf(request) }).filter(
    (entry): entry is [string, string] => entry[1] !== undefined
  )
  if (responseMode === 'form_post') {
    return await pages.send(request, reply, 'formPost', { redirectUri, parameters }, {
      formAction: [sourceOf(redirectUri)],
      script: formPostScript
    })
  }
  const text = new URLSearchParams(parameters).toString()
  const location = responseMode === 'fragment' ? `${redirectUri}#${text}` : `${redirectUri}${joint(redirectUri)}${text}`
  return withoutTraces(reply).redirect(location, seeOther(request))
}

/** The registered URI may have a query of its own, which stays. */
const joint = (uri: string): string => !uri.includes('?') ? '?' : /[?&]$/.test(uri) ? '' : '&'

/** After a form the browser must not send the form again: never 307 or 308 (O-020). */
export const seeOther = (request: FastifyRequest): 302 | 303 => request.method === 'POST' ? 303 : 302
