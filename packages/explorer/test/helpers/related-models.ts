import core from '@fastback/core'
import memory from '@fastback/connector-memory'
import rest from '@fastback/rest'
import Fastify, { type FastifyInstance } from 'fastify'
import type { Test } from 'tap'
import { explorer } from '../../src/index.js'

/** Models that are related to four others each, around. */
export async function relatedModels (t: Test, count: number): Promise<FastifyInstance> {
  const app = Fastify()
  t.teardown(() => app.close())
  const name = (index: number): string => `Model${index % count}`
  const definitions = Array.from({ length: count }, (_, index) => ({
    name: name(index),
    properties: {
      title: { type: 'string', required: true },
      size: 'number',
      done: 'boolean',
      made: 'date',
      place: 'geopoint',
      more: 'object'
    },
    relations: {
      next: { type: 'belongsTo', model: name(index + 1), foreignKey: 'nextId' },
      back: { type: 'hasMany', model: name(index + count - 1), foreignKey: 'nextId' },
      far: { type: 'belongsTo', model: name(index + 7), foreignKey: 'farId' },
      many: { type: 'hasMany', model: name(index + 11), foreignKey: 'ownId' }
    }
  }))
  await app.register(core, {
    dataSources: { db: { connector: memory } },
    definitions: definitions as never,
    models: Object.fromEntries(definitions.map(each => [each.name, { dataSource: 'db', public: true }]))
  })
  await app.register(rest, { prefix: '/api' })
  await app.register(explorer)
  return app
}

/** The same operations without bodies, answers and queries: what a tool takes for operations alone. */
export function withoutSchemas (document: any): any {
  const paths = Object.entries<any>(document.paths).map(([path, item]) => {
    const parameters = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
      name, in: 'path', required: true, schema: { type: 'string' }
    }))
    const operations = Object.entries<any>(item).map(([verb, { requestBody, ...operation }]) =>
      [verb, { ...operation, parameters, responses: { default: { description: 'Anything' } } }])
    return [path, Object.fromEntries(operations)]
  })
  const { securitySchemes } = document.components
  const components = securitySchemes === undefined ? {} : { securitySchemes }
  return { ...document, paths: Object.fromEntries(paths), components }
}
