/** Headers of pages: never framed, never stored, nothing loaded from elsewhere (O-031, O-032). */
import type { FastifyReply } from 'fastify'

export interface PageOptions {
  readonly status?: number
  /**
   * Where forms may lead: the response of a form may be a redirect to the client, which browsers count as part of the
   * form.
   */
  readonly formAction?: readonly string[]
  /** Source of the page's script. */
  readonly script?: string
  /** Sources of the page's frames. Default: it has none. */
  readonly frames?: readonly string[]
}

/** What all pages of a provider are allowed, as sources of a policy. */
export interface PageSources {
  readonly styleHash: string
  readonly image: string | undefined
}

export function sendPage (
  reply: FastifyReply,
  text: string,
  { styleHash, image }: PageSources,
  { status = 200, formAction = [], script, frames = [] }: PageOptions = {}
): FastifyReply {
  const policy = [
    "default-src 'none'",
    `style-src ${styleHash}`,
    ...(image === undefined ? [] : [`img-src ${image}`]),
    ...(script === undefined ? [] : [`script-src ${script}`]),
    ...(frames.length === 0 ? [] : [`frame-src ${[...new Set(frames)].join(' ')}`]),
    `form-action ${formAction.length === 0 ? "'none'" : formAction.join(' ')}`,
    "frame-ancestors 'none'",
    "base-uri 'none'"
  ].join('; ')
  return sendHtml(reply, text, policy, status)
}

/** A page of the application's own: what it loads is for the application to say. */
export const sendOwnPage = (reply: FastifyReply, text: string, { status = 200 }: PageOptions = {}): FastifyReply =>
  sendHtml(reply, text, "frame-ancestors 'none'; base-uri 'none'", status)

const sendHtml = (reply: FastifyReply, text: string, policy: string, status: number): FastifyReply =>
  withoutTraces(reply)
    .code(status)
    .headers({
      'content-security-policy': policy,
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      'content-type': 'text/html; charset=utf-8'
    })
    .send(text)

/** For pages, and redirects that carry codes. */
export function withoutTraces (reply: FastifyReply): FastifyReply {
  return reply.headers({ 'cache-control': 'no-store', pragma: 'no-cache', 'referrer-policy': 'no-referrer' })
}

/** A redirect URI as a source of a policy. Addresses that the grammar has no form for stand for their scheme. */
export function sourceOf (uri: string): string {
  const { protocol, hostname, origin } = new URL(uri)
  return (protocol === 'https:' || protocol === 'http:') && /^[\w.-]+$/.test(hostname) ? origin : protocol
}
