/** Remote methods with every kind of argument and result. */
export default Tool => {
  Tool.echo = async (text, number, flag, when, list, object) => ({ text, number, flag, when, list, object })
  Tool.remoteMethod('echo', {
    accepts: [
      { arg: 'text', type: 'string', required: true }, { arg: 'number', type: 'integer' }, { arg: 'flag', type: 'boolean' }, { arg: 'when', type: 'date' },
      { arg: 'list', type: ['number'] }, { arg: 'object', type: 'object' }
    ],
    returns: { arg: 'said', type: 'object' },
    http: [{ verb: 'get' }, { verb: 'post' }]
  })
  Tool.plus = async (a, b = 0) => a + b
  Tool.remoteMethod('plus', { accepts: [{ arg: 'a', type: 'number', required: true }, { arg: 'b', type: 'number', http: { source: 'header' } }], returns: { arg: 'sum', type: 'number' }, http: { verb: 'get', path: '/plus/:a' } })
  Tool.whole = async data => data ?? {}
  Tool.remoteMethod('whole', { accepts: { arg: 'data', type: 'object', http: { source: 'body' } }, returns: { arg: 'data', type: 'object', root: true }, http: { verb: 'put', path: '/whole' } })
}
