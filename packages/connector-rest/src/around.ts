import { observerMethods, type Observers } from '@fastback/core/connector'
import type { RestResponse } from './response.js'
import type { RestRequest } from './request.js'
import type { Exchange } from './exchange.js'

type Send = (request: RestRequest) => Promise<RestResponse>
type End = (error?: unknown, response?: RestResponse, body?: unknown) => void

/**
 * Tells of a request before and after (service-connectors.md, SC-H1, SC-H2). An observer may change `ctx.req`, what
 * came (`ctx.res`, `ctx.results`), and end it all with `ctx.end(error, response, body)`.
 */
export function notifyAround (observers: Observers, req: RestRequest, send: Send): Promise<Exchange> {
  return new Promise((resolve, reject) => {
    const end: End = (error, response, body) => {
      if (error !== undefined && error !== null) reject(error)
      else resolve({ response, body })
    }
    const context = { req, request: send }
    const work = (asked: Record<string, unknown>, done: (error?: unknown, ...results: unknown[]) => void): void => {
      send(asked.req as RestRequest).then(
        response => {
          asked.res = response
          done(null, response, response.body)
        },
        (error: unknown) => { done(error) }
      )
    }
    observerMethods(observers).notifyObserversAround('execute', context, work, end as (...values: unknown[]) => void)
  })
}
