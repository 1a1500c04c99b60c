/** Specification, Versioning 6: "A method key starting with `prototype.` is an instance method; any other is static" */
import t from 'tap'
import { ModelRegistry } from '@fastback/core'
import { sharedMethodsOf } from '@fastback/core/remote'

t.test('only the name tells a method of instances, and what says otherwise is warned of', async t => {
  const warned: string[] = []
  const log = { debug () {}, info () {}, error () {}, warn: (_: unknown, message: string) => { warned.push(message) } }
  const registry = new ModelRegistry({ log: log as never, settings: { modelDefinitions: 'open' } })
  const Note = registry.defineModel({
    name: 'Note',
    methods: {
      greet: { isStatic: false, http: { path: '/greet' } },
      'prototype.wave': { isStatic: false, http: { path: '/wave' } }
    }
  })
  Note.remoteMethod('sing', { isStatic: false, http: { path: '/sing' } })
  Note.remoteMethod('prototype.hum', { isStatic: false, http: { path: '/hum' } })
  const own = sharedMethodsOf(Note).filter(({ builtin }) => builtin === undefined)
  const told = own.map(({ fullName, isStatic, http: [route] }) => [fullName, [isStatic, route?.path]])
  t.strictSame(Object.fromEntries(told), {
    greet: [true, '/greet'],
    'prototype.wave': [false, '/:id/wave'],
    sing: [true, '/sing'],
    'prototype.hum': [false, '/:id/hum']
  })
  t.match(warned.filter(message => message.includes('isStatic')), [/greet/, /"sing".*prototype\.sing/])
  t.throws(() => { Note.remoteMethod('prototype.run', { isStatic: true }) }, { code: 'FBK_CORE_INVALID_DEFINITION' })
})
