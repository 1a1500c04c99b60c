export default Vault => {
  Vault.who = async ({ accessToken }) => ({ client: accessToken.appId })
  Vault.remoteMethod('who', {
    accepts: { arg: 'options', type: 'object', http: 'optionsFromRequest' },
    returns: { arg: 'data', type: 'object', root: true },
    http: { verb: 'get' }
  })
}
