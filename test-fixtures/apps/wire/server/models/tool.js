/** Methods that put input where it does harm, and that fail with what nobody should see. */
export default Tool => {
  const calls = { counted: 0 }
  Object.assign(Tool, { calls })
  const declare = (name, fn, options) => { Tool[name] = fn; Tool.remoteMethod(name, options) }
  const text = { arg: 'text', type: 'string' }

  declare('named', async text => text, { accepts: text, returns: { arg: 'name', type: 'string', http: { target: 'header', header: 'X-Name' } }, http: { verb: 'get' } })
  declare('typed', async text => ['<b>x</b>', text], {
    accepts: text, returns: [{ arg: 'body', type: 'file', root: true }, { arg: 'type', type: 'string', http: { target: 'header', header: 'Content-Type' } }], http: { verb: 'get' }
  })
  declare('page', async text => [`<p>${text}</p>`, 'public, max-age=60'], {
    accepts: text, returns: [{ arg: 'body', type: 'string', root: true }, { arg: 'cache', type: 'string', http: { target: 'header', header: 'Cache-Control' } }], http: { verb: 'get' }
  })
  declare('raw', (text, res, next) => { res.set('X-Name', text); res.send('raw') }, { accepts: [text, { arg: 'res', type: 'object', http: { source: 'res' } }], http: { verb: 'get' } })
  declare('count', async () => ++calls.counted, { returns: { arg: 'counted', type: 'number' }, http: [{ verb: 'post' }, { verb: 'get' }] })
  declare('file', async () => Buffer.from('bytes'), { returns: { arg: 'body', type: 'file', root: true }, http: { verb: 'get' } })
  declare('fail', async (text, status) => {
    const sql = 'SELECT password FROM "User" WHERE email = \'ann@x.test\''
    const error = Object.assign(new Error(`${text}: ${sql} at /srv/app/server/models/tool.js:12:3`), { sql, query: sql, errno: 19, driver: 'SQLITE_CONSTRAINT', path: '/srv/app/data.db', row: { email: 'ann@x.test' } })
    throw status === undefined ? error : Object.assign(error, { statusCode: status })
  }, { accepts: [text, { arg: 'status', type: 'number' }], http: { verb: 'get' } })
  declare('failWith', async text => {
    throw text === 'object' ? { secret: 'ann@x.test', message: '/srv/app' } : text === 'list' ? [new Error('/srv/app'), new Error('SELECT 1')] : text
  }, { accepts: text, http: { verb: 'get' } })
  declare('rows', async length => Array.from({ length }, (_, i) => ({ i, text: 'x'.repeat(1000) })), { accepts: { arg: 'length', type: 'number' }, returns: { arg: 'rows', type: ['object'], root: true }, http: { verb: 'get' } })
  declare('concealed', async () => 'x', { returns: { arg: 'x', type: 'string' }, http: { verb: 'get', path: '/concealed' }, documented: false })
  declare('off', async () => 'x', { returns: { arg: 'x', type: 'string' }, http: { verb: 'get', path: '/switched-off' } })
  Tool.disableRemoteMethodByName('off')
}
