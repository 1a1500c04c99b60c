// Loaded into a server before anything else: each connection to the port is sent what lives in its heap, in bytes, after a
// collection.
const { createServer } = require('node:net')
const { setFlagsFromString } = require('node:v8')
const { runInNewContext } = require('node:vm')
const { isMainThread } = require('node:worker_threads')

function listen (port) {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc')
  createServer(socket => {
    // The second one takes what the first one has found out to be of no use, such as code.
    collect()
    collect()
    socket.on('error', () => {}).end(String(process.memoryUsage().heapUsed))
  }).listen(port, '127.0.0.1').unref()
}

if (isMainThread) listen(Number(process.env.BENCH_HEAP_PORT))
