/** Errors of live queries over WebSockets. */
import { RequestError } from '@fastback/core'

/** 400: a message of a client is none of the protocol. */
export const invalidMessage = (
  message = 'The message is none of the protocol of live queries: see live-protocol.md.'
): RequestError => new RequestError(400, message, { code: 'LIVE_MESSAGE_INVALID' })

/** 429: as many live queries as a connection may have. */
export const tooManyQueries = (most: number): RequestError => new RequestError(
  429, `A connection has at most ${most} live queries. End one first.`, { code: 'TOO_MANY_LIVE_QUERIES' })

/** 404: there are no live queries at a path. */
export const noLiveQueries = (path: string): RequestError => new RequestError(
  404, `There are no live queries of "${path}".`, { code: 'PATH_NOT_FOUND' })

/** 403: a page of another origin asks for a connection. */
export const foreignOrigin = (): RequestError => new RequestError(
  403, 'Pages of this origin may not connect.', { code: 'LIVE_FOREIGN_ORIGIN' })

/** 429: there are as many connections as there may be. */
export const tooManyConnections = (most: number): RequestError => new RequestError(
  429, `There are ${most} connections already. Come back later.`, { code: 'TOO_MANY_LIVE_CONNECTIONS' })
