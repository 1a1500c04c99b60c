/** What a response means for the login: a login gives a token, a refusal asks for one. */
import type { Action } from '../api/description.js'
import { canBeToken } from '../api/token.js'
import type { Body } from './result.js'

export interface Hint {
  readonly text: string
  /** The token that the response gives. */
  readonly token?: string
  readonly userId?: unknown
}

export function hintFor (
  { operationId }: Action, status: number, body: Body,
  { hasToken, secured }: { readonly hasToken: boolean, readonly secured: boolean }
): Hint | undefined {
  const isLogin = operationId.endsWith('.login')
  const value = (body.kind === 'text' ? body.value : undefined) as { readonly id?: unknown, readonly userId?: unknown } | undefined
  if (isLogin && status === 200 && typeof value?.id === 'string' && canBeToken(value.id)) {
    return { text: 'Use this token', token: value.id, userId: value.userId }
  }
  if (isLogin && status >= 400) return { text: `The login failed: ${messageIn(value) ?? `the server responded with ${status}`}` }
  if (status !== 401 || !secured) return undefined
  return {
    text: hasToken
      ? 'The access token was not enough for this, or has ended.'
      : 'Log in, or set an access token at the top of the page.'
  }
}

function messageIn (value: unknown): string | undefined {
  const { error = value } = (value ?? {}) as { readonly error?: unknown }
  const { code, message, detail } = (error ?? {}) as {
    readonly code?: unknown
    readonly message?: unknown
    readonly detail?: unknown
  }
  if (code === 'LOGIN_FAILED') return 'user name or password are wrong'
  return [message, detail].find((text): text is string => typeof text === 'string')
}
