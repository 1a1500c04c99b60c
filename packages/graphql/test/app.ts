/** A server over memory with GraphQL and access control, for tests: people ann 1, ben 2, adam 3 (admin). */
import type { Test } from 'tap'
import { graphql, type GraphqlOptions } from '@fastback/graphql'
import { call, makeApp as makeRuled, type App, type Parts as RuledParts } from '../../acl/test/app.js'

export { row, type App } from '../../acl/test/app.js'

type Loose = any

export interface Parts extends Omit<RuledParts, 'register' | 'log'> {
  graphql?: GraphqlOptions
}

export const makeApp = async (t: Test, { graphql: options = {}, ...parts }: Parts): Promise<App> => await makeRuled(t, {
  ...parts,
  options: { remoting: { errorHandler: { log: false } }, ...parts.options },
  register: async app => { await app.register(graphql, options) }
})

export interface Answered {
  status: number
  data: Loose
  errors: Loose[] | undefined
  headers: Loose
}

/** Sends a document, in the name of somebody. */
export async function ask (
  app: App, who: string | undefined, query: string, variables?: object, more: object = {}
): Promise<Answered> {
  const response = await app.inject({
    method: 'POST',
    url: '/graphql',
    payload: { query, ...(variables === undefined ? {} : { variables }), ...more },
    headers: who === undefined ? {} : { authorization: app.tokens[who] ?? who }
  })
  const { data, errors } = response.json()
  return { status: response.statusCode, data, errors, headers: response.headers }
}

/** The data of a document that has no errors. */
export async function data (app: App, who: string | undefined, query: string, variables?: object): Promise<Loose> {
  const { data, errors } = await ask(app, who, query, variables)
  if (errors !== undefined) throw new Error(JSON.stringify(errors, null, 1))
  return data
}

/** The codes of a document's errors. */
export async function codes (app: App, who: string | undefined, query: string, variables?: object): Promise<string[]> {
  const { errors = [] } = await ask(app, who, query, variables)
  return errors.map(({ extensions }) => extensions.code)
}

/** The same rows over REST. */
export const overRest = async (
  app: App, who: string | undefined, path: string
): Promise<{ status: number, body: Loose }> => await call(app, who, 'GET', path)
