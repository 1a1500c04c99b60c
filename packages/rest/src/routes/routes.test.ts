import t from 'tap'
import type { ModelClass, SharedMethod } from '@fastback/core'
import { matches } from '../hooks/match.js'
import { normalisePath } from './model-path.js'
import { planRoutes } from './plan.js'

const Model = { modelName: 'Note', pluralModelName: 'Notes', settings: {} } as unknown as ModelClass

const method = (name: string, ...http: Array<[verb: string, path: string]>): SharedMethod =>
  ({
    name,
    fullName: name,
    modelName: 'Note',
    http: http.map(([verb, path]) => ({ verb, path }))
  }) as unknown as SharedMethod

const plan = (...methods: SharedMethod[]): string[] =>
  planRoutes(Model, methods, false).routes.flatMap(({ verbs, url, method: { name } }) =>
    verbs.map(verb => `${verb} ${url} ${name}`)
  )

t.test('a method of any verb has those that no other route has', async t => {
  t.strictSame(
    plan(
      method('logout', ['all', '/logout']),
      method('findById', ['get', '/:id']),
      method('exists', ['head', '/:id'], ['get', '/:id/exists'])
    ),
    [
      'GET /Notes/:id findById',
      'HEAD /Notes/:id exists',
      'GET /Notes/:id/exists exists',
      'POST /Notes/logout logout',
      'PUT /Notes/logout logout',
      'PATCH /Notes/logout logout',
      'DELETE /Notes/logout logout'
    ]
  )
})

t.test('of two methods on one route the first stays', async t => {
  const { routes, shadowed } = planRoutes(
    Model,
    [
      method('find', ['get', '/']),
      method('list', ['get', '/']),
      method('a', ['get', '/:id/X']),
      method('b', ['get', '/:fk/x']),
      method('c', ['get', '/:id/x/'])
    ],
    false
  )
  t.strictSame(routes.map(route => route.method.name), ['find', 'a'])
  t.strictSame(shadowed.map(route => [route.method.name, route.by.name]), [['list', 'find'], ['b', 'a'], ['c', 'a']])
})

t.test('paths', async t => {
  t.equal(normalisePath('/MyNotes/:someId/lastChange'), '/my-notes/:someId/last-change')
  t.equal(normalisePath('/HTMLPages/snake_case'), '/html-pages/snake-case')
  const deep = {
    ...Model,
    settings: { http: { path: '/press/Articles/' }, remoting: { normalizeHttpPath: true } }
  } as unknown as ModelClass
  t.equal(planRoutes(deep, [method('find', ['get', '/'])], false).routes[0]?.url, '/press/articles')
})

t.test('patterns of remote hooks', async t => {
  const table: Array<[pattern: string, name: string, expected: boolean]> = [
    ['create', 'create', true],
    ['create', 'prototype.create', false],
    ['*', 'create', true],
    ['*', 'prototype.save', false],
    ['prototype.*', 'prototype.save', true],
    ['prototype.*', 'create', false],
    ['**', 'create', true],
    ['**', 'prototype.save', true],
    ['*.save', 'prototype.save', true],
    ['*.save', 'save', false],
    ['Note.**', 'Note.create', true],
    ['Note.**', 'User.create', false],
    ['*.create', 'Note.create', true],
    ['**', 'Note.prototype.save', true]
  ]
  for (const [pattern, name, expected] of table) t.equal(matches(pattern, name), expected, `${pattern} ${name}`)
})
