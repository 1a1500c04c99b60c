/** Requests with the observers of `before execute` and `after execute` around them (SO-M8, SC-H1, SC-H2). */
import type { observerMethods } from '@fastback/core/connector'
import type { Headers, ServiceClient } from '@fastback/service-client'

/** What observers see of a request, and may change. */
export interface ExchangeRequest {
  uri: string
  readonly method: 'GET' | 'POST'
  headers: Headers
  body: string | Buffer | undefined
}

export interface ExchangeResponse {
  readonly statusCode: number
  readonly headers: Headers
  /** Text, but for responses in parts. */
  body: string | Buffer
}

export interface ExchangeOptions {
  /** The operation, for logs and traces. */
  readonly name: string
  readonly timeout?: number | undefined
  /** Whether a document that came over the network named the host (SC-S4). */
  readonly foreignHost?: boolean
  /** Makes the text of the body. */
  readonly read: (body: Buffer, headers: Headers) => string | Buffer
}

/** Tells observers before and after some work. */
export type NotifyAround = ReturnType<typeof observerMethods>['notifyObserversAround']

export class Exchange {
  constructor (readonly client: ServiceClient, readonly notifyAround: NotifyAround) {}

  /**
   * ```js
   * const { statusCode, body } = await exchange.run({ uri, method: 'GET', headers: {}, body: undefined }, options)
   * ```
   * @throws what the client throws, and what observers end it with
   */
  run (request: ExchangeRequest, options: ExchangeOptions): Promise<ExchangeResponse> {
    return new Promise((resolve, reject) => {
      let sent: ExchangeResponse['body'] | undefined
      this.notifyAround('execute', { req: request }, (context, done) => {
        this.#send(context.req as ExchangeRequest, options).then(response => {
          context.res = response
          sent = response.body
          done(null, response, response.body)
        }, done)
      }, (error, response, body) => {
        if (error !== undefined && error !== null) reject(error as Error)
        else resolve(answerOf(response, body === sent ? undefined : body))
      })
    })
  }

  async #send ({ uri, method, headers, body }: ExchangeRequest, options: ExchangeOptions): Promise<ExchangeResponse> {
    const { name, timeout, foreignHost = false, read } = options
    const { statusCode, headers: answered, body: bytes } = await this.client.request({
      name, method, url: uri, headers, body, timeout, foreignHost
    })
    return { statusCode, headers: answered, body: read(bytes, answered) }
  }
}

/**
 * What observers made of a response.
 * @param own a body that they put in the place of the response's
 */
function answerOf (response: unknown, own: unknown): ExchangeResponse {
  const { statusCode = 200, headers = {}, body = '' } = (response ?? {}) as Partial<ExchangeResponse>
  return { statusCode, headers, body: typeof own === 'string' || Buffer.isBuffer(own) ? own : body }
}
