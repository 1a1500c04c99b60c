'use strict'

// LoopBack 3 would then ask the ACL table in each request of every load: its server guards one model itself.
module.exports = function enableAuthentication (server) {
  if (process.env.BENCH_AUTH === 'true') server.enableAuth()
}
