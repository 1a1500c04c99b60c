// Preloaded into the kit's replay.mjs, which asks the system for a free port, closes it again and starts a server on it
// a second later. The system gives it to the next who asks: of 600 servers, now and then two had the same one, and the
// exchanges of both were lost. Here every other port of a block is given, each once: FASTBACK_REPLAY_PORTS is where the
// block starts, which no other replay of the run uses and which lies below what the system gives out by itself. The
// port after each is left to what the server itself starts.
import net from 'node:net'

const { listen } = net.Server.prototype
let next = Number(process.env.FASTBACK_REPLAY_PORTS)

net.Server.prototype.listen = function (port, ...rest) {
  if (port !== 0) return listen.call(this, port, ...rest)
  const theirs = this.rawListeners('error')
  const restore = () => {
    this.off('error', again).off('listening', restore)
    for (const each of theirs) this.on('error', each)
  }
  const again = error => {
    restore()
    // What is to be called then is kept from the first time.
    if (error.code === 'EADDRINUSE') this.listen(0, ...rest.filter(each => typeof each !== 'function'))
    else this.emit('error', error)
  }
  this.removeAllListeners('error').once('error', again).once('listening', restore)
  const given = next
  next += 2
  return listen.call(this, given, ...rest)
}
