// Loaded before each code block: tells the runner when a server listens, gives every server a free port, and finds
// imports in the whole workspace.
import { register } from 'node:module'
import { Server } from 'node:net'

register(new URL('./find-imports.mjs', import.meta.url))

const { listen } = Server.prototype
Server.prototype.listen = function (...args) {
  const [options] = args
  if (options !== null && typeof options === 'object' && options.port > 0) args[0] = { ...options, port: 0 }
  this.once('listening', () => { process.send?.('listening') })
  return listen.apply(this, args)
}
