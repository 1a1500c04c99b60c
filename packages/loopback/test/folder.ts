/** A folder as LoopBack's own generator makes it, with a real-looking LoopBack among its packages. */
import type { Test } from 'tap'

/** What `lb` writes as server/server.js, in the order in which most applications have it. */
export const generatedServer = `'use strict'
var loopback = require('loopback')
var boot = require('loopback-boot')
var app = module.exports = loopback()
app.start = function () {
  return app.listen(function () {
    app.emit('started')
    console.log('own server at ' + app.get('url'))
  })
}
boot(app, __dirname, function (err) {
  if (err) throw err
  if (require.main === module) app.start()
})
`

const foreign = 'throw new Error("the LoopBack of node_modules was loaded")'

/** @param files by path; they replace those of the generator */
export function folder (t: Test, files: Record<string, string | object> = {}): string {
  const all: Record<string, string | object> = {
    'package.json': { name: 'shop', main: 'server/server.js', dependencies: { loopback: '^3.22.0' } },
    'server/server.js': generatedServer,
    'server/config.json': { restApiRoot: '/api', port: 0, host: '127.0.0.1' },
    'server/datasources.json': { db: { name: 'db', connector: 'memory' } },
    'server/model-config.json': { Note: { dataSource: 'db' } },
    'server/component-config.json': { 'loopback-component-explorer': { mountPath: '/explorer' } },
    'server/middleware.json': {
      'initial:before': { 'loopback#favicon': {} },
      initial: { compression: {}, cors: { params: { origin: true, credentials: true, maxAge: 86400 } } },
      routes: { 'loopback#rest': { paths: ['$' + '{restApiRoot}'] } },
      final: { 'loopback#urlNotFound': {} },
      'final:after': { 'strong-error-handler': {} }
    },
    'common/models/note.json': { name: 'Note', base: 'PersistedModel', properties: { title: 'string' } },
    'common/models/note.js': "module.exports = function (Note) { Note.observe('before save', async () => {}) }",
    'node_modules/loopback/index.js': foreign,
    'node_modules/loopback-boot/index.js': foreign,
    'node_modules/loopback-datasource-juggler/index.js': foreign,
    ...files
  }
  const tree: Record<string, any> = {}
  for (const [file, content] of Object.entries(all)) {
    // A package that a link stands for has no files of its own.
    if (Object.entries(files).some(([link, to]) => to instanceof Object && 'type' in to && file.startsWith(`${link}/`))) continue
    const names = file.split('/')
    const name = names.pop() as string
    const dir = names.reduce((at, each) => (at[each] ??= {}) as Record<string, any>, tree)
    dir[name] = typeof content === 'string' || 'type' in content ? content : JSON.stringify(content)
  }
  return t.testdir(tree)
}
