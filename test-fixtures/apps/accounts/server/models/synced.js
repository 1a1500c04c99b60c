export default Synced => {
  Synced.take = async rows => ({ taken: rows.length })
  Synced.remoteMethod('take', { accepts: { arg: 'rows', type: ['object'], http: { source: 'body' } }, returns: { arg: 'result', type: 'object', root: true }, accessType: 'REPLICATE', http: { verb: 'post' } })
}
