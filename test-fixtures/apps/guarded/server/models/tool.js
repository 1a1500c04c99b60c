/** Methods that tell what reached them. */
const kind = value => value === null ? 'null' : Array.isArray(value) ? 'array' : value instanceof Date ? 'date' : Buffer.isBuffer(value) ? 'buffer' : typeof value

export default Tool => {
  Tool.echo = async (text, number, flag, when, list, object, any) => ({
    text, number, flag, when, list, object, any, kinds: [text, number, flag, when, list, object, any].map(kind)
  })
  Tool.remoteMethod('echo', {
    accepts: [
      { arg: 'text', type: 'string' }, { arg: 'number', type: 'number' }, { arg: 'flag', type: 'boolean' }, { arg: 'when', type: 'date' },
      { arg: 'list', type: ['number'] }, { arg: 'object', type: 'object' }, { arg: 'any', type: 'any' }
    ],
    returns: { arg: 'got', type: 'object', root: true },
    http: [{ verb: 'get' }, { verb: 'post' }]
  })
  Tool.asked = async filter => ({ filter: filter ?? null })
  Tool.remoteMethod('asked', { accepts: { arg: 'filter', type: 'object', http: { source: 'query' } }, returns: { arg: 'got', type: 'object', root: true }, http: { verb: 'post' } })
  Tool.whole = async data => ({
    data: data ?? null,
    own: data === null || typeof data !== 'object' ? [] : Object.keys(data),
    plain: data === null || typeof data !== 'object' || [Object.prototype, Array.prototype, null].includes(Object.getPrototypeOf(data)),
    accessors: data === null || typeof data !== 'object' ? 0 : Object.values(Object.getOwnPropertyDescriptors(data)).filter(each => each.get !== undefined || each.set !== undefined).length
  })
  Tool.remoteMethod('whole', { accepts: { arg: 'data', type: 'object', http: { source: 'body' } }, returns: { arg: 'got', type: 'object', root: true }, http: { verb: 'post' } })
}
