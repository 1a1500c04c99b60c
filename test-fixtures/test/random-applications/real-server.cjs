// Runs applications on a real LoopBack 3, one after the other, in a process of its own: its packages are those of the
// folder that is named first. A message names a folder and gets the port, or why it did not start.
'use strict'
const { createRequire } = require('node:module')
const path = require('node:path')
const requireReal = createRequire(path.join(process.argv[2], 'package.json'))
const loopback = requireReal('loopback')
const boot = requireReal('loopback-boot')

let server

process.on('message', folder => {
  server?.close()
  const app = loopback({ localRegistry: true, loadBuiltinModels: true })
  boot(app, { appRootDir: path.join(folder, 'server'), env: 'production' }, error => {
    if (error) return process.send({ failed: String(error.stack) })
    app.use(app.get('restApiRoot'), loopback.rest())
    server = app.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }))
  })
})
process.on('uncaughtException', error => process.send({ failed: String(error.stack) }))
